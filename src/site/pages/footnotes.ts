// The notes of a page: each is numbered, and its body stands behind the text, in a popover of the platform.

import type { Block } from "../../content/document";
import { html, type Markup } from "../../utils/html";
import type { SiteMessages } from "../messages";
import type { FootnoteLink } from "./block-context";

/** Collects notes while the blocks of a page are drawn. */
export class FootnoteCollector {
  readonly #words: SiteMessages;
  readonly #numbers = new Map<string, number>();
  readonly #bodies: Markup[] = [];

  constructor(words: SiteMessages) {
    this.#words = words;
  }

  /** The bodies of the notes so far, each with the id that opens it. */
  get bodies(): readonly Markup[] {
    return this.#bodies;
  }

  /** Adds a note; one that says the same as another is that other one, and is drawn once. */
  readonly add = (body: readonly Block[], draw: (nodes: readonly Block[]) => Markup): FootnoteLink => {
    const name = getFootnoteKey(body);
    const known = this.#numbers.get(name);
    const number = known ?? this.#numbers.size + 1;
    // Two dashes, as in all that the frame names itself: no heading of an author is called so.
    const id = `--note-${number}`;
    const label = `${this.#words.note} ${number}`;
    if (known === undefined) {
      this.#numbers.set(name, number);
      const inner = draw(body);
      this.#bodies.push(
        html`<div class="note-body" popover id="${id}" role="note" aria-label="${label}">${inner}</div>`,
      );
    }
    return { id, number, label };
  };
}

/** A name for what a note says: keys and anchors of its blocks do not count. */
function getFootnoteKey(body: readonly Block[]): string {
  return JSON.stringify(body, (name, value) => (name === "key" || name === "meta" ? undefined : value));
}
