// The list of headings that readers show beside a document, nested as the headings are.

import { dictionary, number, type ObjectId, refer, text } from "./syntax";
import type { PdfWriter } from "./writer";

/** A heading and where it is. */
export interface OutlineEntry {
  readonly title: string;
  /** 0 is the top. */
  readonly level: number;
  readonly sheet: ObjectId;
  /** From the foot of the sheet. */
  readonly y: number;
}

interface Item extends OutlineEntry {
  readonly id: ObjectId;
  readonly children: Item[];
}

/** Entries down to this level are shown from the start. */
const OPEN = 1;

/** Writes the list in steps; undefined when there is nothing in it. */
export function* writeOutline(
  writer: PdfWriter,
  entries: readonly OutlineEntry[],
): Generator<void, ObjectId | undefined> {
  if (entries.length === 0) return undefined;
  const root = writer.reserve();
  const top = nested(writer, entries);
  yield* writeItems(writer, top, root, 0);
  writer.object(
    dictionary({ Type: "/Outlines", First: refer(top[0]!.id), Last: refer(top.at(-1)!.id), Count: shown(top, 0) }),
    root,
  );
  return root;
}

/** Puts every entry below the nearest one before it that has a lower level. */
function nested(writer: PdfWriter, entries: readonly OutlineEntry[]): Item[] {
  const top: Item[] = [];
  const path: Item[] = [];
  for (const entry of entries) {
    const item = { ...entry, id: writer.reserve(), children: [] };
    while (path.length > 0 && path.at(-1)!.level >= entry.level) path.pop();
    (path.at(-1)?.children ?? top).push(item);
    path.push(item);
  }
  return top;
}

function* writeItems(writer: PdfWriter, items: readonly Item[], parent: ObjectId, depth: number): Generator<void> {
  for (const [at, item] of items.entries()) {
    const { children } = item;
    const isOpen = depth + 1 <= OPEN;
    writer.object(
      dictionary({
        Title: text(item.title),
        Parent: refer(parent),
        Prev: reference(items[at - 1]),
        Next: reference(items[at + 1]),
        First: reference(children[0]),
        Last: reference(children.at(-1)),
        Count: children.length === 0 ? undefined : isOpen ? shown(children, depth + 1) : -children.length,
        Dest: `[${refer(item.sheet)} /XYZ null ${number(item.y)} null]`,
      }),
      item.id,
    );
    yield;
    yield* writeItems(writer, children, item.id, depth + 1);
  }
}

function reference(item: Item | undefined): string | undefined {
  return item && refer(item.id);
}

/** How many entries are seen below an open one. */
function shown(items: readonly Item[], depth: number): number {
  if (depth + 1 > OPEN) return items.length;
  return items.reduce((sum, { children }) => sum + 1 + shown(children, depth + 1), 0);
}
