// The JSON of a tree of pages in runs: after any changes it is what writing the whole tree gives, and the runs without changes are
// the same ones.

import "../../support/chance";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  changeMap,
  createMemorySource,
  diffMaps,
  type JsonValue,
  type MapRoot,
} from "../../../src/content/prolly-tree";
import { createStoredView } from "../../../src/content/revision/draft";
import { keys, type PageEntry } from "../../../src/content/revision/entries";
import {
  buildPageRunsInSteps,
  estimateMemoryBytes,
  getJsonChunks,
  type PageDifference,
  type PageRuns,
  updatePageRuns,
} from "../../../src/content/revision/page-runs";
import { buildPageTree } from "../../../src/content/revision/page-tree";
import type { WithId } from "../../../src/content/revision/view";
import { concatBytes } from "../../../src/utils/bytes";
import { runStepsSync } from "../../../src/utils/concurrency/steps";
import { runs as tries } from "../../support/test-length";

type Page = WithId<PageEntry>;
type Pages = ReadonlyMap<string, Page>;

/** Two or three pages are a run, so that most changes are beside another run. */
const make = ({ id, title }: Page, path: string) => ({ id, title, path, filler: "é".repeat(12_000) });
const makeOf = async () => make;

const texts = new Map<string, string>();
const source = createMemorySource(texts);

async function rootOf(pages: Pages): Promise<MapRoot> {
  const entries = new Map<string, JsonValue>();
  for (const { id, ...entry } of pages.values()) {
    entries.set(keys.page(id), entry as unknown as JsonValue);
    entries.set(keys.child(entry.parent, entry.order), id);
  }
  const { root, created } = await changeMap(source, null, entries);
  for (const [hash, text] of created) texts.set(hash, text);
  return root;
}

function told(runs: PageRuns): unknown {
  return JSON.parse(
    getJsonChunks(runs).reduce(
      (all, piece) => all + new TextDecoder("utf-8", { fatal: true }).decode(concatBytes([piece])),
      "",
    ),
  );
}

const wholeOf = (pages: Pages) => runStepsSync(buildPageRunsInSteps(buildPageTree([...pages.values()]), make));

const time = "2026-01-01T00:00:00.000Z";
function page(n: number, parent: string | null, order: number, slug = `slug-${n}`): Page {
  const fields = { type: "document", title: `Title ${n}`, createdAt: time, updatedAt: time } as const;
  return { ...fields, id: `p${String(n).padStart(5, "0")}`, parent, order: String(order).padStart(6, "0"), slug };
}

/** A page is new, or goes under another one, or gets another title or slug, or goes with all below it. */
const anyEdit = fc.record({
  kind: fc.constantFrom("new", "new", "move", "title", "slug", "delete"),
  which: fc.nat(),
  under: fc.option(fc.nat()),
  order: fc.nat(999_999),
});
type Edit = typeof anyEdit extends fc.Arbitrary<infer One> ? One : never;

/** Behind the numbers of the pages that are there before. */
let made = 10_000;

function edited(pages: Pages, { kind, which, under, order }: Edit): Pages {
  const all = [...pages.values()];
  const after = new Map(pages);
  const parent = under === null || all.length === 0 ? null : all[under % all.length]!.id;
  const isTaken = all.some((it) => it.parent === parent && Number(it.order) === order);
  if (kind === "new") {
    const fresh = page(++made, parent, order);
    return isTaken ? pages : after.set(fresh.id, fresh);
  }
  const one = all[which % Math.max(1, all.length)];
  if (!one) return pages;
  const isBelow = (id: string | null): boolean => id === one.id || (id !== null && isBelow(pages.get(id)!.parent));
  if (kind === "delete") for (const { id } of all) isBelow(id) && after.delete(id);
  else if (kind === "move" && !isTaken && !isBelow(parent))
    after.set(one.id, { ...one, parent, order: String(order).padStart(6, "0") });
  else if (kind === "title") after.set(one.id, { ...one, title: `Title ${++made}` });
  else if (kind === "slug") after.set(one.id, { ...one, slug: `slug-${++made}` });
  return after;
}

