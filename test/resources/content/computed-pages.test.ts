// Pages that are computed from an OpenAPI specification: in the tree, by id and by path, in search, and as what links lead to.

import { strToU8, zipSync } from "fflate";
import type { DocsApiOptions } from "octavo";
import { memoryStorage } from "octavo/memory";
import { describe, expect, test } from "vitest";
import { updateComputedPages } from "../../../src/resources/content/search/indexes";
import { BOOKS_2, BOOKS_31 } from "../../openapi/specifications/written";
import { readPdf } from "../../pdf/reader";
import { type Answer, dump, open, setUp } from "../../support/setting";

const SUMMARY = `# Table of contents

* [Welcome](README.md)
* \`\`\`yaml
  type: builtin:openapi
  props:
    models: true
  dependencies:
    spec:
      ref:
        kind: openapi
        spec: books
  \`\`\`
* [After](after.md)
`;
const book = zipSync({
  "SUMMARY.md": strToU8(SUMMARY),
  "README.md": strToU8("# Welcome\n\nSee [how to borrow](api/loans/borrow.md) and [nothing](api/none.md).\n"),
  "after.md": strToU8("# After\n\nA xylophone.\n"),
});
const fetch = (async () => new Response(book as BodyInit)) as typeof globalThis.fetch;

interface Node {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly path: string;
  readonly pages: readonly Node[];
}

async function library(specification: string | undefined = BOOKS_31, options: DocsApiOptions = {}) {
  const setting = await setUp(memoryStorage(), { fetch, ...options });
  const { ask, org } = setting;
  const { id } = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Docs" })).body;
  const at = `/v1/spaces/${id}`;
  await ask("admin", `POST /v1/spaces/${id}/permissions`, { users: [{ id: setting.ids.guest, role: "read" }] });
  const imported = await ask("admin", `POST ${at}/content/import`, { url: "https://x.example/b.zip", source: "zip" });
  expect(imported.status, JSON.stringify(imported.body)).toBe(201);
  const put = (text: string) => ask("admin", `PUT /v1/orgs/${org}/openapi/books`, { source: { text } });
  if (specification !== "") await put(specification);
  const tree = async (as: "read" | "guest" = "read", query = "") =>
    (await ask(as, `GET ${at}/content/pages${query}`)).body.pages as Node[];
  const found = async (as: "read" | "guest", words: string) =>
    (await ask(as, `GET ${at}/search?query=${encodeURIComponent(words)}`)).body;
  return { ...setting, at, put, tree, found };
}

const paths = (nodes: readonly Node[]): string[] => nodes.flatMap(({ path, pages }) => [path, ...paths(pages)]);
const flat = (nodes: readonly Node[]): Node[] => nodes.flatMap((node) => [node, ...flat(node.pages)]);

const EXPANDED = [
  "welcome",
  "api",
  "api/books",
  "api/books/list-books",
  "api/books/post-books",
  "api/books/get-book",
  "api/loans",
  "api/loans/borrow",
  "api/get-health",
  "api/models",
  "api/models/book",
  "after",
];

