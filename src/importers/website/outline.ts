// The order and the nesting of a site's pages, as its own tables of contents have them. A small table knows more of its
// part than a large one, so what it says of a page is taken first.

import type { Steps } from "../../content/markdown/steps";
import { omitUndefined } from "../../utils/objects";
import type { ContentsLine, PageContents } from "./contents";

/** Where a page stands. */
export interface Standing {
  /** The key of the page above it; undefined for one at the top. */
  readonly parent: string | undefined;
  /** The heading above it, at the top. */
  readonly group?: string;
}

/** What is known of the order and the nesting of pages. */
export interface Outline {
  /** By key, for the pages that a table of contents places. */
  readonly standings: ReadonlyMap<string, Standing>;
  /** What tables of contents call pages, by key. */
  readonly labels: ReadonlyMap<string, string>;
  /** Keys of pages in the order in which readers turn them; empty when the site does not say. */
  readonly sequence: readonly string[];
}

/** A line with the key of its page. */
interface KeyedLine extends Pick<ContentsLine, "title" | "above"> {
  readonly key: string | undefined;
}

/** The most lines that are kept of all pages. */
const MAX_LINES = 200_000;

/** Collects the tables of contents of a site. */
export class Outlines {
  readonly #below = new Map<string, readonly KeyedLine[]>();
  readonly #site: (readonly KeyedLine[])[] = [];
  readonly #seen = new Set<string>();
  readonly #up = new Map<string, string>();
  readonly #next = new Map<string, string>();
  readonly #labels = new Map<string, string>();
  #lines = 0;

  /** `keyOf` gives the key of an address of the site, undefined for any other. */
  constructor(readonly keyOf: (url: string) => string | undefined) {}

  /** Takes note of the tables of contents of a page. */
  add(page: string, { below, site, up, next }: PageContents): void {
    const upKey = up === undefined ? undefined : this.keyOf(up);
    const nextKey = next === undefined ? undefined : this.keyOf(next);
    if (upKey !== undefined && upKey !== page) this.#up.set(page, upKey);
    if (nextKey !== undefined && nextKey !== page) this.#next.set(page, nextKey);
    if (below.length > 0 && this.#hasRoom(below)) this.#below.set(page, this.#keyed(below));
    // Most pages of a site have the same navigation.
    const isNested = site.some(({ above }) => above >= 0);
    for (const { key, title } of this.#keyed([...below, ...site]))
      if (key !== undefined && title !== "" && !this.#labels.has(key) && this.#labels.size < MAX_LINES)
        this.#labels.set(key, title);
    const signature = site.map(({ url, above }) => `${above} ${url}`).join("\n");
    if (!isNested || this.#seen.has(signature) || !this.#hasRoom(site)) return;
    this.#seen.add(signature);
    this.#site.push(this.#keyed(site));
  }

  #hasRoom(lines: readonly ContentsLine[]): boolean {
    this.#lines += lines.length;
    return this.#lines <= MAX_LINES;
  }

  #keyed(lines: readonly ContentsLine[]): KeyedLine[] {
    return lines.map(({ url, title, above }) => ({
      key: url === undefined ? undefined : this.keyOf(url),
      title,
      above,
    }));
  }

  /** Works out what is known, step by step; `resolved` gives the key of a page in the end, and `isContents` whether it lists the site. */
  *finish(resolved: (key: string) => string, isContents: (key: string) => boolean): Steps<Outline> {
    const standings = new Map<string, Standing>();
    const labels = new Map(Array.from(this.#labels, ([key, title]) => [resolved(key), title]));
    const place = (key: string, standing: Standing) => {
      if (!standings.has(key) && standing.parent !== key) standings.set(key, standing);
    };
    yield;
    const below = [...this.#below].sort(([, a], [, b]) => a.length - b.length);
    for (const [page, lines] of below) {
      const parent = isContents(resolved(page)) ? undefined : resolved(page);
      placeLines(lines, parent, resolved, place);
      yield;
    }
    for (const [page, up] of this.#up)
      place(resolved(page), { parent: isContents(resolved(up)) ? undefined : resolved(up) });
    for (const lines of this.#site.sort((a, b) => b.length - a.length)) {
      yield;
      placeLines(lines, undefined, resolved, place);
    }
    yield;
    return { standings, labels, sequence: this.#sequence(resolved) };
  }

  /** The pages in the order of the links to the next one, the longest chain first. */
  #sequence(resolved: (key: string) => string): string[] {
    const behind = new Set(this.#next.values());
    const chains = [...this.#next.keys()].filter((key) => !behind.has(key)).map((start) => this.#chainFrom(start));
    return chains.sort((a, b) => b.length - a.length).flatMap((chain) => chain.map(resolved));
  }

  #chainFrom(start: string): string[] {
    const chain = new Set<string>();
    for (let at: string | undefined = start; at !== undefined && !chain.has(at); at = this.#next.get(at)) chain.add(at);
    return [...chain];
  }
}

function placeLines(
  lines: readonly KeyedLine[],
  page: string | undefined,
  resolved: (key: string) => string,
  place: (key: string, standing: Standing) => void,
): void {
  for (const line of lines) {
    if (line.key === undefined) continue;
    const key = resolved(line.key);
    let at = line.above;
    while (at >= 0 && (lines[at]!.key === undefined || resolved(lines[at]!.key!) === key)) {
      if (lines[at]!.above < 0) break;
      at = lines[at]!.above;
    }
    const above = at < 0 ? undefined : lines[at]!;
    if (above?.key !== undefined && resolved(above.key) !== key) place(key, { parent: resolved(above.key) });
    else if (page !== undefined) place(key, { parent: page });
    else
      place(key, {
        parent: undefined,
        ...omitUndefined({ group: above && above.key === undefined ? above.title : undefined }),
      });
  }
}
