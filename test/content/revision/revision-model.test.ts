// Random batches of changes compared with a plain tree: a revision holds what the tree holds, an invalid batch is
// refused, derived data equals a new derivation, and the difference of two revisions equals that of the trees.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changeMap, createMemorySource, type JsonValue } from "../../../src/content/prolly-tree";
import type { AnchorEntry } from "../../../src/content/revision/anchors";
import { compareRevisions } from "../../../src/content/revision/compare-revisions";
import { createStoredView } from "../../../src/content/revision/draft";
import type { FileEntry, LinkEntry, PageEntry, ReusableEntry } from "../../../src/content/revision/entries";
import { BatchError } from "../../../src/content/revision/errors";
import { runs } from "../../support/test-length";
import { anyPlans, settledPlan } from "./revision-batches";
import { Content } from "./revision-content";
import { anchorsOf, type PlainPage, type Planned, playBatch, Tree, Wrong, written } from "./revision-tree";

/** New ids, the same ones for the tree and for the content. */
function numbered(batch: number): (kind: string) => string {
  let n = 0;
  return (kind) => `${kind.slice(0, 3)}_${String(batch).padStart(2, "0")}${String(++n).padStart(2, "0")}`;
}

/** The values under a prefix, by the rest of their keys. */
function under<Value>(entries: ReadonlyMap<string, JsonValue>, prefix: string): Map<string, Value> {
  const found = [...entries].filter(([key]) => key.startsWith(prefix));
  return new Map(found.map(([key, value]) => [key.slice(prefix.length), value as Value]));
}

const textOf = ({ text }: Pick<PlainPage, "text">) => (text ? written(text) : undefined);

/** What the tree holds is what the entries hold. */
function checkTree(content: Content, entries: ReadonlyMap<string, JsonValue>, tree: Tree): void {
  const pages = under<PageEntry>(entries, "p/");
  const shown = (parent: string | null): unknown[] =>
    [...pages]
      .filter(([, page]) => page.parent === parent)
      .sort(([, a], [, b]) => (a.order < b.order ? -1 : 1))
      .map(([id, page]) => [id, page.type, page.title, page.slug, page.description, page.hidden, shown(id)]);
  const wanted = (parent: string | null): unknown[] =>
    tree.children.get(parent)!.map((id) => {
      const page = tree.pages.get(id)!;
      return [id, page.type, page.title, page.slug, page.description, page.hidden, wanted(id)];
    });
  expect(shown(null)).toEqual(wanted(null));
  expect(pages.size).toBe(tree.pages.size);
  for (const [id, page] of tree.pages) {
    const { body, target } = pages.get(id)!;
    expect(body && content.text(body)).toBe(textOf(page));
    expect(target && ("page" in target ? target.page : (target as { url: string }).url)).toBe(page.target);
  }
  const files = [...under<FileEntry>(entries, "f/")].map(([id, it]) => [id, it.name, it.path, content.text(it.object)]);
  expect(files).toEqual([...tree.files].map(([id, it]) => [id, it.name, it.path, it.text]).sort());
  const reusables = [...under<ReusableEntry>(entries, "r/")].map(([id, it]) => [
    id,
    it.title,
    it.path,
    content.text(it.body),
  ]);
  expect(reusables).toEqual([...tree.reusables].map(([id, it]) => [id, it.title, it.path, written(it.text)]).sort());
}

/** The entries that follow from others are those that follow from them now. */
function checkDerived(entries: ReadonlyMap<string, JsonValue>, tree: Tree): void {
  const pages = [...under<PageEntry>(entries, "p/")];
  const children = pages.map(([id, { parent, order }]) => [`${parent ?? "-"}/${order}`, id] as const);
  expect(under(entries, "c/")).toEqual(new Map(children.toSorted()));
  const slugs = [...under<{ page: string; former?: boolean }>(entries, "s/")];
  const current = pages.map(([id, { parent, slug }]) => [`${parent ?? "-"}/${encodeURIComponent(slug)}`, { page: id }]);
  const short = ([key]: readonly unknown[]) => !(key as string).includes("/~") && (key as string).length < 150;
  expect(new Map(slugs.filter((it) => !it[1].former && short(it)))).toEqual(new Map(current.filter(short) as never));
  expect(slugs.filter(([, { former }]) => !former).length).toBe(pages.length);

  const texts = [...tree.pages, ...tree.reusables].flatMap(([id, { text }]) =>
    text && text.headings.length > 0 ? [[id, text] as const] : [],
  );
  const anchored = [...under<AnchorEntry>(entries, "h/")].filter(([, { anchors }]) => anchors.length > 0);
  expect(anchored.map(([id, { anchors, isWhole }]) => [id, anchors, isWhole])).toEqual(
    texts
      .map(([id, text]) => [id, anchorsOf(text), true])
      .toSorted(([a], [b]) => ((a as string) < (b as string) ? -1 : 1)),
  );

  const links = [...under<LinkEntry>(entries, "o/")];
  const told = links.map(([key, { href, to }]) => [key, href, to]);
  const wanted = [...tree.links].flatMap(([id, links]) =>
    links.map(({ href, to }, n) => [`${id}/${String(n).padStart(6, "0")}`, href, to]),
  );
  expect(told).toEqual(wanted.sort());
  expect([...under(entries, "i/").keys()]).toEqual(links.map(([key, { to }]) => `${to}/${key}`).sort());
  const counts = new Map<string, number>();
  for (const [, { to }] of links) counts.set(to, (counts.get(to) ?? 0) + 1);
  expect(under(entries, "t/")).toEqual(counts);

  const paths = [...under<FileEntry>(entries, "f/")].map(([id, { path }]) => [encodeURIComponent(path), { file: id }]);
  const reusable = [...under<ReusableEntry>(entries, "r/")].map(([id, it]) => [
    encodeURIComponent(it.path),
    { reusable: id },
  ]);
  expect(under(entries, "g/").size).toBe(paths.length + reusable.length);
  expect(Object.fromEntries(under(entries, "g/"))).toMatchObject(Object.fromEntries(paths));
}

