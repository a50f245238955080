// The outline that PDF readers show beside a document.

import type { Steps } from "../../utils/concurrency/steps";
import { formatDictionary, formatNumber, formatReference, formatText, type ObjectId } from "./syntax";
import type { PdfWriter } from "./writer";

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
  readonly parent: ObjectId;
  /** The number of entries that it is nested in. */
  readonly depth: number;
  /** The entries with the same parent, and its index among them. */
  readonly siblings: PdfOutlineItem[];
  readonly index: number;
  readonly children: PdfOutlineItem[];
}

/** The number of levels below the top that are expanded initially. */
const INITIAL_LEVELS = 1;

/** Writes the outline in steps. Returns undefined if there are no entries. */
export function* writeOutline(writer: PdfWriter, entries: readonly OutlineEntry[]): Steps<ObjectId | undefined> {
  if (entries.length === 0) return undefined;
  const root = writer.reserveId();
  // Each entry is nested in the nearest one before it that has a lower level.
  const top: PdfOutlineItem[] = [];
  const path: PdfOutlineItem[] = [];
  const items = entries.map((entry) => {
    while (path.length > 0 && path.at(-1)!.level >= entry.level) path.pop();
    const around = path.at(-1);
    const siblings = around?.children ?? top;
    const place = { parent: around?.id ?? root, depth: path.length, siblings, index: siblings.length };
    const item: PdfOutlineItem = { ...entry, ...place, id: writer.reserveId(), children: [] };
    siblings.push(item);
    path.push(item);
    return item;
  });
  for (const { id, parent, depth, siblings, index, children, title, sheet, y } of items) {
    const isOpen = depth + 1 <= INITIAL_LEVELS;
    writer.writeObject(
      formatDictionary({
        Title: formatText(title),
        Parent: formatReference(parent),
        Prev: referToItem(siblings[index - 1]),
        Next: referToItem(siblings[index + 1]),
        First: referToItem(children[0]),
        Last: referToItem(children.at(-1)),
        Count: children.length === 0 ? undefined : isOpen ? countVisible(children, depth + 1) : -children.length,
        Dest: `[${formatReference(sheet)} /XYZ null ${formatNumber(y)} null]`,
      }),
      id,
    );
    yield;
  }
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

function referToItem(item: PdfOutlineItem | undefined): string | undefined {
  return item && formatReference(item.id);
}

function countVisible(items: readonly PdfOutlineItem[], depth: number): number {
  if (depth + 1 > INITIAL_LEVELS) return items.length;
  return items.reduce((sum, { children }) => sum + 1 + countVisible(children, depth + 1), 0);
}
