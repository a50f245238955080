// Footnotes of a page. They are numbered in order and printed below the page.

import type { Block } from "../../content/document";

/** The maximum number of footnotes of a page. */
const MOST = 500;

/** The footnotes of a page. */
export class PageNotes {
  readonly #bodies: (readonly Block[])[] = [];
  readonly #numbers = new Map<string, number>();

  /** Adds a footnote and returns its number, or undefined if there are too many. Equal footnotes have the same number. */
  add(body: readonly Block[]): number | undefined {
    const name = nameNote(body);
    const known = this.#numbers.get(name);
    if (known !== undefined || this.#bodies.length >= MOST) return known;
    const number = this.#bodies.push(body);
    this.#numbers.set(name, number);
    return number;
  }

  /** Yields the footnotes. Printing one may add more. */
  *all(): Generator<{ readonly number: number; readonly body: readonly Block[] }> {
    for (let at = 0; at < this.#bodies.length; at++) yield { number: at + 1, body: this.#bodies[at]! };
  }
}

/** Returns a key for the content of a footnote. Keys and anchors of its blocks do not count. */
function nameNote(body: readonly Block[]): string {
  return JSON.stringify(body, (name, value) => (name === "key" || name === "meta" ? undefined : value));
}

/** Returns the anchor of a footnote on its page. */
export function getNoteAnchor(number: number): string {
  return `note ${number}`;
}
