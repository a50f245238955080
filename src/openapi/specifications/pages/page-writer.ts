// The state while one page is written: the resolver of references, the schemas that the page has shown, and the remaining room.

import {
  createDescriptionWriter,
  type DescriptionPlace,
  type WriteDescription,
  type WrittenDescription,
} from "./descriptions";
import { escapeInlineText } from "./format-markdown";
import type { ModelLinks } from "./models";
import type { ResolveReference } from "./resolve-references";

/** The things that the pages of one specification share. */
export interface SpecificationContext {
  readonly resolve: ResolveReference;
  /** Writes descriptions, and caches them for all pages. Default: each page writes its own. */
  readonly describe?: WriteDescription;
}

const NAME = /[\p{L}\p{N}_.-]+/gu;
/** A word behind one of these is a format, not a name. */
const BEFORE_FORMAT = /(?:string|number|integer) $/;

/** The most characters of descriptions, members and examples of one page. */
const MAX_PAGE = 48_000;

/** The writer of one page. */
export class PageWriter {
  readonly resolve: ResolveReference;
  /** The schemas whose members the page has, with their depth. */
  readonly shown = new Map<object, { readonly depth: number; isCut: boolean }>();
  /** The schemas for which an example was generated. */
  readonly exemplified = new Set<object>();
  readonly #describe: WriteDescription;
  #room = MAX_PAGE;

  /** `models` links to the schemas that have their own pages. Default: none. */
  constructor(
    { resolve, describe = createDescriptionWriter() }: SpecificationContext,
    readonly models: ModelLinks = () => undefined,
  ) {
    this.resolve = resolve;
    this.#describe = describe;
  }

  /** Returns the description of a type as one line, with links to the models that it names. */
  linkType(kind: string): string {
    const escapePart = (part: string) => {
      const text = part.trim();
      return text === "" ? part : part.replace(text, () => escapeInlineText(text));
    };
    let [text, position] = ["", 0];
    for (const { 0: name, index } of kind.matchAll(NAME)) {
      const href = BEFORE_FORMAT.test(kind.slice(0, index)) ? undefined : this.models(name);
      if (href === undefined) continue;
      text += `${escapePart(kind.slice(position, index))}[${escapeInlineText(name)}](${href})`;
      position = index + name.length;
    }
    return text + escapePart(kind.slice(position));
  }

  /** True if there is room for more. */
  get hasRoom(): boolean {
    return this.#room > 0;
  }

  /** Returns a text, and counts its length. */
  take(text: string): string {
    this.#room -= text.length;
    return text;
  }

  /** Writes a description, or an ellipsis if there is no room for it. */
  describe(text: string | undefined, place: DescriptionPlace): WrittenDescription {
    if (!this.hasRoom && text !== undefined && text.trim() !== "") return TOO_LONG;
    const writeDescription = this.#describe(text, place);
    this.take(writeDescription.text);
    return writeDescription;
  }

  /** Writes a description as blocks. */
  described(text: string | undefined, place: DescriptionPlace): string {
    return this.describe(text, place).text;
  }
}

/** The sentence at which a page is cut. */
export const CUT = "*This page ends here, because the specification says more than one page can hold.*";

const TOO_LONG: WrittenDescription = { text: "…", isParagraph: true, endsWithList: false };
