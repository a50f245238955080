// Puts pages into the places that a plan has for them. All pages that leave a place do so first, so that pages can swap places and
// slugs. Then the others come, higher ones first, and siblings in their order. If all fit, they come parent by parent, so that each
// part of the map is written once.

import { runStepsAtOnce, type Steps } from "../../utils/concurrency/steps";
import type { Draft } from "../revision/draft";
import { addPageToTree, removePageFromTree } from "../revision/edit-page-tree";
import { keys, type PageEntry } from "../revision/entries";
import { ChangeError } from "../revision/errors";
import { createOrderBetween } from "../revision/order";
import { sortInSteps } from "../revision/sort-in-steps";
import { MAX_PAGE_DEPTH } from "../revision/view";
import { type MergeTools, yieldToOthers } from "./bodies";

/** A page that is new, moves or gets another slug. */
export interface PagePlacement {
  readonly id: string;
  readonly entry: PageEntry;
  /** The page as it was, if it existed. */
  readonly before: PageEntry | undefined;
}

/** Removes pages from the tree and places others. Returns the placements that were not possible as planned. */
export async function placePages(
  draft: Draft,
  placements: readonly PagePlacement[],
  deletedIds: readonly string[],
  isPlacedByOurs: (id: string) => boolean,
  tools: MergeTools,
): Promise<PagePlacement[]> {
  for (const placement of placements) {
    const { id, entry, before } = placement;
    if (before && !staysInPlace(placement)) draft.delete(keys.child(before.parent, before.order));
    // The old slug leads to the page until another page takes it.
    if (before && (before.parent !== entry.parent || before.slug !== entry.slug))
      draft.put(keys.slug(before.parent, before.slug), { page: id, former: true });
    await draft.flushIfFull();
  }
  for (const id of deletedIds) {
    await yieldToOthers(tools);
    const page = await draft.getPage(id);
    if (page) await removePageFromTree(draft, page);
    await draft.flushIfFull();
  }

  const { runSteps = runStepsAtOnce } = tools;
  const depths = await runSteps(computeDepthsInSteps(placements));
  const byDepth = (a: PagePlacement, b: PagePlacement) => depths.get(a)! - depths.get(b)!;
  const byOrder = (a: PagePlacement, b: PagePlacement) => compareText(a.entry.order, b.entry.order);
  const byParent = (a: PagePlacement, b: PagePlacement) => compareText(a.entry.parent ?? "", b.entry.parent ?? "");
  let sorted = await runSteps(sortInSteps(placements, (a, b) => byDepth(a, b) || byParent(a, b) || byOrder(a, b)));
  // A page that does not fit may move to another parent. Then the order among pages of different parents matters.
  if (!(await canPlaceAll(draft, sorted, tools)))
    sorted = await runSteps(sortInSteps(placements, (a, b) => byDepth(a, b) || byOrder(a, b)));

  const placer = new PagePlacer(draft, isPlacedByOurs);
  for (const placement of sorted) {
    await yieldToOthers(tools);
    await placer.place(placement);
    await draft.flushIfFull();
  }
  return placer.misplaced;
}