describe("computed pages", () => {
  test("computed pages appear below the page that names the specification, unless disabled", async () => {
    const { tree, ask, at } = await library();
    expect(paths(await tree())).toEqual(EXPANDED);
    expect(paths(await tree("read", "?computed=false"))).toEqual(["welcome", "api", "after"]);
    const { pages } = (await ask("read", `GET ${at}/content`)).body;
    expect(paths(pages)).toEqual(EXPANDED);
  });

  test("a book may consist of computed pages only", async () => {
    const summary = SUMMARY.split("\n").filter((line) => !/^\* \[/.test(line));
    const computed = zipSync({ "SUMMARY.md": strToU8(summary.join("\n")) });
    const { ask, org } = await setUp(memoryStorage(), { fetch: async () => new Response(computed as BodyInit) });
    await ask("admin", `PUT /v1/orgs/${org}/openapi/books`, { source: { text: BOOKS_31 } });
    const { id } = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "API" })).body;
    const wanted = { url: "https://x.example/b.zip", source: "zip" };
    const { status, body } = await ask("admin", `POST /v1/spaces/${id}/content/import`, wanted);
    expect([status, body]).toMatchObject([201, { importedResources: 1, totalResources: 1 }]);
    const { pages } = (await ask("read", `GET /v1/spaces/${id}/content/pages`)).body;
    expect(paths(pages)).toEqual(EXPANDED.filter((path) => path.startsWith("api")));
  });

  test("computed pages are printed, all of them or a single one", async () => {
    const { tree, ask, at, api } = await library();
    const printed = async (query = "") => {
      const { url } = (await ask("read", `GET ${at}/pdf${query}`)).body;
      const { text } = await readPdf(new Uint8Array(await (await api.fetch(new Request(url))).arrayBuffer()));
      return text;
    };
    expect(await printed()).toMatch(/Only those of this author.*Borrow a book.*It is borrowed.*xylophone/);
    const borrow = flat(await tree()).find(({ title }) => title === "Borrow a book")!;
    const alone = await printed(`?page=${borrow.id}&only=true`);
    expect(alone).toContain("It is borrowed.");
    expect(alone).not.toContain("xylophone");
  });

  test("computed pages are read by id and path, with parameters and responses as their text", async () => {
    const { tree, ask, at } = await library();
    const borrow = flat(await tree()).find(({ title }) => title === "Borrow a book")!;
    const byId = (await ask("read", `GET ${at}/content/page/${borrow.id}`)).body;
    const byPath = (await ask("read", `GET ${at}/content/path/${borrow.path}`)).body;
    expect(byPath).toEqual(byId);
    expect(byId.markdown).toBe(
      "# Borrow a book\n\n```http\nPOST /loans\n```\n\n**Deprecated.**\n\n## Responses\n\n### 201\n\nIt is borrowed.\n",
    );
    const list = (await ask("read", `GET ${at}/content/path/api/books/list-books`)).body.markdown;
    expect(list).toContain("* `author` (string): Only those of this author.");
    expect(list).toContain("* `limit` (integer)");
    expect(list).toContain("`application/json`: array of [Book](../models/book.md)");
    const model = flat(await tree()).find(({ path }) => path === "api/models/book")!;
    const linked = await ask("read", `GET ${at}/content/path/api/books/list-books?format=document`);
    expect(JSON.stringify(linked.body.document)).toContain(`{"ref":{"kind":"page","page":"${model.id}"}}`);
    expect(list).toContain("* `isbn` (string, required): Its number.");
    const document = await ask("read", `GET ${at}/content/page/${borrow.id}?format=document`);
    expect(document.body.document.nodes.map(({ type }: { type: string }) => type)).toContain("code");
    const whole = (await ask("read", `GET ${at}/content/path/api`)).body;
    expect(paths(whole.pages)).toEqual(EXPANDED.slice(2, -1));
  });

  test("disabled computed pages do not exist, and missing ones stay missing", async () => {
    const { tree, ask, at } = await library();
    const borrow = flat(await tree()).find(({ title }) => title === "Borrow a book")!;
    for (const path of [
      `page/${borrow.id}?computed=false`,
      "path/api/loans/borrow?computed=false",
      "path/api/loans/none",
      `page/${borrow.id.slice(0, -3)}zzz`,
    ])
      expect((await ask("read", `GET ${at}/content/${path}`)).body.error?.reason, path).toBe("page_not_found");
  });

  test("computed pages keep ids and paths when text around them changes, and change with the specification", async () => {
    const { tree, put, ask, at } = await library();
    const before = flat(await tree());
    const tag = (await ask("read", `GET ${at}/content/pages`)).headers.get("etag")!;
    await put(
      BOOKS_31.replace("summary: Borrow a book", "summary: Take a book home").replace("  /health:", "  /state:"),
    );
    const answer = await ask("read", `GET ${at}/content/pages`, undefined, { "if-none-match": tag });
    expect(answer.status).toBe(200);
    const after = flat(answer.body.pages as Node[]);
    const [old, now] = [before, after].map((all) => all.find(({ path }) => path === "api/loans/borrow")!);
    expect([now!.id, now!.title]).toEqual([old!.id, "Take a book home"]);
    expect(after.some(({ path }) => path === "api/get-health")).toBe(false);
    expect(after.some(({ path }) => path === "api/get-state")).toBe(true);
    expect(new Set(after.map(({ id }) => id)).size).toBe(after.length);
    const again = await ask("read", `GET ${at}/content/pages`, undefined, {
      "if-none-match": answer.headers.get("etag")!,
    });
    expect(again.status).toBe(304);
  });

  test("computed pages work with Swagger 2, and there are none without a specification", async () => {
    const { tree, ask, at, put } = await library("");
    expect(paths(await tree())).toEqual(["welcome", "api", "after"]);
    await put(BOOKS_2);
    expect(paths(await tree())).toContain("api/books/add-book");
    const { markdown } = (await ask("read", `GET ${at}/content/path/api/books/add-book`)).body;
    expect(markdown).toContain("POST https://library.example/v1/books");
    expect(markdown).toContain("* `isbn` (string)");
    expect(markdown).toContain("* `notify` (boolean)");
  });

  test("computed pages exist in a change request and in a revision", async () => {
    const { ask, at } = await library();
    const { id } = (await ask("admin", `POST ${at}/change-requests`, { subject: "Change" })).body;
    const there = await ask("admin", `GET ${at}/change-requests/${id}/content/path/api/loans/borrow`);
    expect(there.body.title).toBe("Borrow a book");
    const { items } = (await ask("admin", `GET ${at}/revisions`)).body;
    const then = await ask("admin", `GET ${at}/revisions/${items[0].id}/path/api/loans/borrow`);
    expect(then.body.title).toBe("Borrow a book");
    expect(paths((await ask("admin", `GET ${at}/revisions/${items[0].id}/pages`)).body.pages)).toEqual(EXPANDED);
  });
});

