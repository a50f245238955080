// A book that is added to existing content: all its parts are new, and their links to each other work.

import { describe, expect, test } from "vitest";
import { addBook } from "../../../src/content/book/add-book";
import type { Book, Chapter } from "../../../src/content/book/book";
import { createBook } from "../../../src/content/book/book";
import { readBook } from "../../../src/content/book/read-book";
import { createMemorySource, markReachableNodes } from "../../../src/content/prolly-tree";
import { createDraft, createStoredView } from "../../../src/content/revision/draft";
import { keys } from "../../../src/content/revision/entries";
import { ChangeError } from "../../../src/content/revision/errors";
import { gitbook, mdbook, PNG } from "./books/corpus";
import { Repository, Space } from "./books/trees";

async function add(space: Space, book: Book, parent: string | null = null) {
  const draft = space.draft();
  const added = await addBook(draft, book, { parentId: parent }, space.tools);
  await space.save(draft);
  return added;
}

const empty: Book = {
  chapters: [],
  texts: new Map(),
  files: new Map(),
  reusables: new Map(),
  variables: {},
  redirects: {},
  skipped: [],
};
const page = (path: string, chapters: Chapter[] = []): Chapter => ({ kind: "page", path, chapters });

describe("adding a book", () => {
  test("a book is added after existing content, below the given page, with free slugs", async () => {
    const space = new Space();
    const [parent] = await space.apply(
      { operation: "insert_page", title: "Imported", ref: "p", document: {} },
      { operation: "insert_page", title: "Start", slug: "start", into: "p", document: {} },
      { operation: "insert_page", title: "Last", document: {} },
    );
    const book: Book = {
      ...empty,
      chapters: [page("start.md", [page("start/deep.md")]), { kind: "group", title: "More", chapters: [page("b.md")] }],
      texts: new Map([
        ["start.md", { text: "# Begin\n" }],
        ["start/deep.md", { text: "No title.\n" }],
        ["b.md", { text: "---\nicon: bolt\n---\n# B\n" }],
      ]),
    };
    expect(await add(space, book, parent)).toMatchObject({ pages: 4, files: 0 });
    expect(await space.outline()).toEqual([
      "Imported (imported)",
      "  Start (start)",
      "  Begin (start-1)",
      "    Deep (deep)",
      "  More (more)",
      "    B (b)",
      "Last (last)",
    ]);
    expect((await add(space, book)).pages).toBe(4);
    expect((await space.outline()).slice(7)).toEqual([
      "Begin (start)",
      "  Deep (deep)",
      "group: More (more)",
      "  B (b)",
    ]);
  });

  test("an added book keeps the website addresses of its pages unless they are taken", async () => {
    const space = new Space();
    const addresses = new Map([
      ["start.md", "index.html"],
      ["deep.md", "guide/deep.html"],
      ["b.md", "guide/index.php"],
      ["c.md", "guide/deep.htm"],
    ]);
    const book: Book = {
      ...empty,
      chapters: [page("start.md", [page("deep.md"), page("b.md")]), page("c.md")],
      texts: new Map([...addresses].map(([path, address]) => [path, { text: `# Of ${address}\n` }])),
      websitePaths: addresses,
    };
    await add(space, book);
    const titleAt = async (path: string) => (await space.view.findPageByPath(path))?.title;
    expect(await titleAt("guide/deep.html")).toBe("Of guide/deep.html");
    expect(await titleAt("guide/deep")).toBe("Of guide/deep.html");
    expect(await titleAt("guide/index.php")).toBe("Of guide/index.php");
    expect(await titleAt("start/deep")).toBe("Of guide/deep.html");
    expect(await titleAt("guide/gone.html")).toBeUndefined();
  });

  test("links between the pages of an added book use page ids", async () => {
    const space = new Space();
    await space.apply({ operation: "insert_page", title: "Trap", slug: "guides", document: {} });
    const added = await add(space, await readBook(new Repository(gitbook)));
    expect(added).toMatchObject({ pages: 12, files: 2, reusableContents: 1 });
    expect(added.skipped).toEqual([{ resource: "old-start", reason: expect.stringContaining("Redirects only") }]);
    expect([...(await space.entries()).keys()].filter((key) => key.startsWith("t/n:"))).toEqual([]);
    const pages = await space.view.listPages();
    const titled = (title: string) => pages.find((it) => it.title === title)!;
    expect(pages.every(({ git }) => git === undefined)).toBe(true);
    expect(await space.text(titled("Install").body!)).toContain(`[the start](/pages/${titled("Getting started").id})`);
    expect(await space.text(titled("First steps").body!)).toContain(`(/pages/${titled("Install").id}#requirements)`);
    expect(titled("Getting started").cover?.ref.kind).toBe("file");
    expect(titled("Requirements").target).toEqual({
      kind: "anchor",
      page: titled("Install").id,
      anchor: "requirements",
    });
    expect(await space.view.getVariables()).toEqual({ product: "Octavo", version: 3, beta: true });
  });

  test("an added book can be exported as a book again", async () => {
    const space = new Space();
    await add(space, await readBook(new Repository(mdbook)));
    const there = await space.export(new Repository());
    const other = new Space();
    await other.import(there);
    expect(await other.outline()).toEqual(await space.outline());
    expect([...(await other.entries()).keys()].filter((key) => key.startsWith("t/n:"))).toEqual([]);
  });

  test("files with equal bytes are added once, under free names", async () => {
    const space = new Space();
    await space.apply({ operation: "insert_files", files: [{ name: "a.png", bytes: Uint8Array.of(1) }] });
    const book: Book = {
      ...empty,
      chapters: [page("index.md")],
      texts: new Map([["index.md", { text: "# I\n\n![a](x/a.png) ![b](y/a.png) ![c](<z (1).png>)\n" }]]),
      files: new Map([
        ["x/a.png", { bytes: PNG, contentType: "image/png" }],
        ["y/a.png", { bytes: PNG }],
        ["z (1).png", { bytes: Uint8Array.of(2, 3) }],
        ["gone.png", {}],
      ]),
    };
    expect(await add(space, book)).toEqual({
      pages: 1,
      files: 2,
      reusableContents: 0,
      skipped: [{ resource: "gone.png", reason: "Its content is missing." }],
    });
    const files = [...(await space.entries())].flatMap(([key, it]) =>
      key.startsWith("f/") ? [it as { path: string }] : [],
    );
    expect(files.map(({ path }) => path).sort()).toEqual([
      ".gitbook/assets/a-1.png",
      ".gitbook/assets/a.png",
      ".gitbook/assets/z (1).png",
    ]);
    const [one] = await space.view.listPages();
    const links = await space.view.getLinks(one!.id);
    expect(links.map(({ ref }) => ref.kind)).toEqual(["file", "file", "file"]);
    expect(links[0]!.to).toBe(links[1]!.to);
  });

  test("a book is not added below a page that cannot have children, and is never nested too deep", async () => {
    const space = new Space();
    const [link] = await space.apply({
      operation: "insert_link",
      title: "L",
      target: { kind: "url", url: "https://x.org" },
    });
    await expect(add(space, empty, link)).rejects.toThrow(ChangeError);
    await expect(add(space, empty, "nothing")).rejects.toThrow(ChangeError);
    let chapter = page("0.md");
    const texts = new Map([["0.md", { text: "# 0\n" }]]);
    for (let i = 1; i < 200; i++) {
      texts.set(`${i}.md`, { text: `# ${i}\n` });
      chapter = page(`${i}.md`, [chapter]);
    }
    expect((await add(space, { ...empty, chapters: [chapter], texts })).pages).toBe(200);
    expect(Math.max(...(await space.outline()).map((line) => line.search(/\S/) / 2 + 1))).toBe(32);
  });
});

