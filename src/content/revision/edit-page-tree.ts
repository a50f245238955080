// Edits the tree of pages of a draft. Slugs are unique among siblings, groups are at the top only, and no page is ever below
// itself.

import { findFreeNumber } from "../free-number";
import { addNumberToSlug, createSlug, isSlug } from "../slugs";
import type { Draft } from "./draft";
import { type GitOrigin, keys, type PageEntry, type PathEntry } from "./entries";
import { ChangeError } from "./errors";
import { createOrderBetween } from "./order";
import { removeTextIndex } from "./texts";
import { MAX_PAGE_DEPTH, type WithId } from "./view";

/** A position in the tree: a parent, where null is the top, and an index among its children. Without an index, the end. */
export interface PagePosition {
  readonly parent: string | null;
  readonly index: number | undefined;
}

/** Adds a new page to the tree. `findOrder` returns its order among the siblings. Default: that of the position. */
export async function addPageToTree(
  draft: Draft,
  id: string,
  position: PagePosition,
  page: Omit<PageEntry, "parent" | "order" | "slug"> & { readonly slug?: string | undefined },
  findOrder = () => findFreeOrder(draft, position),
): Promise<WithId<PageEntry>> {
  const { parent } = position;
  await checkParent(draft, page.type, parent);
  const order = await findOrder();
  const slug = await findFreeSlug(draft, parent, id, page.slug ?? createSlug(page.title));
  const entry: PageEntry = { ...page, slug, parent, order };
  draft.put(keys.page(id), entry);
  draft.put(keys.child(parent, order), id);
  draft.put(keys.slug(parent, slug), { page: id });
  return { ...entry, id };
}

/** Writes a page's own fields, including its slug. Its position stays. */
export async function updatePageInTree(draft: Draft, page: WithId<PageEntry>, next: PageEntry): Promise<PageEntry> {
  const slug = next.slug === page.slug ? page.slug : await findFreeSlug(draft, page.parent, page.id, next.slug);
  if (slug !== page.slug) replaceSlug(draft, page, page.parent, slug);
  const entry = { ...next, slug };
  draft.put(keys.page(page.id), entry);
  return entry;
}

export async function movePageInTree(
  draft: Draft,
  page: WithId<PageEntry>,
  position: PagePosition,
): Promise<PageEntry> {
  const { parent } = position;
  await checkParent(draft, page.type, parent);
  const ancestry = parent === null ? [] : await draft.getAncestry(parent);
  if (ancestry.some(({ id }) => id === page.id))
    throw new ChangeError("into", "A page cannot be moved into itself or into a page below it");
  // Check that the whole subtree fits at its new depth. A very wide tree isn't searched completely, and is accepted.
  let level = [page.id];
  let searchedPages = 0;
  for (let levelDepth = ancestry.length + 1; level.length > 0 && searchedPages < MAX_SEARCHED_PAGES; levelDepth++) {
    if (levelDepth > MAX_PAGE_DEPTH)
      throw new ChangeError("into", `Pages can be nested ${MAX_PAGE_DEPTH} deep at the most`);
    const childIds: string[] = [];
    for (const parent of level.slice(0, MAX_SEARCHED_PAGES))
      for (const { id } of await draft.listChildIds(parent)) childIds.push(id);
    searchedPages += level.length;
    level = childIds;
  }

  draft.delete(keys.child(page.parent, page.order));
  const order = await findFreeOrder(draft, position);
  let { slug } = page;
  if (parent !== page.parent) {
    slug = await findFreeSlug(draft, parent, page.id, page.slug);
    replaceSlug(draft, page, parent, slug);
  }
  const { id, ...rest } = page;
  const entry: PageEntry = { ...rest, parent, order, slug };
  draft.put(keys.page(id), entry);
  draft.put(keys.child(parent, order), id);
  return entry;
}