describe("computing pages", () => {
  const SPEC = { kind: "openapi", spec: "books" };
  const source = (models: boolean) => ({
    type: "builtin:openapi",
    ...(models ? { props: { models } } : {}),
    dependencies: { spec: { ref: SPEC } },
  });

  test("computing pages stay where they were after more than a thousand pages were added", async () => {
    const { ask, at, tree } = await library();
    expect(paths(await tree())).toEqual(EXPANDED);
    for (let part = 0; part < 24; part++) {
      const changes = Array.from({ length: 50 }, (_, i) => ({
        operation: "insert_page",
        title: `Part ${part}, page ${i}`,
        document: { markdown: "A text." },
      }));
      const { status, body } = await ask("admin", `POST ${at}/content`, { changes });
      expect(status, JSON.stringify(body.error)).toBe(200);
    }
    const all = paths(await tree());
    expect(all).toHaveLength(EXPANDED.length + 1200);
    expect(all.slice(0, EXPANDED.length)).toEqual(EXPANDED);
  });

  test("computing pages are created, changed, moved and deleted in a batch, and are copied with a space", async () => {
    const { ask, at, tree } = await library();
    const send = async (...changes: object[]) => {
      const { status, body } = await ask("admin", `POST ${at}/content`, { changes });
      return {
        status,
        reason: body.error?.details?.[0] ?? body.error,
        ids: body.changes?.map((it: Answer["body"]) => it.page.id),
      };
    };
    const made = await send(
      { operation: "insert_page", title: "Part", document: { markdown: "Text" }, ref: "part" },
      {
        operation: "insert_page",
        type: "computed",
        computed: source(false),
        title: "REST",
        icon: "code",
        into: "part",
      },
    );
    const [part, rest] = made.ids;
    const below = async (path: string) => paths(await tree()).filter((it) => it.startsWith(path));
    expect(await below("part")).toHaveLength(9);
    const page = (await ask("read", `GET ${at}/content/page/${rest}`)).body;
    expect(page).toMatchObject({
      type: "computed",
      title: "REST",
      icon: "code",
      path: "part/rest",
      computed: { ...source(false), props: {} },
    });
    expect((await send({ operation: "update_page", page: rest, computed: source(true), title: "API 2" })).status).toBe(
      200,
    );
    expect(await below("part/rest/models")).toEqual(["part/rest/models", "part/rest/models/book"]);
    expect((await send({ operation: "move_page", page: rest, into: null, at: 0 })).status).toBe(200);
    expect((await tree())[0]).toMatchObject({ id: rest, title: "API 2" });
    const copy = (await ask("admin", `POST ${at}/duplicate`)).body;
    const inCopy = (await ask("admin", `GET /v1/spaces/${copy.id}/content/pages`)).body.pages as Node[];
    expect(paths(inCopy)).toEqual(paths(await tree()));
    for (const [change, member] of [
      [{ operation: "insert_page", type: "computed", computed: { type: "builtin:magic" } }, "computed.type"],
      [{ operation: "insert_page", type: "computed", document: { markdown: "" } }, "computed"],
      [{ operation: "insert_page", type: "computed", computed: source(true), document: {} }, "document"],
      [{ operation: "insert_page", computed: source(true) }, "document"],
      [{ operation: "insert_page", computed: source(true), document: {} }, "computed"],
      [{ operation: "update_page", page: rest, document: { markdown: "Text" } }, "document"],
      [{ operation: "update_page", page: part, computed: source(true) }, "computed"],
      [{ operation: "insert_page", into: rest, document: {} }, "into"],
      [
        {
          operation: "insert_page",
          type: "computed",
          computed: { type: "builtin:openapi", props: { text: "x".repeat(12_000) } },
        },
        "computed",
      ],
    ] as const) {
      const refused = await send(change);
      expect([refused.status, JSON.stringify(refused.reason)], member).toEqual([
        400,
        expect.stringContaining(`changes.0.${member}`),
      ]);
    }
    expect((await send({ operation: "delete_page", page: rest })).status).toBe(200);
    expect(await below("rest")).toEqual([]);
  });

  test("computing pages go through change requests: diffs name them, and both sides can conflict", async () => {
    const { ask, at, tree } = await library();
    const open = async () => {
      const { id } = (await ask("admin", `POST ${at}/change-requests`, { subject: "Change" })).body;
      return `${at}/change-requests/${id}`;
    };
    const api = (await tree()).find(({ path }) => path === "api")!;
    const [one, two] = [await open(), await open()];
    await ask("admin", `POST ${one}/content`, {
      changes: [
        { operation: "update_page", page: api.id, computed: source(false) },
        { operation: "insert_page", type: "computed", computed: source(false), title: "More" },
      ],
    });
    await ask("admin", `POST ${two}/content`, {
      changes: [
        { operation: "update_page", page: api.id, computed: { ...source(true), props: { models: true, more: 1 } } },
        { operation: "update_page", page: api.id, icon: "code" },
      ],
    });
    const { changes } = (await ask("admin", `GET ${one}/changes`)).body;
    expect(changes.map((it: Answer["body"]) => [it.type, it.page.title]).sort()).toEqual([
      ["page_created", "More"],
      ["page_edited", "API"],
    ]);
    expect((await ask("admin", `POST ${one}/merge`)).body.result).toBe("merge");
    expect(paths(await tree())).not.toContain("api/models");
    expect(paths(await tree())).toContain("more/loans/borrow");
    const merged = (await ask("admin", `POST ${two}/merge`)).body;
    expect(merged.result).toBe("conflicts");
  });
});

