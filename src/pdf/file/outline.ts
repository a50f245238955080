// The outline that PDF readers show beside a document.

import { formatDictionary, formatNumber, formatReference, formatText, type ObjectId } from "./syntax";
import type { PdfWriter } from "./writer";

/** A heading and its position. */
export interface OutlineEntry {
  readonly title: string;
  /** 0 is the top. */
  readonly level: number;
  readonly sheet: ObjectId;
  /** The distance from the bottom of the sheet. */
  readonly y: number;
}

interface PdfOutlineItem extends OutlineEntry {
  readonly id: ObjectId;
  readonly children: PdfOutlineItem[];
}

/** The number of levels below the top that are expanded initially. */
const INITIAL_LEVELS = 1;

/** Writes the outline in steps. Returns undefined if there are no entries. */
export function* writeOutline(
  writer: PdfWriter,
  entries: readonly OutlineEntry[],
): Generator<void, ObjectId | undefined> {
  if (entries.length === 0) return undefined;
  const root = writer.reserveId();
  // Each entry is nested in the nearest one before it that has a lower level.
  const top: PdfOutlineItem[] = [];
  const path: PdfOutlineItem[] = [];
  for (const entry of entries) {
    const item: PdfOutlineItem = { ...entry, id: writer.reserveId(), children: [] };
    while (path.length > 0 && path.at(-1)!.level >= entry.level) path.pop();
    (path.at(-1)?.children ?? top).push(item);
    path.push(item);
  }
  yield* writeItems(writer, top, root, 0);
  writer.writeObject(
    formatDictionary({
      Type: "/Outlines",
      First: formatReference(top[0]!.id),
      Last: formatReference(top.at(-1)!.id),
      Count: countVisible(top, 0),
    }),
    root,
  );
  return root;
}

function* writeItems(
  writer: PdfWriter,
  items: readonly PdfOutlineItem[],
  parent: ObjectId,
  depth: number,
): Generator<void> {
  for (const [at, item] of items.entries()) {
    const { children } = item;
    const isOpen = depth + 1 <= INITIAL_LEVELS;
    writer.writeObject(
      formatDictionary({
        Title: formatText(item.title),
        Parent: formatReference(parent),
        Prev: referToItem(items[at - 1]),
        Next: referToItem(items[at + 1]),
        First: referToItem(children[0]),
        Last: referToItem(children.at(-1)),
        Count: children.length === 0 ? undefined : isOpen ? countVisible(children, depth + 1) : -children.length,
        Dest: `[${formatReference(item.sheet)} /XYZ null ${formatNumber(item.y)} null]`,
      }),
      item.id,
    );
    yield;
    yield* writeItems(writer, children, item.id, depth + 1);
  }
}

function referToItem(item: PdfOutlineItem | undefined): string | undefined {
  return item && formatReference(item.id);
}

/** Counts the visible entries in an expanded one. */
function countVisible(items: readonly PdfOutlineItem[], depth: number): number {
  if (depth + 1 > INITIAL_LEVELS) return items.length;
  return items.reduce((sum, { children }) => sum + 1 + countVisible(children, depth + 1), 0);
}
