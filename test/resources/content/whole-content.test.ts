// The tree of pages and the whole content of a space, as they are kept and sent: to whom, for how long, and within which room.

import fc from "fast-check";
import { memoryStorage } from "octavo/memory";
import { beforeEach, describe, expect, test } from "vitest";
import "../../support/chance";
import { BOOKS_31 } from "../../openapi/specifications/written";
import { type Answer, HOUR, open, type Person, type Setting, setUp } from "../../support/setting";
import { runs } from "../../support/test-length";

let setting: Setting;
let space: string;

type Change = Record<string, unknown>;
interface Node {
  readonly id: string;
  readonly title: string;
  readonly pages: readonly Node[];
}

const inserted = (title: string, more: Change = {}): Change => ({
  ...{ operation: "insert_page", title, document: { markdown: `${title}.\n` } },
  ...more,
});

async function change(changes: readonly Change[], at = `/v1/spaces/${space}`) {
  const { status, body } = await setting.ask("admin", `POST ${at}/content`, { changes });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

/** A space whose pages are far more than is sent at once, with pages below others, a file and words in many scripts. */
async function large(options: Parameters<typeof setUp>[1] = {}): Promise<void> {
  setting = await setUp(memoryStorage(), options);
  space = (await setting.ask("admin", `POST /v1/orgs/${setting.org}/spaces`, { title: "Large" })).body.id;
  const { changes } = await change([inserted("Größe 🐋 目次")]);
  const parent = changes[0].page.id;
  for (let at = 0; at < 300; at += 50)
    await change(Array.from({ length: 50 }, (_, i) => inserted(`Page ${at + i}`, i % 2 === 0 ? {} : { into: parent })));
  await change([
    { operation: "insert_files", files: [{ name: "a.txt", contentType: "text/plain", base64: btoa("Hello") }] },
  ]);
}

const titles = (nodes: readonly Node[]): string[] => nodes.flatMap(({ title, pages }) => [title, ...titles(pages)]);
const tree = async (as: Person, query = "") =>
  (await setting.ask(as, `GET /v1/spaces/${space}/content/pages${query}`)).body.pages as Node[];
const kept = () => setting.api.metrics().caches.contents;
const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;

describe("responses", () => {
  beforeEach(() => large());

  /** Every address of a state of content, and the operation with its parameters. */
  async function addresses() {
    const { revision } = (await setting.ask("admin", `GET /v1/spaces/${space}`)).body;
    const made = await setting.ask("admin", `POST /v1/spaces/${space}/change-requests`, { subject: "More" });
    const changeRequestId = made.body.id as string;
    await change([inserted("Proposed")], `/v1/spaces/${space}/change-requests/${changeRequestId}`);
    return [
      ["", "listPages", "getContent", "content", {}],
      [`/revisions/${revision}`, "listRevisionPages", "getRevision", "", { revisionId: revision }],
      [
        ...([`/change-requests/${changeRequestId}`, "listChangeRequestPages", "getChangeRequestContent"] as const),
        ...(["content", { changeRequestId }] as const),
      ],
    ] as const;
  }

  test("the sent content equals that of an in-process call, at every address and with every query", async () => {
    const as = { user: setting.ids.admin };
    for (const [at, pages, all, below, more] of await addresses()) {
      const whole = `/v1/spaces/${space}${at}${below === "" ? "" : `/${below}`}`;
      for (const query of [{}, { metadata: "false" }, { computed: "false" }] as const) {
        const input = { params: { spaceId: space, ...more }, query } as never;
        const search = new URLSearchParams(query);
        for (const [name, path] of [
          [pages, `${whole}/pages`],
          [all, whole],
        ] as const) {
          const sent = await setting.ask("admin", `GET ${path}?${search}`);
          expect(sent.status).toBe(200);
          expect(sent.body, name).toEqual(JSON.parse(JSON.stringify(await setting.api.call(name, input, as))));
          expect(sent.headers.get("content-length"), name).toBe(String(bytesOf(sent.body)));
        }
      }
    }
    expect(titles(await tree("admin"))).not.toContain("Proposed");
  });

  test("the content has an ETag and is not sent again to clients that have it", async () => {
    for (const at of [`/v1/spaces/${space}/content`, `/v1/spaces/${space}/content/pages`]) {
      const { headers } = await setting.ask("read", `GET ${at}`);
      const tag = headers.get("etag")!;
      const again = await setting.ask("read", `GET ${at}`, undefined, { "if-none-match": tag });
      expect([again.status, again.body]).toEqual([304, undefined]);
      const head = await setting.ask("read", `HEAD ${at}`);
      expect([head.status, head.body, head.headers.get("content-length")]).toEqual([
        ...[200, undefined],
        headers.get("content-length"),
      ]);
    }
  });

  test("the content is a copy that its reader may change", async () => {
    const before = await tree("admin");
    const { body } = await setting.api.fetch(
      new Request(`http://test.invalid/v1/spaces/${space}/content/pages`, {
        headers: { authorization: `Bearer ${setting.tokens.admin}` },
      }),
    );
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) chunk.fill(0);
    expect(await tree("admin")).toEqual(before);
  });
});