describe("comments on computed pages", () => {
  test("comments on computed pages and their blocks follow them and reveal nothing to those who cannot see them", async () => {
    const { ask, at, tree, put, ids } = await library();
    await ask("admin", `POST ${at}/permissions`, { users: [{ id: ids.guest, role: "comment" }] });
    const borrow = flat(await tree()).find(({ title }) => title === "Borrow a book")!;
    const { nodes } = (await ask("read", `GET ${at}/content/page/${borrow.id}?format=document`)).body.document;
    const node = nodes.find((it: Answer["body"]) => JSON.stringify(it).includes("It is borrowed.")).key;
    const body = { markdown: "For how long?" };
    const post = (more: object) => ask("admin", `POST ${at}/comments`, { body, page: borrow.id, ...more });
    const onPage = (await post({})).body;
    expect(onPage.target.page).toMatchObject({
      id: borrow.id,
      title: "Borrow a book",
      path: borrow.path,
      outdated: false,
    });
    const onBlock = (await post({ node })).body;
    expect(onBlock.target.node).toEqual({ id: node, preview: "It is borrowed." });
    expect((await post({ node: "none" })).status).toBe(400);
    expect((await post({ page: `${borrow.id.slice(0, -3)}zzz` })).status).toBe(400);
    const targets = async (as: "admin" | "guest") =>
      Promise.all(
        [onPage, onBlock].map(async ({ id }) => {
          const { page, node } = (await ask(as, `GET ${at}/comments/${id}`)).body.target;
          return [page.outdated, page.title, node?.preview];
        }),
      );
    const whole = [
      [false, "Borrow a book", undefined],
      [false, "Borrow a book", "It is borrowed."],
    ];
    expect(await targets("admin")).toEqual(whole);
    expect((await ask("admin", `GET ${at}/comments?targetPage=${borrow.id}`)).body.count).toBe(2);
    expect(await targets("guest")).toEqual([
      [true, undefined, undefined],
      [true, undefined, ""],
    ]);
    expect((await ask("guest", `POST ${at}/comments`, { body, page: borrow.id })).status).toBe(400);
    await put(BOOKS_31.replace("It is borrowed.", "It is lent."));
    expect(await targets("admin")).toEqual([whole[0], [true, "Borrow a book", "It is borrowed."]]);
  });
});

