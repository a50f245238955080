// The classes of an exported document as the elements that they stand for, by its style sheet: bold, italic, code and so on.

import { findElements, getClasses, getText } from "../html/elements";
import type { HtmlElement } from "../html/parse-html";

type MarkTag = "b" | "i" | "s" | "sup" | "sub" | "code";

const DECLARATIONS: readonly (readonly [MarkTag, RegExp])[] = [
  ["b", /font-weight:\s*(?:bold|[6-9]00)/],
  ["i", /font-style:\s*italic/],
  ["s", /text-decoration:[^;:]*line-through/],
  ["sup", /vertical-align:\s*super/],
  ["sub", /vertical-align:\s*sub(?!e)/],
  ["code", /font-family:[^;:]*(?:courier|consolas|mono)/],
];
const MAX_SHEET_LENGTH = 500_000;

/** The classes in the style sheets of a document. */
export class ClassStyles {
  readonly #tags = new Map<string, readonly MarkTag[]>();

  constructor(root: HtmlElement) {
    const sheets = findElements(root, ({ name }) => name === "style").map(getText);
    for (const rule of sheets.join("\n").slice(0, MAX_SHEET_LENGTH).split("}")) {
      const [selector = "", body = ""] = rule.toLowerCase().split("{");
      const className = /^\s*\.(c\d{1,6})\s*$/.exec(selector)?.[1];
      if (className === undefined) continue;
      const tags = DECLARATIONS.filter(([, pattern]) => pattern.test(body)).map(([tag]) => tag);
      if (tags.length > 0) this.#tags.set(className, tags);
    }
  }

  /** Returns the names of the elements that the classes of an element stand for. */
  getTags(element: HtmlElement): readonly MarkTag[] {
    return [...new Set(getClasses(element).flatMap((name) => this.#tags.get(name.toLowerCase()) ?? []))];
  }
}
