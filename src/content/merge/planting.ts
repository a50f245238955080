// Puts pages where a plan wants them. All pages that leave a place do so first, so pages may swap places and slugs.
// Then the others come, higher ones first, and siblings in their order.

import { atOnce, type Steps } from "../markdown/steps";
import type { Draft } from "../revision/draft";
import { keys, type PageEntry } from "../revision/entries";
import { orderBetween } from "../revision/order";
import { addPage, removePage } from "../revision/pages";
import { ChangeRefused } from "../revision/refused";
import { sortedInSteps } from "../revision/sorted";
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
export async function plant(
  draft: Draft,
  plantings: readonly Planting[],
  gone: readonly string[],
  isPutByOurs: (id: string) => boolean,
  tools: Tools,
): Promise<Planting[]> {
  for (const planting of plantings) {
    lift(draft, planting);
    await draft.relieve();
  }
  for (const id of gone) {
    await turn(tools);
    const page = await draft.page(id);
    if (page) await removePage(draft, page);
    await draft.relieve();
  }
  const garden = new Garden(draft, isPutByOurs);
  for (const planting of await (tools.inTurns ?? atOnce)(fromTheTop(plantings))) {
    await turn(tools);
    await garden.plant(planting);
    await draft.relieve();
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

function* fromTheTop(plantings: readonly Planting[]): Steps<Planting[]> {
  const byId = new Map(plantings.map((planting) => [planting.id, planting]));
  const depthOf = ({ entry }: Planting) => {
    let depth = 0;
    for (let at = byId.get(entry.parent ?? ""); at && depth < plantings.length; at = byId.get(at.entry.parent ?? ""))
      depth++;
    return depth;
  };
  const depths = new Map(plantings.map((planting) => [planting, depthOf(planting)]));
  yield;
  return yield* sortedInSteps(
    plantings,
    (a, b) =>
      depths.get(a)! - depths.get(b)! || (a.entry.order < b.entry.order ? -1 : a.entry.order > b.entry.order ? 1 : 0),
  );
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
      const where = { parent, at: undefined };
      return await addPage(this.draft, id, where, entry, async () =>
        isStill ? entry.order : this.#freeOrder(parent, entry.order),
      );
    } catch (error) {
      if (error instanceof ChangeRefused) return undefined;
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
        order = orderBetween(order, next?.key.slice(under.length));
        this.#pushed.set(parent, order);
        return order;
      }
      order = next.key.slice(under.length);
    }
  }
}
