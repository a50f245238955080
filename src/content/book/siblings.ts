// The positions and slugs of pages under one parent. Pages that are in the right order already keep their positions, and a page
// keeps its slug if it can, so that as little as possible changes.

import { runStepsSync } from "../../utils/concurrency/steps";
import { findLongestIncreasingSubsequence } from "../../utils/longest-increasing-subsequence";
import { createOrderBetween } from "../revision/order";
import { addNumberToSlug } from "../slugs";

/** A page that is to be under a parent. */
export interface Sibling {
  /** Its position under this parent. Undefined if it comes from elsewhere. */
  readonly order: string | undefined;
  readonly slug: string;
  /** The page has that slug under this parent already. */
  readonly hasSlug: boolean;
}

/** If a position becomes longer than this, all siblings get new ones. */
const MAX_ORDER_LENGTH = 64;

/** Returns the positions of siblings, in their order. With `after`, they follow the page at that position. */
export function assignOrders(siblings: readonly Sibling[], after?: string): string[] {
  const fixed = runStepsSync(findLongestIncreasingSubsequence(siblings.map(({ order }) => order)));
  const orders: string[] = [];
  let next = 0;
  for (const [i, { order }] of siblings.entries()) {
    while (next < fixed.length && fixed[next]! < i) next++;
    const kept = fixed[next] === i ? order : undefined;
    const upperBound = fixed[next] === undefined ? undefined : siblings[fixed[next]!]!.order;
    orders.push(kept ?? createOrderBetween(orders.at(-1) ?? after, upperBound));
  }
  if (after !== undefined || orders.every((order) => order.length <= MAX_ORDER_LENGTH)) return orders;

  const newOrders: string[] = [];
  for (const _ of siblings) newOrders.push(createOrderBetween(newOrders.at(-1), undefined));
  return newOrders;
}

/** Returns the slugs of siblings. A sibling that has its slug keeps it; others get a number if theirs is taken. */
export function assignSlugs(siblings: readonly Sibling[], isTaken: (slug: string) => boolean = () => false): string[] {
  const used = new Set<string>();
  const keptSlugs = siblings.map(({ slug, hasSlug }) => {
    if (!hasSlug || used.has(slug)) return undefined;
    used.add(slug);
    return slug;
  });

  // The search for a free number continues after the last one, so that many equal slugs take linear time.
  const nextNumbers = new Map<string, number>();
  return keptSlugs.map((kept, i) => {
    if (kept !== undefined) return kept;
    const preferred = siblings[i]!.slug;
    let number = nextNumbers.get(preferred) ?? 0;
    let slug = number === 0 ? preferred : addNumberToSlug(preferred, number);
    while (used.has(slug) || isTaken(slug)) slug = addNumberToSlug(preferred, ++number);
    nextNumbers.set(preferred, number + 1);
    used.add(slug);
    return slug;
  });
}
