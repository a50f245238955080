// Extracts the plain text of a document for search, divided at the headings.

import type { Steps } from "../../../utils/concurrency/steps";
import { omitUndefined } from "../../../utils/objects";
import type { Block, Fragment, Phrasing } from "../../document";
import { getPhrasingText, stripHtmlTags } from "./words";

/** The text below one heading, or before the first. */
export interface Section {
  anchor?: string;
  title?: string;
  text: string;
  /** The ranges of code in the text: the start and the end of each, one after the other. */
  code?: number[];
}

/** Returns the sections of blocks, in order. The one before the first heading is left out if it is empty. */
export function* toSections(blocks: readonly Block[]): Steps<Section[]> {
  const writer = new SectionWriter();
  for (const block of blocks) yield* writer.write(block);
  return writer.finish();
}

/** The number of blocks that are visited in one step. */
const STEP = 1_000;

class SectionWriter {
  readonly #sections: Section[] = [];
  #heading: Omit<Section, "text"> = {};
  #lines: string[] = [];
  /** The length of the lines as one text, and the ranges of code in it. */
  #length = 0;
  #code: number[] = [];
  /** True while a cell is visited: its headings do not begin sections. */
  #isInCell = false;
  #isInCode = false;
  #written = 0;

  finish(): Section[] {
    const text = this.#lines.join("\n");
    const code = this.#code.length === 0 ? {} : { code: this.#code };
    if (text !== "" || this.#heading.title !== undefined) this.#sections.push({ ...this.#heading, text, ...code });
    [this.#lines, this.#length, this.#code] = [[], 0, []];
    return this.#sections;
  }

  /** Adds a line. `code` has the ranges of code in it. */
  #add(text: string, code: readonly number[] = []): void {
    const line = text.trim();
    if (line === "") return;
    const start = this.#length - (text.length - text.trimStart().length);
    for (let at = 0; at < code.length; at += 2) {
      // Ranges are limited to the trimmed line.
      const [first, last] = [Math.max(this.#length, start + code[at]!), start + code[at + 1]!];
      this.#code.push(first, Math.min(last, this.#length + line.length));
    }
    this.#lines.push(line);
    this.#length += line.length + 1;
  }

  *write(block: Block): Steps<void> {
    if (++this.#written % STEP === 0) yield;
    switch (block.type) {
      case "heading-1":
      case "heading-2":
      case "heading-3": {
        if (this.#isInCell) break;
        this.finish();
        const title = getPhrasingText(block.nodes as Phrasing[])
          .replaceAll("\n", " ")
          .trim();
        this.#heading = {
          ...omitUndefined({ anchor: block.meta?.id === undefined ? undefined : block.meta.id }),
          title,
        };
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
        if (!block.nodes) this.#add(block.data?.source.startsWith("{%") ? "" : stripHtmlTags(block.data?.source ?? ""));
    }
    this.#isInCode ||= block.type === "code";
    yield* this.#writeNodes(block.nodes ?? []);
    if (block.type === "code") this.#isInCode = false;
    const isInCell = this.#isInCell;
    this.#isInCell ||= block.type === "table";
    // The titles of columns are already added.
    for (const fragment of block.fragments ?? [])
      if (fragment.type !== "column-title") yield* this.#writeFragment(fragment);
    this.#isInCell = isInCell;
  }

  *#writeFragment({ nodes }: Fragment): Steps<void> {
    for (const node of nodes) yield* this.write(node);
  }

  *#writeNodes(nodes: readonly (Block | Phrasing)[]): Steps<void> {
    const [first] = nodes;
    if (first && first.object !== "block") {
      const code: number[] = [];
      const text = getPhrasingText(nodes as Phrasing[], code);
      this.#add(text, this.#isInCode ? [0, text.length] : code);
    }
    for (const node of nodes) {
      if (node.object === "block") yield* this.write(node);
      else if (node.object === "inline")
        for (const fragment of node.fragments ?? []) yield* this.#writeFragment(fragment);
    }
  }
}
