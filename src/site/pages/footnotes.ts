// The footnotes of a page: each is numbered, and its body stands behind the text in a popover.

import type { Block } from "../../content/document";
import { html, type Markup } from "../../utils/html";
import type { SiteMessages } from "../messages";
import type { FootnoteLink } from "./block-context";

/** Collects footnotes while the blocks of a page are rendered. */
export class FootnoteCollector {
  readonly #messages: SiteMessages;
  readonly #numbers = new Map<string, number>();
  readonly #bodies: Markup[] = [];

  constructor(messages: SiteMessages) {
    this.#messages = messages;
  }

  /** The bodies of the footnotes so far, each with the id that opens it. */
  get bodies(): readonly Markup[] {
    return this.#bodies;
  }

  /** Adds a footnote. Footnotes with the same content share one number and one body. */
  readonly add = (body: readonly Block[], draw: (nodes: readonly Block[]) => Markup): FootnoteLink => {
    // Keys and anchors of blocks are not part of the content.
    const content = JSON.stringify(body, (name, value) => (name === "key" || name === "meta" ? undefined : value));
    const known = this.#numbers.get(content);
    const number = known ?? this.#numbers.size + 1;
    // Ids of the layout begin with two dashes, so no heading has the same one.
    const id = `--note-${number}`;
    const label = `${this.#messages.note} ${number}`;
    if (known === undefined) {
      this.#numbers.set(content, number);
      const inner = draw(body);
      this.#bodies.push(
        html`<div class="note-body" popover id="${id}" role="note" aria-label="${label}">${inner}</div>`,
      );
    }
    return { id, number, label };
  };
}
