// A whole site, walked by a small renderer as a visitor of every audience.

import { strToU8, zipSync } from "fflate";
import { memoryStorage } from "octavo/memory";
import { expect, test } from "vitest";
import { type Answer, setUp } from "../../support/setting";
import { inSeconds, schema, sign } from "./site-stage";

// A small renderer. It walks a published site by the operations for visitors alone, and gathers everything that it finds.

/** How the renderer reaches the API. */
type Fetch = (token: string | null, route: string, send?: unknown) => Promise<Answer>;

/** What a visitor finds on a site. */
interface Walked {
  /** The texts of the pages, by their paths. */
  readonly pages: Map<string, string>;
  /** The bytes of the files, by their names. */
  readonly files: Map<string, string>;
  readonly reusables: Map<string, string>;
  /** The types of all pages. */
  readonly types: Set<string>;
  readonly token: string;
}

interface PageNode {
  readonly id: string;
  readonly type: string;
  readonly path: string;
  readonly documentId?: string;
  readonly pages: readonly PageNode[];
}

/** Resolves a URL, following redirects of the site. */
async function arrive(ask: Fetch, url: string, visitor: object = {}) {
  let { status, body } = await ask(null, "POST /v1/urls/published", { url, visitor, redirectOnError: true });
  for (let hop = 0; status === 200 && body.target === "content" && hop < 5; hop++)
    ({ status, body } = await ask(null, "POST /v1/urls/published", { url: body.redirect, visitor }));
  return { status, body };
}

/** Walks a whole site as one visitor. */
async function walk(ask: Fetch, url: string, visitor: object = {}): Promise<Walked> {
  const { body: resolved } = await arrive(ask, url, visitor);
  const { apiToken: token, organization, site } = resolved;
  const walked = { pages: new Map(), files: new Map(), reusables: new Map(), types: new Set<string>(), token };
  const get = async (path: string) => {
    const answer = await ask(token, `GET /v1${path}`);
    expect(answer.status, path).toBe(200);
    return answer.body;
  };
  const profile = await get(`/orgs/${organization}/sites/${site}/published`);
  for (const { space } of spacesIn(profile.structure.structure)) await walkSpace(ask, get, walked, space.id);
  return walked;
}

interface StructureItem {
  readonly space?: { readonly id: string };
  readonly sections?: readonly StructureItem[];
  readonly siteSpaces?: readonly StructureItem[];
}

function spacesIn(items: readonly StructureItem[]): { readonly space: { readonly id: string } }[] {
  return items.flatMap((item) =>
    item.space ? [{ space: item.space }] : spacesIn([...(item.sections ?? []), ...(item.siteSpaces ?? [])]),
  );
}

async function walkSpace(
  ask: Fetch,
  get: (path: string) => Promise<Answer["body"]>,
  walked: Walked,
  space: string,
): Promise<void> {
  const { revision } = await get(`/spaces/${space}`);
  const at = `/spaces/${space}/revisions/${revision}`;
  const all = await get(at);
  expect((await get(`${at}/pages`)).pages).toEqual(all.pages);
  const refs: string[] = [];
  for (const page of nodesIn(all.pages)) {
    walked.types.add(page.type);
    if (page.documentId === undefined) continue;
    const document = await get(`${at}/page/${page.id}/document`);
    expect(await get(`/spaces/${space}/documents/${page.documentId}`)).toEqual(document);
    expect((await get(`${at}/path/${page.path}?format=document`)).document).toEqual(document);
    walked.pages.set(page.path, JSON.stringify(document));
    refs.push(...filesIn(document));
  }
  for (const { id, title, document } of all.reusableContents) {
    const read = await get(`/spaces/${space}/documents/${document}`);
    expect(await get(`${at}/reusable-contents/${id}/document`)).toEqual(read);
    walked.reusables.set(title, JSON.stringify(read));
  }
  for (const file of all.files) {
    expect(await get(`${at}/files/${file.id}`)).toEqual(file);
    const { pathname, host } = new URL(file.downloadURL);
    // A computed file is elsewhere.
    const bytes = host === "localhost:3000" ? await ask(null, `GET ${pathname}`) : { status: 200, body: "elsewhere" };
    expect(bytes.status).toBe(200);
    walked.files.set(file.name, bytes.body);
  }
  // Whatever a document shows can be fetched.
  const known = all.files.map(({ id }: { id: string }) => id);
  expect(refs.filter((id) => !known.includes(id))).toEqual([]);
}

function nodesIn(nodes: readonly PageNode[]): PageNode[] {
  return nodes.flatMap((node) => [node, ...nodesIn(node.pages)]);
}

