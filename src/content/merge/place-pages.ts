// Puts pages where a plan wants them. All pages that leave a place do so first, so pages may swap places and slugs.
// Then the others come, higher ones first, and siblings in their order. Very many come parent by parent where they can, so
// that each part of the map is written once.

import { type RunSteps, runStepsAtOnce, type Steps, yieldOnce } from "../markdown/steps";
import type { Draft } from "../revision/draft";
import { addPageToTree, removePageFromTree } from "../revision/edit-page-tree";
import { keys, type PageEntry } from "../revision/entries";
import { ChangeError } from "../revision/errors";
import { createOrderBetween } from "../revision/order";
import { sortInSteps } from "../revision/sort-in-steps";
import { MAX_PAGE_DEPTH } from "../revision/view";
import { type Tools, turn } from "./bodies";

/** A page that comes to stand somewhere. */
export interface Planting {
  readonly id: string;
  /** What it is, and where it shall stand. */
  readonly entry: PageEntry;
  /** What it was, if it was there before. */
  readonly before: PageEntry | undefined;
}

/** Takes pages out of the tree, and puts others into it. Gives those that could not stand where they should. */
export async function placePages(
  draft: Draft,
  plantings: readonly Planting[],
  gone: readonly string[],
  isPutByOurs: (id: string) => boolean,
  tools: Tools,
): Promise<Planting[]> {
  for (const planting of plantings) {
    lift(draft, planting);
    await draft.flushIfFull();
  }
  for (const id of gone) {
    await turn(tools);
    const page = await draft.getPage(id);
    if (page) await removePageFromTree(draft, page);
    await draft.flushIfFull();
  }
  const garden = new Garden(draft, isPutByOurs);
  for (const planting of await inOrder(draft, plantings, tools.runSteps)) {
    await turn(tools);
    await garden.plant(planting);
    await draft.flushIfFull();
  }
  return garden.misplaced;
}

/** Takes a page from its place; its slug leads to it until another page takes it. */
function lift(draft: Draft, { id, entry, before }: Planting): void {
  if (!before) return;
  if (!stays({ entry, before })) draft.delete(keys.child(before.parent, before.order));
  if (before.parent !== entry.parent || before.slug !== entry.slug)
    draft.put(keys.slug(before.parent, before.slug), { page: id, former: true });
}

/** Whether a page keeps its place and gets another slug: pages that come later then find it in its place. */
function stays({ entry, before }: Pick<Planting, "entry" | "before">): boolean {
  return before !== undefined && before.parent === entry.parent && before.order === entry.order;
}

/** The order in which pages come. A page that does not fit may go to another parent, so then the order among parents counts. */
async function inOrder(
  draft: Draft,
  plantings: readonly Planting[],
  inTurns: RunSteps = runStepsAtOnce,
): Promise<readonly Planting[]> {
  const depths = await inTurns(depthsOf(plantings));
  const byOrder = (a: Planting, b: Planting) => compared(a.entry.order, b.entry.order);
  const byDepth = (a: Planting, b: Planting) => depths.get(a)! - depths.get(b)!;
  const byParent = (a: Planting, b: Planting) => compared(a.entry.parent ?? "", b.entry.parent ?? "");
  const sorted = await inTurns(sortInSteps(plantings, (a, b) => byDepth(a, b) || byParent(a, b) || byOrder(a, b)));
  if (await allFit(draft, sorted, inTurns)) return sorted;
  return inTurns(sortInSteps(plantings, (a, b) => byDepth(a, b) || byOrder(a, b)));
}

function compared(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** How many of the pages above each one are planted too. */
function* depthsOf(plantings: readonly Planting[]): Steps<ReadonlyMap<Planting, number>> {
  const byId = new Map<string, Planting>();
  for (const planting of plantings) {
    byId.set(planting.id, planting);
    if (byId.size % AT_ONCE === 0) yield;
  }
  const depthOf = ({ entry }: Planting) => {
    let depth = 0;
    for (let at = byId.get(entry.parent ?? ""); at && depth < plantings.length; at = byId.get(at.entry.parent ?? ""))
      depth++;
    return depth;
  };
  const depths = new Map<Planting, number>();
  for (const planting of plantings) {
    depths.set(planting, depthOf(planting));
    if (depths.size % AT_ONCE === 0) yield;
  }
  return depths;
}

/** Pages that are looked at in one step. */
const AT_ONCE = 1000;

/** Whether every page surely can stand where it should. The higher ones must come first. */
async function allFit(draft: Draft, plantings: readonly Planting[], inTurns: RunSteps): Promise<boolean> {
  /** How deep pages stand that may have others below them; the others are too deep. */
  const levels = new Map<string, number>();
  for (const { id, entry, before } of plantings) {
    const { parent, type } = entry;
    if (before && before.parent !== parent) return false;
    if (parent !== null && !levels.has(parent)) {
      await inTurns(yieldOnce());
      const way = await draft.getAncestry(parent);
      levels.set(parent, hasRoom(way[0]?.type) ? way.length : MAX_PAGE_DEPTH);
    }
    const above = parent === null ? 0 : levels.get(parent)!;
    if (above >= MAX_PAGE_DEPTH || (type === "group" && parent !== null)) return false;
    levels.set(id, hasRoom(type) ? above + 1 : MAX_PAGE_DEPTH);
  }
  return true;
}

function hasRoom(type: PageEntry["type"] | undefined): boolean {
  return type === "document" || type === "group";
}

class Garden {
  readonly misplaced: Planting[] = [];
  readonly #planted = new Set<string>();
  /** For each parent, the last page that had to go further back than planned. */
  readonly #pushed = new Map<string | null, string>();

  constructor(
    readonly draft: Draft,
    readonly isPutByOurs: (id: string) => boolean,
  ) {}

  async plant(planting: Planting): Promise<void> {
    const { id, entry, before } = planting;
    const added =
      (await this.#tryAt(planting, entry.parent)) ??
      (before && (await this.#tryAt(planting, before.parent))) ??
      (await this.#tryAt(planting, null))!;
    if (added.parent !== entry.parent) this.misplaced.push(planting);
    if (!stays(planting)) this.#planted.add(id);
    else if (added.parent !== entry.parent) {
      this.draft.delete(keys.child(entry.parent, entry.order));
      this.#planted.add(id);
    }
  }

  async #tryAt(planting: Planting, parent: string | null): Promise<PageEntry | undefined> {
    const { id, entry } = planting;
    const isStill = stays(planting) && parent === entry.parent;
    try {
      const where = { parent, index: undefined };
      return await addPageToTree(this.draft, id, where, entry, async () =>
        isStill ? entry.order : this.#freeOrder(parent, entry.order),
      );
    } catch (error) {
      if (error instanceof ChangeError) return undefined;
      throw error;
    }
  }

  /** The planned position, or the next one after what ours has put there and after pages that come before. */
  async #freeOrder(parent: string | null, wanted: string): Promise<string> {
    const pushed = this.#pushed.get(parent);
    let order = pushed !== undefined && pushed > wanted ? pushed : wanted;
    if ((await this.draft.get(keys.child(parent, order))) === undefined) return order;
    const under = keys.children(parent);
    for (;;) {
      const [next] = await this.draft.list({ under, after: under + order, limit: 1 });
      const isBehind = next && !this.#planted.has(next.value as string) && !this.isPutByOurs(next.value as string);
      if (!next || isBehind) {
        order = createOrderBetween(order, next?.key.slice(under.length));
        this.#pushed.set(parent, order);
        return order;
      }
      order = next.key.slice(under.length);
    }
  }
}
