// Places and slugs of pages under one parent. Pages that stand in the right order already keep their places, and a page keeps
// its slug where it can; so what changes is as little as possible.

import { createOrderBetween } from "../revision/order";
import { addNumberToSlug } from "../slugs";

/** A page that is to stand under a parent. */
export interface Sibling {
  /** The place that it has under this parent; undefined when it comes from elsewhere. */
  readonly order: string | undefined;
  /** The slug that it wants. */
  readonly slug: string;
  /** Whether it has that slug under this parent already. */
  readonly hasSlug: boolean;
}

/** When positions become longer than this, all siblings get new ones. */
const LONGEST_ORDER = 64;

/** The places of siblings, in their order. */
export function ordersOf(siblings: readonly Sibling[], after?: string): string[] {
  const stay = longestRising(siblings.map(({ order }) => order));
  const orders: string[] = [];
  let next = 0;
  for (const [i, { order }] of siblings.entries()) {
    while (next < stay.length && stay[next]! < i) next++;
    const kept = stay[next] === i ? order : undefined;
    const high = stay[next] === undefined ? undefined : siblings[stay[next]!]!.order;
    orders.push(kept ?? createOrderBetween(orders.at(-1) ?? after, high));
  }
  return orders.some((order) => order.length > LONGEST_ORDER) && after === undefined
    ? counted(siblings.length)
    : orders;
}

function counted(length: number): string[] {
  const orders: string[] = [];
  for (let i = 0; i < length; i++) orders.push(createOrderBetween(orders.at(-1), undefined));
  return orders;
}

/** The indexes of the longest rising sequence. */
function longestRising(values: readonly (string | undefined)[]): number[] {
  const ends: number[] = [];
  const before = new Array<number>(values.length).fill(-1);
  for (const [i, value] of values.entries()) {
    if (value === undefined) continue;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (values[ends[middle]!]! < value) low = middle + 1;
      else high = middle;
    }
    before[i] = low === 0 ? -1 : ends[low - 1]!;
    ends[low] = i;
  }
  const rising: number[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) rising.push(at);
  return rising.reverse();
}

/** The slugs of siblings: those that have theirs keep them, others get a number where one is taken. */
export function slugsOf(siblings: readonly Sibling[], isTaken: (slug: string) => boolean = () => false): string[] {
  const used = new Set<string>();
  const slugs = siblings.map(({ slug, hasSlug }) => {
    if (!hasSlug || used.has(slug)) return undefined;
    used.add(slug);
    return slug;
  });
  const numbers = new Map<string, number>();
  return slugs.map((kept, i) => {
    if (kept !== undefined) return kept;
    const wanted = siblings[i]!.slug;
    let number = numbers.get(wanted) ?? 0;
    const numbered = () => (number === 0 ? wanted : addNumberToSlug(wanted, number));
    while (used.has(numbered()) || isTaken(numbered())) number++;
    const slug = numbered();
    numbers.set(wanted, number + 1);
    used.add(slug);
    return slug;
  });
}