/** The files that a document refers to. */
function filesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const ref = value as { readonly kind?: unknown; readonly file?: unknown };
  const own = ref.kind === "file" && typeof ref.file === "string" ? [ref.file] : [];
  return [...own, ...Object.values(value).flatMap(filesIn)];
}

const SPEC = `openapi: 3.1.0
info: { title: Pets, version: "1" }
tags: [{ name: pets }]
paths:
  /pets:
    get: { operationId: listPets, tags: [pets], summary: List pets, responses: { "200": { description: Fine } } }
`;

const file = (name: string, ref: string) => ({
  name,
  contentType: "text/plain",
  base64: btoa(`bytes of ${name}`),
  ref,
});

/** A site with pages, files, a reusable content, computed pages, and parts for some visitors alone. */
async function stage(visibility: string) {
  const setting = await setUp(memoryStorage());
  const { ask, askWith, org } = setting;
  const did = async (answer: Promise<Answer>) => {
    const { status, body } = await answer;
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    return body;
  };
  const spec = { slug: "pets", source: { text: SPEC } };
  await did(ask("admin", `PUT /v1/orgs/${org}/openapi/pets`, { source: spec.source }));
  await did(ask("admin", `PATCH /v1/orgs/${org}/openapi/pets`, { visibility: "public" }));
  const { id: space } = await did(ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Guide" }));
  const files = [
    file("shown.txt", "shown"),
    file("note.txt", "note"),
    file("cover.txt", "cover"),
    file("pro.txt", "pro"),
    file("hidden.txt", "hidden"),
    file("unused.txt", "unused"),
  ];
  const note = { operation: "insert_reusable_content", title: "Note", document: { markdown: "Mind [this](./note)." } };
  const secret = { operation: "insert_reusable_content", title: "Secret note", document: { markdown: "Nobody." } };
  const first = await did(
    ask("admin", `POST /v1/spaces/${space}/content`, { changes: [{ operation: "insert_files", files }, note, secret] }),
  );
  const [noteId, secretId] = [first.changes[0].reusableContent, first.changes[1].reusableContent];
  const fileId = (n: number) => first.insertedFiles[n].id;
  const markdown = [
    `Hello ![picture](/files/${fileId(0)}).`,
    `{% include "/reusable-contents/${noteId}" %}`,
    `{% if visitor.claims.plan === "pro" %}\nFor pros: [file](/files/${fileId(3)}).\n\n{% include "/reusable-contents/${secretId}" %}\n{% endif %}`,
    "[To the hidden page](/hidden).",
  ].join("\n\n");
  const changes = [
    { operation: "set_variables", variables: { secret: "a variable" } },
    {
      operation: "insert_page",
      title: "Welcome",
      document: { markdown },
      cover: { ref: { kind: "file", file: fileId(2) } },
    },
    {
      operation: "insert_page",
      title: "Hidden",
      condition: "visitor.claims.isBeta",
      document: { markdown: `Beta [f](/files/${fileId(4)}).` },
    },
    { operation: "insert_page", title: "Last", document: { markdown: "See [welcome](/welcome)." } },
  ];
  await did(ask("admin", `POST /v1/spaces/${space}/content`, { changes }));
  await did(ask("admin", `POST /v1/orgs/${org}/sites`, { title: "Docs", spaces: [space] }));
  const { items } = await did(ask("admin", `GET /v1/orgs/${org}/sites`));
  const at = `/v1/orgs/${org}/sites/${items[0].id}`;
  await did(ask("admin", `PATCH ${at}`, { adaptiveContent: { enabled: true } }));
  await did(ask("admin", `PUT ${at}/adaptive-schema`, { jsonSchema: schema }));
  const { privateKey } = await did(ask("admin", `POST ${at}/publishing/auth/regenerate`));
  const { urls } = await did(ask("admin", `POST ${at}/publish`));
  await did(ask("admin", `PATCH ${at}`, { visibility }));
  const link =
    visibility === "share-link" ? await did(ask("admin", `POST ${at}/share-links`, { name: "L" })) : undefined;
  const url = link ? `${urls.published}/${link.key}` : urls.published;
  return { ...setting, at, space, url, privateKey, link, ask, fetch: askWith as Fetch };
}

const PLAIN_FILES = ["cover.txt", "note.txt", "shown.txt"];

test.each(["public", "unlisted", "share-link", "visitor-auth"])(
  "a visitor of a site that is %s finds exactly their pages, files, documents and reusable content",
  async (visibility) => {
    const it = await stage(visibility);
    const jwt = (claims: object) => sign({ clock: it.clock, privateKey: it.privateKey }, claims);
    const nobody = visibility === "visitor-auth" ? { jwtToken: await jwt({}) } : {};
    const plain = await walk(it.fetch, it.url, nobody);
    expect([...plain.pages.keys()].sort()).toEqual(["last", "welcome"]);
    expect([...plain.files.keys()].sort()).toEqual(PLAIN_FILES);
    expect(plain.files.get("note.txt")).toBe("bytes of note.txt");
    expect([...plain.reusables.keys()]).toEqual(["Note"]);
    expect(plain.pages.get("welcome")).toContain("Mind ");
    expect(plain.pages.get("welcome")).not.toContain("pros");
    expect(JSON.stringify([...plain.pages])).not.toContain("a variable");

    const pro = await walk(it.fetch, it.url, { jwtToken: await jwt({ plan: "pro", isBeta: true }) });
    expect([...pro.pages.keys()].sort()).toEqual(["hidden", "last", "welcome"]);
    expect([...pro.files.keys()].sort()).toEqual(["cover.txt", "hidden.txt", "note.txt", "pro.txt", "shown.txt"]);
    expect([...pro.reusables.keys()].sort()).toEqual(["Note", "Secret note"]);
    expect(pro.pages.get("welcome")).toContain("pros");

    // What one visitor was shown is never kept for the other.
    const again = await walk(it.fetch, it.url, nobody);
    expect([...again.pages.keys()].sort()).toEqual(["last", "welcome"]);
  },
);

test.each(["public", "share-link", "visitor-auth"])(
  "a preview on a site that is %s is navigated like the site, published or not",
  async (visibility) => {
    const it = await stage(visibility);
    const { ask, at, space } = it;
    const change = (await ask("edit", `POST /v1/spaces/${space}/change-requests`, { subject: "Anew" })).body.id;
    const draft = { operation: "insert_page", title: "Draft", document: { markdown: "See [the file](./new)." } };
    const changes = [{ operation: "insert_files", files: [file("new.txt", "new")] }, draft];
    await ask("edit", `POST /v1/spaces/${space}/change-requests/${change}/content`, { changes });
    const siteSpaceId = (await ask("admin", `GET ${at}/site-spaces`)).body.items[0].id;
    const preview = async () =>
      (await ask("admin", `POST ${at}/preview`, { siteSpaceId, changeRequestId: change })).body.urls.preview;

    const seen = await walk(it.fetch, await preview());
    expect([...seen.pages.keys()].sort()).toEqual(["draft", "last", "welcome"]);
    expect([...seen.files.keys()].sort()).toEqual(["cover.txt", "new.txt", "note.txt", "shown.txt"]);
    expect(seen.files.get("new.txt")).toBe("bytes of new.txt");
    const { apiToken } = (await arrive(it.fetch, await preview())).body;
    const pages = `GET ${at}/site-spaces/${siteSpaceId}/page`;
    const { id } = (await it.fetch(apiToken, pages.replace(/page$/, "pages"))).body.pages.at(-1);
    const { title, previous, references } = (await it.fetch(apiToken, `${pages}/${id}?references=true`)).body;
    expect([title, previous.title, references.map(told)]).toEqual(["Draft", "Last", [["file", "new.txt"]]]);
    const bytes = await it.fetch(null, `GET ${new URL(references[0].file.downloadURL).pathname}`);
    expect(bytes.body).toBe("bytes of new.txt");

    await ask("admin", `POST ${at}/unpublish`);
    expect([...(await walk(it.fetch, await preview())).pages.keys()].sort()).toEqual(["draft", "last", "welcome"]);
  },
);

test("a preview of a change request follows it, and one of a revision stays", async () => {
  const it = await stage("public");
  const { ask, at, space } = it;
  const change = `/v1/spaces/${space}/change-requests`;
  const { id, revision } = (await ask("edit", `POST ${change}`, { subject: "Anew" })).body;
  const siteSpaceId = (await ask("admin", `GET ${at}/site-spaces`)).body.items[0].id;
  const preview = async (of: object) =>
    (await ask("admin", `POST ${at}/preview`, { siteSpaceId, ...of })).body.apiToken;
  const [following, staying] = [await preview({ changeRequestId: id }), await preview({ revisionId: revision })];
  const titles = async (token: string) =>
    (await it.askWith(token, `GET /v1/spaces/${space}/content/pages`)).body.pages.map((page: PageTitle) => page.title);
  expect(await titles(following)).toEqual(["Welcome", "Last"]);
  const write = (title: string) =>
    ask("edit", `POST ${change}/${id}/content`, {
      changes: [{ operation: "insert_page", title, document: { markdown: "Xylophones." } }],
    });
  for (const title of ["First", "Second"]) {
    await write(title);
    expect((await titles(following)).at(-1)).toBe(title);
    expect(await titles(staying)).toEqual(["Welcome", "Last"]);
  }
  // The reads of the site and its search show the same state.
  const pages = `GET ${at}/site-spaces/${siteSpaceId}/pages`;
  expect((await it.askWith(following, pages)).body.pages).toHaveLength(4);
  expect((await it.askWith(staying, pages)).body.pages).toHaveLength(2);
  const search = async (token: string) =>
    (await it.askWith(token, `POST ${at}/search`, { query: "xylophones" })).body.items.length;
  expect([await search(following), await search(staying)]).toEqual([1, 0]);
});

interface PageTitle {
  readonly title: string;
}

test("a redirect within a preview stays in the preview", async () => {
  const it = await stage("share-link");
  const { ask, at, space } = it;
  const group = { operation: "insert_group", title: "More", ref: "more" };
  const inside = { operation: "insert_page", title: "Inside", into: "more", document: { markdown: "In." } };
  const made = await ask("admin", `POST /v1/spaces/${space}/content`, { changes: [group, inside] });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  await ask("admin", `POST ${at}/unpublish`);
  const { revision } = (await ask("admin", `GET /v1/spaces/${space}`)).body;
  const siteSpaceId = (await ask("admin", `GET ${at}/site-spaces`)).body.items[0].id;
  const { urls } = (await ask("admin", `POST ${at}/preview`, { siteSpaceId, revisionId: revision })).body;
  const url = urls.preview.replace("?", "/more?");
  const first = await it.ask(null, "POST /v1/urls/published", { url });
  expect(first.body).toMatchObject({ target: "content" });
  const { body } = await arrive(it.fetch, url);
  expect(body).toMatchObject({ type: "content", pagePath: "more/inside", revision, complete: true });
});

test("a preview is not counted", async () => {
  const it = await stage("public");
  const { ask, at, space } = it;
  const siteSpaceId = (await ask("admin", `GET ${at}/site-spaces`)).body.items[0].id;
  const { revision } = (await ask("admin", `GET /v1/spaces/${space}`)).body;
  const preview = (await ask("admin", `POST ${at}/preview`, { siteSpaceId, revisionId: revision })).body.apiToken;
  const visit = (await arrive(it.fetch, it.url)).body.apiToken;
  const view = { url: it.url, spaceId: space, visitor: { anonymousId: "a", userAgent: "u" } };
  const events = { events: [{ type: "page_view", location: { url: it.url, siteSpace: siteSpaceId } }] };
  const count = async () => (await ask("admin", `POST ${at}/insights/events/aggregate`, {})).body.total.page_view ?? 0;
  for (const [token, counted] of [
    [preview, 0],
    [visit, 2],
  ] as const) {
    expect((await it.askWith(token, `POST ${at}/views`, view)).status).toBe(204);
    expect((await it.askWith(token, `POST ${at}/insights/events`, events)).status).toBe(204);
    expect(await count()).toBe(counted);
  }
  const location = { siteSpace: siteSpaceId };
  const others = [
    { type: "page_post_feedback", location, feedback: { rating: "good" } },
    { type: "search_type_query", location, query: "pets" },
  ];
  expect((await it.askWith(visit, `POST ${at}/insights/events`, { events: others })).status).toBe(204);
  const select = others.map(({ type }) => type);
  const { total } = (await ask("admin", `POST ${at}/insights/events/aggregate`, { select })).body;
  expect(total).toMatchObject({ page_post_feedback: 1, search_type_query: 1 });
});

test("visitors read what the earlier read operations of published pages return", async () => {
  const it = await stage("public");
  const { body } = await arrive(it.fetch, it.url);
  const tree = (await it.ask(null, `GET ${it.at}/site-spaces/${body.siteSpace}/pages`)).body.pages;
  for (const { id, title } of tree) {
    const older = (await it.ask(null, `GET ${it.at}/site-spaces/${body.siteSpace}/page/${id}?format=document`)).body;
    const newer = (await it.fetch(body.apiToken, `GET /v1/spaces/${it.space}/content/page/${id}?format=document`)).body;
    expect([title, newer.document]).toEqual([title, older.document]);
  }
});

/** A reference of a page, in a few words: what stands in the document, and what it leads to. */
function told(reference: Answer["body"]): unknown {
  const { kind, ref, page, title, file, openAPISpec, urls, href } = reference;
  const at = urls?.published?.replace(/^.*\/docs\//, "");
  if (page) return [kind, ref.anchor, page.title, at, ...(href === undefined ? [] : [href])];
  return [kind, title ?? file?.name ?? openAPISpec?.slug, ...(at === undefined ? [] : [at])];
}

test.each(["public", "share-link", "visitor-auth"])(
  "a page on a site that is %s includes its references for this visitor only",
  async (visibility) => {
    const it = await stage(visibility);
    const { ask, at, space, org } = it;
    const make = async (title: string, onSite: boolean, page: object) => {
      const { id } = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title })).body;
      const changes = [{ operation: "insert_page", document: { markdown: "Text." }, ...page }];
      const written = await ask("admin", `POST /v1/spaces/${id}/content`, { changes });
      if (onSite) await ask("admin", `POST ${at}/site-spaces`, { spaceId: id });
      return [id, written.body.changes[0].page.id];
    };
    const [api, apiPage] = await make("API", true, { title: "Calls", icon: "bolt", description: "All calls" });
    const [beta, secret] = await make("Beta", true, { title: "Hidden", condition: "visitor.claims.isBeta" });
    const [internal, internalPage] = await make("Internal", false, { title: "Internal" });
    const { revision } = (await ask("admin", `GET /v1/spaces/${space}`)).body;
    const { pages, files, reusableContents } = (await ask("admin", `GET /v1/spaces/${space}/revisions/${revision}`))
      .body;
    const [welcome, hidden, last] = pages.map((page: { id: string }) => page.id);
    const fileNamed = (name: string) => files.find((found: { name: string }) => found.name === name).id;
    const user = (await ask("admin", "GET /v1/user")).body.id;
    const markdown = [
      "## Here\n\n## There",
      `[here](#here), [last](/last), [again](/pages/${last}), [hidden](/pages/${hidden}), [gone](/nowhere)`,
      `[welcome](/pages/${welcome}#x), [link](/elsewhere), [space](/spaces/${api}), [internal](/spaces/${internal})`,
      `[calls](/spaces/${api}/pages/${apiPage}), [other](/spaces/${internal}/pages/${internalPage})`,
      `[beta](/spaces/${beta}/pages/${secret}), [mail](https://example.com), [who](/users/${user})`,
      `![pro](/files/${fileNamed("pro.txt")})`,
      `{% include "/reusable-contents/${reusableContents[0].id}" %}`,
      '{% openapi-operation spec="pets" path="/pets" method="get" %}\n{% endopenapi-operation %}',
      '{% openapi-operation spec="private" path="/pets" method="get" %}\n{% endopenapi-operation %}',
      `{% if visitor.claims.plan === "pro" %}\n![h](/files/${fileNamed("hidden.txt")})\n{% endif %}`,
    ].join("\n\n");
    await ask("admin", `PUT /v1/orgs/${org}/openapi/private`, { source: { text: SPEC } });
    const cover = { ref: { kind: "file", file: fileNamed("cover.txt") } };
    const changes = [
      { operation: "insert_link", title: "Elsewhere", target: { kind: "url", url: "https://example.com/else" } },
      { operation: "insert_page", title: "Refers", cover, document: { markdown } },
    ];
    const made = await ask("admin", `POST /v1/spaces/${space}/content`, { changes });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    const page = made.body.changes[1].page.id;
    const read = async (claims: object) => {
      const visitor = { jwtToken: await sign(it, claims) };
      const { body } = await arrive(it.fetch, it.url, visitor);
      const key = it.link ? `&shareKey=${it.link.key}` : "";
      const path = `GET ${at}/site-spaces/${body.siteSpace}/page/${page}?format=document&references=true${key}`;
      const answer = await it.fetch(body.apiToken, path);
      const open = await it.fetch(null, `${path}&visitorToken=${visitor.jwtToken}`);
      expect(open.body.references).toEqual(answer.body.references);
      for (const { file: found } of answer.body.references.filter(({ kind }: { kind: string }) => kind === "file")) {
        const same = await it.fetch(body.apiToken, `GET /v1/spaces/${space}/content/files/${found.id}`);
        expect(found).toEqual(same.body);
        expect((await it.fetch(null, `GET ${new URL(found.downloadURL).pathname}`)).status).toBe(200);
      }
      // Every reference is one that stands in the document, or on the cover.
      const standing = JSON.stringify([answer.body.document, answer.body.cover]);
      for (const { ref } of answer.body.references) expect(standing).toContain(JSON.stringify(ref));
      return answer.body;
    };
    // A private specification is open to visitors, if a page that they see names it.
    await ask("admin", `PUT /v1/orgs/${org}/openapi/unnamed`, { source: { text: SPEC } });
    const { body: visit } = await arrive(it.fetch, it.url, { jwtToken: await sign(it, {}) });
    for (const [slug, status] of [
      ["private", 200],
      ["unnamed", 404],
    ] as const)
      for (const tail of ["", "/versions/latest", "/versions/latest/content"])
        expect((await it.fetch(visit.apiToken, `GET /v1/orgs/${org}/openapi/${slug}${tail}`)).status).toBe(status);
    const root = it.link ? `${it.link.key}/` : "";
    const plain = await read({});
    expect(plain.references.map(told)).toEqual([
      ["file", "cover.txt"],
      ["anchor", "here", "Refers", `${root}refers#here`],
      ["page", undefined, "Last", `${root}last`],
      ["anchor", "x", "Welcome", `${root}welcome#x`],
      ["page", undefined, "Elsewhere", `${root}elsewhere`, "https://example.com/else"],
      ["space", "API", `${root}api`],
      ["page", undefined, "Calls", `${root}api/calls`],
      ["file", "pro.txt"],
      ["file", "note.txt"],
      ["openapi", "pets"],
    ]);
    expect(plain.references[6].page).toMatchObject({ icon: "bolt", description: "All calls" });
    expect([plain.previous.title, plain.next]).toEqual(["Last", undefined]);
    const pro = await read({ plan: "pro", isBeta: true });
    expect(pro.references.map(told)).toContainEqual(["page", undefined, "Hidden", `${root}beta/hidden`]);
    expect(pro.references.map(told)).toContainEqual(["file", "hidden.txt"]);
    expect((await read({})).references).toEqual(plain.references);
  },
);

