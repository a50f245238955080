// Converts a text of mdBook to the text that its readers see: included files replace their directives, and code loses its hidden
// lines. The stored text keeps its directives. A directive that cannot be expanded stays as it is.

import { ExpansionBudget } from "../../utils/expansion-budget";
import { mayHaveConditions } from "../evaluate/conditions";
import { MAX_TEXT_LENGTH } from "../markdown/limits";
import type { MdBookEntry } from "../revision/entries";
import { applyTextEdits, type TextEdit } from "../text-edits";
import { type Directive, extractIncludedPart, findDirectives, hasDirectives } from "./directives";

export interface IncludedFile {
  /** The path of the file. The files that it includes itself are relative to it. */
  readonly path: string;
  readonly text: string;
}

/** Finds a file by its path in a directive. `from` is the path of the including file; undefined for the text itself. */
export type FindIncludedFile = (href: string, from: string | undefined) => Promise<IncludedFile | undefined>;

/** The deepest nesting of includes. */
const MAX_DEPTH = 10;
/** The most includes of a text. */
const MAX_INCLUDES = 1000;
/** The most characters of files that are searched for the parts that a text includes. */
const MAX_READ_CHARACTERS = 16 << 20;

/** Returns false for texts that `expandMdBook` certainly does not change. */
export function isExpandable(text: string, { hidelines = {} }: MdBookEntry): boolean {
  return hasDirectives(text) || mayHaveHiddenLines(text, hidelines);
}

/** Returns a text as its readers see it. Directives beyond the budget stay as they are. */
export async function expandMdBook(
  text: string,
  { hidelines = {} }: MdBookEntry,
  findFile: FindIncludedFile,
  budget = new ExpansionBudget(MAX_TEXT_LENGTH - text.length),
): Promise<string> {
  const expanded = await new DirectiveExpander(findFile, mayHaveConditions(text), budget).expand(text, []);
  if (!mayHaveHiddenLines(expanded, hidelines)) return expanded;

  const visibleLines: string[] = [];
  let closingFence: RegExp | undefined;
  let transformLine: ((line: string) => string | undefined) | undefined;
  for (const line of expanded.split("\n")) {
    if (closingFence?.test(line)) [closingFence, transformLine] = [undefined, undefined];
    else if (closingFence) {
      const visibleLine = transformLine ? transformLine(line) : line;
      if (visibleLine !== undefined) visibleLines.push(visibleLine);
      continue;
    } else {
      const [, fence = "", info = ""] = FENCE.exec(line.replace(/\r$/, "")) ?? [];
      if (fence !== "" && !(fence[0] === "`" && info.includes("`"))) {
        closingFence = new RegExp(`^[ \\t>]*${fence[0]}{${fence.length},}[ \\t\\r]*$`);
        // Lines are hidden by the prefix that the settings or the block itself define, and in Rust by `#` and a space.
        const [language = "", ...words] = info.trim().split(/[\s,]+/);
        const ownPrefix = words.find((word) => word.startsWith("hidelines="))?.slice("hidelines=".length);
        const prefix = ownPrefix ?? (Object.hasOwn(hidelines, language) ? hidelines[language]! : "");
        if (prefix !== "")
          transformLine = (code) => (code.replace(/^[ \t>]+/, "").startsWith(prefix) ? undefined : code);
        else if (language === "rust") {
          // `# x` is hidden and `## x` is shown as `# x`, but `#[x]` and `#!x` are code.
          transformLine = (code) => {
            const [, indentation = "", next] = /^([ \t>]*)#(.?)/.exec(code) ?? [];
            if (next === "#") return indentation + code.slice(indentation.length + 1);
            return next === "" || next === " " || next === "\r" ? undefined : code;
          };
        }
      }
    }
    visibleLines.push(line);
  }
  return visibleLines.join("\n");
}

class DirectiveExpander {
  #includes = 0;
  #readCharacters = 0;

  constructor(
    readonly findFile: FindIncludedFile,
    /** The text shows some parts under conditions. A file must not end a condition, so files with conditions are not included. */
    readonly hasConditions: boolean,
    readonly budget: ExpansionBudget,
  ) {}

  /** Expands the directives of a text. `includedFrom` has the paths of the files that include it, the outermost first. */
  async expand(text: string, includedFrom: readonly string[]): Promise<string> {
    if (!hasDirectives(text)) return text;
    const edits: TextEdit[] = [];
    for (const directive of findDirectives(text)) {
      const replacement = await this.#expandDirective(text, directive, includedFrom);
      if (replacement !== undefined) edits.push({ from: directive.start, to: directive.end, text: replacement });
    }
    return applyTextEdits(text, edits);
  }

  /** Returns the replacement of a directive after taking its size from the budget, or undefined if the directive stays. */
  async #expandDirective(
    text: string,
    directive: Directive,
    includedFrom: readonly string[],
  ): Promise<string | undefined> {
    const { start, end, kind, words } = directive;
    if (kind === "escaped") return text.slice(start + 1, end);
    if (kind === "title") return "";

    if (includedFrom.length >= MAX_DEPTH || ++this.#includes > MAX_INCLUDES) return undefined;
    const file = await this.findFile(directive.path, includedFrom.at(-1));
    if (!file || includedFrom.includes(file.path)) return undefined;
    this.#readCharacters += file.text.length;
    if (this.#readCharacters > MAX_READ_CHARACTERS) return undefined;

    const part = extractIncludedPart(file.text, directive);
    if (part === undefined || !this.budget.take(part.length)) return undefined;
    if (this.hasConditions && mayHaveConditions(part)) return undefined;
    const expanded = await this.expand(part, [...includedFrom, file.path]);
    const [opening, closing] = kind === "playground" ? [`\`\`\`${["rust", ...words].join(",")}\n`, "\n```"] : ["", ""];
    if (!this.budget.take(opening.length + closing.length)) return undefined;
    const replacement = opening + expanded + closing;

    // If only spaces and quote markers precede the directive on its line, they precede each line of the replacement too. So it
    // stays in its list or quote.
    const prefix = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
    if (prefix === "" || !/^[ \t>]*$/.test(prefix)) return replacement;
    const lineEnding = prefix.includes(">") ? /\n/g : /\n(?!\n|$)/g;
    let prefixedLines = 0;
    for (const _ of replacement.matchAll(lineEnding)) prefixedLines++;
    if (!this.budget.take(prefixedLines * prefix.length)) return undefined;
    return replacement.replaceAll(lineEnding, `\n${prefix}`);
  }
}

const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}(?!`)|~{3,}(?!~))([^\n]*)$/;

/** Returns false for texts that certainly have no hidden lines of code. */
function mayHaveHiddenLines(text: string, hidelines: Readonly<Record<string, string>>): boolean {
  return (
    /(?:`{3}|~{3})[ \t]*rust\b|hidelines=/.test(text) || (Object.keys(hidelines).length > 0 && /`{3}|~{3}/.test(text))
  );
}