const titlesOf = ({ items }: Answer["body"]) => items.map(({ title }: { title: string }) => title);

describe("searching computed pages", () => {
  test("search finds computed pages by their current text", async () => {
    const { found, put } = await library();
    const { items } = await found("read", "borrowed");
    expect(items[0]).toMatchObject({ path: "api/loans/borrow", title: "Borrow a book" });
    expect(items[0].sections[0].body).toContain("borrowed");
    expect(titlesOf(await found("read", "xylophone"))).toEqual(["After"]);
    await put(BOOKS_31.replace("It is borrowed.", "A zeppelin comes."));
    expect(titlesOf(await found("read", "zeppelin"))).toEqual(["Borrow a book"]);
    expect((await found("read", "xylophone")).count).toBe(1);
    await put(BOOKS_2);
    expect((await found("read", "zeppelin")).count).toBe(0);
  });

  test("search finds computed pages after other pages changed", async () => {
    const { found, ask, at } = await library();
    await found("read", "deprecated");
    const changes = [{ operation: "insert_page", title: "New", document: { markdown: "A zebra is deprecated." } }];
    await ask("admin", `POST ${at}/content`, { changes });
    expect(titlesOf(await found("read", "deprecated")).sort()).toEqual(["Borrow a book", "New"]);
  });
});

