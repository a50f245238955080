// The tree of pages: putting pages into it, moving them, taking them out. Slugs are unique among siblings, groups stand at
// the top, and no page is ever below itself.

import { findFreeNumber } from "../free-number";
import { addNumberToSlug, createSlug, isSlug } from "../slugs";
import type { Draft } from "./draft";
import { type GitOrigin, keys, type PageEntry, type PathEntry } from "./entries";
import { ChangeError } from "./errors";
import { createOrderBetween } from "./order";
import { removeTextIndex } from "./texts";
import { MAX_PAGE_DEPTH, type WithId } from "./view";

/** Where a page is to stand: under a parent (null: the root), at an index among its siblings or at the end. */
export interface PagePosition {
  readonly parent: string | null;
  readonly index: number | undefined;
}

/** Puts a new page into the tree. `orderOf` finds its place if that is another than `where` says. */
export async function addPageToTree(
  draft: Draft,
  id: string,
  where: PagePosition,
  page: Omit<PageEntry, "parent" | "order" | "slug"> & { readonly slug?: string | undefined },
  orderOf = () => orderAt(draft, where),
): Promise<WithId<PageEntry>> {
  await checkParent(draft, page.type, where.parent);
  const order = await orderOf();
  const slug = await freeSlug(draft, where.parent, id, page.slug ?? createSlug(page.title));
  const entry: PageEntry = { ...page, slug, parent: where.parent, order };
  draft.put(keys.page(id), entry);
  draft.put(keys.child(where.parent, order), id);
  draft.put(keys.slug(where.parent, slug), { page: id });
  return { ...entry, id };
}

/** Writes a page's own fields, its slug included. Its place stays. */
export async function updatePageInTree(draft: Draft, page: WithId<PageEntry>, next: PageEntry): Promise<PageEntry> {
  const slug = next.slug === page.slug ? page.slug : await freeSlug(draft, page.parent, page.id, next.slug);
  if (slug !== page.slug) takeSlug(draft, page, page.parent, slug);
  const entry = { ...next, slug };
  draft.put(keys.page(page.id), entry);
  return entry;
}

/** Moves a page, with all below it. */
export async function movePageInTree(draft: Draft, page: WithId<PageEntry>, where: PagePosition): Promise<PageEntry> {
  await checkParent(draft, page.type, where.parent);
  const above = where.parent === null ? [] : await draft.getAncestry(where.parent);
  if (above.some(({ id }) => id === page.id))
    throw new ChangeError("into", "A page cannot be moved into itself or into a page below it");
  await checkHeight(draft, page, above.length + 1);
  draft.delete(keys.child(page.parent, page.order));
  const order = await orderAt(draft, where);
  const slug = where.parent === page.parent ? page.slug : await freeSlug(draft, where.parent, page.id, page.slug);
  if (where.parent !== page.parent) takeSlug(draft, page, where.parent, slug);
  const { id, ...rest } = page;
  const entry: PageEntry = { ...rest, parent: where.parent, order, slug };
  draft.put(keys.page(id), entry);
  draft.put(keys.child(where.parent, order), id);
  return entry;
}

/** Takes a page out of the tree, with all below it. */
export async function removePageFromTree(draft: Draft, page: WithId<PageEntry>): Promise<void> {
  const leaving = [page];
  for (let next = leaving.pop(); next; next = leaving.pop()) {
    const below = await draft.getPages((await draft.listChildIds(next.id)).map(({ id }) => id));
    for (const it of below) if (it) leaving.push(it);
    draft.delete(keys.page(next.id));
    draft.delete(keys.child(next.parent, next.order));
    draft.delete(keys.slug(next.parent, next.slug));
    await updateFilePath(draft, next.id, next.git, undefined);
    await removeTextIndex(draft, next.id);
  }
}

/** Has a page stand at another path of files, if nothing else does. */
export async function updateFilePath(
  draft: Draft,
  id: string,
  before: GitOrigin | undefined,
  after: GitOrigin | undefined,
): Promise<void> {
  if (before?.path === after?.path) return;
  const at = async (path: string) => (await draft.get(keys.filePath(path))) as PathEntry | undefined;
  if (before && (await at(before.path))?.page === id) draft.delete(keys.filePath(before.path));
  if (after && !(await at(after.path))) draft.put(keys.filePath(after.path), { page: id });
}