describe("a large book", () => {
  const paths = Array.from({ length: 300 }, (_, n) => `page-${n}.md`);
  const book = createBook({
    chapters: paths.map((path) => ({ kind: "page", path, chapters: [] })),
    texts: new Map(paths.map((path, n) => [path, { text: `# P ${n}\n\n![](${n}.bin) [next](page-${n + 1}.md)\n` }])),
    files: new Map(paths.map((_, n) => [`${n}.bin`, { bytes: Uint8Array.of(n, n >> 8) }])),
    skipped: [],
  });

  /** Adds the book to nothing, in parts; ids are as random as those of the library. */
  async function addInParts() {
    let [seed, put] = [1, 0];
    const digits = () => {
      seed = Math.imul(seed, 48_271) >>> 0;
      return seed.toString(36).padStart(7, "0");
    };
    const texts = new Map<string, string>();
    const outlet = {
      take(hash: string, content: Uint8Array | string) {
        if (typeof content === "string" && content.startsWith("[")) put++;
        texts.set(hash, content as string);
        return false;
      },
      put: async () => {},
    };
    const source = createMemorySource(texts);
    const draft = createDraft(source, null, undefined, outlet, 200);
    const tools = { now: "2026-03-01T09:00:00.000Z", newId: (kind: string) => `${kind}_${digits()}` };
    await addBook(draft, book, { parentId: null }, { ...tools, readText: async (hash) => texts.get(hash)! });
    const { root } = await draft.finish();
    return { put, source, root };
  }

  test("ids of a large book ascend with its pages and files, so that few map nodes change twice", async () => {
    const { put, source, root } = await addInParts();
    const view = createStoredView(source, root);
    const ids = (await view.listChildIds(null)).map(({ id }) => id);
    expect(ids).toHaveLength(300);
    expect(ids).toEqual(ids.toSorted());
    const files = await view.list({ under: keys.files });
    const sizes = files.map(({ value }) => (value as { name: string }).name);
    expect(sizes).toEqual(paths.map((_, n) => `${n}.bin`));
    const needed = new Set<string>();
    await markReachableNodes(source, [root], needed);
    expect(put / needed.size).toBeLessThan(2.5);
  });
});
