// Plans which pages exist after a merge, and the place of each. The plan is complete before anything is written, because moves that
// need each other differ from moves that form a cycle only when all are known. Pages that are not in the plan are equal on both
// sides.

import { type RunSteps, runStepsAtOnce, type Steps, yieldOnce } from "../../utils/concurrency/steps";
import type { PageEntry } from "../revision/entries";
import { sortInSteps } from "../revision/sort-in-steps";
import { MAX_PAGE_DEPTH, type RevisionView } from "../revision/view";
import type { EntryVersions } from "./changed-entries";
import { createConflict, type MergeConflict } from "./conflicts";
import { isSameJson } from "./fields";
import { mapVersions } from "./versions";

/** The place of a page, and the side that it comes from. */
export interface PlannedPlace {
  readonly side: "ours" | "theirs";
  readonly parent: string | null;
  readonly order: string;
}

/** The changed pages that exist after the merge. The numbers in comments are those of the rules in `revisions.ts`. */
export class PageTreePlan {
  readonly places = new Map<string, PlannedPlace>();
  readonly conflicts: MergeConflict[] = [];
  readonly #pages: ReadonlyMap<string, EntryVersions<PageEntry>>;
  readonly #ours: RevisionView;
  readonly #parents = new Map<string, Promise<string | null>>();

  constructor(pages: ReadonlyMap<string, EntryVersions<PageEntry>>, ours: RevisionView) {
    this.#pages = pages;
    this.#ours = ours;
  }

  /** Decides the place of every page. */
  async resolve(runSteps: RunSteps = runStepsAtOnce): Promise<void> {
    await runSteps(this.#placePages());
    if (await runSteps(this.#hasMovedPages())) await this.#undoImpossibleMoves(runSteps);
  }

  /** Returns the ids of the pages that ours has and the merged revision does not. */
  listDeletedIds(): string[] {
    return [...this.#pages].filter(([id, { ours }]) => ours && !this.places.has(id)).map(([id]) => id);
  }

  listOurParents(): Set<string | null> {
    return new Set([...this.places.values()].filter(({ side }) => side === "ours").map(({ parent }) => parent));
  }

  /** Checks that ours created a page or moved it to its place. */
  isPlacedByOurs(id: string): boolean {
    const { base, ours } = this.#pages.get(id) ?? {};
    return ours !== undefined && (base?.parent !== ours.parent || base.order !== ours.order);
  }

  *#placePages(): Steps<void> {
    for (const [id, page] of this.#pages) {
      this.#placePage(id, page);
      yield;
    }
    for (const id of [...this.places.keys()]) {
      this.#keepAncestors(id);
      yield;
    }
  }

  #placePage(id: string, { base, ours, theirs }: EntryVersions<PageEntry>): void {
    if (ours && theirs) {
      this.places.set(id, this.#mergePlaces(id, base, ours, theirs));
      return;
    }
    const [side, entry] = ours ? (["ours", ours] as const) : (["theirs", theirs] as const);
    if (!entry) return;
    // A page that one side deleted is gone (10), unless the other changed it (11). Its order among its siblings does not count.
    const isUnchanged =
      base && isSameJson({ ...base, order: "", updatedAt: "" }, { ...entry, order: "", updatedAt: "" });
    if (isUnchanged) return;
    this.places.set(id, createPlace(side, entry));
    if (base) this.#addConflict("delete", id);
  }

  /**
   * Returns the place of a page that both sides have. A move of one side is taken (6). If both moved the page, ours stays (7), which
   * is not a conflict among siblings (8).
   */
  #mergePlaces(id: string, base: PageEntry | undefined, ours: PageEntry, theirs: PageEntry): PlannedPlace {
    if (ours.parent === theirs.parent) {
      const isUnmovedByOurs = base?.parent === ours.parent && base.order === ours.order;
      return isUnmovedByOurs && theirs.order !== ours.order ? createPlace("theirs", theirs) : createPlace("ours", ours);
    }
    if (base?.parent === ours.parent) return createPlace("theirs", theirs);
    if (base?.parent !== theirs.parent) this.#addConflict("move", id);
    return createPlace("ours", ours);
  }

  /** Keeps the pages above a page, because its parent must exist (12). */
  #keepAncestors(id: string): void {
    for (let parent = this.places.get(id)!.parent; parent !== null; parent = this.places.get(parent)!.parent) {
      const page = this.#pages.get(parent);
      if (!page || this.places.has(parent)) return;
      this.places.set(parent, page.ours ? createPlace("ours", page.ours) : createPlace("theirs", page.theirs!));
      this.#addConflict("delete", parent);
    }
  }

  *#hasMovedPages(): Steps<boolean> {
    for (const { base, ours, theirs } of this.#pages.values()) {
      const isMoved = (entry: PageEntry | undefined) => entry !== undefined && entry.parent !== base!.parent;
      if (base && (isMoved(ours) || isMoved(theirs))) return true;
      yield;
    }
    return false;
  }