describe("the index of computed pages", () => {
  const GONDOLA = BOOKS_31.replace("It is borrowed.", "A gondola comes.");
  const words = "Everything that a reader of books may want to know of it. ".repeat(300);
  const more = Array.from({ length: 8 }, (_, n) => `  /more/${n}:\n    get: { description: ${words} }\n`);
  /** So much that the search that reads it stores a copy. */
  const large = GONDOLA.replace("paths:\n", `paths:\n${more.join("")}`);

  test("the index of computed pages is stored by the search that built it and follows the specification in another process", async () => {
    const { at, storage, tokens, clock, found, put, ask, org, api } = await library(large);
    const copies = async () => [...(await dump(storage))].filter(([key]) => key.includes("search-index")).join();
    expect((await found("read", "gondola")).count).toBe(1);
    const stored = await copies();
    expect(stored).toContain('"computed":');
    const search = async (word: string) => {
      const { askWith } = open(storage, { now: () => clock.now });
      const { items } = (await askWith(tokens.read, `GET ${at}/search?query=${word}`)).body;
      return items.map(({ title }: { title: string }) => title);
    };
    expect(await search("gondola")).toEqual(["Borrow a book"]);
    // Nothing was built again, so nothing was stored again.
    expect(await copies()).toBe(stored);
    await put(large.replace("gondola", "zeppelin").replace("  /health:", "  /state:"));
    expect([await search("zeppelin"), await search("gondola")]).toEqual([["Borrow a book"], []]);
    // A sweep leaves what is stored; what is no longer named goes.
    clock.forward(2 * 24 * 60 * 60_000);
    await api.maintain();
    expect(await search("zeppelin")).toEqual(["Borrow a book"]);
    await ask("admin", `DELETE /v1/orgs/${org}/openapi/books`);
    expect([await search("zeppelin"), await search("xylophone")]).toEqual([[], ["After"]]);
  });

  test("the index knows where computed pages were, and another process follows additions and removals", async () => {
    const { at, storage, tokens, clock, found, ask, tree } = await library(large);
    await found("read", "gondola");
    const { id } = (await tree("read", "?computed=false")).find(({ path }) => path === "api")!;
    expect([...(await dump(storage)).values()].join()).toContain(`"stated":["${id}"]`);
    const inAnother = async () => {
      const { askWith } = open(storage, { now: () => clock.now });
      return (await askWith(tokens.read, `GET ${at}/search?query=gondola`)).body.count;
    };
    const change = async (send: object) => {
      const { status, body } = await ask("admin", `POST ${at}/content`, { changes: [send] });
      expect(status, JSON.stringify(body)).toBe(200);
    };
    expect(await inAnother()).toBe(1);
    const source = { type: "builtin:openapi", props: { spec: "books" } };
    await change({ operation: "insert_page", title: "Once more", type: "computed", computed: source });
    expect(await inAnother()).toBe(2);
    await change({ operation: "delete_page", page: id });
    expect(await inAnother()).toBe(1);
  });

  test("the index takes in only pages whose text changed", async () => {
    const told: string[] = [];
    const put = async ({ id }: { id: string }) => void told.push(`+${id}`);
    const remove = async (id: string) => void told.push(`-${id}`);
    const state = (name: string, pages: Readonly<Record<string, string>>) => ({
      name,
      ids: Object.keys(pages),
      computedPageIds: [],
      origins: new Map(),
      pages: () => Object.entries(pages).map(([id, text]) => ({ id, title: "Title", text })),
    });
    const nothing = { name: "", digests: new Map<string, string>() };
    const one = await updateComputedPages(nothing, state("1", { a: "x", b: "y" }), { put, remove });
    expect(told.splice(0)).toEqual(["+a", "+b"]);
    const never = (): never => {
      throw new Error("The same name means the same pages.");
    };
    expect(
      await updateComputedPages(
        one,
        { name: "1", ids: [], computedPageIds: [], origins: new Map(), pages: never },
        { put, remove },
      ),
    ).toBe(one);
    const two = await updateComputedPages(one, state("2", { b: "y", c: "z" }), { put, remove });
    expect(told.splice(0)).toEqual(["+c", "-a"]);
    await updateComputedPages(two, state("", {}), { put, remove });
    expect(told).toEqual(["-b", "-c"]);
  });

  test("a search engine of the host is told about every change of the specification", async () => {
    const told = new Map<string, string>();
    const search: DocsApiOptions["search"] = {
      async update(_, { put, remove }) {
        for (const { id, title, sections } of put) told.set(id, [title, ...sections.map(({ text }) => text)].join(" "));
        for (const id of remove) told.delete(id);
      },
      async search(_, query, { offset, limit }) {
        const hits = [...told].filter(([, text]) => text.includes(query)).map(([id]) => ({ id, score: 1 }));
        return { total: hits.length, hits: hits.slice(offset, offset + limit) };
      },
    };
    const { found, put, tree, ask, org } = await library("", { search });
    expect(told.size).toBe(3);
    await put(GONDOLA);
    const ids = async () => flat(await tree()).flatMap(({ id }) => id);
    expect([...told.keys()].sort()).toEqual((await ids()).sort());
    expect(titlesOf(await found("read", "gondola"))).toEqual(["Borrow a book"]);
    // Guests learn neither of the page nor of the number of matches.
    expect((await found("guest", "gondola")).count).toBe(0);
    expect((await found("guest", "xylophone")).count).toBe(1);
    await put(GONDOLA.replace("gondola", "zeppelin").replace("  /health:", "  /state:"));
    expect([...told.keys()].sort()).toEqual((await ids()).sort());
    expect(titlesOf(await found("read", "zeppelin"))).toEqual(["Borrow a book"]);
    expect((await found("read", "gondola")).count).toBe(0);
    await ask("admin", `DELETE /v1/orgs/${org}/openapi/books`);
    expect(told.size).toBe(3);
  });
});

