// What stands before and after a page when a space is read from its first page to its last. Only visible pages with a
// text are read, and nothing that is hidden from the table of contents. Only the pages around it are looked at.

import { keys, type PageEntry } from "../../../content/revision/entries";
import type { WithId } from "../../../content/revision/view";
import type { VisiblePages } from "./visible-pages";

type Page = WithId<PageEntry>;
/** A page and the pages above it, from itself to the top. */
type Way = readonly Page[];

/** The ways to the pages before and after one. A page that is hidden, or below one, stands in no order. */
export async function getAdjacentPages(
  sight: VisiblePages,
  way: Way,
): Promise<{ readonly previous?: Way | undefined; readonly next?: Way | undefined }> {
  if (way.some(({ hidden }) => hidden)) return {};
  return { previous: await before(sight, way), next: (await firstIn(sight, way)) ?? (await after(sight, way)) };
}

/** The place of a page among those beside it. */
export function getSiblingKey({ parent, order }: PageEntry): string {
  return keys.child(parent, order);
}

function hasText({ type, body }: Page): boolean {
  return type !== "link" && body !== undefined;
}

/** The first page below one. */
async function firstIn(sight: VisiblePages, way: Way): Promise<Way | undefined> {
  return firstOf(sight, sight.listChildren(way[0]!.id), way);
}

/** The first of pages that stand below `above`, or of those below them. */
async function firstOf(sight: VisiblePages, pages: AsyncIterable<Page>, above: Way): Promise<Way | undefined> {
  for await (const page of pages) {
    if (page.hidden) continue;
    const way = [page, ...above];
    const found = hasText(page) ? way : await firstIn(sight, way);
    if (found) return found;
  }
  return undefined;
}

/** The first page behind one and all that is below it. */
async function after(sight: VisiblePages, [page, ...above]: Way): Promise<Way | undefined> {
  if (!page) return undefined;
  const behind = sight.listChildren(page.parent, { after: getSiblingKey(page) });
  return (await firstOf(sight, behind, above)) ?? after(sight, above);
}

/** The last page of one and all that is below it. */
async function lastOf(sight: VisiblePages, way: Way): Promise<Way | undefined> {
  const found = await lastAmong(sight, sight.listChildren(way[0]!.id, { reverse: true }), way);
  return found ?? (hasText(way[0]!) ? way : undefined);
}

/** The last of pages that stand below `above`, given from the last to the first. */
async function lastAmong(sight: VisiblePages, pages: AsyncIterable<Page>, above: Way): Promise<Way | undefined> {
  for await (const page of pages) {
    const found = page.hidden ? undefined : await lastOf(sight, [page, ...above]);
    if (found) return found;
  }
  return undefined;
}

async function before(sight: VisiblePages, [page, ...above]: Way): Promise<Way | undefined> {
  if (!page) return undefined;
  const found = await lastAmong(
    sight,
    sight.listChildren(page.parent, { before: getSiblingKey(page), reverse: true }),
    above,
  );
  if (found || above.length === 0) return found;
  return hasText(above[0]!) ? above : before(sight, above);
}