interface PartOfTree {
  readonly id: string;
  readonly title: string;
  readonly pages: readonly PartOfTree[];
  readonly more?: boolean;
}

/** A part of a tree in one line: `Page…` has pages that are left out, `[` and `]` stand around those that are not. */
const drawn = (pages: readonly PartOfTree[]): string =>
  pages
    .map(({ title, pages: below, more }) => title + (below.length > 0 ? `[${drawn(below)}]` : "") + (more ? "…" : ""))
    .join(" ");

test("reading a page returns the surrounding tree and the previous and next pages", async () => {
  const { ask, org } = await setUp(memoryStorage());
  const space = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Guide" })).body.id;
  const write = async (changes: readonly object[]) => {
    const { status, body } = await ask("admin", `POST /v1/spaces/${space}/content`, { changes });
    expect(status, JSON.stringify(body)).toBe(200);
    return body.changes.map(({ page }: { page: { id: string } }) => page.id) as string[];
  };
  const page = (title: string, into?: string, more: object = {}) => ({
    ...{ operation: "insert_page", title, document: { markdown: "Text." }, ref: title.toLowerCase(), ...more },
    ...(into === undefined ? {} : { into }),
  });
  const group = (title: string) => ({ operation: "insert_group", title, ref: title.toLowerCase() });
  const never = { condition: "visitor.claims.nobody" };
  const plan = [
    page("Start"),
    group("Basics"),
    page("Install", "basics"),
    page("Linux", "install"),
    page("Unseen", "basics", { hidden: true }),
    page("Below", "unseen"),
    page("Never", "basics", never),
    page("Use", "basics"),
    group("Empty"),
    { operation: "insert_link", title: "Away", target: { kind: "url", url: "https://example.com" } },
    page("Lonely"),
    page("Secret", "lonely", never),
    page("Quiet", "lonely", { hidden: true }),
    group("Advanced"),
    page("Tune", "advanced"),
    page("Kernel", "tune"),
    page("Last"),
  ];
  const ids = new Map((await write(plan)).map((id, i) => [plan[i]!.title, id]));
  const site = (await ask("admin", `POST /v1/orgs/${org}/sites`, { title: "Docs", spaces: [space] })).body.id;
  const at = `/v1/orgs/${org}/sites/${site}`;
  await ask("admin", `POST ${at}/publish`);
  const siteSpace = (await ask("admin", `GET ${at}/site-spaces`)).body.items[0].id;
  const get = async (path: string) => (await ask(null, `GET ${at}/site-spaces/${siteSpace}/${path}`)).body;
  const along = async (title: string) => drawn((await get(`pages?along=${ids.get(title)}`)).pages);
  const rest = "Empty Away Lonely Advanced[Tune…] Last";
  expect(await along("Start")).toBe(`Start Basics[Install… Use] ${rest}`);
  expect(await along("Install")).toBe(`Start Basics[Install[Linux] Use] ${rest}`);
  expect(await along("Kernel")).toBe("Start Basics[Install… Use] Empty Away Lonely Advanced[Tune[Kernel]] Last");
  // Whoever does not ask what is below closed pages is not told, except of groups.
  const unasked = await get(`pages?along=${ids.get("Start")}&more=false`);
  expect(drawn(unasked.pages)).toBe("Start Basics[Install Use] Empty Away Lonely Advanced[Tune] Last");
  // A page that is hidden from the table of contents is in it for its readers alone.
  expect(await along("Below")).toBe(`Start Basics[Install… Unseen[Below] Use] ${rest}`);

  const order = ["Start", "Install", "Linux", "Use", "Lonely", "Tune", "Kernel", "Last"];
  for (const [i, title] of order.entries()) {
    const { previous, next, pages, more } = await get(`page/${ids.get(title)}?pages=false`);
    expect([previous?.title, next?.title]).toEqual([order[i - 1], order[i + 1]]);
    expect([title, pages, more]).toEqual([title, [], ["Install", "Tune"].includes(title) ? true : undefined]);
    expect(next ? Object.keys(next) : []).toEqual(next ? ["id", "type", "title", "path", "urls"] : []);
  }
  for (const title of ["Unseen", "Below"]) {
    const { previous, next } = await get(`page/${ids.get(title)}`);
    expect([previous, next]).toEqual([undefined, undefined]);
  }
  expect((await get(`page/${ids.get("Basics")}`)).next.title).toBe("Install");

  // Of a long row those around the page are given, and groups stay closed.
  const many = Array.from({ length: 250 }, (_, i) => page(`P${i}`, ids.get("Basics")!));
  for (let from = 0; from < many.length; from += 50)
    for (const [i, id] of (await write(many.slice(from, from + 50))).entries()) ids.set(`P${from + i}`, id);
  const start = await get(`pages?along=${ids.get("Start")}`);
  const basics = start.pages[1];
  expect([basics.pages.length, basics.more, basics.pages.at(-1).title]).toEqual([50, true, "P47"]);
  const part = await get(`pages?along=${ids.get("P120")}`);
  expect(part.more).toBe(undefined);
  expect(part.pages.map(({ title, more }: PartOfTree) => title + (more ? "…" : ""))).toEqual([
    "Start",
    "Basics…",
    "Empty…",
    "Away",
    "Lonely",
    "Advanced…",
    "Last",
  ]);
  expect(part.pages[1].pages.map(({ title }: PartOfTree) => title)).toEqual(
    Array.from({ length: 201 }, (_, i) => `P${i + 20}`),
  );
});