/** Checks that a page only gets another slug. It stays in the tree, so that pages that come later find it in its place. */
function staysInPlace({ entry, before }: PagePlacement): boolean {
  return before !== undefined && before.parent === entry.parent && before.order === entry.order;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const PAGES_PER_STEP = 1000;

/** Returns for each placement how many of the pages above it are placed too. */
function* computeDepthsInSteps(placements: readonly PagePlacement[]): Steps<ReadonlyMap<PagePlacement, number>> {
  const byId = new Map<string, PagePlacement>();
  for (const placement of placements) {
    byId.set(placement.id, placement);
    if (byId.size % PAGES_PER_STEP === 0) yield;
  }
  const depths = new Map<PagePlacement, number>();
  for (const placement of placements) {
    let depth = 0;
    let above = byId.get(placement.entry.parent ?? "");
    while (above && depth < placements.length) {
      depth++;
      above = byId.get(above.entry.parent ?? "");
    }
    depths.set(placement, depth);
    if (depths.size % PAGES_PER_STEP === 0) yield;
  }
  return depths;
}

/** Checks that every page certainly fits into its planned place. Higher pages must come first. */
async function canPlaceAll(draft: Draft, placements: readonly PagePlacement[], tools: MergeTools): Promise<boolean> {
  /** The levels of pages that may have children. Other pages have the deepest level, which no child can exceed. */
  const levels = new Map<string, number>();
  const canHaveChildren = (type: PageEntry["type"] | undefined) => type === "document" || type === "group";
  for (const { id, entry, before } of placements) {
    const { parent, type } = entry;
    if (before && before.parent !== parent) return false;
    if (parent !== null && !levels.has(parent)) {
      await yieldToOthers(tools);
      const ancestry = await draft.getAncestry(parent);
      levels.set(parent, canHaveChildren(ancestry[0]?.type) ? ancestry.length : MAX_PAGE_DEPTH);
    }
    const parentLevel = parent === null ? 0 : levels.get(parent)!;
    if (parentLevel >= MAX_PAGE_DEPTH || (type === "group" && parent !== null)) return false;
    levels.set(id, canHaveChildren(type) ? parentLevel + 1 : MAX_PAGE_DEPTH);
  }
  return true;
}

class PagePlacer {
  readonly misplaced: PagePlacement[] = [];
  readonly #placedIds = new Set<string>();
  /** For each parent, the order of the last page that had to go further back than planned. */
  readonly #lastPushedOrders = new Map<string | null, string>();

  constructor(
    readonly draft: Draft,
    readonly isPlacedByOurs: (id: string) => boolean,
  ) {}

  /** Places a page under its planned parent, else under its old parent, else at the top. */
  async place(placement: PagePlacement): Promise<void> {
    const { id, entry, before } = placement;
    const placed =
      (await this.#tryPlaceUnder(placement, entry.parent)) ??
      (before && (await this.#tryPlaceUnder(placement, before.parent))) ??
      (await this.#tryPlaceUnder(placement, null))!;
    if (placed.parent !== entry.parent) this.misplaced.push(placement);
    if (!staysInPlace(placement)) this.#placedIds.add(id);
    else if (placed.parent !== entry.parent) {
      this.draft.delete(keys.child(entry.parent, entry.order));
      this.#placedIds.add(id);
    }
  }

  /** Returns undefined if the page cannot be under this parent. */
  async #tryPlaceUnder(placement: PagePlacement, parent: string | null): Promise<PageEntry | undefined> {
    const { id, entry } = placement;
    const keepsOrder = staysInPlace(placement) && parent === entry.parent;
    try {
      return await addPageToTree(this.draft, id, { parent, index: undefined }, entry, async () =>
        keepsOrder ? entry.order : this.#findFreeOrder(parent, entry.order),
      );
    } catch (error) {
      if (error instanceof ChangeError) return undefined;
      throw error;
    }
  }

  /** Returns the planned order, or the next one after the pages that ours placed there and the pages that came before. */
  async #findFreeOrder(parent: string | null, plannedOrder: string): Promise<string> {
    const lastPushed = this.#lastPushedOrders.get(parent);
    let order = lastPushed !== undefined && lastPushed > plannedOrder ? lastPushed : plannedOrder;
    if ((await this.draft.get(keys.child(parent, order))) === undefined) return order;
    const under = keys.children(parent);
    for (;;) {
      const [next] = await this.draft.list({ under, after: under + order, limit: 1 });
      const isPassed = next && (this.#placedIds.has(next.value as string) || this.isPlacedByOurs(next.value as string));
      if (!isPassed) {
        order = createOrderBetween(order, next?.key.slice(under.length));
        this.#lastPushedOrders.set(parent, order);
        return order;
      }
      order = next.key.slice(under.length);
    }
  }
}
