// The text of a document for search: plain words, cut at the headings.

import type { Block, Fragment, Phrasing } from "../../document";
import type { Steps } from "../steps";
import { saidBy, withoutTags } from "./words";

/** What stands below one heading, or before the first. */
export interface Section {
  anchor?: string;
  title?: string;
  text: string;
}

/** The sections of blocks, in order. What stands before the first heading is one only if it says something. */
export function* sectionsOf(blocks: readonly Block[]): Steps<Section[]> {
  const writer = new SectionWriter();
  for (const block of blocks) yield* writer.write(block);
  return writer.finish();
}

/** How many blocks are gone through in one step. */
const STEP = 1_000;

class SectionWriter {
  readonly #sections: Section[] = [];
  #heading: Omit<Section, "text"> = {};
  #lines: string[] = [];
  /** Whether a cell is gone through: its headings begin no section. */
  #isInCell = false;
  #written = 0;

  finish(): Section[] {
    const text = this.#lines.join("\n");
    if (text !== "" || this.#heading.title !== undefined) this.#sections.push({ ...this.#heading, text });
    this.#lines = [];
    return this.#sections;
  }

  #add(text: string): void {
    const line = text.trim();
    if (line !== "") this.#lines.push(line);
  }

  *write(block: Block): Steps<void> {
    if (++this.#written % STEP === 0) yield;
    switch (block.type) {
      case "heading-1":
      case "heading-2":
      case "heading-3": {
        if (this.#isInCell) break;
        this.finish();
        const title = saidBy(block.nodes as Phrasing[])
          .replaceAll("\n", " ")
          .trim();
        this.#heading = { ...(block.meta?.id === undefined ? {} : { anchor: block.meta.id }), title };
        return;
      }
      case "tabs-item":
        this.#add(block.data?.title ?? "");
        break;
      case "image":
        this.#add(block.data?.alt ?? "");
        break;
      case "math":
        this.#add(block.data?.formula ?? "");
        break;
      case "code":
        this.#add(block.data?.title ?? "");
        break;
      case "table":
        this.#add(
          Object.values(block.data?.definition ?? {})
            .flatMap(({ title, options = [] }) => [title, ...options.map(({ label }) => label)])
            .join(" "),
        );
        break;
      case "unknown":
        if (!block.nodes) this.#add(block.data?.source.startsWith("{%") ? "" : withoutTags(block.data?.source ?? ""));
    }
    yield* this.#writeNodes(block.nodes ?? []);
    const isInCell = this.#isInCell;
    this.#isInCell ||= block.type === "table";
    // The titles of columns are written already.
    for (const fragment of block.fragments ?? [])
      if (fragment.type !== "column-title") yield* this.#writeFragment(fragment);
    this.#isInCell = isInCell;
  }

  *#writeFragment({ nodes }: Fragment): Steps<void> {
    for (const node of nodes) yield* this.write(node);
  }

  *#writeNodes(nodes: readonly (Block | Phrasing)[]): Steps<void> {
    const [first] = nodes;
    if (first && first.object !== "block") this.#add(saidBy(nodes as Phrasing[]));
    for (const node of nodes) {
      if (node.object === "block") yield* this.write(node);
      else if (node.object === "inline")
        for (const fragment of node.fragments ?? []) yield* this.#writeFragment(fragment);
    }
  }
}
