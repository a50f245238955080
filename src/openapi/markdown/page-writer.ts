// The state while one page is written: the schemas that the page has shown, and the remaining room. Writes descriptions, types, and
// the entries of lists.

import { writeMarkdown } from "../../content/markdown/write";
import { type DescriptionPlace, PLAIN_MARKDOWN, parseDescription, trimDescription } from "../model/descriptions";
import { escapeInlineText } from "../model/format-markdown";
import { splitType, type ValueFacts } from "../model/members";

export interface WrittenDescription {
  readonly text: string;
  /** True if it is one paragraph, which can follow other words. */
  readonly isParagraph: boolean;
  /** True if it ends with a list, which another list would continue. */
  readonly endsWithList: boolean;
}

export type WriteDescription = (text: string | undefined, place: DescriptionPlace) => WrittenDescription;

/** The most characters of descriptions that are cached. Many operations have the same parameters. */
const MAX_CACHED = 2_000_000;

/** Creates a function that writes descriptions. It caches them while there is room. */
export function createDescriptionWriter(): WriteDescription {
  const known = new Map<string, WrittenDescription>();
  let room = MAX_CACHED;
  return (given, place) => {
    const text = trimDescription(given, place);
    if (text === "" || PLAIN_MARKDOWN.test(text)) return { text, isParagraph: true, endsWithList: false };
    const name = `${place} ${text}`;
    const found = known.get(name);
    if (found) return found;
    const blocks = parseDescription(text, place);
    const last = blocks.at(-1);
    const described: WrittenDescription = {
      text: writeMarkdown({ object: "document", data: {}, nodes: blocks }).trim(),
      isParagraph: blocks.length === 1 && last!.type === "paragraph" && !last!.data?.align,
      endsWithList: last?.type.startsWith("list-") === true,
    };
    room -= name.length + described.text.length;
    if (room > 0) known.set(name, described);
    return described;
  };
}

/** Returns the link to the page of a schema, by the name of the schema. */
export type ModelLinks = (name: string) => string | undefined;

export interface ListEntry extends ValueFacts {
  readonly label: string;
}

/** The most characters of descriptions, members and examples of one page. */
const MAX_PAGE = 48_000;

export const CUT = "*This page ends here, because the specification says more than one page can hold.*";

export class PageWriter {
  /** The schemas whose members the page has, with their depth. */
  readonly shown = new Map<object, { readonly depth: number; isCut: boolean }>();
  /** The schemas for which an example was generated. */
  readonly exemplified = new Set<object>();
  #room = MAX_PAGE;

  /** `models` links to the schemas that have their own pages. Default: none. */
  constructor(
    readonly writeDescription: WriteDescription = createDescriptionWriter(),
    readonly models: ModelLinks = () => undefined,
  ) {}

  /** Returns the description of a type as one line, with links to the models that it names. */
  linkType(kind: string): string {
    const parts = splitType(kind, this.models).map(({ text, href }) => {
      if (href !== undefined) return `[${escapeInlineText(text)}](${href})`;
      const words = text.trim();
      return words === "" ? text : text.replace(words, () => escapeInlineText(words));
    });
    return parts.join("");
  }

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
    if (!this.hasRoom && text !== undefined && text.trim() !== "")
      return { text: "…", isParagraph: true, endsWithList: false };
    const description = this.writeDescription(text, place);
    this.take(description.text);
    return description;
  }

  described(text: string | undefined, place: DescriptionPlace): string {
    return this.describe(text, place).text;
  }

  /** Writes an entry of a list. A description of several paragraphs stands below its name. */
  writeEntry({ label, kind, notes, description, limits }: ListEntry, depth: number, isFollowed: boolean): string {
    const notesAndType = [...(kind === "" ? [] : [this.linkType(kind)]), ...notes].join(", ");
    const head = `* ${label}${notesAndType === "" ? "" : ` (${notesAndType})`}`;
    const { text, isParagraph, endsWithList } = this.describe(description, "item");
    this.take(head);
    this.take(limits);
    if (isParagraph) {
      const isSentence = /[.!?:;…]["')*_`]*$/.test(text.slice(-10));
      const separator = text !== "" && limits !== "" && !isSentence ? "." : "";
      const words = [`${text}${separator}`, limits].filter((it) => it !== "").join(" ");
      return indentLines(words === "" ? head : `${head}: ${words}`, depth);
    }
    // A list that follows another one would continue it.
    const between = endsWithList && isFollowed && limits === "" ? "Members:" : "";
    const below = [text, limits, between].filter((it) => it !== "").map((it) => indentLines(it, 1));
    return indentLines([head, ...below].join("\n\n"), depth);
  }
}

export function indentLines(text: string, depth: number): string {
  return depth === 0 ? text : text.replaceAll(/(^|\n)(?!\n|$)/g, `$1${"  ".repeat(depth)}`);
}