  /** Undoes moves of theirs that form a cycle (13) or nest pages too deep (14), until there are none. */
  async #undoImpossibleMoves(runSteps: RunSteps): Promise<void> {
    for (let isDone = false; !isDone; ) {
      isDone = true;
      for (const id of await runSteps(sortInSteps([...this.places.keys()]))) {
        await runSteps(yieldOnce());
        const path = await this.#getPathToTop(id);
        const cycleStart = path.indexOf((await this.#getParent(path.at(-1)!)) ?? "");
        const isCycle = cycleStart >= 0;
        if (!isCycle && !(await this.#isTooDeep(id, path))) continue;
        if (this.#undoMove(isCycle ? path.slice(cycleStart) : path, isCycle ? "cycle" : "move")) isDone = false;
      }
    }
  }

  /**
   * Puts the first page of a path that theirs moved back to the place that ours has. If there is none, the first page that is new in
   * theirs moves to the top. Returns false if there is none either.
   */
  #undoMove(path: readonly string[], kind: "cycle" | "move"): boolean {
    const isMovedByTheirs = (id: string) => {
      const ours = this.#pages.get(id)?.ours;
      const place = this.places.get(id);
      return place?.side === "theirs" && ours && ours.parent !== place.parent;
    };
    const isNewInTheirs = (id: string) => this.places.has(id) && !this.#pages.get(id)!.ours;
    const id = path.find(isMovedByTheirs) ?? path.find(isNewInTheirs);
    if (id === undefined) return false;
    const { ours, theirs } = this.#pages.get(id)!;
    this.places.set(id, ours ? createPlace("ours", ours) : { ...createPlace("theirs", theirs!), parent: null });
    this.#addConflict(kind, id);
    this.#keepAncestors(id);
    return true;
  }

  /** Returns a page and the pages above it, up to the top or to a page that is already in the path. */
  async #getPathToTop(id: string): Promise<string[]> {
    const path = new Set<string>();
    for (let next: string | null = id; next !== null && !path.has(next); next = await this.#getParent(next))
      path.add(next);
    return [...path];
  }

  async #getParent(id: string): Promise<string | null> {
    const place = this.places.get(id);
    if (place) return place.parent;
    const known = this.#parents.get(id) ?? this.#ours.getPage(id).then((page) => page?.parent ?? null);
    this.#parents.set(id, known);
    return known;
  }

  /** Checks that a page, or one below it, is too deep. It is deeper than on its own side only if the other moved a page above it. */
  async #isTooDeep(id: string, path: readonly string[]): Promise<boolean> {
    if (path.length > MAX_PAGE_DEPTH) return true;
    const { side } = this.places.get(id)!;
    const isMovedByOther = (ancestor: string) => {
      const page = this.#pages.get(ancestor);
      return page?.[side] !== undefined && page[side].parent !== this.places.get(ancestor)?.parent;
    };
    if (!path.slice(1).some(isMovedByOther)) return false;

    // The levels below the page must fit.
    let level = [id];
    for (let levelsLeft = MAX_PAGE_DEPTH - path.length; level.length > 0; levelsLeft--) {
      const children = await Promise.all(level.map((parent) => this.#ours.listChildIds(parent)));
      level = children.flat().flatMap((child) => (this.#pages.has(child.id) ? [] : [child.id]));
      if (levelsLeft === 0) return level.length > 0;
    }
    return false;
  }

  #addConflict(kind: "move" | "cycle" | "delete", id: string): void {
    const versions = mapVersions(
      this.#pages.get(id)!,
      (entry) => entry && (kind === "delete" ? entry.title : { parent: entry.parent }),
    );
    this.conflicts.push(createConflict(kind, { page: id }, versions));
  }
}

function createPlace(side: PlannedPlace["side"], { parent, order }: PageEntry): PlannedPlace {
  return { side, parent, order };
}