describe("links to computed pages", () => {
  test("links lead to computed pages by path, with backlinks, and an unknown path is broken", async () => {
    const { ask, at, tree, org } = await library();
    const all = flat(await tree());
    const [welcome, borrow] = ["welcome", "api/loans/borrow"].map((path) => all.find((it) => it.path === path)!);
    const { body } = await ask("read", `GET ${at}/content/page/${welcome!.id}/links`);
    const led = body.items.find((it: { targetReference?: { page?: { id: string } } }) => it.targetReference?.page);
    expect(led.targetReference.page.id).toBe(borrow!.id);
    for (const it of [led.targetReference, led.locationReferences[0]])
      expect([it.space.id, it.organization.id]).toEqual([at.split("/").at(-1), org]);
    expect(body.stats).toEqual({ total: 2, broken: { total: 1, changeRequest: 0 } });
    // Asked of all content, by those who see less.
    const seen = async (as: "read" | "guest") => (await ask(as, `GET ${at}/links`)).body.stats.broken.total;
    expect([await seen("read"), await seen("guest"), await seen("read")]).toEqual([1, 2, 1]);
    const back = await ask("read", `GET ${at}/content/page/${borrow!.id}/backlinks`);
    expect(back.body.items.map(({ page }: { page: { id: string } }) => page.id)).toEqual([welcome!.id]);
    expect(back.body.items[0].space.id).toBe(led.targetReference.space.id);
    const { document } = (await ask("read", `GET ${at}/content/page/${welcome!.id}?format=document`)).body;
    expect(JSON.stringify(document)).toContain(`"page":"${borrow!.id}"`);
  });
});

test("a reference to a specification is shown to those who may see it", async () => {
  const { ask, at } = await library();
  const insert = (spec: string) => {
    const target = { kind: "openapi", spec };
    return ask("admin", `POST ${at}/content`, { changes: [{ operation: "insert_link", title: "API", target }] });
  };
  expect((await insert("books")).status).toBe(200);
  expect((await insert("none")).status).toBe(400);
  const page = { operation: "insert_page", title: "Refers", document: { markdown: "See [it](/openapi/books)." } };
  const { changes } = (await ask("admin", `POST ${at}/content`, { changes: [page] })).body;
  const links = async (as: "read" | "guest") =>
    (await ask(as, `GET ${at}/content/page/${changes[0].page.id}/links`)).body.items;
  expect(await links("read")).toMatchObject([
    { status: "ok", targetReference: { kind: "openapi", openAPISpec: { slug: "books" } } },
  ]);
  expect((await links("guest"))[0].status).toBe("broken");
});