describe("caching", () => {
  beforeEach(() => large());

  test("cached content is shared by everyone who sees the same, at every address of it", async () => {
    const [pages] = [await tree("admin")];
    const { size } = kept();
    expect(size).toBeGreaterThan(bytesOf(pages));
    const { revision } = (await setting.ask("admin", `GET /v1/spaces/${space}`)).body;
    expect(await tree("read")).toEqual(pages);
    expect((await setting.ask("edit", `GET /v1/spaces/${space}/revisions/${revision}/pages`)).body).toEqual({ pages });
    const made = await setting.ask("admin", `POST /v1/spaces/${space}/change-requests`, { subject: "More" });
    const at = `/v1/spaces/${space}/change-requests/${made.body.id}/content`;
    expect((await setting.ask("read", `GET ${at}/pages`)).body).toEqual({ pages });
    expect((await setting.ask("read", `GET ${at}`)).body.pages).toEqual(pages);
    expect(kept().size - size).toBeLessThan(bytesOf(pages) / 10);
  });

  test("cached content is replaced by a new revision, and the old revision is unchanged", async () => {
    const before = await tree("read");
    const { revision } = (await setting.ask("admin", `GET /v1/spaces/${space}`)).body;
    await change([{ operation: "update_page", page: before[0]!.id, title: "Renamed" }]);
    expect(titles(await tree("read"))).toContain("Renamed");
    const all = (await setting.ask("read", `GET /v1/spaces/${space}/content`)).body;
    expect(titles(all.pages)).toContain("Renamed");
    expect((await setting.ask("read", `GET /v1/spaces/${space}/revisions/${revision}/pages`)).body.pages).toEqual(
      before,
    );
  });

  test("cached content follows every change of a change request", async () => {
    const made = await setting.ask("admin", `POST /v1/spaces/${space}/change-requests`, { subject: "More" });
    const at = `/v1/spaces/${space}/change-requests/${made.body.id}`;
    for (const title of ["First", "Second"]) {
      await change([inserted(title)], at);
      expect(titles((await setting.ask("read", `GET ${at}/content/pages`)).body.pages)).toContain(title);
      expect(titles((await setting.ask("read", `GET ${at}/content`)).body.pages)).toContain(title);
      expect(titles(await tree("read"))).not.toContain(title);
    }
  });

  test("cached content is not sent to anyone without read access", async () => {
    const { ask, ids } = setting;
    await setting.ask("admin", `PATCH /v1/spaces/${space}`, { defaultLevel: null });
    await ask("admin", `POST /v1/spaces/${space}/permissions`, { users: [{ id: ids.read, role: "read" }] });
    const { revision } = (await ask("admin", `GET /v1/spaces/${space}`)).body;
    const made = await ask("admin", `POST /v1/spaces/${space}/change-requests`, { subject: "More" });
    const at = [
      ...["content", "content/pages", `revisions/${revision}`, `revisions/${revision}/pages`],
      ...[`change-requests/${made.body.id}/content`, `change-requests/${made.body.id}/content/pages`],
    ].map((path) => `GET /v1/spaces/${space}/${path}`);
    const statuses = async (as: Person | null) => {
      const found = new Set<number>();
      for (const route of at) found.add((await ask(as, route)).status);
      return [...found];
    };
    expect(await statuses("admin")).toEqual([200]);
    expect(await statuses("read")).toEqual([200]);
    expect(await statuses("rival")).toEqual([404]);
    expect(await statuses(null)).toEqual([401]);
    await ask("admin", `DELETE /v1/spaces/${space}/permissions/users/${ids.read}`);
    expect(await statuses("read")).toEqual([404]);
  });

  test("cached content has file URLs per person and hour", async () => {
    const files = async (as: Person) => (await setting.ask(as, `GET /v1/spaces/${space}/content`)).body.files;
    const [[mine], [theirs]] = [await files("admin"), await files("read")];
    expect(mine.downloadURL).not.toBe(theirs.downloadURL);
    expect(await files("admin")).toEqual([mine]);
    setting.clock.forward(HOUR);
    const [later] = await files("admin");
    expect({ ...later, downloadURL: "" }).toEqual({ ...mine, downloadURL: "" });
    expect(later.downloadURL).not.toBe(mine.downloadURL);
    const download = await setting.askWith(null, `GET ${new URL(later.downloadURL).pathname}`);
    expect([download.status, download.body]).toEqual([200, "Hello"]);
  });

  test("cached content has computed pages for those who see them, as their source is now", async () => {
    const { ask, org, ids } = setting;
    await ask("admin", `POST /v1/spaces/${space}/permissions`, { users: [{ id: ids.guest, role: "read" }] });
    const computed = { type: "builtin:openapi", dependencies: { spec: { ref: { kind: "openapi", spec: "books" } } } };
    await change([{ operation: "insert_page", type: "computed", title: "API", computed }]);
    const count = async (as: Person, query = "") => titles(await tree(as, query)).length;
    const without = await count("read");
    await ask("admin", `PUT /v1/orgs/${org}/openapi/books`, { source: { text: BOOKS_31 } });
    expect(await count("guest")).toBe(without);
    expect(await count("read")).toBeGreaterThan(without);
    expect(await count("read", "?computed=false")).toBe(without);
    expect(await count("guest")).toBe(without);
    await ask("admin", `PATCH /v1/orgs/${org}/openapi/books`, { visibility: "public" });
    expect(await count("guest")).toBeGreaterThan(without);
    await ask("admin", `DELETE /v1/orgs/${org}/openapi/books`);
    expect([await count("guest"), await count("read")]).toEqual([without, without]);
  });
});