/** The root tells the contents and nothing of how they came about. */
async function checkRoot(content: Content, entries: ReadonlyMap<string, JsonValue>): Promise<void> {
  expect((await changeMap(createMemorySource(new Map()), null, entries)).root).toBe(content.root);
}

const names = (values: Iterable<readonly [string, unknown]>) => [...values].map(([id]) => id).sort();

/** The difference of two revisions is the difference of the trees. */
async function checkDifference(
  content: Content,
  before: Tree,
  after: Tree,
  touched: ReadonlySet<string>,
): Promise<void> {
  const { changes, counts, more } = await compareRevisions(content.source, content.roots.at(-2)!, content.root);
  expect(more).toBe(false);
  expect(Object.values(counts).reduce((sum, it) => sum + it, 0)).toBe(changes.length);
  // biome-ignore lint/suspicious/noExplicitAny: each kind of change has members of its own, which the test names.
  const of = (type: string) => changes.filter((it) => it.type === type) as any[];
  const pageIds = (type: string) => of(type).map(({ page }) => page.id as string);

  const both = [...after.pages.values()].filter(({ id }) => before.pages.has(id));
  expect(pageIds("page_created")).toEqual(names([...after.pages].filter(([id]) => !before.pages.has(id))));
  expect(pageIds("page_deleted")).toEqual(names([...before.pages].filter(([id]) => !after.pages.has(id))));
  const edited = both.map((page) => ({ id: page.id, attributes: differing(before.pages.get(page.id)!, page) }));
  expect(of("page_edited").map(({ page, attributes }) => ({ id: page.id, attributes }))).toEqual(
    edited.filter(({ attributes }) => attributes.length > 0).sort((a, b) => (a.id < b.id ? -1 : 1)),
  );
  for (const { page } of [...of("page_created"), ...of("page_edited"), ...of("page_moved")])
    expect(page.path).toBe(after.pathOf(page.id).join("/"));
  for (const { page } of of("page_deleted")) expect(page.path).toBe(before.pathOf(page.id).join("/"));
  checkMoves(before, after, new Set(pageIds("page_moved")), touched);
  for (const { page, from, to } of of("page_moved")) {
    expect([from.parent, from.path]).toEqual([before.pages.get(page.id)!.parent, before.pathOf(page.id).join("/")]);
    expect([to.parent, to.path]).toEqual([after.pages.get(page.id)!.parent, after.pathOf(page.id).join("/")]);
  }
  checkSets("variable", of, (it) => it.variable.name, before.variables, after.variables);
  checkSets("file", of, (it) => it.file.id, before.files, after.files);
  const told = new Set(
    ["reusable_content_created", "reusable_content_deleted"].flatMap((type) =>
      of(type).map((it) => it.reusableContent.id),
    ),
  );
  const isOneSided = (id: string) => before.reusables.has(id) !== after.reusables.has(id);
  expect([...told].sort()).toEqual(
    [...new Set([...before.reusables.keys(), ...after.reusables.keys()])].filter(isOneSided).sort(),
  );
}

function differing(before: PlainPage, after: PlainPage): string[] {
  const fields = (["title", "slug", "description", "hidden"] as const).filter((name) => before[name] !== after[name]);
  return [...fields, ...(textOf(before) === textOf(after) ? [] : ["document"])].sort();
}

