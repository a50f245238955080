// Footnotes of a page. They are numbered in order and printed below the page.

import type { Block } from "../../content/document";

/** The maximum number of footnotes of a page. */
const MAX_NOTES = 500;

export class PageNotes {
  /** The footnotes in the order of their numbers, which begin with 1. Printing one may add more. */
  readonly bodies: (readonly Block[])[] = [];
  readonly #numbers = new Map<string, number>();

  /** Adds a footnote and returns its number, or undefined if there are too many. Equal footnotes have the same number. */
  add(body: readonly Block[]): number | undefined {
    // The keys and anchors of its blocks are not part of a footnote's identity.
    const name = JSON.stringify(body, (name, value) => (name === "key" || name === "meta" ? undefined : value));
    const known = this.#numbers.get(name);
    if (known !== undefined || this.bodies.length >= MAX_NOTES) return known;
    const number = this.bodies.push(body);
    this.#numbers.set(name, number);
    return number;
  }

  /** Returns the anchor of a footnote on its page. */
  getAnchor(number: number): string {
    return `note ${number}`;
  }
}