async function renewed(runs: PageRuns, before: Pages, after: Pages) {
  const [old, now] = [await rootOf(before), await rootOf(after)];
  const changes: PageDifference[] = [];
  for await (const { key, before, after } of diffMaps(source, old, now, { under: keys.pages }))
    changes.push({ id: key.slice(2), before, after } as unknown as PageDifference);
  return updatePageRuns(runs, changes, { view: createStoredView(source, now), createDescriber: makeOf });
}

test("after any changes, the runs are those of the whole tree", async () => {
  const batch = fc.array(anyEdit, { minLength: 1, maxLength: 5 });
  const batches = fc.array(batch, { minLength: 1, maxLength: 15 });
  await fc.assert(
    fc.asyncProperty(batches, fc.nat(29), async (batches, n) => {
      // Large ones take most of the time.
      let pages: Pages = n === 0 ? tens() : new Map();
      let runs = wholeOf(pages);
      for (const edits of batches) {
        const after = edits.reduce(edited, pages);
        const next = await renewed(runs, pages, after);
        expect(next).toBeDefined();
        expect(told(next!)).toEqual(told(wholeOf(after)));
        [pages, runs] = [after, next!];
      }
    }),
    { numRuns: tries(600) },
  );
});

/** Ten pages, each with nine below it. */
function tens(): Pages {
  const pages = new Map<string, Page>();
  for (let n = 0; n < 100; n++) {
    const parent = n % 10 === 0 ? null : `p${String(n - (n % 10)).padStart(5, "0")}`;
    const one = page(n, parent, n);
    pages.set(one.id, one);
  }
  return pages;
}

test("only runs with changed pages are written again", async () => {
  const pages = tens();
  const runs = wholeOf(pages);
  expect(runs.length).toBeGreaterThan(25);
  const one = pages.get("p00055")!;
  const after = new Map(pages).set(one.id, { ...one, title: "Other" });
  const next = await renewed(runs, pages, after);
  expect(told(next!)).toEqual(told(wholeOf(after)));
  expect(next!.filter((run) => !runs.includes(run))).toHaveLength(1);
  expect(JSON.stringify(told(runs))).not.toContain("Other");
});

test("content beyond the first megabyte takes less memory and is unchanged", async () => {
  const pages = tens();
  const runs = wholeOf(pages);
  const weight = estimateMemoryBytes(runs);
  const length = getJsonChunks(runs).reduce((sum, piece) => sum + piece.length, 0);
  expect(length).toBe(new TextEncoder().encode(JSON.stringify(told(runs))).length);
  expect(length).toBeGreaterThan(2_400_000);
  expect(weight).toBeLessThan(1_200_000);
  expect(weight).toBeGreaterThan(1_000_000);
  // Also when all of it was changed, a few pages at a time.
  let [before, now] = [pages, runs];
  for (const one of pages.values()) {
    const after: Pages = new Map(before).set(one.id, { ...one, title: `Other ${one.id}` });
    now = (await renewed(now, before, after))!;
    before = after;
  }
  expect(told(now)).toEqual(told(wholeOf(before)));
  expect(estimateMemoryBytes(now)).toBeLessThan(1_200_000);
});

test("very many moved pages are written as a whole", async () => {
  const pages = tens();
  const many = new Map(pages);
  const [above, below] = [page(1000, null, 999_999), page(1001, null, 999_998)];
  many.set(above.id, above).set(below.id, below);
  for (let n = 2000; n < 2300; n++) many.set(page(n, above.id, n).id, page(n, above.id, n));
  const moved = new Map(many).set(above.id, { ...above, parent: below.id });
  expect(await renewed(wholeOf(many), many, moved)).toBeUndefined();
});