describe("private specifications", () => {
  test("a private specification is shown to no guest in any way until it is public", async () => {
    const { ask, at, org, tree, found } = await library();
    const borrow = flat(await tree()).find(({ title }) => title === "Borrow a book")!;
    expect((await found("read", "deprecated")).count).toBe(1);
    expect(paths(await tree("guest"))).toEqual(["welcome", "api", "after"]);
    expect((await found("guest", "deprecated")).count).toBe(0);
    expect((await found("guest", "xylophone")).count).toBe(1);
    for (const path of [`page/${borrow.id}`, `path/${borrow.path}`, `page/${borrow.id}/backlinks`])
      expect((await ask("guest", `GET ${at}/content/${path}`)).status, path).toBe(404);
    const tag = (await ask("guest", `GET ${at}/content/pages`)).headers.get("etag")!;
    await ask("admin", `PATCH /v1/orgs/${org}/openapi/books`, { visibility: "public" });
    const now = await ask("guest", `GET ${at}/content/pages`, undefined, { "if-none-match": tag });
    expect(paths(now.body.pages)).toEqual(EXPANDED);
    expect((await found("guest", "deprecated")).count).toBe(1);
    await ask("admin", `DELETE /v1/orgs/${org}/openapi/books`);
    expect(paths(await tree())).toEqual(["welcome", "api", "after"]);
    expect((await found("read", "deprecated")).count).toBe(0);
  });

  test("a private specification is shown to no visitor of a site until it is public", async () => {
    const { ask, at, org, tree, found } = await library();
    const space = at.split("/").at(-1);
    const site = `/v1/orgs/${org}/sites/${(await ask("admin", `POST /v1/orgs/${org}/sites`, { title: "Docs", spaces: [space] })).body.id}`;
    const url = (await ask("admin", `POST ${site}/publish`)).body.urls.published;
    const inSite = `${site}/site-spaces/${(await ask("admin", `GET ${site}/site-spaces`)).body.items[0].id}`;
    const borrow = flat(await tree()).find(({ title }) => title === "Borrow a book")!;
    const looks = async (as: "read" | null) => ({
      tree: paths((await ask(as, `GET ${inSite}/pages`)).body.pages),
      page: (await ask(as, `GET ${inSite}/page/${borrow.id}`)).status,
      hits: (await ask(as, `POST ${site}/search`, { query: "deprecated" })).body.count,
      url: (await ask(as, "POST /v1/urls/published", { url: `${url}/${borrow.path}` })).body.page !== undefined,
    });
    const closed = { tree: ["welcome", "api", "after"], page: 404, hits: 0, url: false };
    expect([await looks(null), await looks("read")]).toEqual([closed, closed]);
    expect((await found("read", "deprecated")).count).toBe(1);
    await ask("admin", `PATCH /v1/orgs/${org}/openapi/books`, { visibility: "public" });
    expect(await looks(null)).toEqual({ tree: EXPANDED, page: 200, hits: 1, url: true });
    const along = async (page: string) => paths((await ask(null, `GET ${inSite}/pages?along=${page}`)).body.pages);
    const top = ["welcome", "api", "api/books", "api/loans", "api/get-health", "api/models", "after"];
    expect(await along(borrow.id)).toEqual(top.toSpliced(4, 0, borrow.path));
    expect(await along((await tree())[0]!.id)).toEqual(top);
    const { previous, next } = (await ask(null, `GET ${inSite}/page/${borrow.id}`)).body;
    expect([previous.path, next.path]).toEqual(["api/loans", "api/get-health"]);
  });
});

describe("computed pages on a site", () => {
  test("URLs of computed pages on a site resolve exactly while their specification is public", async () => {
    const { ask, org, at, tree } = await library();
    const borrow = flat(await tree()).find(({ path }) => path === "api/loans/borrow")!;
    const space = at.split("/").at(-1)!;
    const { id } = (await ask("admin", `POST /v1/orgs/${org}/sites`, { title: "Docs", spaces: [space] })).body;
    await ask("admin", `POST /v1/orgs/${org}/sites/${id}/publish`);
    const resolve = (path: string) =>
      ask(null, "POST /v1/urls/published", { url: `http://localhost:3000/sites/${org}/docs/${path}` });
    const visibility = (value: string) => ask("admin", `PATCH /v1/orgs/${org}/openapi/books`, { visibility: value });

    expect((await resolve("api/loans/borrow")).body.page).toBeUndefined();
    await visibility("public");
    expect((await resolve("api/loans/borrow")).body).toMatchObject({ type: "content", page: borrow.id });
    const siteSpaceId = (await ask("admin", `GET /v1/orgs/${org}/sites/${id}/site-spaces`)).body.items[0].id;
    const destination = { kind: "page", siteSpaceId, pageId: borrow.id };
    const set = await ask("admin", `POST /v1/orgs/${org}/sites/${id}/redirects`, { source: "/lend", destination });
    expect(set.status).toBe(201);
    expect((await resolve("lend")).body.urls.target).toMatch(/\/docs\/api\/loans\/borrow$/);
    await visibility("private");
    expect((await resolve("lend")).body.page).toBeUndefined();
    expect((await resolve("api/loans/borrow")).body.page).toBeUndefined();
  });
});
