// Content in memory that two sides change and that is merged, for the tests of merging.

import { readMarkdown } from "../../../src/content/markdown/read";
import { type MergeConflict, mergeRevisions } from "../../../src/content/merge";
import { createMemorySource, listEntries, type MapRoot, type NodeSource } from "../../../src/content/prolly-tree";
import { createAnchorEntry } from "../../../src/content/revision/anchors";
import { applyChanges, type BatchChange } from "../../../src/content/revision/changes";
import { createDraft, createStoredView, type Draft } from "../../../src/content/revision/draft";
import type { LinkEntry, PageEntry } from "../../../src/content/revision/entries";
import { parseStatedFields } from "../../../src/content/revision/fields";
import type { RevisionView } from "../../../src/content/revision/view";
import { runStepsSync } from "../../../src/utils/concurrency/steps";

const utf8 = new TextDecoder();

/** Everything that was ever saved. */
export class Space {
  readonly #texts = new Map<string, string>();
  readonly source: NodeSource = createMemorySource(this.#texts);
  #time = 0;
  #ids = 0;

  readonly text = async (hash: string) => this.#texts.get(hash)!;

  get now(): string {
    return new Date(Date.UTC(2026, 0, 1) + ++this.#time * 1000).toISOString();
  }

  /** A revision with changes; a new id is the letters of its kind and a number, or what `pageIds` says. */
  async change(root: MapRoot, changes: readonly BatchChange[], ids: string[] = []): Promise<MapRoot> {
    const draft = createDraft(this.source, root);
    await applyChanges(draft, changes, {
      now: this.now,
      newId: (kind) => ids.shift() ?? `${kind.slice(0, 3)}_${++this.#ids}`,
      readText: this.text,
      findRevision: async () => undefined,
    });
    return this.save(draft);
  }

  /** A revision with its entries changed directly, for what no change of the API does. */
  async edit(root: MapRoot, edit: (draft: Draft) => Promise<void>): Promise<MapRoot> {
    const draft = createDraft(this.source, root);
    await edit(draft);
    return this.save(draft);
  }

  async save(draft: Draft): Promise<MapRoot> {
    const { root, objects } = await draft.finish();
    for (const [hash, object] of objects) {
      const text = typeof object === "string" ? object : utf8.decode(object);
      this.#texts.set(hash, text);
    }
    return root;
  }

  async merge(
    base: MapRoot,
    ours: MapRoot,
    theirs: MapRoot,
  ): Promise<{ root: MapRoot; conflicts: readonly MergeConflict[] }> {
    const roots = { base, ours, theirs };
    const { draft, conflicts } = await mergeRevisions(this.source, roots, { readText: this.text, now: this.now });
    return { root: await this.save(draft), conflicts };
  }

  view(root: MapRoot): RevisionView {
    return createStoredView(this.source, root);
  }

  async entries(root: MapRoot): Promise<Map<string, unknown>> {
    return new Map((await listEntries(this.source, root)).map(({ key, value }) => [key, value]));
  }

  /** What people entered: pages, files, reusable contents and variables. */
  async entered(root: MapRoot): Promise<Record<string, unknown>> {
    return Object.fromEntries([...(await this.entries(root))].filter(([key]) => /^[pfrv]\//.test(key)));
  }

  /** The text of a page. */
  async textOf(root: MapRoot, id: string): Promise<string | undefined> {
    const page = await this.view(root).getPage(id);
    return page?.body === undefined ? undefined : this.text(page.body);
  }

  /** The pages as a list of lists: ids and slugs, in their order. */
  async tree(root: MapRoot, parent: string | null = null): Promise<unknown[]> {
    const view = this.view(root);
    const found: unknown[] = [];
    for (const { id } of await view.listChildIds(parent)) {
      const { slug } = (await view.getPage(id))!;
      const below = await this.tree(root, id);
      found.push(below.length > 0 ? [id, slug, below] : [id, slug]);
    }
    return found;
  }
}

/** What is wrong with the entries of a revision: what is derived from others has to be what deriving it gives. */
export async function flawsOf(space: Space, root: MapRoot): Promise<string[]> {
  const entries = await space.entries(root);
  const flaws: string[] = [];
  const under = <Value>(prefix: string) =>
    new Map(
      [...entries].filter(([key]) => key.startsWith(prefix)).map(([key, value]) => [key.slice(2), value as Value]),
    );
  const pages = under<PageEntry>("p/");
  const expect = (what: string, found: unknown, wanted: unknown) => {
    if (JSON.stringify(found) !== JSON.stringify(wanted))
      flaws.push(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`);
  };

  for (const [id, page] of pages) {
    const way = new Set([id]);
    for (let at = page.parent; at !== null; at = pages.get(at)!.parent) {
      const above = pages.get(at);
      if (!above || way.has(at)) {
        flaws.push(`${id} stands under ${at}, which is ${above ? "under it" : "not there"}`);
        break;
      }
      if (above.type !== "document" && above.type !== "group") flaws.push(`${at} is a ${above.type} and has pages`);
      way.add(at);
    }
    if (way.size > 32) flaws.push(`${id} is ${way.size} deep`);
    if (page.type === "group" && page.parent !== null) flaws.push(`the group ${id} is under ${page.parent}`);
  }

  const sorted = (of: Iterable<[string, unknown]>) => [...of].sort(([a], [b]) => (a < b ? -1 : 1));
  const children = [...pages].map(([id, { parent, order }]): [string, unknown] => [`${parent ?? "-"}/${order}`, id]);
  expect("children", sorted(under("c/")), sorted(children));
  const slugs = [...under<{ page: string; former?: boolean }>("s/")].filter(([, { former }]) => !former);
  const wantedSlugs = [...pages].map(([id, { parent, slug }]): [string, unknown] => [
    `${parent ?? "-"}/${encodeURIComponent(slug)}`,
    { page: id },
  ]);
  const isShort = ([key]: [string, unknown]) => !key.includes("~") && key.length < 150;
  expect("slugs", sorted(slugs).filter(isShort), sorted(wantedSlugs).filter(isShort));
  expect("number of slugs", slugs.length, pages.size);

  const links = under<LinkEntry>("o/");
  expect("incoming", [...under("i/").keys()].sort(), [...links].map(([key, { to }]) => `${to}/${key}`).sort());
  const counts = new Map<string, number>();
  for (const { to } of links.values()) counts.set(to, (counts.get(to) ?? 0) + 1);
  expect("targets", sorted(under("t/")), sorted(counts));

  const texts = [...pages, ...under<{ body: string }>("r/")].filter(([, { body }]) => body !== undefined);
  for (const [id, { body }] of texts) {
    const said = [...(await space.text(body!)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, href]) => href!);
    const own = [...links].filter(([key]) => key.startsWith(`${id}/`)).map(([, { href }]) => href);
    expect(`links of ${id}`, own, said);
  }
  const anchors = new Map<string, unknown>();
  for (const [id, { body }] of texts) {
    const text = await space.text(body!);
    const read = readMarkdown(text);
    const entry = createAnchorEntry(read.anchors, runStepsSync(read.aliases()));
    if (entry) anchors.set(id, Object.fromEntries(Object.entries(entry).sort()));
    const page = pages.get(id);
    if (!page) continue;
    const { names, fields } = parseStatedFields(text);
    expect(`what ${id} states`, page.stated ?? [], names);
    for (const name of ["title", "description"] as const)
      if (fields[name]) expect(`${name} of ${id}`, page[name], fields[name]);
  }
  expect("anchors", sorted(under("h/")), sorted(anchors));
  const sources = new Set(texts.map(([id]) => id));
  for (const key of links.keys()) if (!sources.has(key.split("/")[0]!)) flaws.push(`${key} is a link of nothing`);

  const paths = (prefix: string, member: string) =>
    [...under<{ path: string }>(prefix)].map(([id, { path }]): [string, unknown] => [
      encodeURIComponent(path),
      { [member]: id },
    ]);
  expect("paths", sorted(under("g/")), sorted([...paths("f/", "file"), ...paths("r/", "reusable")]));
  return flaws;
}