test("the ETag of a page changes with its content and differs between visitors", async () => {
  const it = await stage("public");
  const { apiToken: token } = (await arrive(it.fetch, it.url)).body;
  const jwtToken = await sign(it, { plan: "pro" });
  const { apiToken: other } = (await arrive(it.fetch, it.url, { jwtToken })).body;
  const path = `/v1/spaces/${it.space}/content`;
  const etag = (await it.askWith(token, `GET ${path}`)).headers.get("etag")!;
  const ask = (as: string) => it.askWith(as, `GET ${path}`, undefined, { "if-none-match": etag });
  expect((await ask(token)).status).toBe(304);
  expect((await ask(other)).status).toBe(200);
  await it.ask("admin", `POST /v1/spaces/${it.space}/content`, {
    changes: [{ operation: "insert_page", title: "New", document: { markdown: "N." } }],
  });
  expect((await ask(token)).status).toBe(200);
});

test("a visitor who is not signed in is redirected to the login of the site if there is one", async () => {
  const it = await stage("visitor-auth");
  const send = { url: `${it.url}/last`, visitor: {}, redirectOnError: true };
  expect((await it.ask(null, "POST /v1/urls/published", send)).status).toBe(404);
  await it.ask("admin", `PATCH ${it.at}/publishing/auth`, { fallbackURL: "https://login.example/" });
  const { body } = await it.ask(null, "POST /v1/urls/published", send);
  expect(body).toMatchObject({ target: "external", redirect: `http://localhost:3000${it.at}/login?location=%2Flast` });
  expect(body).not.toHaveProperty("apiToken");
  expect((await it.ask(null, `GET ${new URL(body.redirect).pathname}`)).headers.get("location")).toBe(
    "https://login.example/",
  );
  expect((await it.ask(null, "POST /v1/urls/published", { ...send, redirectOnError: false })).status).toBe(404);
});

