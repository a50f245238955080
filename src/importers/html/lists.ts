// Lists of all kinds: items, tasks, and terms with their definitions.

import type { Block, BlockOf } from "../../content/document";
import type { Steps } from "../../utils/concurrency/steps";
import { createParagraph, type ElementReader, enterBlock, type HtmlBlockContext } from "./block-context";
import { filterElements, findElement, getAttribute, getNames } from "./elements";
import { isNoise } from "./noise";
import type { HtmlElement, HtmlNode } from "./parse-html";

type HtmlListItem = BlockOf<"list-item">;

/** Reads a list. A list without any item is nothing. */
export function* readListInSteps(
  reader: ElementReader,
  element: HtmlElement,
  context: HtmlBlockContext,
): Steps<Block[]> {
  const items: HtmlListItem[] = [];
  // Split the children of the list into its items, each alone, and the runs of nodes between them.
  const parts: HtmlNode[][] = [];
  let run: HtmlNode[] | undefined;
  for (const child of element.children) {
    if (typeof child === "string" && child.trim() === "") continue;
    if (typeof child !== "string" && (child.name === "li" || isNoise(child))) {
      run = undefined;
      if (child.name === "li" && !isNoise(child)) parts.push([child]);
    } else if (run) run.push(child);
    else {
      run = [child];
      parts.push(run);
    }
  }

  for (const part of parts) {
    const [first] = part;
    const isItem = part.length === 1 && typeof first !== "string" && first!.name === "li";
    let item: HtmlListItem;
    if (isItem) {
      const checked = getCheckedState(first!);
      const nodes = yield* reader.readChildren(first!, context);
      item = createListItem(nodes, checked);
    } else item = createListItem(yield* reader.read(part, enterBlock(element, context)));
    // A list between items belongs to the item before it.
    if (!isItem && items.length > 0) for (const block of item.nodes ?? []) items.at(-1)!.nodes!.push(block);
    else if (item.nodes!.length > 0) items.push(item);
  }
  if (items.length === 0) return [];

  const list = { object: "block", isVoid: false, nodes: items } as const;
  if (element.name !== "ol") {
    const hasTasks = items.some(({ data }) => data?.checked !== undefined);
    return [{ ...list, type: hasTasks ? "list-tasks" : "list-unordered", data: {} }];
  }
  const start = Number.parseInt(getAttribute(element, "start"), 10);
  return [{ ...list, type: "list-ordered", data: start >= 0 && start < 1e8 && start !== 1 ? { start } : {} }];
}

function createListItem(nodes: Block[], checked?: boolean): HtmlListItem {
  return { object: "block", type: "list-item", isVoid: false, data: checked === undefined ? {} : { checked }, nodes };
}

/**
 * Returns whether a task is done, or undefined if an item is not a task. The first element of a task is a checkbox, perhaps in a
 * label or a paragraph.
 */
function getCheckedState(item: HtmlElement): boolean | undefined {
  let current: HtmlElement | undefined = item;
  for (let depth = 0; current && depth < 4; depth++) {
    const first: HtmlNode | undefined = current.children.find(
      (child) => typeof child !== "string" || child.trim() !== "",
    );
    if (first === undefined || typeof first === "string") break;
    if (first.name === "input" && getAttribute(first, "type").toLowerCase() === "checkbox")
      return first.attributes.has("checked");
    current = first;
  }
  if (!getNames(item).includes("tasklistitem")) return undefined;
  return findElement(item, (each) => each.name === "input" && each.attributes.has("checked")) !== undefined;
}

/** Reads terms with their definitions as a list, because Markdown has no other form for them. */
export function* readDefinitionListInSteps(
  reader: ElementReader,
  element: HtmlElement,
  context: HtmlBlockContext,
): Steps<Block[]> {
  const items: HtmlListItem[] = [];
  const bold = [{ object: "mark", type: "bold" }] as const;
  // A container may be around each term and its definitions.
  const parts = filterElements(element.children)
    .filter((child) => !isNoise(child))
    .flatMap((child) => (child.name === "div" ? filterElements(child.children) : [child]));
  for (const part of parts) {
    const last = items.at(-1);
    reader.anchors.collect(part);
    const isTerm = part.name === "dt";
    const nodes = isTerm
      ? [createParagraph(reader.readLine(part.children, bold, true))]
      : yield* reader.readChildren(part, context);
    if (!isTerm && last) for (const block of nodes) last.nodes!.push(block);
    else items.push(createListItem(nodes));
  }
  const nodes = items.filter((item) => item.nodes!.length > 0);
  return nodes.length === 0 ? [] : [{ object: "block", type: "list-unordered", isVoid: false, data: {}, nodes }];
}
