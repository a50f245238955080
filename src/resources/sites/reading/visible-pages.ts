// Which pages of a space a visitor sees. A page is visible when its own condition and those of all pages above it hold.
// A link page whose target is not visible is not visible either. Tree, page, search and URLs all use this.

import type { Claims } from "../../../content/claims";
import type { ContentRef } from "../../../content/document";
import { resolvePageConditions } from "../../../content/evaluate/resolve-page";
import { type ExpressionScope, isConditionMet } from "../../../content/expressions";
import { keys, type PageEntry, type VariableValue } from "../../../content/revision/entries";
import type { EntryRange, RevisionView, WithId } from "../../../content/revision/view";
import { runSteps, yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { omitUndefined } from "../../../utils/objects";
import { listAllPages } from "../../content/revisions/records";

type Page = WithId<PageEntry>;
type Variables = Readonly<Record<string, VariableValue>>;

/** One state of a space as one visitor sees it. Titles and descriptions are evaluated for the visitor. */
export interface VisiblePages {
  /** A visible page and the pages above it, from itself to the top; undefined when it is absent or hidden. */
  getAncestry(page: string): Promise<readonly Page[] | undefined>;
  /** The visible pages directly below a visible one, in their order; null: those at the top. Only what is taken is read. */
  listChildren(parent: string | null, from?: ChildRange): AsyncGenerator<Page, void>;
  /** The same in the parts that are read at once. */
  listChildBatches(parent: string | null, from?: ChildRange): AsyncGenerator<readonly Page[], void>;
  /** The first visible page directly below each of some visible ones; undefined where there is none. */
  getFirstChildren(parents: readonly string[]): Promise<readonly (Page | undefined)[]>;
  /** All visible pages, in any order. */
  listAll(): Promise<readonly Page[]>;
  /** A visible page with the words that the visitor sees. */
  resolveTexts(page: Page): Page;
  /** Whether the target of a reference is visible, if it is in this space. */
  canSeeReference(ref: ContentRef): Promise<boolean>;
}

/** Where pages that stand beside each other begin: after or before the place of a page. Default: at the first. */
export interface ChildRange extends Pick<EntryRange, "after" | "before" | "reverse"> {
  /** How many pages are read at first. Default: few, because most readers want the next one. */
  readonly firstBatchSize?: number;
}

/** How many pages are read at once. */
const FIRST_READ = 4;
const MOST_READ = 128;

export async function createVisiblePages(view: RevisionView, claims: Claims): Promise<VisiblePages> {
  const variables = await view.getVariables();
  const isMet = createConditionCheck(variables, claims);
  const shown = (page: Page) => resolvePageConditions(page, createConditionScope(page, variables, claims));

  async function wayToMet(id: string): Promise<readonly Page[] | undefined> {
    const way = await view.getAncestry(id);
    return way.at(-1)?.parent === null && way.every(isMet) ? way : undefined;
  }

  async function leadsSomewhere(page: Page): Promise<boolean> {
    const target = getTargetPageId(page);
    return target === undefined || (await wayToMet(target)) !== undefined;
  }

  async function wayTo(id: string): Promise<readonly Page[] | undefined> {
    const way = await wayToMet(id);
    return way && (await leadsSomewhere(way[0]!)) ? way.map(shown) : undefined;
  }

  async function isSeen(page: Page): Promise<boolean> {
    return isMet(page) && (await leadsSomewhere(page));
  }

  /** The visible ones of some pages. Only what a link leads to is looked for. */
  async function seenOf(pages: readonly (Page | undefined)[]): Promise<Page[]> {
    const seen: Page[] = [];
    for (const page of pages) {
      if (!page || !isMet(page)) continue;
      if (getTargetPageId(page) === undefined || (await leadsSomewhere(page))) seen.push(shown(page));
    }
    return seen;
  }

  async function* partsBelow(parent: string | null, from: ChildRange = {}): AsyncGenerator<readonly Page[], void> {
    const { firstBatchSize: wanted = FIRST_READ, ...start } = from;
    let bounds = start;
    for (let limit = Math.min(wanted, MOST_READ); ; limit = Math.min(2 * limit, MOST_READ)) {
      const rows = await view.list({ under: keys.children(parent), ...bounds, limit });
      yield await seenOf(await view.getPages(rows.map(({ value }) => value as string)));
      if (rows.length < limit) return;
      await yieldToEventLoop();
      const last = rows.at(-1)!.key;
      bounds = start.reverse ? { ...bounds, before: last } : { ...bounds, after: last };
    }
  }

  async function* below(parent: string | null, from?: ChildRange): AsyncGenerator<Page, void> {
    for await (const pages of partsBelow(parent, from)) yield* pages;
  }

  async function firstBelow(parents: readonly string[]): Promise<(Page | undefined)[]> {
    const rows = await view.listMany(parents.map((parent) => ({ under: keys.children(parent), limit: 1 })));
    const pages = await view.getPages(rows.flatMap(([row]) => (row ? [row.value as string] : [])));
    const first = new Map(pages.map((page) => [page?.parent, page]));
    return Promise.all(
      parents.map(async (parent, i) => {
        const page = first.get(parent);
        if (rows[i]!.length === 0 || (page && (await isSeen(page)))) return page && shown(page);
        return (await below(parent).next()).value ?? undefined;
      }),
    );
  }

  function* seenIn(pages: readonly Page[], isSeen: (page: string) => boolean): Generator<void, Page[]> {
    const seen: Page[] = [];
    for (const page of pages) {
      if (isSeen(page.id)) seen.push(shown(page));
      yield;
    }
    return seen;
  }

  return {
    getAncestry: wayTo,
    listChildren: below,
    listChildBatches: partsBelow,
    getFirstChildren: firstBelow,
    async listAll() {
      const pages = await listAllPages(view);
      const isSeen = createPageVisibilityCheck(
        new Map(pages.map((page) => [page.id, getVisibilityFields(page)])),
        variables,
        claims,
      );
      return runSteps(seenIn(pages, isSeen));
    },
    resolveTexts: shown,
    async canSeeReference(ref) {
      const page = (ref.kind === "page" || ref.kind === "anchor") && ref.space === undefined ? ref.page : undefined;
      return page === undefined || (await wayTo(page)) !== undefined;
    },
  };
}

/** What decides whether a page is visible. */
export interface VisibilityFields extends Pick<PageEntry, "parent" | "condition" | "variables"> {
  /** The page of the same space that a link page leads to. */
  readonly targetPageId?: string;
}

/** The fields of a page that decide whether it is visible. */
export function getVisibilityFields(page: PageEntry): VisibilityFields {
  const { parent, condition, variables } = page;
  const leadsTo = getTargetPageId(page);
  return {
    parent,
    ...omitUndefined({ condition, variables, leadsTo }),
  };
}

/** Whether a visitor sees a page, when all pages are in memory. Each condition is evaluated once. */
export function createPageVisibilityCheck(
  pages: ReadonlyMap<string, VisibilityFields>,
  variables: Variables,
  claims: Claims,
): (page: string) => boolean {
  const isMet = createConditionCheck(variables, claims);
  const known = new Map<string, boolean>();
  const isMetToTheTop = (id: string): boolean => {
    const decided = known.get(id);
    if (decided !== undefined) return decided;
    // A page in a cycle has no top, so it is not visible.
    known.set(id, false);
    const page = pages.get(id);
    const holds = page !== undefined && (page.parent === null || isMetToTheTop(page.parent)) && isMet(page);
    known.set(id, holds);
    return holds;
  };
  return (id) => isMetToTheTop(id) && isMetToTheTop(pages.get(id)!.targetPageId ?? id);
}

function createConditionCheck(variables: Variables, claims: Claims) {
  return (page: Pick<PageEntry, "condition" | "variables">) =>
    page.condition === undefined || isConditionMet(page.condition, createConditionScope(page, variables, claims));
}

function createConditionScope(
  { variables: own }: Pick<PageEntry, "variables">,
  variables: Variables,
  claims: Claims,
): ExpressionScope {
  return { space: { vars: variables }, page: { vars: own ?? {} }, visitor: { claims } };
}

function getTargetPageId({ type, target }: PageEntry): string | undefined {
  if (type !== "link" || (target?.kind !== "page" && target?.kind !== "anchor")) return undefined;
  return target.space === undefined ? target.page : undefined;
}