test("a resolved URL states where its parts begin", async () => {
  const it = await stage("share-link");
  const { body } = await arrive(it.fetch, `${it.url}/last?x=1`);
  const { pathname } = new URL(it.url);
  expect(body).toMatchObject({
    siteBasePath: `${pathname}/`,
    basePath: `${pathname}/`,
    pathname: "/last",
    complete: true,
    shareKey: it.link.key,
    canonicalUrl: `${it.url}/last`,
  });
  expect(body).not.toHaveProperty("revision");
  const claims = readClaims(body.apiToken);
  expect(claims).toMatchObject({ claims: { unsigned: {} }, shareLink: it.link.id });
  expect(JSON.stringify(claims)).not.toContain(it.link.key);
});

function readClaims(token: string): Record<string, unknown> {
  return JSON.parse(atob(token.split(".")[1]!.replaceAll("-", "+").replaceAll("_", "/")));
}

test("the token of a visitor expires with the JWT that vouches for them, and that of a preview with its creator's token", async () => {
  const it = await stage("visitor-auth");
  const { ask, at, space } = it;
  const minute = inSeconds(it, 60_000);
  const { apiToken } = (await arrive(it.fetch, it.url, { jwtToken: await sign(it, {}, { exp: minute }) })).body;
  expect(readClaims(apiToken)).toMatchObject({ exp: minute });

  const expiresAt = new Date(minute * 1000).toISOString();
  const { token } = (await ask("admin", "POST /v1/user/tokens", { label: "Short", expiresAt })).body;
  const siteSpaceId = (await ask("admin", `GET ${at}/site-spaces`)).body.items[0].id;
  const { revision } = (await ask("admin", `GET /v1/spaces/${space}`)).body;
  const preview = (await it.askWith(token, `POST ${at}/preview`, { siteSpaceId, revisionId: revision })).body;
  expect(readClaims(preview.apiToken)).toMatchObject({ exp: minute });
  const resolved = (await arrive(it.fetch, preview.urls.preview)).body;
  expect(readClaims(resolved.apiToken)).toMatchObject({ exp: minute });
});

