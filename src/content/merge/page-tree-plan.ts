// Which pages exist after a merge, and where each one is. This is computed before anything is written, so that moves
// which need each other can be told from moves that form a cycle. Pages that are not in the plan are equal on both
// sides.

import { type RunSteps, runStepsAtOnce, type Steps, yieldOnce } from "../markdown/steps";
import type { PageEntry } from "../revision/entries";
import { sortInSteps } from "../revision/sort-in-steps";
import { MAX_PAGE_DEPTH, type RevisionView } from "../revision/view";
import type { Thing } from "./changed-entries";
import { conflict, type MergeConflict } from "./conflicts";
import { same } from "./fields";
import { each } from "./versions";

/** Where a page stands, and which side says so. */
export interface PagePlace {
  readonly side: "ours" | "theirs";
  readonly parent: string | null;
  readonly order: string;
}

/** The pages that differ in the three revisions and are there after the merge. The numbers are those of the rules. */
export class Plan {
  readonly places = new Map<string, PagePlace>();
  readonly conflicts: MergeConflict[] = [];
  readonly #pages: ReadonlyMap<string, Thing<PageEntry>>;
  readonly #ours: RevisionView;
  readonly #parents = new Map<string, Promise<string | null>>();

  constructor(pages: ReadonlyMap<string, Thing<PageEntry>>, ours: RevisionView) {
    this.#pages = pages;
    this.#ours = ours;
  }

  /** Decides everything. */
  async settle(inTurns: RunSteps = runStepsAtOnce): Promise<void> {
    await inTurns(this.#decideAll());
    if (await inTurns(this.#haveMoved())) await this.#untangle(inTurns);
  }

  *#decideAll(): Steps<void> {
    for (const [id, page] of this.#pages) {
      this.#decide(id, page);
      yield;
    }
    for (const id of [...this.places.keys()]) {
      this.#keepAbove(id);
      yield;
    }
  }

  /** The pages that ours has and the merge has not. */
  gone(): string[] {
    return [...this.#pages].filter(([id, { ours }]) => ours && !this.places.has(id)).map(([id]) => id);
  }

  /** The pages that ours has something under. */
  ourParents(): Set<string | null> {
    return new Set([...this.places.values()].filter(({ side }) => side === "ours").map(({ parent }) => parent));
  }

  /** Whether ours put a page where it stands: it is new there, or was moved there. */
  isPutByOurs(id: string): boolean {
    const { base, ours } = this.#pages.get(id) ?? {};
    return ours !== undefined && (base?.parent !== ours.parent || base.order !== ours.order);
  }

  /** A page that one side deleted is gone (10), unless the other changed it (11). */
  #decide(id: string, { base, ours, theirs }: Thing<PageEntry>): void {
    if (ours && theirs) this.places.set(id, this.#placeOf(id, base, ours, theirs));
    const [side, entry] = ours ? (["ours", ours] as const) : (["theirs", theirs] as const);
    if ((ours && theirs) || !entry || (base && !isTouched(base, entry))) return;
    this.places.set(id, pagePlace(side, entry));
    if (base) this.#tell("delete", id);
  }

  /** A move of one side is taken (6); when both moved a page, ours stays (7), which is not a conflict among siblings
   * (8). */
  #placeOf(id: string, base: PageEntry | undefined, ours: PageEntry, theirs: PageEntry): PagePlace {
    if (ours.parent === theirs.parent) {
      const isOnlyTheirs = base?.parent === ours.parent && base.order === ours.order;
      return isOnlyTheirs && theirs.order !== ours.order ? pagePlace("theirs", theirs) : pagePlace("ours", ours);
    }
    if (base?.parent === ours.parent) return pagePlace("theirs", theirs);
    if (base?.parent !== theirs.parent) this.#tell("move", id);
    return pagePlace("ours", ours);
  }

  /** The parent of a page must exist as well (12). */
  #keepAbove(id: string): void {
    for (let at = this.places.get(id)!.parent; at !== null; at = this.places.get(at)!.parent) {
      const above = this.#pages.get(at);
      if (!above || this.places.has(at)) return;
      this.places.set(at, above.ours ? pagePlace("ours", above.ours) : pagePlace("theirs", above.theirs!));
      this.#tell("delete", at);
    }
  }

  /** Whether any page has. */
  *#haveMoved(): Steps<boolean> {
    const isMoved = ({ base, ours, theirs }: Thing<PageEntry>) =>
      base !== undefined && [ours, theirs].some((side) => side !== undefined && side.parent !== base.parent);
    for (const page of this.#pages.values()) {
      if (isMoved(page)) return true;
      yield;
    }
    return false;
  }

