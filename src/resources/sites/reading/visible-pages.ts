// The content of a space as one visitor reads it. It has the computed pages whose sources are public. Texts are evaluated for the visitor,
// without the front matter, which is for authors. A page is visible if its own condition and those of all pages above it are met. A link
// page is visible only if its target is, too. Page trees, pages, search and URLs all use this.

import type { Claims } from "../../../content/claims";
import type { ContentRef } from "../../../content/document";
import { resolvePageConditions } from "../../../content/evaluate/resolve-page";
import { type ExpressionScope, isConditionMet } from "../../../content/expressions";
import { findFrontMatter } from "../../../content/page-source/find-front-matter";
import { keys, type PageEntry, type VariableValue } from "../../../content/revision/entries";
import type { EntryRange, RevisionView, WithId } from "../../../content/revision/view";
import type { Objects } from "../../../storage/objects";
import { runSteps, yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import type { Steps } from "../../../utils/concurrency/steps";
import { omitUndefined } from "../../../utils/objects";
import {
  type ComputedReadContext,
  getShownContent,
  type ReadableContent,
  type RevisionRoot,
} from "../../content/revisions/computed-content";
import type { SourceContext } from "../../content/revisions/computed-sources";
import { listAllPages } from "../../content/revisions/records";
import { type EvaluatedSourceText, evaluateText } from "../../content/revisions/texts";
import type { OrganizationRecord } from "../../people/organizations/records";

/** A page that one visitor sees. */
export type VisiblePage = WithId<PageEntry>;
/** A page followed by the pages above it, up to the top. */
export type PageAncestry = readonly VisiblePage[];
type Variables = Readonly<Record<string, VariableValue>>;

/** The pages of one revision that a visitor sees, with titles and descriptions evaluated for that visitor. */
export interface VisiblePages {
  /** Returns the ancestry of a visible page; undefined if the page is absent or hidden. */
  getAncestry(page: string): Promise<PageAncestry | undefined>;
  /** Iterates over the visible children of a visible page in order, reading only what is consumed. Null is the top level. */
  listChildren(parent: string | null, range?: ChildRange): AsyncGenerator<VisiblePage, void>;
  /** Iterates over the same children in the batches in which they are read. */
  listChildBatches(parent: string | null, range?: ChildRange): AsyncGenerator<readonly VisiblePage[], void>;
  /** Returns the first visible child of each visible page; undefined where there is none. */
  getFirstChildren(parents: readonly string[]): Promise<readonly (VisiblePage | undefined)[]>;
  /** Returns all visible pages, in no particular order. */
  listAll(): Promise<readonly VisiblePage[]>;
  /** Evaluates the title and the description of a visible page for the visitor. */
  resolveTexts(page: VisiblePage): VisiblePage;
  /** Returns whether the target of a reference is visible. References to other spaces are not checked. */
  canSeeReference(ref: ContentRef): Promise<boolean>;
}

/** The range of siblings to list, by their sibling keys. The default is all of them. */
export interface ChildRange extends Pick<EntryRange, "after" | "before" | "reverse"> {
  /** Number of pages in the first read. The default is small, because most callers need only the next page. */
  readonly firstBatchSize?: number;
}

/** Number of pages in a read: the first one has few, and each further one twice as many up to the maximum. */
const DEFAULT_FIRST_BATCH = 4;
const MAX_BATCH = 128;

/** Creates the view of the pages of a revision for a visitor with these claims. */
export async function createVisiblePages(view: RevisionView, claims: Claims): Promise<VisiblePages> {
  const variables = await view.getVariables();
  const isMet = createConditionCheck(variables, claims);
  const resolveTexts = (page: VisiblePage) =>
    resolvePageConditions(page, createConditionScope(page, variables, claims));

  /** Returns the ancestry of a page if the conditions on it are met, whether or not a link page leads to a visible page. */
  async function getMetAncestry(id: string): Promise<PageAncestry | undefined> {
    const ancestry = await view.getAncestry(id);
    return ancestry.at(-1)?.parent === null && ancestry.every(isMet) ? ancestry : undefined;
  }

  async function hasVisibleTarget(page: VisiblePage): Promise<boolean> {
    const targetId = getTargetPageId(page);
    return targetId === undefined || (await getMetAncestry(targetId)) !== undefined;
  }

  async function getAncestry(id: string): Promise<PageAncestry | undefined> {
    const ancestry = await getMetAncestry(id);
    return ancestry && (await hasVisibleTarget(ancestry[0]!)) ? ancestry.map(resolveTexts) : undefined;
  }

  async function* listChildBatches(
    parent: string | null,
    range: ChildRange = {},
  ): AsyncGenerator<readonly VisiblePage[], void> {
    const { firstBatchSize = DEFAULT_FIRST_BATCH, ...start } = range;
    let bounds = start;
    for (let limit = Math.min(firstBatchSize, MAX_BATCH); ; limit = Math.min(2 * limit, MAX_BATCH)) {
      const rows = await view.list({ under: keys.children(parent), ...bounds, limit });
      const batch: VisiblePage[] = [];
      for (const page of await view.getPages(rows.map(({ value }) => value as string))) {
        if (!page || !isMet(page)) continue;
        // The target is read only for link pages.
        if (getTargetPageId(page) === undefined || (await hasVisibleTarget(page))) batch.push(resolveTexts(page));
      }
      yield batch;
      if (rows.length < limit) return;
      await yieldToEventLoop();
      const last = rows.at(-1)!.key;
      bounds = start.reverse ? { ...bounds, before: last } : { ...bounds, after: last };
    }
  }

  async function* listChildren(parent: string | null, range?: ChildRange): AsyncGenerator<VisiblePage, void> {
    for await (const pages of listChildBatches(parent, range)) yield* pages;
  }

  function* filterVisibleInSteps(pages: readonly VisiblePage[]): Steps<VisiblePage[]> {
    const fieldsById = new Map(pages.map((page) => [page.id, getVisibilityFields(page)]));
    const isVisible = createPageVisibilityCheck(fieldsById, variables, claims);
    const visible: VisiblePage[] = [];
    for (const page of pages) {
      if (isVisible(page.id)) visible.push(resolveTexts(page));
      yield;
    }
    return visible;
  }

  return {
    getAncestry,
    listChildren,
    listChildBatches,
    async getFirstChildren(parents) {
      const rows = await view.listMany(parents.map((parent) => ({ under: keys.children(parent), limit: 1 })));
      const pages = await view.getPages(rows.flatMap(([row]) => (row ? [row.value as string] : [])));
      const firstByParent = new Map(pages.map((page) => [page?.parent, page]));
      return Promise.all(
        parents.map(async (parent, i) => {
          const page = firstByParent.get(parent);
          const isVisible = page && isMet(page) && (await hasVisibleTarget(page));
          if (rows[i]!.length === 0 || isVisible) return page && resolveTexts(page);
          return (await listChildren(parent).next()).value ?? undefined;
        }),
      );
    },
    listAll: async () => runSteps(filterVisibleInSteps(await listAllPages(view))),
    resolveTexts,
    async canSeeReference(ref) {
      const page = (ref.kind === "page" || ref.kind === "anchor") && ref.space === undefined ? ref.page : undefined;
      return page === undefined || (await getAncestry(page)) !== undefined;
    },
  };
}

/** The fields of a page that decide whether it is visible. */
export interface VisibilityFields extends Pick<PageEntry, "parent" | "condition" | "variables"> {
  /** The page of the same space to which a link page leads. */
  readonly targetPageId?: string;
}

/** Picks the fields of a page that decide whether it is visible. */
export function getVisibilityFields(page: PageEntry): VisibilityFields {
  const { parent, condition, variables } = page;
  const targetPageId = getTargetPageId(page);
  return {
    parent,
    ...omitUndefined({ condition, variables, targetPageId }),
  };
}

/**
 * Returns a function that tells whether a visitor sees a page, for callers that have all pages in memory. Each condition
 * is evaluated once.
 */
export function createPageVisibilityCheck(
  pages: ReadonlyMap<string, VisibilityFields>,
  variables: Variables,
  claims: Claims,
): (page: string) => boolean {
  const isMet = createConditionCheck(variables, claims);
  const results = new Map<string, boolean>();
  const isMetUpToTop = (id: string): boolean => {
    const known = results.get(id);
    if (known !== undefined) return known;
    // A page in a cycle never reaches the top, so it is not visible.
    results.set(id, false);
    const page = pages.get(id);
    const result = page !== undefined && (page.parent === null || isMetUpToTop(page.parent)) && isMet(page);
    results.set(id, result);
    return result;
  };
  return (id) => isMetUpToTop(id) && isMetUpToTop(pages.get(id)!.targetPageId ?? id);
}

function createConditionCheck(variables: Variables, claims: Claims) {
  return (page: Pick<PageEntry, "condition" | "variables">) =>
    page.condition === undefined || isConditionMet(page.condition, createConditionScope(page, variables, claims));
}

function createConditionScope(
  { variables: pageVariables }: Pick<PageEntry, "variables">,
  spaceVariables: Variables,
  claims: Claims,
): ExpressionScope {
  return { space: { vars: spaceVariables }, page: { vars: pageVariables ?? {} }, visitor: { claims } };
}

/** Returns the page to which a link page of the same space leads. */
function getTargetPageId({ type, target }: PageEntry): string | undefined {
  if (type !== "link" || (target?.kind !== "page" && target?.kind !== "anchor")) return undefined;
  return target.space === undefined ? target.page : undefined;
}

/** The context in which content is read for visitors. */
export interface VisitorContentContext extends SourceContext {
  readonly organization: OrganizationRecord;
}

/**
 * Picks from the context of a handler what reading computed content needs. `peek` is read only when it is called, because
 * using it makes the response uncacheable.
 */
export function pickSourceContext(context: SourceContext): SourceContext {
  const { tx, objects, jobContext } = context;
  return { tx, objects, jobContext, peek: (partition) => context.peek(partition) };
}

/** Returns the context of a reader without membership, whoever the caller is. */
export function asNonMember(context: VisitorContentContext): ComputedReadContext {
  return { ...pickSourceContext(context), organization: context.organization, me: undefined, ownedTeams: 0 };
}

/** Returns a revision as visitors see it. */
export function getVisitorContent(context: VisitorContentContext, revision: RevisionRoot): ReadableContent {
  return getShownContent(asNonMember(context), revision);
}

/** Evaluates the text of a page for a visitor, including its front matter. Returns undefined for a page without text. */
export async function evaluatePageText(
  objects: Objects,
  view: RevisionView,
  page: WithId<PageEntry>,
  claims: Claims,
): Promise<EvaluatedSourceText | undefined> {
  if (page.body === undefined) return undefined;
  const source = await objects.text(page.body);
  return evaluateText(objects.text, view, { id: page.id, body: page.body, page }, source, claims);
}

/** Removes the front matter from the text of a page. */
export function removeFrontMatter(text: string): string {
  return text.slice(findFrontMatter(text)?.after ?? 0);
}
