// Texts with marks, collected piece by piece into their one form: equal neighbours are one leaf, marks stand in one
// order, line breaks carry none, and no space stands beside a break or at the edges of a block.

import type { Inline, Leaf, Mark, Phrasing, PlainMark, Text } from "../../document";

/** The order that marks stand in, the outermost first. */
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

/** Marks with one more; a mark counts once. */
export function withMark(marks: readonly Mark[], mark: PlainMark | Mark): readonly Mark[] {
  const added: Mark = typeof mark === "string" ? { object: "mark", type: mark } : mark;
  const others = marks.filter(({ type }) => type !== added.type);
  return [...others, added].sort((a, b) => MARK_ORDER.indexOf(a.type) - MARK_ORDER.indexOf(b.type));
}

/** Whether two lists of marks are the same. */
export function sameMarks(a: readonly Mark[], b: readonly Mark[]): boolean {
  if (a === b) return true;
  return a.length === b.length && a.every((mark, i) => sameMark(mark, b[i]!));
}

/** Whether two marks are the same. */
export function sameMark(a: Mark, b: Mark): boolean {
  if (a.type !== "color" || b.type !== "color") return a.type === b.type;
  return a.data.text === b.data.text && a.data.background === b.data.background;
}

/** Collects what a paragraph is made of. */
export class Phrases {
  readonly #items: (Leaf | Inline)[] = [];

  /** Adds text; a line break in it carries no marks. */
  addText(text: string, marks: readonly Mark[]): void {
    const parts = text.split("\n");
    parts.forEach((part, i) => {
      if (i > 0) this.#addLeaf("\n", []);
      if (part !== "") this.#addLeaf(part, marks);
    });
  }

  #addLeaf(text: string, marks: readonly Mark[]): void {
    const last = this.#items.at(-1);
    if (last?.object === "leaf" && sameMarks(last.marks, marks)) last.text += text;
    else this.#items.push({ object: "leaf", text, marks: [...marks] });
  }

  addInline(inline: Inline): void {
    this.#items.push(inline);
  }

  /** The text that stands last, for a note that is put behind it. */
  get lastLeaf(): Leaf | undefined {
    const last = this.#items.at(-1);
    return last?.object === "leaf" ? last : undefined;
  }

  /** What was collected, as it stands in a block or, without trimming its edges, in an inline. */
  finish(isBlock: boolean): Phrasing[] {
    this.#trim(isBlock);
    const nodes: Phrasing[] = [];
    for (const item of this.#items) {
      if (item.object === "inline") nodes.push(item);
      else if (item.text !== "") {
        const last = nodes.at(-1);
        if (last?.object === "text") addTo(last.leaves, item);
        else nodes.push({ object: "text", leaves: [item] });
      }
    }
    return nodes.length > 0 ? nodes : [textNode("")];
  }

  /** Removes spaces beside breaks and at the edges; those in code are meant. */
  #trim(isBlock: boolean): void {
    const leaves = this.#items.map((item) => (item.object === "leaf" ? item : undefined));
    let atEdge = isBlock;
    for (const leaf of leaves) atEdge = leaf ? trimStart(leaf, atEdge) : false;
    atEdge = isBlock;
    for (const leaf of leaves.reverse()) atEdge = leaf ? trimEnd(leaf, atEdge) : false;
  }
}

/** Takes spaces from the start of a leaf and behind its breaks; says whether the next leaf still begins at an edge. */
function trimStart(leaf: Leaf, atEdge: boolean): boolean {
  if (isCode(leaf)) return atEdge && leaf.text === "";
  leaf.text = leaf.text.replace(/\n[ \t]+/g, "\n");
  if (atEdge) leaf.text = leaf.text.replace(/^[ \t]+/, "");
  return leaf.text === "" ? atEdge : leaf.text.endsWith("\n");
}

function trimEnd(leaf: Leaf, atEdge: boolean): boolean {
  if (isCode(leaf)) return atEdge && leaf.text === "";
  const lines = leaf.text.split("\n");
  leaf.text = lines.map((line, i) => (i < lines.length - 1 || atEdge ? withoutTrail(line) : line)).join("\n");
  return leaf.text === "" ? atEdge : leaf.text.startsWith("\n");
}

function withoutTrail(line: string): string {
  let end = line.length;
  while (end > 0 && (line[end - 1] === " " || line[end - 1] === "\t")) end--;
  return line.slice(0, end);
}

function isCode({ marks }: Leaf): boolean {
  return marks.some(({ type }) => type === "code");
}

function addTo(leaves: Leaf[], leaf: Leaf): void {
  const last = leaves.at(-1);
  if (last && sameMarks(last.marks, leaf.marks)) last.text += leaf.text;
  else leaves.push(leaf);
}

/** Whether phrasing says nothing. */
export function isEmpty(nodes: readonly Phrasing[]): boolean {
  return nodes.every((node) => node.object === "text" && node.leaves.every(({ text }) => text === ""));
}

/** A text without marks. */
export function textNode(text: string): Text {
  return { object: "text", leaves: [{ object: "leaf", text, marks: [] }] };
}
