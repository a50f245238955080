// What a visitor sees of the pages of a space. A page is seen when its own condition and those of all pages above it hold;
// a page that leads to one which is not seen is not seen either. Tree, page, search and URLs all ask here.

import type { Claims } from "../../content/claims";
import type { Ref } from "../../content/document";
import { conditionHolds } from "../../content/expressions";
import type { PageEntry } from "../../content/revision/entries";
import type { Identified, View } from "../../content/revision/view";

type Page = Identified<PageEntry>;

/** One visitor's look at one state of a space. */
export interface Sight {
  /** A page that is seen and those above it, from itself to the top; undefined when it is absent or not seen. */
  wayTo(page: string): Promise<readonly Page[] | undefined>;
  /** Every page that is seen, in no order. */
  pages(): Promise<readonly Page[]>;
  /** Whether what a reference leads to is seen, as far as it is in this space. */
  sees(ref: Ref): Promise<boolean>;
}

export async function sightOf(view: View, claims: Claims): Promise<Sight> {
  const variables = await view.variables();
  const isMet = ({ condition, variables: own }: PageEntry) =>
    conditionHolds(condition, { space: { vars: variables }, page: { vars: own ?? {} }, visitor: { claims } });

  async function wayToMet(id: string): Promise<readonly Page[] | undefined> {
    const way = await view.ancestry(id);
    return way.at(-1)?.parent === null && way.every(isMet) ? way : undefined;
  }

  return {
    async wayTo(id) {
      const way = await wayToMet(id);
      const target = way && pageMeant(way[0]!);
      return target === undefined || (await wayToMet(target)) ? way : undefined;
    },
    async pages() {
      const pages = await view.allPages();
      const met = metAmong(pages, isMet);
      return pages.filter((page) => met.has(page.id) && met.has(pageMeant(page) ?? page.id));
    },
    async sees(ref) {
      const page = (ref.kind === "page" || ref.kind === "anchor") && ref.space === undefined ? ref.page : undefined;
      return page === undefined || (await this.wayTo(page)) !== undefined;
    },
  };
}

/** The page of the same space that a link among the pages leads to. */
function pageMeant({ type, target }: PageEntry): string | undefined {
  if (type !== "link" || (target?.kind !== "page" && target?.kind !== "anchor")) return undefined;
  return target.space === undefined ? target.page : undefined;
}

/** The pages whose conditions hold, up to the top. */
function metAmong(
  pages: readonly Page[],
  isMet: (page: Page) => boolean,
): ReadonlySet<string> {
  const byId = new Map(pages.map((page) => [page.id, page]));
  const known = new Map<string, boolean>();
  const decide = (id: string): boolean => {
    const decided = known.get(id);
    if (decided !== undefined) return decided;
    const page = byId.get(id);
    // A page below itself is below nothing, so it is not seen.
    known.set(id, false);
    const holds = page !== undefined && (page.parent === null || decide(page.parent)) && isMet(page);
    known.set(id, holds);
    return holds;
  };
  return new Set(pages.filter(({ id }) => decide(id)).map(({ id }) => id));
}
