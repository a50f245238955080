// What the style sheet of an exported document says of its classes: which of them are bold, italic, code and so on.

import { findElements, getClasses, getText } from "../html/elements";
import type { HtmlElement } from "../html/parse-html";

/** Elements that stand for what a class says. */
type Meaning = "b" | "i" | "s" | "sup" | "sub" | "code";

const MEANINGS: readonly (readonly [Meaning, RegExp])[] = [
  ["b", /font-weight:\s*(?:bold|[6-9]00)/],
  ["i", /font-style:\s*italic/],
  ["s", /text-decoration:[^;:]*line-through/],
  ["sup", /vertical-align:\s*super/],
  ["sub", /vertical-align:\s*sub(?!e)/],
  ["code", /font-family:[^;:]*(?:courier|consolas|mono)/],
];
const MAX_SHEET = 500_000;

/** What classes mean, from the style sheets of a document. */
export class Styles {
  readonly #meanings = new Map<string, readonly Meaning[]>();

  constructor(root: HtmlElement) {
    const sheets = findElements(root, ({ name }) => name === "style").map(getText);
    for (const rule of sheets.join("\n").slice(0, MAX_SHEET).split("}")) this.#read(rule.toLowerCase());
  }

  #read(rule: string): void {
    const [selector = "", body = ""] = rule.split("{");
    const name = /^\s*\.(c\d{1,6})\s*$/.exec(selector)?.[1];
    if (name === undefined) return;
    const meanings = MEANINGS.filter(([, pattern]) => pattern.test(body)).map(([meaning]) => meaning);
    if (meanings.length > 0) this.#meanings.set(name, meanings);
  }

  /** The elements that an element's classes stand for. */
  of(element: HtmlElement): readonly Meaning[] {
    return [...new Set(getClasses(element).flatMap((name) => this.#meanings.get(name.toLowerCase()) ?? []))];
  }
}
