// A page of mdBook as its readers see it: files in the place of the directives that include them, and code without the
// lines that are not shown. The stored text keeps its directives. What cannot be filled stays as it stands.

import { type Edit, edited } from "../edits";
import { mayHaveConditions } from "../evaluate/conditions";
import { MAX_TEXT_LENGTH } from "../markdown/limits";
import type { MdBookEntry } from "../revision/entries";
import { type Directive, directivesIn, hasDirectives, partIn } from "./directives";
import { mayHideLines, withoutHiddenLines } from "./hidden-lines";

/** A file that a text includes. */
export interface IncludedFile {
  /** Where it stands; what it includes itself is named from there. */
  readonly path: string;
  readonly text: string;
}

/** Finds a file that is named by a text; `from` is the file that names it, undefined for the text itself. */
export type FindFile = (href: string, from: string | undefined) => Promise<IncludedFile | undefined>;

/** How deep an include may lie in others, and how many a text may have. */
const MAX_DEPTH = 10;
const MAX_INCLUDES = 1000;

/** Whether a text may be shown as another one. */
export function isExpanded(text: string, { hidelines = {} }: MdBookEntry): boolean {
  return hasDirectives(text) || mayHideLines(text, hidelines);
}

/** A text as readers see it. */
export async function expanded(text: string, book: MdBookEntry, find: FindFile): Promise<string> {
  const filled = await new Filling(find, mayHaveConditions(text), MAX_TEXT_LENGTH - text.length).fill(text, []);
  return withoutHiddenLines(filled, book.hidelines ?? {});
}

class Filling {
  #count = 0;

  constructor(
    readonly find: FindFile,
    /** Whether parts of the text are shown under conditions. A file must not end one, so none with conditions is taken. */
    readonly isConditional: boolean,
    /** How many characters may still be added. */
    private room: number,
  ) {}

  /** `way` leads to the text: the paths of the files that it lies in. */
  async fill(text: string, way: readonly string[]): Promise<string> {
    if (!hasDirectives(text)) return text;
    const edits: Edit[] = [];
    for (const directive of directivesIn(text)) {
      const filling = await this.#filling(text, directive, way);
      if (filling === undefined || filling.length > this.room) continue;
      this.room -= filling.length;
      edits.push({ from: directive.start, to: directive.end, text: filling });
    }
    return edited(text, edits);
  }

  async #filling(text: string, directive: Directive, way: readonly string[]): Promise<string | undefined> {
    const { start, end, kind, words } = directive;
    if (kind === "escaped") return text.slice(start + 1, end);
    if (kind === "title") return "";
    if (way.length >= MAX_DEPTH || ++this.#count > MAX_INCLUDES) return undefined;
    const file = await this.find(directive.path, way.at(-1));
    if (!file || way.includes(file.path)) return undefined;
    const part = partIn(file.text, directive);
    if (part === undefined || part.length > this.room) return undefined;
    if (this.isConditional && mayHaveConditions(part)) return undefined;
    const inside = await this.fill(part, [...way, file.path]);
    const shown = kind === "playground" ? `\`\`\`${["rust", ...words].join(",")}\n${inside}\n\`\`\`` : inside;
    return indented(shown, text, start);
  }
}

/** Lines that stand under a directive which is alone on its line begin as that line does: in a list, in a quote. */
function indented(shown: string, text: string, start: number): string {
  const before = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  if (before === "" || !/^[ \t>]*$/.test(before)) return shown;
  return shown.replaceAll(before.includes(">") ? /\n/g : /\n(?!\n|$)/g, `\n${before}`);
}
