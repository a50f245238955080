// What a merge reads: the changes and the nodes on the way to them, but not the content that both sides share, and no text
// that only one side changed.

import { expect, test } from "vitest";
import { mergeRevisions } from "../../../src/content/merge";
import { placePages } from "../../../src/content/merge/place-pages";
import type { MapRoot, NodeSource } from "../../../src/content/prolly-tree";
import type { BatchChange } from "../../../src/content/revision/changes";
import { createStoredView } from "../../../src/content/revision/draft";
import { keys, type PageEntry } from "../../../src/content/revision/entries";
import { createOrderBetween } from "../../../src/content/revision/order";
import { type RunSteps, runStepsSync } from "../../../src/utils/concurrency/steps";
import { flawsOf, Space } from "./merge-space";

const number = (n: number) => String(n).padStart(5, "0");

/** Pages under parents of fifty, entered directly. */
async function contentOf(space: Space, pages: number, base: MapRoot = null): Promise<MapRoot> {
  return space.edit(base, async (draft) => {
    const body = draft.storeObject("Words.\n");
    const [last] = (await draft.listChildIds(null)).toReversed();
    const orders = new Map<string | null, string>(last ? [[null, last.order]] : []);
    for (let n = 0; n < pages; n++) {
      const parent = n % 50 === 0 ? null : `page${number(n - (n % 50))}`;
      const order = createOrderBetween(orders.get(parent), undefined);
      orders.set(parent, order);
      const [id, slug] = [`page${number(n)}`, `s${number(n)}`];
      const times = { createdAt: space.now, updatedAt: space.now };
      const entry: PageEntry = { type: "document", title: `Page ${n}`, slug, parent, order, body, ...times };
      draft.put(keys.page(id), entry);
      draft.put(keys.child(parent, order), id);
      draft.put(keys.slug(parent, slug), { page: id });
    }
  });
}

/** Changes of five pages here and there: edited, moved, deleted, and one that is new. */
function changesOf(pages: number, from: number): BatchChange[] {
  const id = (n: number) => `page${number(Math.floor((pages * n) / 11) + 1)}`;
  return [
    { operation: "update_page", page: id(from), document: { markdown: `Words of ${from}.\n` } },
    { operation: "update_page", page: id(from + 2), title: `Title ${from}` },
    { operation: "move_page", page: id(from + 4), into: "page00000" },
    { operation: "delete_page", page: id(from + 6) },
    { operation: "insert_page", title: "New", into: id(from + 8), document: { markdown: "New.\n" } },
  ];
}

async function loadsFor(pages: number): Promise<number> {
  const space = new Space();
  const base = await contentOf(space, pages);
  const ours = await space.change(base, changesOf(pages, 0), ["our1"]);
  const theirs = await space.change(base, changesOf(pages, 1), ["their1"]);
  let loads = 0;
  const counting: NodeSource = {
    load: (hashes) => {
      loads += hashes.length;
      return space.source.load(hashes);
    },
  };
  const { draft, conflicts } = await mergeRevisions(
    counting,
    { base, ours, theirs },
    { readText: space.text, now: space.now },
  );
  const { root } = { root: await space.save(draft) };
  expect(conflicts).toEqual([]);
  if (pages < 1000) expect(await flawsOf(space, root)).toEqual([]);
  return loads;
}

test("ten changed pages cost a few nodes each, among a thousand and among ten thousand", async () => {
  const [few, many] = [await loadsFor(1000), await loadsFor(10_000)];
  expect(many).toBeLessThan(few * 2);
  expect(many).toBeLessThan(10 * 12);
});

/** Merges, and tells which texts were read for it, and which objects are new. */
async function told(space: Space, base: MapRoot, ours: MapRoot, theirs: MapRoot) {
  const read: string[] = [];
  const text = async (hash: string) => {
    const found = await space.text(hash);
    read.push(found);
    return found;
  };
  const { draft, conflicts } = await mergeRevisions(
    space.source,
    { base, ours, theirs },
    { readText: text, now: space.now },
  );
  const { objects } = await draft.finish();
  const isText = (object: unknown): object is string => typeof object === "string" && !object.startsWith("[");
  return { read, written: [...objects.values()].filter(isText), conflicts, root: await space.save(draft) };
}

