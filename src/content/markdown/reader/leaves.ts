// Collects texts with marks in normal form: adjacent texts with equal marks are one leaf, marks have one order, line breaks
// have none, and there is no space beside a break or at the edges of a block.

import type { Inline, Leaf, Mark, Phrasing, PlainMark, Text } from "../../document";
import { findTrimmedEnd } from "../parser/characters";

/** The order of marks, from the outermost to the innermost. */
export const MARK_ORDER: readonly Mark["type"][] = [
  "color",
  "superscript",
  "subscript",
  "keyboard",
  "bold",
  "italic",
  "strikethrough",
  "code",
];

/** Adds a mark, which replaces one of the same type. */
export function addMark(marks: readonly Mark[], mark: PlainMark | Mark): readonly Mark[] {
  const added: Mark = typeof mark === "string" ? { object: "mark", type: mark } : mark;
  const others = marks.filter(({ type }) => type !== added.type);
  return [...others, added].sort((a, b) => MARK_ORDER.indexOf(a.type) - MARK_ORDER.indexOf(b.type));
}

/** Returns true for equal lists of marks. */
export function hasSameMarks(a: readonly Mark[], b: readonly Mark[]): boolean {
  if (a === b) return true;
  return a.length === b.length && a.every((mark, i) => isSameMark(mark, b[i]!));
}

export function isSameMark(a: Mark, b: Mark): boolean {
  if (a.type !== "color" || b.type !== "color") return a.type === b.type;
  return a.data.text === b.data.text && a.data.background === b.data.background;
}

/** Collects the content of a paragraph. */
export class Phrases {
  readonly #items: (Leaf | Inline)[] = [];

  /** Adds text. A line break in it has no marks. */
  addText(text: string, marks: readonly Mark[]): void {
    const parts = text.split("\n");
    parts.forEach((part, i) => {
      if (i > 0) this.#addLeaf("\n", []);
      if (part !== "") this.#addLeaf(part, marks);
    });
  }

  #addLeaf(text: string, marks: readonly Mark[]): void {
    const last = this.#items.at(-1);
    if (last?.object === "leaf" && hasSameMarks(last.marks, marks)) last.text += text;
    else this.#items.push({ object: "leaf", text, marks: [...marks] });
  }

  addInline(inline: Inline): void {
    this.#items.push(inline);
  }

  /** The last text, for a note that refers to it. */
  get lastLeaf(): Leaf | undefined {
    const last = this.#items.at(-1);
    return last?.object === "leaf" ? last : undefined;
  }

  /** Returns the collected content: trimmed at its edges for a block, untrimmed for an inline. */
  finish(isBlock: boolean): Phrasing[] {
    this.#trim(isBlock);
    const nodes: Phrasing[] = [];
    for (const item of this.#items) {
      if (item.object === "inline") nodes.push(item);
      else if (item.text !== "") {
        const last = nodes.at(-1);
        if (last?.object !== "text") nodes.push({ object: "text", leaves: [item] });
        else {
          const previous = last.leaves.at(-1)!;
          if (hasSameMarks(previous.marks, item.marks)) previous.text += item.text;
          else last.leaves.push(item);
        }
      }
    }
    return nodes.length > 0 ? nodes : [createTextNode("")];
  }

  /** Removes spaces beside breaks and at the edges, except in code. */
  #trim(isBlock: boolean): void {
    const leaves = this.#items.map((item) => (item.object === "leaf" ? item : undefined));
    /** True while the next leaf begins at an edge of the block or beside a break. */
    let isAtEdge = isBlock;
    for (const leaf of leaves) {
      if (!leaf || leaf.marks.some(({ type }) => type === "code")) isAtEdge &&= leaf?.text === "";
      else {
        leaf.text = leaf.text.replace(/\n[ \t]+/g, "\n");
        if (isAtEdge) leaf.text = leaf.text.replace(/^[ \t]+/, "");
        if (leaf.text !== "") isAtEdge = leaf.text.endsWith("\n");
      }
    }
    isAtEdge = isBlock;
    for (const leaf of leaves.reverse()) {
      if (!leaf || leaf.marks.some(({ type }) => type === "code")) isAtEdge &&= leaf?.text === "";
      else {
        const lines = leaf.text.split("\n");
        leaf.text = lines
          .map((line, i) =>
            i < lines.length - 1 || isAtEdge ? line.slice(0, findTrimmedEnd(line, 0, line.length)) : line,
          )
          .join("\n");
        if (leaf.text !== "") isAtEdge = leaf.text.startsWith("\n");
      }
    }
  }
}

export function isEmpty(nodes: readonly Phrasing[]): boolean {
  return nodes.every((node) => node.object === "text" && node.leaves.every(({ text }) => text === ""));
}

/** Creates a text without marks. */
export function createTextNode(text: string): Text {
  return { object: "text", leaves: [{ object: "leaf", text, marks: [] }] };
}