export async function removePageFromTree(draft: Draft, page: WithId<PageEntry>): Promise<void> {
  const pending = [page];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const children = await draft.getPages((await draft.listChildIds(next.id)).map(({ id }) => id));
    for (const child of children) if (child) pending.push(child);
    draft.delete(keys.page(next.id));
    draft.delete(keys.child(next.parent, next.order));
    draft.delete(keys.slug(next.parent, next.slug));
    await updateFilePath(draft, next.id, next.git, undefined);
    await removeTextIndex(draft, next.id);
  }
}

/** Moves a page to another path of files, unless something else is there. */
export async function updateFilePath(
  draft: Draft,
  id: string,
  before: GitOrigin | undefined,
  after: GitOrigin | undefined,
): Promise<void> {
  if (before?.path === after?.path) return;
  const getEntry = async (path: string) => (await draft.get(keys.filePath(path))) as PathEntry | undefined;
  if (before && (await getEntry(before.path))?.page === id) draft.delete(keys.filePath(before.path));
  if (after && !(await getEntry(after.path))) draft.put(keys.filePath(after.path), { page: id });
}

/** Gives a page a new slug. The old slug leads to the page until another page takes it. */
function replaceSlug(draft: Draft, page: WithId<PageEntry>, parent: string | null, slug: string): void {
  draft.put(keys.slug(page.parent, page.slug), { page: page.id, former: true });
  draft.put(keys.slug(parent, slug), { page: page.id });
}

/** Returns the desired slug, with a number at its end if a sibling has it. */
async function findFreeSlug(draft: Draft, parent: string | null, page: string, desired: string): Promise<string> {
  if (!isSlug(desired)) throw new ChangeError("slug", "Expected letters, digits and single dashes, at most 100");
  const addNumber = (n: number) => (n === 0 ? desired : addNumberToSlug(desired, n));
  const number = await findFreeNumber(async (n) => {
    const entry = (await draft.get(keys.slug(parent, addNumber(n)))) as { page: string; former?: boolean } | undefined;
    return entry !== undefined && !entry.former && entry.page !== page;
  });
  return addNumber(number);
}

/** Thousands of inserts at one position make orders long. Then all siblings get new ones. */
const MAX_ORDER_LENGTH = 64;

async function findFreeOrder(draft: Draft, { parent, index }: PagePosition): Promise<string> {
  const under = keys.children(parent);
  const getOrder = (row: { key: string } | undefined) => row?.key.slice(under.length);
  if (index === undefined) {
    const [last] = await draft.list({ under, reverse: true, limit: 1 });
    return createOrderBetween(getOrder(last), undefined);
  }
  const rows = await draft.list({ under, limit: index + 1 });
  const order = createOrderBetween(getOrder(rows[Math.min(index, rows.length) - 1]), getOrder(rows[index]));
  if (order.length <= MAX_ORDER_LENGTH) return order;

  const siblings = await draft.listChildIds(parent);
  const pages = await draft.getPages(siblings.map(({ id }) => id));
  for (const sibling of siblings) draft.delete(keys.child(parent, sibling.order));
  let newOrder: string | undefined;
  for (const page of pages) {
    if (!page) continue;
    const { id, ...entry } = page;
    newOrder = createOrderBetween(newOrder, undefined);
    draft.put(keys.page(id), { ...entry, order: newOrder });
    draft.put(keys.child(parent, newOrder), id);
  }
  return findFreeOrder(draft, { parent, index });
}

async function checkParent(draft: Draft, type: PageEntry["type"], parent: string | null): Promise<void> {
  if (parent === null) return;
  if (type === "group") throw new ChangeError("into", "Groups stand at the top only");
  const ancestry = await draft.getAncestry(parent);
  if (ancestry.length === 0) throw new ChangeError("into", "Page not found");
  if (ancestry[0]!.type === "link" || ancestry[0]!.type === "computed")
    throw new ChangeError("into", "Only documents and groups have pages below them");
  if (ancestry.length >= MAX_PAGE_DEPTH)
    throw new ChangeError("into", `Pages can be nested ${MAX_PAGE_DEPTH} deep at the most`);
}

/** The most pages that are searched to find out how deep they are nested. */
const MAX_SEARCHED_PAGES = 2000;
