// Notes that a page's text refers to. They are numbered as they come and printed below the page.

import type { Block } from "../../content/document";

/** Notes of one page that are printed. */
const MOST = 500;

/** The notes of a page. */
export class PageNotes {
  readonly #bodies: (readonly Block[])[] = [];
  readonly #numbers = new Map<string, number>();

  /** Takes a note; its number, or undefined when there are too many. A note that says the same has the same number. */
  add(body: readonly Block[]): number | undefined {
    const name = nameNote(body);
    const known = this.#numbers.get(name);
    if (known !== undefined || this.#bodies.length >= MOST) return known;
    const number = this.#bodies.push(body);
    this.#numbers.set(name, number);
    return number;
  }

  /** The notes that were taken since the last time. Printing them may take more. */
  *all(): Generator<{ readonly number: number; readonly body: readonly Block[] }> {
    for (let at = 0; at < this.#bodies.length; at++) yield { number: at + 1, body: this.#bodies[at]! };
  }
}

/** A name for what a note says: keys and anchors of its blocks do not count. */
function nameNote(body: readonly Block[]): string {
  return JSON.stringify(body, (name, value) => (name === "key" || name === "meta" ? undefined : value));
}

/** The anchor of a note on its page. */
export function noteAnchor(number: number): string {
  return `note ${number}`;
}