const edit = (page: string, markdown: string): BatchChange => ({
  operation: "update_page",
  page,
  document: { markdown },
});

test("texts are read only where both sides changed them", async () => {
  const space = new Space();
  const page = (title: string): BatchChange => ({
    ...{ operation: "insert_page", title },
    document: { markdown: `${title}.\n\n## Part\n\nSee [it](second.md#part).\n` },
  });
  const base = await space.change(null, ["First", "Second", "Third", "Fourth"].map(page), ["p1", "p2", "p3", "p4"]);
  const ours = await space.change(base, [edit("p1", "Ours of first.\n"), edit("p3", "Ours of third.\n"), page("Mine")]);
  const theirs = await space.change(
    base,
    [
      edit("p2", "Theirs of [second](fourth.md).\n\n## Other part\n"),
      { ...edit("p3", "Third.\n\n## Part\n\nTheirs of third.\n"), title: "Third of theirs" },
      { operation: "update_page", page: "p4", title: "Fourth of theirs" },
      {
        operation: "insert_page",
        title: "New",
        document: { markdown: "New, as [mine](mine.md) and [fourth](fourth.md).\n" },
      },
      { operation: "insert_reusable_content", title: "Again", document: { markdown: "Words for [all](second.md).\n" } },
    ] as BatchChange[],
    ["new1", "reu1"],
  );
  const { read, written, root } = await told(space, base, ours, theirs);
  expect(read.filter((text) => !/third/i.test(text))).toEqual([]);
  expect(read).toHaveLength(3);
  expect(written.filter((text) => !/third/i.test(text))).toEqual([]);
  expect(await flawsOf(space, root)).toEqual([]);
  expect(await space.textOf(root, "p2")).toContain("Theirs of [second]");
  expect(await space.textOf(root, "new1")).toContain("New, as");
  // Its link led nowhere in theirs, and leads to a page of ours now.
  const links = await space.view(root).getLinks("new1");
  expect(links.map(({ ref }) => ref.kind)).toEqual(["page", "page"]);
});

test("thousands of new pages of theirs are not read, and their texts are not written again", async () => {
  const space = new Space();
  const base = await space.change(
    null,
    [{ operation: "insert_page", title: "First", document: { markdown: "One.\n" } }],
    ["first"],
  );
  const ours = await space.change(base, [edit("first", "Two.\n")]);
  const theirs = await contentOf(space, 3000, base);
  const { read, written, conflicts, root } = await told(space, base, ours, theirs);
  expect({ read, written, conflicts }).toEqual({ read: [], written: [], conflicts: [] });
  const [found, wanted] = [await space.entered(root), await space.entered(theirs)];
  expect(Object.keys(found)).toHaveLength(3001);
  expect({ ...found, "p/first": null }).toEqual({ ...wanted, "p/first": null });
  expect(await space.textOf(root, "first")).toBe("Two.\n");
});

test("inserting pages into the tree yields after each one and keeps their order", async () => {
  const space = new Space();
  const pages = 300;
  const wanted = createStoredView(space.source, await contentOf(space, pages));
  const plantings = (await wanted.listPages()).map(({ id, ...entry }) => ({ id, entry, before: undefined }));
  let turns = 0;
  const inTurns: RunSteps = async (steps) => {
    turns++;
    return runStepsSync(steps);
  };
  const root = await space.edit(null, async (draft) => {
    const misplaced = await placePages(draft, plantings, [], () => false, {
      readText: space.text,
      now: space.now,
      runSteps: inTurns,
    });
    expect(misplaced).toEqual([]);
  });
  expect(turns).toBeGreaterThanOrEqual(pages);
  const planted = createStoredView(space.source, root);
  expect(await planted.listPages()).toEqual(await wanted.listPages());
  for (const parent of [null, "page00000", "page00250"])
    expect(await planted.listChildIds(parent)).toEqual(await wanted.listChildIds(parent));
});
