// A page of mdBook as its readers see it: files in the place of the directives that include them, and code without the
// lines that are not shown. The stored text keeps its directives. What cannot be filled stays as it stands.

import { ExpansionBudget } from "../../utils/expansion-budget";
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
/** How many characters of files are looked through for the parts that a text includes. */
const MAX_READ = 16 << 20;

/** Whether a text may be shown as another one. */
export function isExpanded(text: string, { hidelines = {} }: MdBookEntry): boolean {
  return hasDirectives(text) || mayHideLines(text, hidelines);
}

/** A text as readers see it. A directive beyond the budget stays as it stands. */
export async function expanded(
  text: string,
  book: MdBookEntry,
  find: FindFile,
  budget = new ExpansionBudget(MAX_TEXT_LENGTH - text.length),
): Promise<string> {
  const filled = await new Filling(find, mayHaveConditions(text), budget).fill(text, []);
  return withoutHiddenLines(filled, book.hidelines ?? {});
}

class Filling {
  #count = 0;
  #read = 0;

  constructor(
    readonly find: FindFile,
    /** Whether parts of the text are shown under conditions. A file must not end one, so none with conditions is taken. */
    readonly isConditional: boolean,
    readonly budget: ExpansionBudget,
  ) {}

  /** `way` leads to the text: the paths of the files that it lies in. */
  async fill(text: string, way: readonly string[]): Promise<string> {
    if (!hasDirectives(text)) return text;
    const edits: Edit[] = [];
    for (const directive of directivesIn(text)) {
      const filling = await this.#filling(text, directive, way);
      if (filling === undefined) continue;
      edits.push({ from: directive.start, to: directive.end, text: filling });
    }
    return edited(text, edits);
  }

  /** What stands in the place of a directive; undefined if the directive stays. Its size was taken from the budget. */
  async #filling(text: string, directive: Directive, way: readonly string[]): Promise<string | undefined> {
    const { start, end, kind, words } = directive;
    if (kind === "escaped") return text.slice(start + 1, end);
    if (kind === "title") return "";
    if (way.length >= MAX_DEPTH || ++this.#count > MAX_INCLUDES) return undefined;
    const file = await this.find(directive.path, way.at(-1));
    if (!file || way.includes(file.path)) return undefined;
    this.#read += file.text.length;
    if (this.#read > MAX_READ) return undefined;
    const part = partIn(file.text, directive);
    if (part === undefined || !this.budget.take(part.length)) return undefined;
    if (this.isConditional && mayHaveConditions(part)) return undefined;
    const inside = await this.fill(part, [...way, file.path]);
    const [opening, closing] = kind === "playground" ? [`\`\`\`${["rust", ...words].join(",")}\n`, "\n```"] : ["", ""];
    if (!this.budget.take(opening.length + closing.length)) return undefined;
    return indented(opening + inside + closing, text, start, this.budget);
  }
}

/**
 * Lines that stand under a directive which is alone on its line begin as that line does: in a list, in a quote. Undefined if
 * these beginnings are beyond the budget.
 */
function indented(shown: string, text: string, start: number, budget: ExpansionBudget): string | undefined {
  const before = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  if (before === "" || !/^[ \t>]*$/.test(before)) return shown;
  const lineEnding = before.includes(">") ? /\n/g : /\n(?!\n|$)/g;
  let lines = 0;
  for (const _ of shown.matchAll(lineEnding)) lines++;
  return budget.take(lines * before.length) ? shown.replaceAll(lineEnding, `\n${before}`) : undefined;
}
