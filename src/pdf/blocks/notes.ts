// Notes that a page's text refers to. They are numbered as they come and printed below the page.

import type { Block } from "../../content/document";

/** Notes of one page that are printed. */
const MOST = 500;

/** The notes of a page. */
export class PageNotes {
  readonly #bodies: (readonly Block[])[] = [];

  /** Takes a note; its number, or undefined when there are too many. */
  add(body: readonly Block[]): number | undefined {
    return this.#bodies.length < MOST ? this.#bodies.push(body) : undefined;
  }

  /** The notes that were taken since the last time. Printing them may take more. */
  *all(): Generator<{ readonly number: number; readonly body: readonly Block[] }> {
    for (let at = 0; at < this.#bodies.length; at++) yield { number: at + 1, body: this.#bodies[at]! };
  }
}

/** The anchor of a note on its page. */
export function noteAnchor(number: number): string {
  return `note ${number}`;
}