/** Gives a page a new slug. The old one leads to it until another page takes it. */
function takeSlug(draft: Draft, page: WithId<PageEntry>, parent: string | null, slug: string): void {
  draft.put(keys.slug(page.parent, page.slug), { page: page.id, former: true });
  draft.put(keys.slug(parent, slug), { page: page.id });
}

/** The slug that was wanted, with a number behind it where a sibling has it. */
async function freeSlug(draft: Draft, parent: string | null, page: string, wanted: string): Promise<string> {
  if (!isSlug(wanted)) throw new ChangeError("slug", "Expected letters, digits and single dashes, at most 100");
  const numbered = (n: number) => (n === 0 ? wanted : addNumberToSlug(wanted, n));
  const number = await findFreeNumber(async (n) => {
    const held = (await draft.get(keys.slug(parent, numbered(n)))) as { page: string; former?: boolean } | undefined;
    return held !== undefined && !held.former && held.page !== page;
  });
  return numbered(number);
}

/** A free place among siblings. */
async function orderAt(draft: Draft, { parent, index: at }: PagePosition): Promise<string> {
  const under = keys.children(parent);
  const orderIn = (row: { key: string } | undefined) => row?.key.slice(under.length);
  if (at === undefined) {
    const [last] = await draft.list({ under, reverse: true, limit: 1 });
    return createOrderBetween(orderIn(last), undefined);
  }
  const rows = await draft.list({ under, limit: at + 1 });
  const order = createOrderBetween(orderIn(rows[Math.min(at, rows.length) - 1]), orderIn(rows[at]));
  if (order.length <= LONGEST_ORDER) return order;
  await renumber(draft, parent);
  return orderAt(draft, { parent, index: at });
}

/** Thousands of inserts at one place make positions long. Then all siblings get new ones. */
const LONGEST_ORDER = 64;

async function renumber(draft: Draft, parent: string | null): Promise<void> {
  const siblings = await draft.listChildIds(parent);
  const pages = await draft.getPages(siblings.map(({ id }) => id));
  let order: string | undefined;
  for (const { order: old } of siblings) draft.delete(keys.child(parent, old));
  for (const page of pages) {
    if (!page) continue;
    const { id, ...entry } = page;
    order = createOrderBetween(order, undefined);
    draft.put(keys.page(id), { ...entry, order });
    draft.put(keys.child(parent, order), id);
  }
}

async function checkParent(draft: Draft, type: PageEntry["type"], parent: string | null): Promise<void> {
  if (parent === null) return;
  if (type === "group") throw new ChangeError("into", "Groups stand at the top only");
  const above = await draft.getAncestry(parent);
  if (above.length === 0) throw new ChangeError("into", "There is no such page");
  if (above[0]!.type === "link" || above[0]!.type === "computed")
    throw new ChangeError("into", "Only documents and groups have pages below them");
  if (above.length >= MAX_PAGE_DEPTH)
    throw new ChangeError("into", `Pages can be nested ${MAX_PAGE_DEPTH} deep at the most`);
}

/** The most pages that are looked at to find out how deep they are nested. */
const MAX_LOOKED_AT = 2000;

/** Whether a page with everything below it fits at a depth. A very wide tree is not searched completely, and is
 * accepted. */
async function checkHeight(draft: Draft, page: WithId<PageEntry>, depth: number): Promise<void> {
  let level = [page.id];
  let looked = 0;
  for (let at = depth; level.length > 0 && looked < MAX_LOOKED_AT; at++) {
    if (at > MAX_PAGE_DEPTH) throw new ChangeError("into", `Pages can be nested ${MAX_PAGE_DEPTH} deep at the most`);
    const below: string[] = [];
    for (const parent of level.slice(0, MAX_LOOKED_AT))
      for (const { id } of await draft.listChildIds(parent)) below.push(id);
    looked += level.length;
    level = below;
  }
}
