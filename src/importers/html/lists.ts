// Lists of all kinds: items, tasks, and terms with what they mean.

import type { Block, BlockOf } from "../../content/document";
import type { Steps } from "../../content/markdown/steps";
import { attribute, elementsIn, find, namesOf } from "./looking";
import { isNoise } from "./noise";
import { type BlockPlace, inner, paragraph, type ReadsBlocks } from "./reading-blocks";
import type { Element, Node } from "./tree";

type Item = BlockOf<"list-item">;

/** A list; without any item it is nothing. */
export function* listOf(reader: ReadsBlocks, element: Element, place: BlockPlace): Steps<Block[]> {
  const items: Item[] = [];
  for (const part of partsOf(element)) {
    const isItem = part.length === 1 && typeof part[0] !== "string" && part[0]!.name === "li";
    const read = yield* isItem ? itemOf(reader, part[0] as Element, place) : loose(reader, part, element, place);
    // A list that stands between items belongs to the one before it.
    if (!isItem && items.length > 0) append(items.at(-1)!, read.nodes ?? []);
    else if (read.nodes!.length > 0) items.push(read);
  }
  if (items.length === 0) return [];
  const list = { object: "block", isVoid: false, nodes: items } as const;
  if (element.name !== "ol") {
    const isTasks = items.some(({ data }) => data?.checked !== undefined);
    return [{ ...list, type: isTasks ? "list-tasks" : "list-unordered", data: {} }];
  }
  const start = Number.parseInt(attribute(element, "start"), 10);
  return [{ ...list, type: "list-ordered", data: start >= 0 && start < 1e8 && start !== 1 ? { start } : {} }];
}

/** The items of a list, and what stands between them. */
function partsOf(list: Element): Node[][] {
  const parts: Node[][] = [];
  let between: Node[] | undefined;
  for (const child of list.children) {
    if (typeof child === "string" && child.trim() === "") continue;
    if (typeof child !== "string" && (child.name === "li" || isNoise(child))) {
      between = undefined;
      if (child.name === "li" && !isNoise(child)) parts.push([child]);
    } else if (between) between.push(child);
    else {
      between = [child];
      parts.push(between);
    }
  }
  return parts;
}

function* itemOf(reader: ReadsBlocks, element: Element, place: BlockPlace): Steps<Item> {
  const checked = checkOf(element);
  const nodes = yield* reader.inside(element, place);
  return item(checked !== undefined && nodes.length === 0 ? [] : nodes, checked);
}

function* loose(reader: ReadsBlocks, nodes: readonly Node[], list: Element, place: BlockPlace): Steps<Item> {
  return item(yield* reader.read(nodes, inner(list, place)), undefined);
}

/** Adds blocks to an item that was just made. */
function append({ nodes }: Item, blocks: NonNullable<Item["nodes"]>): void {
  for (const block of blocks) nodes!.push(block);
}

function item(nodes: Block[], checked: boolean | undefined): Item {
  return { object: "block", type: "list-item", isVoid: false, data: checked === undefined ? {} : { checked }, nodes };
}

/** Whether an item is a task, and done: its first element is a box, in a label or a paragraph perhaps. */
function checkOf(item: Element): boolean | undefined {
  let at: Element | undefined = item;
  for (let steps = 0; at && steps < 4; steps++) {
    const first: Node | undefined = at.children.find((child) => typeof child !== "string" || child.trim() !== "");
    if (first === undefined || typeof first === "string") break;
    if (first.name === "input" && attribute(first, "type").toLowerCase() === "checkbox")
      return first.attributes.has("checked");
    at = first;
  }
  if (!namesOf(item).includes("tasklistitem")) return undefined;
  return find(item, (each) => each.name === "input" && each.attributes.has("checked")) !== undefined;
}

/** Terms with what they mean, as a list: Markdown has no other form for them. */
export function* termsOf(reader: ReadsBlocks, element: Element, place: BlockPlace): Steps<Block[]> {
  const items: Item[] = [];
  const bold = [{ object: "mark", type: "bold" }] as const;
  for (const part of termParts(element)) {
    const last = items.at(-1);
    reader.anchors.meet(part);
    const isTerm = part.name === "dt";
    const nodes = isTerm ? [paragraph(reader.line(part.children, bold, true))] : yield* reader.inside(part, place);
    if (!isTerm && last) append(last, nodes);
    else items.push(item(nodes, undefined));
  }
  const shown = items.filter(({ nodes }) => nodes!.length > 0);
  return shown.length === 0 ? [] : [{ object: "block", type: "list-unordered", isVoid: false, data: {}, nodes: shown }];
}

/** The terms and meanings of a list, through the containers that may stand around each pair. */
function termParts(list: Element): Element[] {
  return elementsIn(list.children)
    .filter((child) => !isNoise(child))
    .flatMap((child) => (child.name === "div" ? elementsIn(child.children) : [child]));
}