test("members and visitors get the language of a page in a multilingual book, and its translations", async () => {
  const texts = {
    "LANGS.md": "* [English](en)\n* [Deutsch](de)\n",
    "en/README.md": "# Home\n",
    "en/setup.md": "# Setup\n",
    "de/README.md": "# Start\n",
    "de/setup.md": "---\nif: visitor.claims.isBeta\n---\n# Aufbau\n",
  };
  const book = zipSync(Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, strToU8(text)])));
  const fetch = (async () => new Response(book as BodyInit)) as typeof globalThis.fetch;
  const { ask, askWith, org } = await setUp(memoryStorage(), { fetch });
  const space = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Book" })).body.id;
  const from = { url: "https://x.example/b.zip", source: "zip" };
  expect((await ask("admin", `POST /v1/spaces/${space}/content/import`, from)).status).toBe(201);
  const site = (await ask("admin", `POST /v1/orgs/${org}/sites`, { title: "Docs", spaces: [space] })).body.id;
  const at = `/v1/orgs/${org}/sites/${site}`;
  await ask("admin", `PATCH ${at}`, { visibility: "public" });
  const { urls } = (await ask("admin", `POST ${at}/publish`)).body;
  const { apiToken } = (await arrive(askWith as Fetch, urls.published)).body;
  const inSite = `${at}/site-spaces/${(await ask("admin", `GET ${at}/site-spaces`)).body.items[0].id}`;

  interface Node {
    readonly id: string;
    readonly title: string;
    readonly pages: readonly Node[];
  }
  const flat = (nodes: readonly Node[]): Node[] => nodes.flatMap((it) => [it, ...flat(it.pages)]);
  const read = async (token: string | null, path: string) => (await askWith(token as string, `GET ${path}`)).body;
  const all = flat((await ask("read", `GET /v1/spaces/${space}/content/pages`)).body.pages);
  const ids = Object.fromEntries(all.map(({ id, title }) => [title, id])) as Record<string, string>;
  const said = (nodes: readonly object[]) =>
    nodes.map((it) => [Reflect.get(it, "title"), Reflect.get(it, "language"), Reflect.get(it, "translations")]);
  const home = ["Home", "en", { de: ids.Start }];
  const group = ["Deutsch", "de", undefined];
  const start = ["Start", "de", { en: ids.Home }];
  expect(said(all)).toEqual([
    home,
    ["Setup", "en", { de: ids.Aufbau }],
    group,
    start,
    ["Aufbau", "de", { en: ids.Setup }],
  ]);
  expect(said([(await ask("read", `GET /v1/spaces/${space}/content/page/${ids.Setup}`)).body])).toEqual([
    ["Setup", "en", { de: ids.Aufbau }],
  ]);
  // The page that a visitor does not see is no translation for them.
  for (const [token, tree, page] of [
    [apiToken, `/v1/spaces/${space}/content/pages`, `/v1/spaces/${space}/content/page/${ids.Setup}`],
    [null, `${inSite}/pages`, `${inSite}/page/${ids.Setup}`],
  ]) {
    expect(said(flat((await read(token, tree!)).pages))).toEqual([home, ["Setup", "en", undefined], group, start]);
    expect(said([await read(token, page!)])).toEqual([["Setup", "en", undefined]]);
  }
  // Neither is one that is gone.
  await ask("admin", `POST /v1/spaces/${space}/content`, { changes: [{ operation: "delete_page", page: ids.Start }] });
  expect(said([(await ask("read", `GET /v1/spaces/${space}/content/page/${ids.Home}`)).body])).toEqual([
    ["Home", "en", undefined],
  ]);
});