const idsOf = (nodes: readonly Node[]): string[] => nodes.flatMap(({ id, pages }) => [id, ...idsOf(pages)]);

/** One change of a random page, as far as it is allowed. */
const anyChange = fc.record({
  kind: fc.constantFrom("write", "rename", "insert", "insert below", "group", "move", "move below", "delete"),
  // The first pages have others below them.
  page: fc.oneof(fc.nat(), fc.nat(3)),
  other: fc.oneof(fc.nat(), fc.nat(3)),
  at: fc.nat(5),
});
type AnyChange = typeof anyChange extends fc.Arbitrary<infer One> ? One : never;

function changeOf(ids: readonly string[], { kind, page, other, at }: AnyChange, n: number): Change {
  const [one, two] = [ids[page % ids.length]!, ids[other % ids.length]!];
  const changes = {
    write: { operation: "update_page", page: one, title: `Größe ${n} 🐋`, document: { markdown: `Text ${n}.` } },
    rename: { operation: "update_page", page: one, slug: `slug-${n}` },
    insert: inserted(`New ${n}`, { at }),
    "insert below": inserted(`New ${n}`, { into: two, at }),
    group: { operation: "insert_group", title: `Group ${n}`, at },
    move: { operation: "move_page", page: one, into: null, at },
    "move below": { operation: "move_page", page: one, into: two, at },
    delete: { operation: "delete_page", page: one },
  };
  return changes[kind as keyof typeof changes];
}

