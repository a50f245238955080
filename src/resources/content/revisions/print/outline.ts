// The pages to print, in reading order. A hidden page, or one with a condition that a visitor without claims does not meet, is left
// out with the pages below it, unless it is the requested page. Links and empty groups are left out as well.

import { type ExpressionScope, isConditionMet } from "../../../../content/expressions";
import type { PageEntry, VariableValue } from "../../../../content/revision/entries";
import { buildPageTree } from "../../../../content/revision/page-tree";
import type { WithId } from "../../../../content/revision/view";
import type { PrintClaims } from "./print-urls";

/** A page to print, and its depth, which is 0 at the top. */
export interface OutlineItem {
  readonly page: WithId<PageEntry>;
  readonly depth: number;
}

/** Creates the scope of a page's conditions for a visitor without claims. */
export function createPrintScope(
  variables: Readonly<Record<string, VariableValue>>,
  page: Pick<PageEntry, "variables">,
): ExpressionScope {
  return { space: { vars: variables }, page: { vars: page.variables ?? {} }, visitor: { claims: { unsigned: {} } } };
}

/** Returns the pages to print. */
export function buildOutline(
  pages: readonly WithId<PageEntry>[],
  variables: Readonly<Record<string, VariableValue>>,
  { page: requestedId, only }: Pick<PrintClaims, "page" | "only">,
): OutlineItem[] {
  const tree = buildPageTree(pages);
  const listBranch = (parent: string | null, depth: number): OutlineItem[] => {
    const items: OutlineItem[] = [];
    for (const page of tree.get(parent) ?? []) {
      if (page.hidden === true || !isConditionMet(page.condition, createPrintScope(variables, page))) continue;
      const below = listBranch(page.id, depth + 1);
      if (page.type !== "document" && below.length === 0) continue;
      items.push({ page, depth });
      for (const item of below) items.push(item);
    }
    return items;
  };
  if (requestedId === null) return listBranch(null, 0);
  const requested = pages.find(({ id }) => id === requestedId);
  if (!requested) return [];
  const items: OutlineItem[] = [{ page: requested, depth: 0 }];
  return only ? items : items.concat(listBranch(requestedId, 1));
}