/** Every page in another place was told to be, whichever of two that changed places it was; and none that nobody moved. */
function checkMoves(before: Tree, after: Tree, moved: ReadonlySet<string>, touched: ReadonlySet<string>): void {
  for (const id of moved) expect(touched.has(id)).toBe(true);
  for (const [parent, ids] of after.children) {
    const known = ids.filter((id) => before.pages.has(id));
    for (const id of known) if (before.pages.get(id)!.parent !== parent) expect(moved.has(id)).toBe(true);
    const stayed = known.filter((id) => !moved.has(id));
    expect(stayed).toEqual((before.children.get(parent) ?? []).filter((id) => stayed.includes(id)));
  }
}

function checkSets(
  kind: string,
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  of: (type: string) => any[],
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  nameIn: (it: any) => string,
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): void {
  const told = (verb: string) => of(`${kind}_${verb}`).map(nameIn).sort();
  expect(told("created")).toEqual(names([...after].filter(([name]) => !before.has(name))));
  expect(told("deleted")).toEqual(names([...before].filter(([name]) => !after.has(name))));
  const isEdited = ([name, value]: [string, unknown]) => before.has(name) && before.get(name) !== value;
  expect(told("edited")).toEqual(names([...after].filter(isEdited)));
}

/** The pages that a batch moves, by id. */
function movedBy(planned: readonly Planned[]): Set<string> {
  const found = planned.flatMap(({ change }) => {
    const isMove =
      change.operation === "move_page" || (change.operation === "update_page" && ("into" in change || "at" in change));
    return isMove ? [change.page] : [];
  });
  return new Set(found);
}

describe("random batches", () => {
  test("random batches agree with a plain tree and are rejected where it rejects", async () => {
    const seen = { made: 0, refused: new Map<string, number>() };
    const property = fc.asyncProperty(anyPlans, async (plans) => {
      const content = new Content();
      const trees: Tree[] = [new Tree()];
      for (const [batch, plan] of plans.entries()) {
        const before = trees.at(-1)!;
        const planned = settledPlan(before, plan);
        const after = before.copy();
        let wrong: unknown;
        try {
          playBatch(after, planned, { newId: numbered(batch), earlier: trees.at(-2) });
        } catch (error) {
          if (!(error instanceof Wrong)) throw error;
          wrong = { index: error.index, path: error.path };
        }
        const refused = await content
          .apply(
            planned.map((it) => it.change),
            numbered(batch),
          )
          .then(
            () => undefined,
            (error) => {
              if (error instanceof BatchError) return { index: error.index, path: error.path };
              throw error;
            },
          );
        expect(refused).toEqual(wrong);
        if (refused) seen.refused.set(refused.path, (seen.refused.get(refused.path) ?? 0) + 1);
        else {
          trees.push(after);
          seen.made++;
        }
        const entries = await content.entries();
        expect(await createStoredView(content.source, content.root).getVariables()).toEqual(
          Object.fromEntries(trees.at(-1)!.variables),
        );
        checkTree(content, entries, trees.at(-1)!);
        checkDerived(entries, trees.at(-1)!);
        await checkRoot(content, entries);
        if (!refused) await checkDifference(content, before, after, movedBy(planned));
      }
    });
    await fc.assert(property, { numRuns: runs(300) });
    // A test that never refuses, or refuses nearly all, has looked at nothing.
    expect(seen.made).toBeGreaterThan(runs(400));
    for (const path of ["page", "into", "slug", "target"]) expect(seen.refused.has(path), path).toBe(true);
  });

  test("control: a lost, wrong or extra entry is detected", async () => {
    const content = new Content();
    const tree = new Tree();
    const text = { headings: ["Part one"], links: ["https://example.com/", "#part-one", "/files/fil_0003"] };
    const planned: Planned[] = [
      { change: { operation: "insert_page", title: "Guide", document: { markdown: written(text) } }, text },
      { change: { operation: "insert_page", title: "Guide", document: { markdown: written(text) } }, text },
      { change: { operation: "insert_files", files: [{ name: "a.txt", bytes: new Uint8Array(1) }] } },
    ];
    playBatch(tree, planned, { newId: numbered(0), earlier: undefined });
    await content.apply(
      planned.map((it) => it.change),
      numbered(0),
    );
    const entries = await content.entries();
    checkDerived(entries, tree);
    const rows = [...entries.keys()].filter((key) => /^[cshoitg]/.test(key));
    expect(new Set(rows.map((key) => key[0])).size).toBe(7);
    for (const key of rows) {
      const without = new Map(entries);
      without.delete(key);
      expect(() => checkDerived(without, tree), key).toThrow();
      const more = new Map(entries).set(`${key}x`, entries.get(key)!);
      expect(() => checkDerived(more, tree), `${key}x`).toThrow();
    }
    const miscounted = new Map(entries).set("t/f:fil_0003", 3);
    expect(() => checkDerived(miscounted, tree)).toThrow();
  });
});