describe("after a change", () => {
  /** What a call within the process gets: it is made anew each time. */
  const made = async (query: Record<string, string> = {}) => {
    const input = { params: { spaceId: space }, query } as never;
    const called = await setting.api.call("listPages", input, { user: setting.ids.admin });
    return (JSON.parse(JSON.stringify(called)) as { pages: Node[] }).pages;
  };
  test("after a change to any pages, the tree equals one written as a whole, for any revision", async () => {
    await large();
    let [n, taken] = [0, 0];
    const step = fc.array(anyChange, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(step, async (batch) => {
        const { revision } = (await setting.ask("admin", `GET /v1/spaces/${space}`)).body;
        const before = await tree("read");
        const ids = idsOf(before);
        const changes = batch.map((it) => changeOf(ids, it, n++));
        const { status } = await setting.ask("admin", `POST /v1/spaces/${space}/content`, { changes });
        // A page does not go below itself, nor a batch on with a page that it has deleted.
        if (status === 200) taken++;
        const after = await made();
        expect(await tree("read")).toEqual(after);
        const earlier = await setting.ask("admin", `GET /v1/spaces/${space}/revisions/${revision}/pages`);
        expect(earlier.body.pages).toEqual(before);
        expect(await tree("admin")).toEqual(after);
        expect(await tree("admin", "?metadata=false")).toEqual(await made({ metadata: "false" }));
      }),
      { numRuns: runs(240) },
    );
    expect(taken).toBeGreaterThan(10);
  });

  test("after a change, the tree replaces the previous one", async () => {
    await large();
    const first = await tree("read");
    const { entries, size } = kept();
    for (let n = 0; n < 5; n++) {
      await change([{ operation: "update_page", page: first[n]!.id, title: `Renamed ${n}` }, inserted(`New ${n}`)]);
      expect(await tree("read")).toEqual(await made());
    }
    expect(kept().entries).toBe(entries);
    expect(kept().size).toBeLessThan(size * 1.2);
  });

  test("after a change to every page or none, the tree is correct too", async () => {
    await large();
    const ids = idsOf(await tree("read"));
    for (let at = 0; at < ids.length; at += 50)
      await change(ids.slice(at, at + 50).map((page) => ({ operation: "update_page", page, title: `Other ${page}` })));
    expect(await tree("read")).toEqual(await made());
    await change([{ operation: "set_variables", variables: { a: 1 } }]);
    expect(await tree("read")).toEqual(await made());
    const top = (await tree("read")).map(({ id }) => id);
    for (let at = 0; at < top.length; at += 50)
      await change(top.slice(at, at + 50).map((page) => ({ operation: "delete_page", page })));
    expect([await tree("read"), await made()]).toEqual([[], []]);
    await change([inserted("First of all")]);
    expect(titles(await tree("read"))).toEqual(["First of all"]);
    expect(await tree("read")).toEqual(await made());
  });

  test("after a change, computed pages move with their parents and follow their sources", async () => {
    await large();
    const { ask, org } = setting;
    await ask("admin", `PUT /v1/orgs/${org}/openapi/books`, { source: { text: BOOKS_31 } });
    const computed = { type: "builtin:openapi", dependencies: { spec: { ref: { kind: "openapi", spec: "books" } } } };
    const [first, second] = await tree("read");
    const api = { operation: "insert_page", type: "computed", title: "API", computed };
    const { changes } = await change([{ ...api, into: second!.id }]);
    const all = titles(await tree("read")).length;
    expect(await tree("read")).toEqual(await made());
    for (const changes of [
      [{ operation: "move_page", page: second!.id, into: first!.id, at: 0 }],
      [{ operation: "update_page", page: second!.id, slug: "elsewhere" }],
      [inserted("Beside", { into: second!.id, at: 0 }), inserted("Behind", { into: second!.id })],
    ]) {
      await change(changes);
      expect(await tree("read")).toEqual(await made());
    }
    expect(titles(await tree("read"))).toHaveLength(all + 2);
    await change([{ operation: "delete_page", page: changes[0].page.id }]);
    expect(await tree("read")).toEqual(await made());
  });

  test("after a change by another process, the next request has it", async () => {
    const storage = memoryStorage();
    setting = await setUp(storage);
    const { ask, org, tokens } = setting;
    space = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Shared" })).body.id;
    const { changes } = await change([inserted("One"), inserted("Two")]);
    const other = open(storage, {});
    other.clock.now = setting.clock.now;
    expect(titles(await tree("read"))).toEqual(["One", "Two"]);
    const sent = { changes: [{ operation: "update_page", page: changes[0].page.id, title: "Uno" }] };
    expect((await other.askWith(tokens.admin, `POST /v1/spaces/${space}/content`, sent)).status).toBe(200);
    expect(titles(await tree("read"))).toEqual(["Uno", "Two"]);
  });
});

