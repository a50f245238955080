// The shape of a text: everything except plain words. Values are words, so inserting them must not change the shape.

import type { Block, Inline, ListItem, Root, TableCell, TableRow } from "../markdown/nodes";
import type { Steps } from "../markdown/steps";
import type { TextEdit } from "../text-edits";

/** How many blocks are gone through in one step. */
const STEP = 1_000;

type Part = Block | ListItem | TableRow | TableCell | Inline;

/** A text and what it was parsed into. */
export interface Parsed {
  readonly text: string;
  readonly root: Root;
}

/** The first block of a text that has another shape once pieces of the text are replaced; undefined when there is none. */
export function* firstDifference(before: Parsed, after: Parsed, edits: readonly TextEdit[]): Steps<Block | undefined> {
  const shapes = new Map<Block, string>();
  const oldBlocks = before.root.children;
  const oldPlaceOf = placesBefore(edits);
  let [at, read] = [0, 0];
  for (const block of after.root.children) {
    if (++read % STEP === 0) yield;
    const place = oldPlaceOf(block.start);
    while (at + 1 < oldBlocks.length && oldBlocks[at + 1]!.start <= place) at++;
    const old = oldBlocks[at]!;
    shapes.set(old, (shapes.get(old) ?? "") + shapeOf(block, after.text));
  }
  for (const block of oldBlocks) {
    if (shapeOf(block, before.text) !== (shapes.get(block) ?? "")) return block;
    if (++read % STEP === 0) yield;
  }
  return undefined;
}

/** Maps offsets of a changed text to the original; they are asked for in ascending order. */
function placesBefore(edits: readonly TextEdit[]): (place: number) => number {
  const sorted = edits.toSorted((a, b) => a.from - b.from);
  let [next, growth] = [0, 0];
  return (place) => {
    for (let edit = sorted[next]; edit && edit.from + growth < place; edit = sorted[next]) {
      growth += edit.text.length - (edit.to - edit.from);
      next++;
    }
    return place - growth;
  };
}

/** A paragraph of nothing but words has no shape: it may become empty. */
function shapeOf(part: Part, text: string): string {
  const inside = "children" in part ? part.children.map((child: Part) => shapeOf(child, text)).join("") : "";
  switch (part.type) {
    case "text":
    case "expression":
      return "";
    // Marks of the author open and close depending on their neighbours; those of a value are escaped.
    case "emphasis":
    case "strong":
    case "delete":
      return inside;
    case "paragraph":
      return inside && `(paragraph ${inside})`;
    default:
      return isAddress(part, text) ? inside : `(${part.type} ${saidBy(part)} ${inside})`;
  }
}

/** An address that the author began may continue in a value. */
function isAddress(part: Part, text: string): boolean {
  return part.type === "link" && text[part.start] !== "[" && text[part.start] !== "<";
}

/** What a part says besides its words. Expressions in blocks of HTML belong to it. A link by reference names its definition,
 * which is a block and says where it leads, once for all of its links. */
function saidBy(part: Part): string {
  if (part.type === "html" && "lines" in part) return "";
  if ((part.type === "link" || part.type === "image") && part.definition)
    return JSON.stringify([part.definition.identifier, part.type === "image" && part.alt]);
  const { type, start, end, children, open, close, summary, ...said } = part as Part & Record<string, unknown>;
  return JSON.stringify(said);
}
