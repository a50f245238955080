// Nests the items of lists, which Word stores as paragraphs with a level.

import type { Block, BlockOf, Phrasing } from "../../content/document";
import type { ListPosition } from "./numbering";

type DocxListBlock = BlockOf<"list-ordered"> | BlockOf<"list-unordered">;

interface OpenDocxList {
  readonly list: DocxListBlock;
  readonly position: ListPosition;
}

const CHECKBOX = /^\s*([☐☑☒])\s*/;

/** Builds the lists that follow each other at one place. */
export class ListBuilder {
  readonly lists: DocxListBlock[] = [];
  readonly #open: OpenDocxList[] = [];

  /** Adds an item. An item that begins with a checkbox is a task. */
  add(position: ListPosition, block: Block): void {
    // Lists that neither hold the item nor one of the lists around it are closed.
    const canContain = (open: ListPosition) =>
      open.level === position.level
        ? open.isOrdered === position.isOrdered && (!position.isOrdered || open.list === position.list)
        : open.level < position.level;
    while (this.#open.length > 0 && !canContain(this.#open.at(-1)!.position)) this.#open.pop();
    if (this.#open.at(-1)?.position.level !== position.level) {
      const list: DocxListBlock = position.isOrdered
        ? {
            object: "block",
            type: "list-ordered",
            data: position.number === 1 ? {} : { start: position.number },
            nodes: [],
          }
        : { object: "block", type: "list-unordered", data: {}, nodes: [] };
      const outerItem = this.#getLastItem();
      if (outerItem) outerItem.push(list);
      else this.lists.push(list);
      this.#open.push({ list, position });
    }

    const [first] = (block.nodes ?? []) as Phrasing[];
    const leaf = block.type === "paragraph" && first?.object === "text" ? first.leaves[0] : undefined;
    const checkbox = leaf && CHECKBOX.exec(leaf.text);
    if (checkbox) leaf.text = leaf.text.slice(checkbox[0].length);
    const data = checkbox ? { checked: checkbox[1] !== "☐" } : {};
    (this.#open.at(-1)!.list.nodes as Block[]).push({ object: "block", type: "list-item", data, nodes: [block] });
  }

  /** Adds a block to the last item. */
  extendLastItem(block: Block): void {
    this.#getLastItem()?.push(block);
  }

  #getLastItem(): Block[] | undefined {
    const items = this.#open.at(-1)?.list.nodes as BlockOf<"list-item">[] | undefined;
    return items?.at(-1)?.nodes as Block[] | undefined;
  }
}