describe("a small cache", () => {
  test("a small cache stays within its limit, and every response is correct", async () => {
    const most = 300_000;
    await large({ caches: { contents: most } });
    const seen = new Set<string>();
    for (let n = 0; n < 5; n++) {
      await change([inserted(`New ${n}`)]);
      for (const as of ["admin", "read"] as const) {
        const pages = await tree(as);
        expect(titles(pages)).toHaveLength(302 + n);
        seen.add(JSON.stringify(pages));
        expect((await setting.ask(as, `GET /v1/spaces/${space}/content`)).body.pages).toEqual(pages);
        expect(kept().size).toBeLessThanOrEqual(most);
      }
    }
    expect(seen.size).toBe(5);
  });

  test("what never fits into the cache is computed again", async () => {
    await large({ caches: { contents: 0 } });
    expect(await tree("admin")).toEqual(await tree("admin"));
    expect(kept().entries).toBe(0);
  });
});

describe("the tree of a published site", () => {
  let pages: string;
  let at: string;
  let siteSpace: string;

  beforeEach(async () => {
    await large();
    const { ask, org } = setting;
    const site = (await ask("admin", `POST /v1/orgs/${org}/sites`, { title: "Docs", spaces: [space] })).body.id;
    at = `/v1/orgs/${org}/sites/${site}`;
    expect((await ask("admin", `POST ${at}/publish`)).status).toBe(200);
    siteSpace = (await ask("admin", `GET ${at}/site-spaces`)).body.items[0].id;
    pages = `${at}/site-spaces/${siteSpace}/pages`;
  });

  const seen = async (as: Person | null = null, query = "") =>
    (await setting.ask(as, `GET ${pages}${query}`)).body.pages;

  test("the tree of a published site equals that of an in-process call and is written once for all anonymous visitors", async () => {
    const sent = await setting.ask(null, `GET ${pages}`);
    const [, , , organizationId, , siteId] = at.split("/") as string[];
    const input = { params: { organizationId: organizationId!, siteId: siteId!, siteSpaceId: siteSpace } };
    const called = await setting.api.call("listPublishedPages", input, { user: setting.ids.admin });
    expect(sent.body).toEqual(JSON.parse(JSON.stringify(called)));
    expect(sent.headers.get("content-length")).toBe(String(bytesOf(sent.body)));
    const { size } = kept();
    expect(size).toBeGreaterThan(bytesOf(sent.body));
    expect([await seen("admin"), await seen("rival")]).toEqual([sent.body.pages, sent.body.pages]);
    expect(kept().size).toBe(size);
    const tag = { "if-none-match": sent.headers.get("etag")! };
    expect((await setting.ask("read", `GET ${pages}`, undefined, tag)).status).toBe(304);
    await change([inserted("New")]);
    expect((await setting.ask("read", `GET ${pages}`, undefined, tag)).status).toBe(200);
    expect(titles(await seen())).toContain("New");
  });

  test("the tree of a published site has current URLs, and none when the site is unpublished", async () => {
    const { ask } = setting;
    const url = async () => (await seen("admin"))[0].urls.published as string;
    const first = await url();
    await ask("admin", `PATCH ${at}`, { basename: "elsewhere" });
    const second = await url();
    expect(second).not.toBe(first);
    const other = (await ask("admin", `POST /v1/orgs/${setting.org}/spaces`, { title: "Other" })).body.id;
    const added = await ask("admin", `POST ${at}/site-spaces`, { spaceId: other });
    expect(added.status).toBe(201);
    await ask("admin", `PATCH ${at}`, { defaultSiteSpace: added.body.id });
    expect(await url()).not.toBe(second);
    await ask("admin", `POST ${at}/unpublish`);
    expect((await ask(null, `GET ${pages}`)).status).toBe(404);
  });

  /** What a call within the process gets: it is made anew each time. */
  const made = async () => {
    const [, , , organizationId, , siteId] = at.split("/") as string[];
    const input = { params: { organizationId: organizationId!, siteId: siteId!, siteSpaceId: siteSpace } };
    const called = await setting.api.call("listPublishedPages", input, { user: setting.ids.admin });
    return (JSON.parse(JSON.stringify(called)) as { pages: Node[] }).pages;
  };

  test("after any changes, the tree of a published site equals one written as a whole", async () => {
    const step = fc.array(anyChange, { minLength: 1, maxLength: 4 });
    let [n, taken] = [0, 0];
    await fc.assert(
      fc.asyncProperty(step, async (batch) => {
        const ids = idsOf(await tree("admin"));
        const changes = batch.map((it) => changeOf(ids, it, n++));
        if ((await setting.ask("admin", `POST /v1/spaces/${space}/content`, { changes })).status === 200) taken++;
        expect(await seen()).toEqual(await made());
        // For the second half some pages are hidden, and others below them.
        if (n > 25 && n < 31) {
          const hidden = [ids[0], ids[n % ids.length]].map((page) => ({
            ...{ operation: "update_page", page, condition: "visitor.claims.unsigned.beta" },
          }));
          await setting.ask("admin", `POST /v1/spaces/${space}/content`, { changes: hidden });
          expect(await seen()).toEqual(await made());
        }
      }),
      { numRuns: 24 },
    );
    expect(taken).toBeGreaterThan(8);
    expect(idsOf(await seen()).length).toBeLessThan(idsOf(await tree("admin")).length);
  });

  test("the tree of a published site is replaced and reflects what other settings decide", async () => {
    const [first] = await tree("admin");
    await seen();
    const { entries, size } = kept();
    for (let n = 0; n < 3; n++) {
      await change([{ operation: "update_page", page: first!.id, title: `Renamed ${n}` }, inserted(`New ${n}`)]);
      expect(titles(await seen())).toEqual(expect.arrayContaining([`Renamed ${n}`, `New ${n}`]));
    }
    expect([kept().entries, kept().size < size * 1.2]).toEqual([entries, true]);
    const title = "Version {{ space.vars.release }}";
    await change([{ operation: "update_page", page: first!.id, title }]);
    for (const release of ["1.0", "2.0"]) {
      await change([{ operation: "set_variables", variables: { release } }]);
      expect(await seen()).toEqual(await made());
    }
    // A page that is hidden now, with those below it, and shown again.
    for (const condition of ["visitor.claims.unsigned.beta", null]) {
      await change([{ operation: "update_page", page: first!.id, condition }]);
      expect(await seen()).toEqual(await made());
      expect(idsOf(await seen()).includes(first!.id)).toBe(condition === null);
      await change([inserted(`Below ${condition}`, { into: first!.id })]);
      expect(await seen()).toEqual(await made());
      expect(titles(await seen()).includes(`Below ${condition}`)).toBe(condition === null);
    }
  });

  /** A page that only those see who say so. */
  async function adaptive(): Promise<void> {
    const closed = { type: "object", additionalProperties: false };
    const unsigned = { ...closed, properties: { beta: { type: "boolean" } } };
    const jsonSchema = { ...closed, properties: { unsigned } };
    expect((await setting.ask("admin", `PATCH ${at}`, { adaptiveContent: { enabled: true } })).status).toBe(200);
    expect((await setting.ask("admin", `PUT ${at}/adaptive-schema`, { jsonSchema })).status).toBe(200);
    await change([inserted("Beta", { condition: "visitor.claims.unsigned.beta" })]);
  }

  test("the tree of a published site is computed for each known visitor", async () => {
    await adaptive();
    expect(titles(await seen())).not.toContain("Beta");
    const { size } = kept();
    const claims = encodeURIComponent(JSON.stringify({ beta: true }));
    expect(titles(await seen(null, `?unsignedClaims=${claims}`))).toContain("Beta");
    expect(kept().size).toBe(size);
    expect(titles(await seen())).not.toContain("Beta");
  });

  test("the pages of a published space are computed for each known visitor", async () => {
    await adaptive();
    const { published } = (await setting.ask("admin", `GET ${at}`)).body.urls;
    const read = async (visitor: object) => {
      const { apiToken } = (await setting.ask(null, "POST /v1/urls/published", { url: published, visitor })).body;
      const [tree, all] = ["content/pages", "content"].map((path) =>
        setting.askWith(apiToken, `GET /v1/spaces/${space}/${path}`),
      );
      return [titles((await tree!).body.pages), titles((await all!).body.pages)];
    };
    const members = titles(await tree("admin"));
    const [plain] = await read({});
    expect(members.filter((title) => !plain!.includes(title))).toEqual(["Beta"]);
    const { size } = kept();
    for (const seen of await read({ unsignedClaims: { beta: true } })) expect(seen).toContain("Beta");
    expect(kept().size).toBe(size);
    for (const seen of await read({})) expect(seen).not.toContain("Beta");
    expect(titles(await tree("read"))).toContain("Beta");
  });

  test("the tree of a published site is computed again where a link depends on other changes", async () => {
    const other = (await setting.ask("admin", `POST /v1/orgs/${setting.org}/spaces`, { title: "Other" })).body.id;
    await change([{ operation: "insert_link", title: "To", target: { kind: "space", space: other } }]);
    const link = async () => (await seen()).find(({ title }: Node) => title === "To");
    const before = await link();
    await setting.ask("admin", `POST ${at}/site-spaces`, { spaceId: other });
    const after = await link();
    expect([before?.href, after?.href]).toEqual([undefined, expect.stringContaining("other")]);
    expect(kept().entries).toBe(0);
  });
});

