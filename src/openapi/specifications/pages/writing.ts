// What is known while the text of one page is written: how references are followed, what it has shown, and how much room
// is left.

import { type Describe, type Described, descriptions, type Place } from "./descriptions";
import { kindInLine, type ModelLinks } from "./models";
import type { Resolve } from "./pointers";

/** What the pages of one specification have in common. */
export interface Source {
  readonly resolve: Resolve;
  readonly describe: Describe;
}

export function sourceOf(resolve: Resolve): Source {
  return { resolve, describe: descriptions() };
}

/** The most characters of descriptions, members and examples of one page. */
const MAX_PAGE = 48_000;

/** The writing of one page. */
export class Writing {
  readonly resolve: Resolve;
  /** Schemas whose members the page has, and how deep they stand in each other. */
  readonly shown = new Map<object, { readonly depth: number; isCut: boolean }>();
  /** Schemas of which an example was made. */
  readonly exemplified = new Set<object>();
  readonly #describe: Describe;
  #room = MAX_PAGE;

  /** `models` are the schemas that have pages of their own. Default: none. */
  constructor(
    { resolve, describe }: Source,
    readonly models: ModelLinks = () => undefined,
  ) {
    this.resolve = resolve;
    this.#describe = describe;
  }

  /** What a value is, in a line. */
  kind(kind: string): string {
    return kindInLine(kind, this.models);
  }

  /** Whether there is room for more. */
  get hasRoom(): boolean {
    return this.#room > 0;
  }

  /** A text, whose room is taken. */
  take(text: string): string {
    this.#room -= text.length;
    return text;
  }

  /** A description, or a sentence that says that there is no room for it. */
  describe(text: string | undefined, place: Place): Described {
    if (!this.hasRoom && text !== undefined && text.trim() !== "") return TOO_LONG;
    const described = this.#describe(text, place);
    this.take(described.text);
    return described;
  }

  /** A description as blocks. */
  described(text: string | undefined, place: Place): string {
    return this.describe(text, place).text;
  }
}

/** The sentence where a page is cut. */
export const CUT = "*This page ends here, because the specification says more than one page can hold.*";

const TOO_LONG: Described = { text: "…", isParagraph: true, endsWithList: false };
