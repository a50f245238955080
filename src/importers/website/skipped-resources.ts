// The resources of a site that were found and not taken. All of them are counted, some are listed one by one, and the rest as a
// number for each reason.

import type { SkippedItem } from "../../content/book/book";

const MAX_LISTED = 1000;

/** Collects the resources that are left out. */
export class SkippedResources {
  count = 0;
  readonly #items: SkippedItem[] = [];
  readonly #seen = new Set<string>();
  /** The numbers of further resources, by reason. */
  readonly #unlisted = new Map<string, number>();

  /** Adds a resource, once. */
  add(resource: string, reason: string): void {
    if (this.#seen.has(resource)) return;
    this.#seen.add(resource);
    this.count++;
    if (this.#items.length < MAX_LISTED) this.#items.push({ resource, reason });
    else this.#unlisted.set(reason, (this.#unlisted.get(reason) ?? 0) + 1);
  }

  /** Why the first resource was left out. */
  get firstReason(): string | undefined {
    return this.#items[0]?.reason;
  }

  /** Returns the items. Those beyond the limit are one item of the site for each reason. */
  list(site: string): SkippedItem[] {
    const rest = Array.from(this.#unlisted, ([reason, count]) => ({
      resource: site,
      reason: `${count} more for the same reason: ${reason}`,
    }));
    return [...this.#items, ...rest];
  }
}