describe("lists of links", () => {
  /** The pages of a list, each with its items. */
  async function pagesOf(setting: Setting, at: string) {
    const pages: Answer["body"][] = [];
    for (let next = ""; pages.length < 20; next = `&page=${encodeURIComponent(pages.at(-1)!.next.page)}`) {
      const { status, body } = await setting.ask("read", `GET ${at}?limit=1000${next}`);
      expect(status).toBe(200);
      pages.push(body);
      if (!body.next) return pages;
    }
    throw new Error("The list has no end.");
  }

  test("a page of a list ends early where its targets are in many places, and nothing is lost", async () => {
    const setting = await setUp(memoryStorage());
    const space = (await setting.ask("admin", `POST /v1/orgs/${setting.org}/spaces`, { title: "Links" })).body.id;
    const at = `/v1/spaces/${space}`;
    const link = (n: number) => `[${n}](https://example.com/${n})\n`;
    const markdown = Array.from({ length: 40 }, (_, n) => link(n).repeat(n === 0 ? 50 : 40)).join("");
    const documents = Array.from({ length: 5 }, (_, n) => inserted(`Links ${n}`, { document: { markdown } }));
    const made = await setting.ask("admin", `POST ${at}/content`, { changes: documents });
    expect(made.status).toBe(200);
    for (const [path, parts, places] of [
      ["links", 2, 5 * 1610],
      [`content/page/${made.body.changes[0].page.id}/links`, 1, 1610],
    ] as const) {
      const pages = await pagesOf(setting, `${at}/${path}`);
      expect(pages.length).toBe(parts);
      for (const { count, stats, items } of pages) {
        expect([count, stats.total]).toEqual([40, places]);
        const counts = items.map((it: Answer["body"]) => it.locationReferences.length);
        expect(counts.reduce((sum: number, each: number) => sum + each, 0)).toBeLessThanOrEqual(5000);
        expect(Math.max(...counts)).toBeLessThanOrEqual(200);
        for (const { locationReferences } of items)
          for (const it of locationReferences) expect([it.organization.id, it.space.id]).toEqual([setting.org, space]);
      }
      const targets = pages.flatMap(({ items }) => items.map((it: Answer["body"]) => it.targetReference.url));
      expect(new Set(targets).size).toBe(40);
      expect(targets.length).toBe(40);
    }
  });
});

