// What was found and not taken. All of it is counted. Some are listed one by one, and the rest as a number.

import type { SkippedItem } from "../../content/book/book";

const MAX_NAMED = 1000;

/** Takes note of what is left out. */
export class Skips {
  readonly #named: SkippedItem[] = [];
  readonly #seen = new Set<string>();
  readonly #more = new Map<string, number>();
  count = 0;

  /** Leaves out a resource, once. */
  add(resource: string, reason: string): void {
    if (this.#seen.has(resource)) return;
    this.#seen.add(resource);
    this.count++;
    if (this.#named.length < MAX_NAMED) this.#named.push({ resource, reason });
    else this.#more.set(reason, (this.#more.get(reason) ?? 0) + 1);
  }

  /** Why a resource was left out. */
  get first(): string | undefined {
    return this.#named[0]?.reason;
  }

  /** What was left out, by name as far as there is room; `site` stands for all the others. */
  list(site: string): SkippedItem[] {
    const rest = Array.from(this.#more, ([reason, number]) => ({
      resource: site,
      reason: `${number} more for the same reason: ${reason}`,
    }));
    return [...this.#named, ...rest];
  }
}
