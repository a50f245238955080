// What a merge reads: the changes and the nodes on the way to them, but not the content that both sides share.

import { expect, test } from "vitest";
import type { NodeSource, Root } from "../../src/content/map";
import { type CarryOut, finished } from "../../src/content/markdown/steps";
import { mergeRevisions } from "../../src/content/merge";
import { plant } from "../../src/content/merge/planting";
import type { Change } from "../../src/content/revision/changes";
import { storedView } from "../../src/content/revision/draft";
import { keys, type PageEntry } from "../../src/content/revision/entries";
import { orderBetween } from "../../src/content/revision/order";
import { flawsOf, Space } from "./merge-space";

const number = (n: number) => String(n).padStart(5, "0");

/** Pages under parents of fifty, entered directly. */
async function contentOf(space: Space, pages: number): Promise<Root> {
  return space.edit(null, async (draft) => {
    const body = draft.keep("Words.\n");
    const orders = new Map<string | null, string>();
    for (let n = 0; n < pages; n++) {
      const parent = n % 50 === 0 ? null : `page${number(n - (n % 50))}`;
      const order = orderBetween(orders.get(parent), undefined);
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
function changesOf(pages: number, from: number): Change[] {
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
    { text: space.text, now: space.now },
  );
  const { root } = { root: await space.save(draft) };
  expect(conflicts).toEqual([]);
  if (pages < 1000) expect(await flawsOf(space, root)).toEqual([]);
  return loads;
}

test("ten pages that changed cost a few nodes each, among a thousand and among ten thousand", async () => {
  const [few, many] = [await loadsFor(1000), await loadsFor(10_000)];
  expect(many).toBeLessThan(few * 2);
  expect(many).toBeLessThan(10 * 12);
});

test("pages that are put into the tree give others a turn for each of them, and stand where they should", async () => {
  const space = new Space();
  const pages = 300;
  const wanted = storedView(space.source, await contentOf(space, pages));
  const plantings = (await wanted.allPages()).map(({ id, ...entry }) => ({ id, entry, before: undefined }));
  let turns = 0;
  const inTurns: CarryOut = async (steps) => {
    turns++;
    return finished(steps);
  };
  const root = await space.edit(null, async (draft) => {
    const misplaced = await plant(draft, plantings, [], () => false, { text: space.text, now: space.now, inTurns });
    expect(misplaced).toEqual([]);
  });
  expect(turns).toBeGreaterThanOrEqual(pages);
  const planted = storedView(space.source, root);
  expect(await planted.allPages()).toEqual(await wanted.allPages());
  for (const parent of [null, "page00000", "page00250"])
    expect(await planted.childIds(parent)).toEqual(await wanted.childIds(parent));
});