test("the ETag of content changes with its change request and not with a writer's tag", async () => {
  const setting = await setUp(memoryStorage());
  const { ask, org } = setting;
  const space = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Merged" })).body.id;
  const at = `/v1/spaces/${space}`;
  const proposed = (await ask("edit", `POST ${at}/change-requests`, { subject: "Pages" })).body.id;
  const changes = [{ operation: "insert_page", title: "A", document: { markdown: "Text" } }];
  await ask("edit", `POST ${at}/change-requests/${proposed}/content`, { changes });
  await ask("review", `POST ${at}/change-requests/${proposed}/merge`);
  const before = await ask("read", `GET ${at}/content`);
  const tag = before.headers.get("etag")!;
  expect(before.body.mergedFrom).toMatchObject({ id: proposed, comments: 0 });
  expect((await ask("read", `GET ${at}/content`, undefined, { "if-none-match": tag })).status).toBe(304);
  await ask("comment", `POST ${at}/change-requests/${proposed}/comments`, { body: { markdown: "Thanks" } });
  const after = await ask("read", `GET ${at}/content`, undefined, { "if-none-match": tag });
  expect([after.status, after.body.mergedFrom?.comments]).toEqual([200, 1]);
  const more = [{ operation: "insert_page", title: "B", document: { markdown: "Text" } }];
  expect((await ask("edit", `POST ${at}/content`, { changes: more }, { "if-match": tag })).status).toBe(200);
});
