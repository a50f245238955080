// Extracts the plain text of a document for search, divided at the headings.

import type { Steps } from "../../../utils/concurrency/steps";
import { omitUndefined } from "../../../utils/objects";
import type { Block, Phrasing } from "../../document";
import { getPhrasingText, stripHtmlTags } from "./words";

/** The text below one heading, or before the first. */
export interface Section {
  anchor?: string;
  title?: string;
  text: string;
  /** The ranges of code in the text: the start and the end of each, one after the other. */
  code?: number[];
}

/** The number of blocks that are visited in one step. */
const STEP = 1_000;

/** Returns the sections of blocks, in order. The one before the first heading is left out if it is empty. */
export function* toSections(blocks: readonly Block[]): Steps<Section[]> {
  const writer = new SectionWriter();
  const waiting: PlacedBlock[] = [];
  const add = (inside: readonly PlacedBlock[]) => {
    for (let i = inside.length - 1; i >= 0; i--) waiting.push(inside[i]!);
  };
  add(blocks.map((block) => ({ block, isInCell: false, isInCode: false })));
  let visited = 0;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    add(writer.write(next));
    if (++visited % STEP === 0) yield;
  }
  return writer.finish();
}

interface PlacedBlock {
  readonly block: Block;
  /** The headings of a cell do not begin sections. */
  readonly isInCell: boolean;
  readonly isInCode: boolean;
}

class SectionWriter {
  readonly #sections: Section[] = [];
  #heading: Omit<Section, "text"> = {};
  #lines: string[] = [];
  /** The length of the lines as one text, and the ranges of code in it. */
  #length = 0;
  #code: number[] = [];

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

  /** Adds the text of a block, and returns the blocks in it. */
  write({ block, isInCell, isInCode }: PlacedBlock): PlacedBlock[] {
    switch (block.type) {
      case "heading-1":
      case "heading-2":
      case "heading-3": {
        if (isInCell) break;
        this.finish();
        const title = getPhrasingText(block.nodes as Phrasing[])
          .replaceAll("\n", " ")
          .trim();
        this.#heading = {
          ...omitUndefined({ anchor: block.meta?.id === undefined ? undefined : block.meta.id }),
          title,
        };
        return [];
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
    const inside: PlacedBlock[] = [];
    const { nodes = [], fragments = [] } = block;
    const inNodes = { isInCell, isInCode: isInCode || block.type === "code" };
    const [first] = nodes;
    if (first && first.object !== "block") {
      const code: number[] = [];
      const text = getPhrasingText(nodes as Phrasing[], code);
      this.#add(text, inNodes.isInCode ? [0, text.length] : code);
    }
    for (const node of nodes) {
      if (node.object === "block") inside.push({ block: node, ...inNodes });
      else if (node.object === "inline")
        for (const note of node.fragments ?? [])
          for (const part of note.nodes) inside.push({ block: part, ...inNodes });
    }
    // The titles of columns are already added.
    const inFragments = { isInCell: isInCell || block.type === "table", isInCode };
    for (const fragment of fragments)
      if (fragment.type !== "column-title")
        for (const part of fragment.nodes) inside.push({ block: part, ...inFragments });
    return inside;
  }
}
