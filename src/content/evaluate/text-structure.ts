// Compares the structure of texts: everything except plain words. Values are words, so inserting them must not change the structure.

import type { Steps } from "../../utils/concurrency/steps";
import type { BlockNode, InlineNode, ListItemNode, RootNode, TableCellNode, TableRowNode } from "../markdown/nodes";
import type { TextEdit } from "../text-edits";

const BLOCKS_PER_STEP = 1_000;

type StructureNode = BlockNode | ListItemNode | TableRowNode | TableCellNode | InlineNode;

/** A text and its parse tree. */
export interface StructuredText {
  readonly text: string;
  readonly root: RootNode;
}

/** Returns the first block of a text whose structure the edits changed, or undefined if they changed none. */
export function* findStructureChangeInSteps(
  before: StructuredText,
  after: StructuredText,
  edits: readonly TextEdit[],
): Steps<BlockNode | undefined> {
  const structures = new Map<BlockNode, string>();
  const oldBlocks = before.root.children;
  const sortedEdits = edits.toSorted((a, b) => a.from - b.from);
  let [oldIndex, nextEdit, growth, count] = [0, 0, 0, 0];
  for (const block of after.root.children) {
    if (++count % BLOCKS_PER_STEP === 0) yield;
    // The offset in the original is without the growth by the edits before it.
    for (let edit = sortedEdits[nextEdit]; edit && edit.from + growth < block.start; edit = sortedEdits[nextEdit]) {
      growth += edit.text.length - (edit.to - edit.from);
      nextEdit++;
    }
    const oldOffset = block.start - growth;
    while (oldIndex + 1 < oldBlocks.length && oldBlocks[oldIndex + 1]!.start <= oldOffset) oldIndex++;
    const oldBlock = oldBlocks[oldIndex]!;
    structures.set(oldBlock, (structures.get(oldBlock) ?? "") + describeStructure(block, after.text));
  }
  for (const block of oldBlocks) {
    if (describeStructure(block, before.text) !== (structures.get(block) ?? "")) return block;
    if (++count % BLOCKS_PER_STEP === 0) yield;
  }
  return undefined;
}

/** Returns the structure of a node. A paragraph that has only words has none, because it may become empty. */
function describeStructure(node: StructureNode, text: string): string {
  const content =
    "children" in node ? node.children.map((child: StructureNode) => describeStructure(child, text)).join("") : "";
  switch (node.type) {
    case "text":
    case "expression":
      return "";
    // Marks of the author open and close depending on their neighbors; those of a value are escaped.
    case "emphasis":
    case "strong":
    case "delete":
      return content;
    case "paragraph":
      return content && `(paragraph ${content})`;
    default: {
      // A bare URL that the author began may continue in a value.
      const isBareUrl = node.type === "link" && text[node.start] !== "[" && text[node.start] !== "<";
      if (isBareUrl) return content;
      // The data besides the words. Expressions in blocks of HTML are words of the block. A link by reference has the name of its
      // definition, which is a block with the URL of all these links.
      let data = "";
      if ((node.type === "link" || node.type === "image") && node.definition)
        data = JSON.stringify([node.definition.identifier, node.type === "image" && node.alt]);
      else if (!(node.type === "html" && "lines" in node)) {
        const { type, start, end, children, open, close, summary, ...members } = node as StructureNode &
          Record<string, unknown>;
        data = JSON.stringify(members);
      }
      return `(${node.type} ${data} ${content})`;
    }
  }
}
