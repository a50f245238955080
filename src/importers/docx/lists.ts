// Items of lists, which Word keeps as paragraphs with a level, put into one another.

import type { Block, BlockOf, Phrasing } from "../../content/document";
import type { ListPlace } from "./numbering";

type List = BlockOf<"list-ordered"> | BlockOf<"list-unordered">;

interface OpenList {
  readonly list: List;
  readonly place: ListPlace;
}

const BOX = /^\s*([☐☑☒])\s*/;

/** The lists that follow each other at one place. */
export class ListBuilder {
  readonly lists: List[] = [];
  readonly #open: OpenList[] = [];

  /** Adds an item. */
  add(place: ListPlace, block: Block): void {
    while (this.#open.length > 0 && !belongs(this.#open.at(-1)!.place, place)) this.#open.pop();
    if (this.#open.at(-1)?.place.level !== place.level) this.#begin(place);
    (this.#open.at(-1)!.list.nodes as Block[]).push(itemOf(block));
  }

  /** Adds a block to the last item. */
  addTo(block: Block): void {
    this.#lastItem()?.push(block);
  }

  #begin(place: ListPlace): void {
    const list: List = place.isOrdered
      ? { object: "block", type: "list-ordered", data: place.number === 1 ? {} : { start: place.number }, nodes: [] }
      : { object: "block", type: "list-unordered", data: {}, nodes: [] };
    const around = this.#lastItem();
    if (around) around.push(list);
    else this.lists.push(list);
    this.#open.push({ list, place });
  }

  #lastItem(): Block[] | undefined {
    const items = this.#open.at(-1)?.list.nodes as BlockOf<"list-item">[] | undefined;
    return items?.at(-1)?.nodes as Block[] | undefined;
  }
}

/** Whether an item goes into an open list, or into one below it. */
function belongs(open: ListPlace, place: ListPlace): boolean {
  if (open.level !== place.level) return open.level < place.level;
  return open.isOrdered === place.isOrdered && (!place.isOrdered || open.list === place.list);
}

/** An item; one that begins with a box is a task. */
function itemOf(block: Block): BlockOf<"list-item"> {
  const [first] = (block.nodes ?? []) as Phrasing[];
  const leaf = block.type === "paragraph" && first?.object === "text" ? first.leaves[0] : undefined;
  const box = leaf && BOX.exec(leaf.text);
  if (!leaf || !box) return { object: "block", type: "list-item", data: {}, nodes: [block] };
  leaf.text = leaf.text.slice(box[0].length);
  return { object: "block", type: "list-item", data: { checked: box[1] !== "☐" }, nodes: [block] };
}
