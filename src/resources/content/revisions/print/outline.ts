// Which pages are printed, in reading order. A hidden page, or one with a condition that a visitor without claims does
// not meet, is left out with the pages below it, unless it is the requested page. Links and empty groups are left out,
// too.

import { conditionHolds, type Scope } from "../../../../content/expressions";
import type { PageEntry, VariableValue } from "../../../../content/revision/entries";
import { buildPageTree } from "../../../../content/revision/page-tree";
import type { WithId } from "../../../../content/revision/view";
import type { Print } from "./urls";

type Page = WithId<PageEntry>;

/** A page to print, and its level; 0 is the top. */
export interface Placed {
  readonly page: Page;
  readonly depth: number;
}

/** The visitor for conditions. Nobody is visiting, so there are no claims. */
export function printScope(
  variables: Readonly<Record<string, VariableValue>>,
  { variables: own }: Pick<PageEntry, "variables">,
): Scope {
  return { space: { vars: variables }, page: { vars: own ?? {} }, visitor: { claims: { unsigned: {} } } };
}

/** The pages to print. */
export function outlineOf(
  pages: readonly Page[],
  variables: Readonly<Record<string, VariableValue>>,
  { page: first, only }: Pick<Print, "page" | "only">,
): Placed[] {
  const tree = buildPageTree(pages);

  const isShown = (page: Page) => page.hidden !== true && conditionHolds(page.condition, printScope(variables, page));

  const branch = (parent: string | null, depth: number): Placed[] =>
    (tree.get(parent) ?? []).filter(isShown).flatMap((page) => {
      const inside = branch(page.id, depth + 1);
      return page.type === "document" || inside.length > 0 ? [{ page, depth }, ...inside] : [];
    });

  if (first === null) return branch(null, 0);
  const page = pages.find(({ id }) => id === first);
  return page ? [{ page, depth: 0 }, ...(only ? [] : branch(first, 1))] : [];
}