  /** Moves of theirs that form a cycle (13) or nest pages too deep (14) are undone, until there are none. */
  async #untangle(inTurns: RunSteps): Promise<void> {
    for (let isDone = false; !isDone; ) {
      isDone = true;
      for (const id of await inTurns(sortInSteps([...this.places.keys()]))) {
        await inTurns(yieldOnce());
        const way = await this.#way(id);
        const again = way.indexOf((await this.#parentOf(way.at(-1)!)) ?? "");
        const isCircle = again >= 0;
        if (!isCircle && !(await this.#isTooDeep(id, way))) continue;
        if (this.#takeBack(isCircle ? way.slice(again) : way, isCircle ? "cycle" : "move")) isDone = false;
      }
    }
  }

  /** On the way up from a page, finds the nearest page that theirs moved, and puts it back where ours has it; a new
   * page goes to the top. */
  #takeBack(way: readonly string[], kind: "cycle" | "move"): boolean {
    const isMoved = (id: string) => {
      const ours = this.#pages.get(id)?.ours;
      return this.places.get(id)?.side === "theirs" && ours && ours.parent !== this.places.get(id)!.parent;
    };
    const isNew = (id: string) => this.places.has(id) && !this.#pages.get(id)!.ours;
    const id = way.find(isMoved) ?? way.find(isNew);
    if (id === undefined) return false;
    const { ours, theirs } = this.#pages.get(id)!;
    this.places.set(id, ours ? pagePlace("ours", ours) : { ...pagePlace("theirs", theirs!), parent: null });
    this.#tell(kind, id);
    this.#keepAbove(id);
    return true;
  }

  /** A page and those above it, up to the top or to one that was already visited. */
  async #way(id: string): Promise<string[]> {
    const way = new Set<string>();
    for (let at: string | null = id; at !== null && !way.has(at); at = await this.#parentOf(at)) way.add(at);
    return [...way];
  }

  async #parentOf(id: string): Promise<string | null> {
    const place = this.places.get(id);
    if (place) return place.parent;
    const known = this.#parents.get(id) ?? this.#ours.getPage(id).then((page) => page?.parent ?? null);
    this.#parents.set(id, known);
    return known;
  }

  /** A page can be deeper than on its own side only if the other side moved something above it. */
  async #isTooDeep(id: string, way: readonly string[]): Promise<boolean> {
    if (way.length > MAX_PAGE_DEPTH) return true;
    const { side } = this.places.get(id)!;
    const isMovedByOther = (at: string) => {
      const page = this.#pages.get(at);
      return page?.[side] !== undefined && page[side].parent !== this.places.get(at)?.parent;
    };
    return way.slice(1).some(isMovedByOther) && !(await this.#fits(id, MAX_PAGE_DEPTH - way.length));
  }

  /** Whether no more levels than this are below a page. */
  async #fits(id: string, levels: number): Promise<boolean> {
    let level = [id];
    for (let left = levels; level.length > 0; left--) {
      const below = await Promise.all(level.map((at) => this.#ours.listChildIds(at)));
      level = below.flat().flatMap((child) => (this.#pages.has(child.id) ? [] : [child.id]));
      if (left === 0) return level.length === 0;
    }
    return true;
  }

  #tell(kind: "move" | "cycle" | "delete", id: string): void {
    const says = each(this.#pages.get(id)!, (it) => it && (kind === "delete" ? it.title : { parent: it.parent }));
    this.conflicts.push(conflict(kind, { page: id }, says));
  }
}

function pagePlace(side: PagePlace["side"], { parent, order }: PageEntry): PagePlace {
  return { side, parent, order };
}

/** Whether a page has changed. Another position among its siblings does not count. */
function isTouched(base: PageEntry, entry: PageEntry): boolean {
  return !same({ ...base, order: "", updatedAt: "" }, { ...entry, order: "", updatedAt: "" });
}
