// Long work is done in steps, so that others have their turn in between. Steps are counted, and no clock is asked.

import { zipSync } from "fflate";
import { expect, test } from "vitest";
import { inferChaptersInSteps } from "../../../src/content/book/folder-chapters";
import { parseSummaryInSteps } from "../../../src/content/book/summary";
import { applyTextChanges } from "../../../src/content/markdown/writer/carry";
import { diffSequencesInSteps } from "../../../src/content/merge/sequences";
import { mergeTextsInSteps } from "../../../src/content/merge/texts";
import { changeMap, createTextSource } from "../../../src/content/prolly-tree";
import { sortInSteps } from "../../../src/content/revision/sort-in-steps";
import { createSearchIndex, deserializeIndexInSteps } from "../../../src/content/search";
import { DEFAULT_ARCHIVE_LIMITS } from "../../../src/importers/archive/limits";
import { ZipEntries } from "../../../src/importers/archive/zip";
import type { RunSteps, Steps } from "../../../src/utils/concurrency/steps";
import { parseSummary } from "../at-once";

/** How many steps work takes, and what comes of it. */
function counted<Result>(steps: Steps<Result>): { readonly count: number; readonly result: Result } {
  for (let count = 1; ; count++) {
    const { done, value } = steps.next();
    if (done) return { count, result: value };
  }
}

const paragraphs = Array.from(
  { length: 1500 },
  (_, n) => `Paragraph ${n} has *some* words${n} and other${n % 97} ones.`,
);
const text = paragraphs.join("\n\n");

test("merging long texts yields", () => {
  const ours = text.replace("Paragraph 5 ", "Our paragraph 5 ");
  const theirs = text.replace("Paragraph 1400 ", "Their paragraph 1400 ");
  const { count, result } = counted(mergeTextsInSteps({ base: text, ours, theirs }));
  expect(result).toEqual({ text: ours.replace("Paragraph 1400 ", "Their paragraph 1400 "), conflicts: [] });
  expect(count).toBeGreaterThan(60);
});

test("comparing one long paragraph with a changed word yields", () => {
  const source = paragraphs.map((it) => it.replace(/\*(\w+)\*/, "_$1_")).join("\n");
  const after = paragraphs.join(" ").replace("words700 ", "changed ");
  const { count, result } = counted(applyTextChanges(source, paragraphs.join(" "), after, [], true));
  expect(result).toBe(source.replace("words700 ", "changed "));
  expect(count).toBeGreaterThan(30);

  const numbers = Array.from({ length: 60_000 }, (_, n) => n);
  const others = numbers.map((n) => (n % 20_000 === 5 ? -n : n));
  const compared = counted(diffSequencesInSteps(numbers, others));
  expect(compared.result.map(({ before: { start } }) => start)).toEqual([5, 20_005, 40_005]);
  expect(compared.count).toBeGreaterThan(10);
});

test("building, ordering, searching, storing and loading an index yields", () => {
  const index = createSearchIndex();
  const sections = [{ text }];
  for (let n = 0; n < 100; n++) index.put({ id: `p${n}`, title: "Old", sections: [{ text: `old${n}` }] });
  expect(counted(index.putInSteps({ id: "big", title: "Big", sections })).count).toBeGreaterThan(5);
  for (let n = 0; n < 100; n++) index.remove(`p${n}`);
  counted(index.prepareInSteps());
  expect(index.size).toBe(1);
  const { hits, findSectionsInSteps: sectionsInSteps } = index.search("words1400", 5);
  expect(hits.map(({ id }) => id)).toEqual(["big"]);
  const shown = counted(sectionsInSteps(sections));
  expect(shown.result[0]!.excerpt).toContain("words1400");
  expect(shown.count).toBeGreaterThan(1);
  // The index was packed when it was put in order; this is to be packed when it is stored.
  index.put({ id: "other", title: "Other", sections });
  const dumped = counted(index.serializeInSteps());
  expect(dumped.result).toEqual(index.serialize());
  const loaded = counted(deserializeIndexInSteps(dumped.result));
  expect(loaded.result!.search("words1400", 5).hits).toEqual(index.search("words1400", 5).hits);
  expect(Math.min(dumped.count, loaded.count)).toBeGreaterThan(3);
});

test("changing a map with many edits yields", async () => {
  let steps = 0;
  const carryOut: RunSteps = async (work) => {
    const { count, result } = counted(work);
    steps += count;
    return result;
  };
  const edits = new Map(Array.from({ length: 3000 }, (_, n) => [`p/${n}`, { title: `Page ${n}` }]));
  const source = createTextSource(async () => []);
  const sliced = await changeMap(source, null, edits, carryOut);
  expect(sliced.root).toBe((await changeMap(source, null, edits)).root);
  expect(steps).toBeGreaterThan(20);
});

test("listing a large book yields: names, contents, folders and archive", () => {
  const names = Array.from({ length: 9000 }, (_, n) => `folder-${n % 90}/page-${(n * 7919) % 9001}.md`);
  const sorted = counted(sortInSteps(names));
  expect(sorted.result).toEqual(names.toSorted());
  const backwards = counted(sortInSteps(names, (a, b) => (a < b ? 1 : a > b ? -1 : 0)));
  expect(backwards.result).toEqual(names.toSorted().reverse());

  const listed = names.slice(0, 2000).map((name) => `* [${name}](${name})\n`);
  const contents = counted(parseSummaryInSteps(listed.join(""), "gitbook"));
  expect(contents.result).toEqual(parseSummary(listed.join(""), "gitbook"));
  expect(contents.result.entries).toHaveLength(2000);

  const layout = { root: "", summary: "SUMMARY.md" } as Parameters<typeof inferChaptersInSteps>[1];
  const byPath = new Map(names.map((path) => [path, { path }]));
  const folders = counted(inferChaptersInSteps({ byPath }, layout));
  expect(folders.result.map(({ path }) => path)).toEqual(Array.from({ length: 90 }, (_, n) => `folder-${n}/README.md`));
  expect(folders.result.flatMap(({ chapters }) => chapters)).toHaveLength(9000);

  const files = Object.fromEntries(names.slice(0, 2000).map((name) => [name, new Uint8Array()]));
  const bytes = zipSync(files, { level: 0 });
  const opening = ZipEntries.loadInSteps(bytes.length, DEFAULT_ARCHIVE_LIMITS, {
    left: DEFAULT_ARCHIVE_LIMITS.maxBytes,
  });
  const archive = counted(
    (function* () {
      // What it asks for is given at once, and is no step.
      for (let given = bytes; ; ) {
        const { done, value } = opening.next(given);
        if (done) return value;
        if (value) given = bytes.subarray(value.from, value.to);
        else yield;
      }
    })(),
  );
  expect(archive.result.paths).toEqual(Object.keys(files));
  for (const { count } of [sorted, backwards, contents, folders, archive]) expect(count).toBeGreaterThan(5);
});
