// Which pages of a space a visitor sees. A page is visible when its own condition and those of all pages above it hold.
// A link page whose target is not visible is not visible either. Tree, page, search and URLs all use this.

import type { Claims } from "../../../content/claims";
import type { Ref } from "../../../content/document";
import { decidedPage } from "../../../content/evaluate/page-words";
import { conditionHolds, type Scope } from "../../../content/expressions";
import type { PageEntry, Variable } from "../../../content/revision/entries";
import type { Identified, View } from "../../../content/revision/view";

type Page = Identified<PageEntry>;
type Variables = Readonly<Record<string, Variable>>;

/** One state of a space as one visitor sees it. Titles and descriptions are evaluated for the visitor. */
export interface Sight {
  /** A visible page and the pages above it, from itself to the top; undefined when it is absent or hidden. */
  wayTo(page: string): Promise<readonly Page[] | undefined>;
  /** All visible pages, in any order. */
  pages(): Promise<readonly Page[]>;
  /** Whether the target of a reference is visible, if it is in this space. */
  sees(ref: Ref): Promise<boolean>;
}

export async function sightOf(view: View, claims: Claims): Promise<Sight> {
  const variables = await view.variables();
  const isMet = conditionsFor(variables, claims);
  const shown = (page: Page) => decidedPage(page, scopeOf(page, variables, claims));

  async function wayToMet(id: string): Promise<readonly Page[] | undefined> {
    const way = await view.ancestry(id);
    return way.at(-1)?.parent === null && way.every(isMet) ? way : undefined;
  }

  async function wayTo(id: string): Promise<readonly Page[] | undefined> {
    const way = await wayToMet(id);
    const target = way && pageMeant(way[0]!);
    return target === undefined || (await wayToMet(target)) ? way?.map(shown) : undefined;
  }

  return {
    wayTo,
    async pages() {
      const pages = await view.allPages();
      const isSeen = seenAmong(new Map(pages.map((page) => [page.id, decidingOf(page)])), variables, claims);
      return pages.filter(({ id }) => isSeen(id)).map(shown);
    },
    async sees(ref) {
      const page = (ref.kind === "page" || ref.kind === "anchor") && ref.space === undefined ? ref.page : undefined;
      return page === undefined || (await wayTo(page)) !== undefined;
    },
  };
}

/** What decides whether a page is visible. */
export interface Deciding extends Pick<PageEntry, "parent" | "condition" | "variables"> {
  /** The page of the same space that a link page leads to. */
  readonly leadsTo?: string;
}

/** The fields of a page that decide whether it is visible. */
export function decidingOf(page: PageEntry): Deciding {
  const { parent, condition, variables } = page;
  const leadsTo = pageMeant(page);
  return {
    parent,
    ...(condition === undefined ? {} : { condition }),
    ...(variables === undefined ? {} : { variables }),
    ...(leadsTo === undefined ? {} : { leadsTo }),
  };
}

/** Whether a visitor sees a page, when all pages are in memory. Each condition is evaluated once. */
export function seenAmong(
  pages: ReadonlyMap<string, Deciding>,
  variables: Variables,
  claims: Claims,
): (page: string) => boolean {
  const isMet = conditionsFor(variables, claims);
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
  return (id) => isMetToTheTop(id) && isMetToTheTop(pages.get(id)!.leadsTo ?? id);
}

function conditionsFor(variables: Variables, claims: Claims) {
  return (page: Pick<PageEntry, "condition" | "variables">) =>
    conditionHolds(page.condition, scopeOf(page, variables, claims));
}

function scopeOf({ variables: own }: Pick<PageEntry, "variables">, variables: Variables, claims: Claims): Scope {
  return { space: { vars: variables }, page: { vars: own ?? {} }, visitor: { claims } };
}

function pageMeant({ type, target }: PageEntry): string | undefined {
  if (type !== "link" || (target?.kind !== "page" && target?.kind !== "anchor")) return undefined;
  return target.space === undefined ? target.page : undefined;
}
