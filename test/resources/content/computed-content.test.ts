// Pages and files that integrations compute, with real scripts in the real sandbox: what is shown, to whom, how often a script is
// asked, and what becomes of one that misbehaves.

import { strToU8, zipSync } from "fflate";
import { memoryStorage } from "octavo/memory";
import { describe, expect, test } from "vitest";
import { BOOKS_31 } from "../../openapi/specifications/written";
import { dump, open, setUp } from "../../support/setting";
import { answers, createReceiver, stalls, TUNNEL } from "../integrations/receiver";

const bot = "/v1/integrations/bot";
const CONTENT = { sources: [{ id: "issues", title: "Issues" }] };

/** Tells us what it was asked, is told what to do, and does that. */
const SCRIPT = `export default { async fetch(request) {
  const form = await request.formData();
  const event = JSON.parse(form.get("event"));
  if (!event.type.startsWith("content_compute_")) return new Response("", { status: 406 });
  const { spaceInstallation, apiEndpoint, apiTokens } = JSON.parse(form.get("environment"));
  const asked = { event, configuration: spaceInstallation?.configuration };
  const told = await (await fetch("https://told.example/", { method: "POST", body: JSON.stringify(asked) })).json();
  if (told.loop) for (;;);
  if (told.fill) { const all = []; for (;;) all.push("x".repeat(1e6) + all.length); }
  if (told.throw) throw new Error("No");
  if (told.reads) {
    const headers = { authorization: "Bearer " + apiTokens.installation };
    const read = async (path) => ({ title: path, document: { markdown: await (await fetch(apiEndpoint + path, { headers })).text() } });
    return Response.json({ pages: await Promise.all(told.reads.map(read)) });
  }
  if (told.deep) return new Response("[".repeat(told.deep));
  if (told.long) return new Response(JSON.stringify({ pages: [{ title: "Long", document: { markdown: "x".repeat(told.long) } }] }));
  return new Response(JSON.stringify(told.reply), { status: told.status ?? 200, headers: told.headers ?? {} });
} }`;

interface Asked {
  readonly event: {
    readonly type: string;
    readonly sourceId: string;
    readonly spaceId: string;
    readonly props: Record<string, unknown>;
    readonly dependencies: Record<string, unknown>;
  };
  readonly configuration: unknown;
}

interface Node {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly path: string;
  readonly href?: string;
  readonly pages: readonly Node[];
}

const chapter = (yaml: string) => `* \`\`\`yaml\n  ${yaml.trim().split("\n").join("\n  ")}\n  \`\`\`\n`;
const ISSUES = "type: integration:bot:issues\nprops:\n  state: open";
const OPEN = {
  pages: [
    {
      id: "i1",
      title: "Leaking roof",
      emoji: "1f3e0",
      description: "A zeppelin came.",
      document: { markdown: "Water *everywhere*, see [home](/welcome.md).\n" },
      pages: [{ title: "Comments", props: { comments: "i1" } }],
    },
    { title: "Elsewhere", type: "link", href: "https://issues.example/" },
  ],
};
const COMMENTS = { document: { object: "document", data: {}, nodes: [paragraph("Use a quokka.")] } };

function paragraph(text: string) {
  const leaves = [{ object: "leaf", text, marks: [] }];
  return { object: "block", type: "paragraph", isVoid: false, data: {}, nodes: [{ object: "text", leaves }] };
}

type Told = { reply?: unknown; [other: string]: unknown };
const answering = ({ event }: Asked): Told => ({
  reply: event.type === "content_compute_document" ? COMMENTS : OPEN,
});

/** Where a tunnel leads, and how long one call may take. */
interface Outside {
  readonly tunnel?: typeof fetch;
  readonly maxSeconds?: number;
}

async function stage(chapters: readonly string[] = [ISSUES], more: object = {}, outside: Outside = {}) {
  const asked: Asked[] = [];
  const told = { by: answering as (it: Asked) => Told };
  const summary = `# Table of contents\n\n* [Welcome](README.md)\n${chapters.map(chapter).join("")}* [After](after.md)\n`;
  const book = zipSync({
    "SUMMARY.md": strToU8(summary),
    "README.md": strToU8("# Welcome\n\nSee [the roof](issues/leaking-roof.md).\n"),
    "after.md": strToU8("# After\n\nA xylophone.\n"),
  });
  const fetch = (async (input: RequestInfo | URL, init?: RequestInit) => {
    const url = String(input instanceof Request ? input.url : input);
    if (url.startsWith(TUNNEL)) return outside.tunnel!(input, init);
    if (url.startsWith("http://localhost:3000/")) return setting.api.fetch(new Request(input, init));
    if (!url.startsWith("https://told.")) return new Response(book as BodyInit);
    asked.push((await new Request(input, init).json()) as Asked);
    return Response.json(told.by(asked.at(-1)!));
  }) as typeof globalThis.fetch;
  const { maxSeconds = 10 } = outside;
  const integrations = { maxSeconds };
  const limits = { steps: 5_000_000, memoryBytes: 24 * 1024 * 1024, milliseconds: maxSeconds * 1000 };
  const options = { fetch, integrations, sandbox: { limits } };
  const setting = await setUp(memoryStorage(), options);
  const { ask, org } = setting;
  const definition = {
    visibility: "public",
    script: SCRIPT,
    contentSources: CONTENT.sources,
    configurations: { space: { properties: { label: { type: "string" } } } },
    ...more,
  };
  expect((await ask("admin", `POST ${bot}`, definition)).status).toBe(200);
  const { id: space } = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Docs" })).body;
  const at = `/v1/spaces/${space}`;
  await ask("admin", `POST ${at}/permissions`, { users: [{ id: setting.ids.guest, role: "read" }] });
  const imported = await ask("admin", `POST ${at}/content/import`, { url: "https://x.example/b.zip", source: "zip" });
  expect(imported.status, JSON.stringify(imported.body)).toBe(201);
  const made = await ask("admin", `POST ${bot}/installations`, { organization: org });
  const installation = `${bot}/installations/${made.body.id}`;
  const onSpace = `${installation}/spaces/${space}`;
  expect((await ask("admin", `POST ${installation}/spaces`, { space })).status).toBe(201);
  const tree = async (as: "read" | "guest" | "admin" = "read", query = "") =>
    (await ask(as, `GET ${at}/content/pages${query}`)).body.pages as Node[];
  const shown = async () => paths(await tree());
  return { ...setting, options, at, space, installation, onSpace, asked, told, definition, tree, shown };
}

const paths = (nodes: readonly Node[]): string[] => nodes.flatMap(({ path, pages }) => [path, ...paths(pages)]);
const flat = (nodes: readonly Node[]): Node[] => nodes.flatMap((node) => [node, ...flat(node.pages)]);
const NOTHING = ["welcome", "issues", "after"];
const ALL = ["welcome", "issues", "issues/leaking-roof", "issues/leaking-roof/comments", "issues/elsewhere", "after"];

describe("computed pages", () => {
  test("computed pages appear in the tree, by id and path, as Markdown and as a document", async () => {
    const { tree, ask, at, asked, space } = await stage();
    expect(paths(await tree())).toEqual(ALL);
    expect(asked.map(({ event }) => event)).toMatchObject([
      {
        eventId: expect.stringMatching(/^cal_/),
        type: "content_compute_revision",
        installationId: expect.stringMatching(/^ins_/),
        spaceId: space,
        sourceId: "issues",
        props: { state: "open" },
        dependencies: {},
      },
    ]);
    const all = flat(await tree());
    const [roof, elsewhere] = ["Leaking roof", "Elsewhere"].map((title) => all.find((it) => it.title === title)!);
    expect(roof).toMatchObject({ type: "document", emoji: "1f3e0", description: "A zeppelin came." });
    expect(elsewhere).toMatchObject({ type: "link", href: "https://issues.example/" });
    const byId = (await ask("read", `GET ${at}/content/page/${roof!.id}`)).body;
    expect(byId).toEqual((await ask("read", `GET ${at}/content/path/issues/leaking-roof`)).body);
    expect(byId.markdown).toContain("Water *everywhere*");
    const document = await ask("read", `GET ${at}/content/page/${roof!.id}?format=document`);
    expect(JSON.stringify(document.body.document)).toContain(`"page":"${all[0]!.id}"`);
    expect(paths(await tree("read", "?computed=false"))).toEqual(NOTHING);
  });

  test("a text may be computed later, when it is read, with the props of its page", async () => {
    const { ask, at, asked } = await stage();
    const read = () => ask("read", `GET ${at}/content/path/issues/leaking-roof/comments`);
    expect((await read()).body.markdown).toBe("Use a quokka.\n");
    expect((await read()).body.markdown).toBe("Use a quokka.\n");
    const late = asked.filter(({ event }) => event.type === "content_compute_document");
    expect(late.map(({ event }) => [event.sourceId, event.props])).toEqual([["issues", { comments: "i1" }]]);
  });

  test("a page states what it is computed from: its source, props and current dependencies", async () => {
    const dependencies = { it: { ref: { kind: "openapi", spec: "books" } } };
    const computed = { type: "integration:bot:issues", props: { comments: "i9" }, dependencies };
    const { ask, at, org, asked, told, tree } = await stage(undefined, { scopes: ["openapi:read"] });
    told.by = ({ event }) =>
      event.type === "content_compute_revision"
        ? { reply: { pages: [{ title: "Later", computed }] } }
        : {
            reply: {
              document: {
                markdown: JSON.stringify(event.dependencies).includes("openapi-spec") ? "With it." : "Without.",
              },
            },
          };
    const read = async () => (await ask("read", `GET ${at}/content/path/issues/later`)).body.markdown;
    expect(await read()).toBe("Without.");
    await ask("admin", `PUT /v1/orgs/${org}/openapi/books`, { source: { text: BOOKS_31 } });
    expect(await read()).toBe("With it.");
    const late = asked.filter(({ event }) => event.type === "content_compute_document");
    expect(late.map(({ event }) => [event.sourceId, event.props])).toEqual([
      ["issues", { comments: "i9" }],
      ["issues", { comments: "i9" }],
    ]);
    // The specification is private, so guests see nothing that comes of it.
    expect([paths(await tree("read")), paths(await tree("guest"))]).toEqual([
      ["welcome", "issues", "issues/later", "after"],
      NOTHING,
    ]);
  });

  test("computed pages are searchable, but a search computes no deferred text", async () => {
    const { ask, at, asked } = await stage();
    const found = async (words: string) =>
      (await ask("read", `GET ${at}/search?query=${words}`)).body.items.map(({ path }: Node) => path);
    expect(await found("everywhere")).toEqual(["issues/leaking-roof"]);
    expect(await found("zeppelin")).toEqual(["issues/leaking-roof"]);
    expect(await found("Comments")).toEqual(["issues/leaking-roof/comments"]);
    expect(await found("quokka")).toEqual([]);
    expect(asked.every(({ event }) => event.type === "content_compute_revision")).toBe(true);
  });

  test("computed pages can be linked to as long as they exist", async () => {
    const { ask, at, told, clock, installation, tree } = await stage();
    const broken = async () => (await ask("read", `GET ${at}/links`)).body.stats.broken.total;
    expect(await broken()).toBe(0);
    const roof = flat(await tree()).find(({ title }) => title === "Leaking roof")!;
    expect((await ask("read", `GET ${at}/content/page/${roof.id}/backlinks`)).body.count).toBe(1);
    told.by = () => ({ reply: { pages: [] } });
    clock.forward(1);
    await ask("admin", `PATCH ${installation}`, { externalIds: ["x"] });
    expect(await broken()).toBe(1);
  });

  test("computed pages keep their ids while their own ids or paths stay", async () => {
    const { tree, told, ask, installation, clock } = await stage();
    const idOf = async (path: string) => flat(await tree()).find((it) => it.path === path)?.id;
    const before = [await idOf("issues/leaking-roof"), await idOf("issues/elsewhere")];
    const [roof, elsewhere] = OPEN.pages;
    told.by = () => ({ reply: { pages: [elsewhere, { ...roof, title: "Dry roof" }] } });
    clock.forward(1);
    await ask("admin", `PATCH ${installation}`, { externalIds: ["x"] });
    expect([await idOf("issues/dry-roof"), await idOf("issues/elsewhere")]).toEqual(before);
  });

  test("computed pages exist in change requests and in past revisions", async () => {
    const { ask, at } = await stage();
    const { id } = (await ask("admin", `POST ${at}/change-requests`, { subject: "Change" })).body;
    const path = "path/issues/leaking-roof";
    expect((await ask("admin", `GET ${at}/change-requests/${id}/content/${path}`)).body.title).toBe("Leaking roof");
    const { items } = (await ask("admin", `GET ${at}/revisions`)).body;
    expect((await ask("admin", `GET ${at}/revisions/${items[0].id}/${path}`)).body.title).toBe("Leaking roof");
  });

  test("computed pages are not stored, and each computation is logged for the integration's developers", async () => {
    const { storage, tree, ask, at, told, clock } = await stage();
    const before = await dump(storage);
    clock.forward(1000);
    await tree();
    told.by = () => ({ reply: { document: { markdown: 1 } } });
    await ask("read", `GET ${at}/content/path/issues/leaking-roof/comments`);
    const added = [...(await dump(storage))].filter(([key, value]) => before.get(key) !== value);
    expect(added.every(([key]) => key.includes("integration-event"))).toBe(true);
    const { items } = (await ask("admin", `GET ${bot}/events?limit=2`)).body;
    expect(JSON.stringify(items)).toContain("content_compute_revision");
    expect(JSON.stringify(items)).not.toContain("everywhere");
    expect(items.find((it: { status: string }) => it.status === "failed")).toMatchObject({
      payload: { type: "content_compute_document", sourceId: "issues" },
      attempts: [{ error: expect.stringContaining("Its answer is not shown: document: Expected a document") }],
    });
  });
});

describe("computed files", () => {
  const LOGO = {
    id: "logo",
    name: "logo.png",
    url: "https://cdn.example/logo.png?v=1",
    size: 1200,
    dimensions: { width: 30, height: 20 },
  };
  const NOTES = { id: "a/b)", name: "notes.md", url: "http://cdn.example/notes" };
  const WORDS = [
    "![Logo](/files/logo) [notes](/files/a%2Fb%29#top) [none](/files/none) `/files/logo`",
    '<picture><source srcset="/files/logo" media="(prefers-color-scheme: dark)"><img src="/files/logo"></picture>',
    "[by name][logo]",
    "[logo]: /files/logo",
  ].join("\n\n");
  const image = (file: string) => ({
    object: "block",
    type: "image",
    isVoid: true,
    data: { ref: { kind: "file", file } },
  });
  const drawn = (...files: string[]) => ({ object: "document", data: {}, nodes: [block("images", files.map(image))] });
  const block = (type: string, nodes: unknown[]) => ({ object: "block", type, isVoid: false, data: {}, nodes });
  const ANSWER = {
    pages: [
      { title: "Words", document: { markdown: WORDS } },
      { title: "Drawn", document: drawn("logo", "none") },
      { title: "Late", props: {} },
    ],
    files: [LOGO, NOTES],
  };
  const withFiles = ({ event }: Asked): Told => ({
    reply: event.type === "content_compute_document" ? { document: drawn("logo") } : ANSWER,
  });
  interface Listed {
    readonly id: string;
    readonly name: string;
    readonly downloadURL: string;
  }

  async function shelf(...given: Parameters<typeof stage>) {
    const it = await stage(...given);
    it.told.by = withFiles;
    const list = async (as: "read" | "guest" = "read", query = "", place = `${it.at}/content`): Promise<Listed[]> =>
      (await it.ask(as, `GET ${place}/files${query}`)).body.items;
    const text = async (path: string, query = "") =>
      (await it.ask("read", `GET ${it.at}/content/path/${path}${query}`)).body;
    const put = async () => {
      const files = [{ name: "kept.txt", contentType: "text/plain", base64: btoa("Kept.") }];
      const changes = [{ operation: "insert_files", files }];
      const { body } = await it.ask("admin", `POST ${it.at}/content`, { changes });
      return body.insertedFiles[0].id as string;
    };
    return { ...it, list, text, put };
  }

  test("computed files are listed with other files and read by id at their own URLs", async () => {
    const { ask, at, list, put, asked } = await shelf();
    const kept = await put();
    const found = await list();
    expect(found.map(({ name }) => name).sort()).toEqual(["kept.txt", "logo.png", "notes.md"]);
    expect(found.map(({ id }) => id)).toEqual(found.map(({ id }) => id).sort());
    const [logo, notes] = ["logo.png", "notes.md"].map((name) => found.find((it) => it.name === name)!);
    const { id: _, url: downloadURL, ...own } = LOGO;
    expect(logo).toEqual({ object: "file", id: logo!.id, ...own, downloadURL, contentType: "image/png" });
    expect(notes).toMatchObject({ downloadURL: NOTES.url, contentType: "text/markdown", size: 0 });
    for (const file of [logo!, notes!]) {
      expect(file.id).toMatch(/^fil_[0-9a-z]{28}$/);
      const one = await ask("read", `GET ${at}/content/files/${file.id}`);
      expect([one.status, one.body]).toEqual([200, file]);
      expect((await ask("read", `GET ${at}/content/files/${file.id}?computed=false`)).status).toBe(404);
      expect((await ask("read", `GET ${at}/content/files/${file.id}/backlinks`)).body.items).toEqual([]);
    }
    expect((await list("read", "?computed=false")).map(({ id }) => id)).toEqual([kept]);
    expect((await ask("read", `GET ${at}/content`)).body.files).toEqual(found);
    for (const own of ["logo", "a%2Fb)", "none"])
      expect((await ask("read", `GET ${at}/content/files/${own}`)).status).toBe(404);
    expect(asked).toHaveLength(1);
  });

  test("computed files are counted and paginated", async () => {
    const { ask, at, list, put } = await shelf([ISSUES, `${ISSUES}2`]);
    await put();
    const names: string[] = [];
    let next = "";
    do {
      const { body } = await ask("read", `GET ${at}/content/files?limit=2${next}`);
      expect(body.count).toBe(5);
      names.push(...body.items.map(({ id }: Listed) => id));
      next = body.next ? `&page=${encodeURIComponent(body.next.page)}` : "";
    } while (next !== "");
    expect(names).toEqual((await list()).map(({ id }) => id));
    expect(new Set(names).size).toBe(5);
  });

  test("computed files work without pages, and in change requests and revisions", async () => {
    const { ask, at, list, told } = await shelf();
    told.by = () => ({ reply: { files: [LOGO] } });
    const found = await list();
    expect(found.map(({ downloadURL }) => downloadURL)).toEqual([LOGO.url]);
    const { id } = (await ask("admin", `POST ${at}/change-requests`, { subject: "Change" })).body;
    const request = `${at}/change-requests/${id}`;
    expect((await ask("admin", `GET ${request}/content/files`)).body.items).toEqual(found);
    expect((await ask("admin", `GET ${request}/content/files/${found[0]!.id}`)).body).toEqual(found[0]);
    const { items } = (await ask("admin", `GET ${at}/revisions`)).body;
    expect(await list("read", "", `${at}/revisions/${items[0].id}`)).toEqual(found);
  });

  test("texts of the source refer to computed files by its own ids, and other names stay", async () => {
    const { list, text } = await shelf();
    const all = await list();
    const [logo, notes] = [LOGO, NOTES].map(({ name }) => all.find((it) => it.name === name)!.id);
    const ours = (written: string) =>
      written.replaceAll(/(?<![`])\/files\/logo/g, `/files/${logo}`).replace("/files/a%2Fb%29", `/files/${notes}`);
    expect((await text("issues/words")).markdown).toBe(ours(WORDS));
    const words = JSON.stringify((await text("issues/words", "?format=document")).document);
    expect(words.split(`{"kind":"file","file":"${logo}"}`)).toHaveLength(5);
    expect(words).toContain(`{"kind":"file","file":"${notes}"}`);
    expect(words).toContain('{"kind":"url","url":"/files/none"}');
    for (const page of ["drawn", "late"]) expect((await text(`issues/${page}`)).markdown).toContain(`/files/${logo}`);
    expect((await text("issues/drawn")).markdown).toContain("/files/none");
  });

  test("files of two sources, or of one source in two places, are distinct even with the same name", async () => {
    const { list, told, tree, ask, at } = await shelf([ISSUES, ISSUES, `${ISSUES}2`]);
    const other = { ...ANSWER, files: [{ ...LOGO, url: "https://cdn.example/2.png" }] };
    told.by = (it) => (it.event.props.state === "open2" ? { reply: other } : withFiles(it));
    const logos = (await list()).filter(({ name }) => name === LOGO.name);
    const pages = flat(await tree());
    // By its id a page is looked for everywhere, so all of them are at hand.
    const named = async (path: string) => {
      const { id } = pages.find((it) => it.path === path)!;
      const { markdown } = (await ask("read", `GET ${at}/content/page/${id}`)).body;
      return /\(\/files\/(\w+)\)/.exec(markdown)![1]!;
    };
    const ids = [await named("issues/words"), await named("issues-1/words"), await named("issues-2/words")];
    expect([...ids].sort()).toEqual(logos.map(({ id }) => id));
    const addresses = ids.map((id) => logos.find((it) => it.id === id)!.downloadURL);
    expect(addresses).toEqual([LOGO.url, LOGO.url, "https://cdn.example/2.png"]);
  });

  test("computed files keep their ids while those of the source stay, and their ETags follow the source", async () => {
    const { ask, at, list, told, clock } = await shelf();
    const headers = { "cache-control": "max-age=60" };
    told.by = () => ({ reply: ANSWER, headers });
    const before = await list();
    const paths = [`${at}/content/files/${before[0]!.id}`, `${at}/content`];
    const tags = await Promise.all(paths.map(async (path) => (await ask("read", `GET ${path}`)).headers.get("etag")!));
    const again = () =>
      Promise.all(paths.map((path, i) => ask("read", `GET ${path}`, undefined, { "if-none-match": tags[i]! })));
    expect((await again()).map(({ status }) => status)).toEqual([304, 304]);
    const moved = ANSWER.files.map((file) => ({ ...file, name: `new-${file.name}`, url: "https://new.example/x" }));
    told.by = () => ({ reply: { ...ANSWER, files: moved }, headers });
    clock.forward(60_000);
    expect((await again()).map(({ status }) => status)).toEqual([200, 200]);
    const after = await list();
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(after.map(({ downloadURL }) => downloadURL)).toEqual(["https://new.example/x", "https://new.example/x"]);
  });

  test("computed files are not stored, and nothing is fetched from their URLs", async () => {
    const { storage, list, text } = await shelf();
    const before = await dump(storage);
    await list();
    await text("issues/words", "?format=document");
    const added = [...(await dump(storage))].filter(([key, value]) => before.get(key) !== value);
    expect(added.every(([key]) => key.includes("integration-event"))).toBe(true);
    expect(JSON.stringify(added)).not.toContain("cdn.example");
  });

  test("S32: computed files disappear when the installation is paused or the source drops them", async () => {
    const { ask, at, list, told, installation, clock } = await shelf();
    const [file] = await list();
    const status = async () => (await ask("read", `GET ${at}/content/files/${file!.id}`)).status;
    expect(await status()).toBe(200);
    await ask("admin", `PATCH ${installation}`, { status: "paused" });
    expect([await status(), await list()]).toEqual([404, []]);
    await ask("admin", `PATCH ${installation}`, { status: "active" });
    expect(await status()).toBe(200);
    told.by = () => ({ reply: { pages: [] } });
    clock.forward(1);
    await ask("admin", `PATCH ${installation}`, { externalIds: ["x"] });
    expect([await status(), await list()]).toEqual([404, []]);
  });

  test("S19: computed files are visible exactly to those who see the pages", async () => {
    const yaml = `${ISSUES}\ndependencies:\n  it:\n    ref: { kind: openapi, spec: books }`;
    const it = await shelf([yaml], { scopes: ["openapi:read"] });
    const { ask, org, at, list } = it;
    await ask("admin", `PUT /v1/orgs/${org}/openapi/books`, { source: { text: BOOKS_31 } });
    const [file] = await list();
    expect(await list("guest")).toEqual([]);
    const asGuest = () => ask("guest", `GET ${at}/content/files/${file!.id}`);
    expect((await asGuest()).status).toBe(404);
    await ask("admin", `PATCH /v1/orgs/${org}/openapi/books`, { visibility: "public" });
    expect((await asGuest()).status).toBe(200);
    await ask("admin", `PATCH ${at}`, { defaultLevel: null });
    expect((await ask("stranger", `GET ${at}/content/files/${file!.id}`)).status).toBe(404);
  });

  test("texts that visitors read lead to computed files", async () => {
    const it = await shelf();
    const { inSite } = await published(it);
    const logo = (await it.list()).find(({ name }) => name === LOGO.name)!;
    const words = flat(await it.tree()).find(({ title }) => title === "Words")!;
    const read = () => it.ask(null, `GET ${inSite}/page/${words.id}?format=document`);
    expect(JSON.stringify((await read()).body.document)).toContain(`{"kind":"file","file":"${logo.id}"}`);
    await it.ask("admin", `PATCH ${it.installation}`, { status: "paused" });
    expect((await read()).status).toBe(404);
  });
});

test("a script that reads the space it computes for sees its stored content and does not wait for itself", async () => {
  const it = await stage([ISSUES, `${ISSUES}2`], { scopes: ["space:content:read"] });
  const reads = [
    `${it.at}/content/pages`,
    `${it.at}/content/files`,
    `${it.at}/content/files/none`,
    `${it.at}/links`,
    `${it.at}/search?query=xylophone`,
    `${it.at}/search?query=zeppelin`,
    `/v1/orgs/${it.org}/search?query=xylophone`,
  ];
  it.told.by = (asked) => (asked.event.props.state === "open" ? { reads } : answering(asked));
  const bodies: Record<string, string> = {};
  for (const { id, title } of flat(await it.tree()).filter(({ title }) => reads.includes(title)))
    bodies[title] = (await it.ask("read", `GET ${it.at}/content/page/${id}`)).body.markdown;
  const seen = (i: number) => JSON.parse(bodies[reads[i]!]!);
  expect(paths(seen(0).pages)).toEqual(["welcome", "issues", "issues-1", "after"]);
  expect([seen(1).count, seen(2).error.code]).toEqual([0, 404]);
  expect(seen(3).stats.broken.total).toBe(1);
  expect([seen(4).count, seen(5).count, seen(6).items.length]).toEqual([1, 0, 1]);
  // Each source was asked by those who read, once.
  expect(it.asked).toHaveLength(2);
  expect((await it.ask("read", `GET ${it.at}/search?query=everywhere`)).body.count).toBe(1);
});

describe("caching", () => {
  test("a content source is called once for simultaneous and later readers", async () => {
    const { tree, ask, at, asked } = await stage();
    await Promise.all(Array.from({ length: 8 }, (_, i) => tree(i % 2 ? "read" : "guest")));
    await ask("admin", `GET ${at}/content`);
    await ask("admin", `GET ${at}/content/path/issues/leaking-roof`);
    expect(asked).toHaveLength(1);
  });

  test("a content source is called once for each of its props and in each process", async () => {
    const { shown, asked, storage, options, clock, at, tokens } = await stage([ISSUES, ISSUES, `${ISSUES}2`]);
    await shown();
    expect(asked.map(({ event }) => event.props.state).sort()).toEqual(["open", "open2"]);
    const other = open(storage, { ...options, now: () => clock.now });
    await other.askWith(tokens.read, `GET ${at}/content/pages`);
    expect(asked).toHaveLength(4);
  });

  test("content sources are called a few at a time, the others in order", async () => {
    const { shown, asked } = await stage(Array.from({ length: 20 }, (_, i) => `${ISSUES}${i}`));
    const pages = (await shown()).filter((path) => path.endsWith("/elsewhere"));
    expect([pages.length, asked.length]).toEqual([20, 20]);
  });

  test("a content source is called again after a version is published, or the configuration or a dependency changes", async () => {
    const dependent = `${ISSUES}\ndependencies:\n  spec:\n    ref:\n      kind: openapi\n      spec: books`;
    const { ask, org, shown, asked, definition, onSpace, installation, clock } = await stage([dependent], {
      scopes: ["openapi:read"],
    });
    const calls = async () => {
      await shown();
      await shown();
      return asked.length;
    };
    expect(await calls()).toBe(1);
    await ask("admin", `POST ${bot}`, { ...definition, summary: "New" });
    expect(await calls()).toBe(2);
    await ask("admin", `PATCH ${onSpace}`, { configuration: { label: "x" } });
    expect(await calls()).toBe(3);
    expect(asked.at(-1)!.configuration).toEqual({ label: "x" });
    clock.forward(1);
    await ask("admin", `PATCH ${installation}`, { externalIds: ["y"] });
    expect(await calls()).toBe(4);
    await ask("admin", `PUT /v1/orgs/${org}/openapi/books`, { source: { text: BOOKS_31 } });
    expect(await calls()).toBe(5);
    expect(asked.at(-1)!.event.dependencies).toMatchObject({
      spec: { ref: { kind: "openapi", spec: "books" }, value: { slug: "books", version: expect.any(String) } },
    });
    await ask("admin", `PUT /v1/orgs/${org}/openapi/books`, { source: { text: BOOKS_31.replace("Borrow", "Take") } });
    expect(await calls()).toBe(6);
  });

  test("a result is cached as long as it says, and at least five seconds", async () => {
    const { shown, asked, told, clock } = await stage();
    told.by = () => ({ reply: OPEN, headers: { "cache-control": "max-age=60" } });
    const callsAfter = async (milliseconds: number) => {
      clock.forward(milliseconds);
      await shown();
      return asked.length;
    };
    expect(await callsAfter(0)).toBe(1);
    expect(await callsAfter(59_000)).toBe(1);
    told.by = () => ({ reply: { pages: [{ title: "New" }] }, headers: { "cache-control": "no-store" } });
    expect(await callsAfter(1_000)).toBe(2);
    expect(await shown()).toEqual(["welcome", "issues", "issues/new", "after"]);
    expect([await callsAfter(4_999), await callsAfter(1)]).toEqual([2, 3]);
  });

  test("the ETag of a tree follows the results of content sources", async () => {
    const { ask, at, told, clock } = await stage();
    told.by = () => ({ reply: OPEN, headers: { "cache-control": "max-age=60" } });
    const get = (etag?: string) =>
      ask("read", `GET ${at}/content/pages`, undefined, etag === undefined ? {} : { "if-none-match": etag });
    const etag = (await get()).headers.get("etag")!;
    expect((await get(etag)).status).toBe(304);
    told.by = () => ({ reply: { pages: [] } });
    clock.forward(60_000);
    const now = await get(etag);
    expect([now.status, paths(now.body.pages)]).toEqual([200, NOTHING]);
    // A writer means the revision, whatever was answered.
    const changes = [{ operation: "insert_page", title: "New", document: {} }];
    const write = (ifMatch: string) => ask("admin", `POST ${at}/content`, { changes }, { "if-match": ifMatch });
    expect((await write(etag)).status).toBe(200);
    expect((await write(etag)).status).toBe(412);
  });
});

describe("failing content sources", () => {
  test.each<[string, Told]>([
    ["throws", { throw: true }],
    ["loops for ever", { loop: true }],
    ["fills its memory", { fill: true }],
    ["refuses", { status: 500, reply: {} }],
    ["knows nothing of it", { status: 406, reply: {} }],
    ["answers something else", { reply: { pages: "none" } }],
    ["answers with members that nobody knows", { reply: { pages: [{ title: "A", markdown: "b" }] } }],
    ["answers with a file without an address", { reply: { ...OPEN, files: [{ id: "a", name: "a.png" }] } }],
    [
      "answers one id twice",
      {
        reply: {
          pages: [
            { id: "a", title: "A" },
            { id: "a", title: "B" },
          ],
        },
      },
    ],
    ["answers too many pages", { reply: { pages: Array.from({ length: 1001 }, () => ({ title: "A" })) } }],
    ["S40: answers with JSON without a bottom", { deep: 400_000 }],
    ["S40: answers with a text that is too long", { long: 3_000_000 }],
    [
      "S17: answers with a document that is none",
      { reply: { pages: [{ title: "A", document: { object: "document" } }] } },
    ],
    ["S18: leads to an address that runs", { reply: { pages: [{ title: "A", type: "link", href: "javascript:1" }] } }],
    [
      "S18: has a file at an address that runs",
      { reply: { ...OPEN, files: [{ id: "a", name: "a.png", url: "javascript:1" }] } },
    ],
    ["S7: names a prototype", { reply: { pages: [{ title: "A", props: { constructor: 1 } }] } }],
  ])("a content source that %s shows nothing and affects nothing else", async (_, behaviour) => {
    const { shown, ask, at, asked, told, clock } = await stage();
    told.by = () => behaviour;
    expect(await shown()).toEqual(NOTHING);
    expect((await ask("read", `GET ${at}/content/path/issues`)).body).toMatchObject({ type: "computed", pages: [] });
    expect((await ask("read", `GET ${at}/content/path/after`)).body.title).toBe("After");
    expect((await ask("read", `GET ${at}/search?query=xylophone`)).body.count).toBe(1);
    expect((await ask("read", `GET ${at}/content/path/issues/leaking-roof`)).status).toBe(404);
    // Nobody asks again for half a minute.
    expect(asked).toHaveLength(1);
    told.by = answering;
    clock.forward(29_999);
    expect(await shown()).toEqual(NOTHING);
    clock.forward(1);
    expect(await shown()).toEqual(ALL);
    expect(asked).toHaveLength(2);
  });

  test("a deferred text that fails is empty, on a page that exists", async () => {
    const { ask, at, told } = await stage();
    told.by = (it) => (it.event.type === "content_compute_document" ? { throw: true } : { reply: OPEN });
    const { status, body } = await ask("read", `GET ${at}/content/path/issues/leaking-roof/comments`);
    expect([status, body.title, body.markdown]).toEqual([200, "Comments", ""]);
  });

  test("a failing content source does not affect others", async () => {
    const { shown, told } = await stage([ISSUES, `${ISSUES}2`]);
    told.by = ({ event }) => (event.props.state === "open" ? { throw: true } : { reply: { pages: [{ title: "B" }] } });
    expect(await shown()).toEqual(["welcome", "issues", "issues-1", "issues-1/b", "after"]);
  });
});

describe("content sources that are not called", () => {
  test.each([
    ["type: integration:bot:other"],
    ["type: integration:none:issues"],
    ["type: integration:BOT:issues"],
    ["type: integration:bot"],
    ["type: integration:bot:issues:more"],
    ["type: integration:__proto__:constructor"],
  ])("a content source is not called for %s", async (yaml) => {
    const { shown, asked } = await stage([yaml]);
    expect((await shown()).slice(-1)).toEqual(["after"]);
    expect(await shown()).toHaveLength(3);
    expect(asked).toEqual([]);
  });

  test("S40: a content source is not called for a definition that is a bomb or endless", async () => {
    const bomb = [
      "a: &a [x,x,x,x,x,x,x,x,x]",
      ...[..."bcdefghi"].map((it, i) => `${it}: &${it} [${Array(9).fill(`*${"abcdefgh"[i]}`)}]`),
    ];
    const bombs = [bomb.join("\n  "), "a: &a\n    b: *a", "__proto__:\n    x: 1"];
    const { shown, asked } = await stage(bombs.map((props) => `type: integration:bot:issues\nprops:\n  ${props}`));
    expect((await shown()).filter((path) => path.includes("/"))).toEqual([]);
    expect(asked).toEqual([]);
  });

  test("S32: a content source is not called once its installation is paused or removed, or the integration is unpublished", async () => {
    const { ask, shown, installation, onSpace, space, asked } = await stage();
    expect(await shown()).toEqual(ALL);
    await ask("admin", `PATCH ${installation}`, { status: "paused" });
    expect(await shown()).toEqual(NOTHING);
    await ask("admin", `PATCH ${installation}`, { status: "active" });
    expect(await shown()).toEqual(ALL);
    await ask("admin", `DELETE ${onSpace}`);
    expect(await shown()).toEqual(NOTHING);
    await ask("admin", `PATCH ${installation}`, { space_selection: "all" });
    expect(await shown()).toEqual(ALL);
    await ask("admin", `PATCH ${installation}`, { space_selection: "selected" });
    expect((await ask("admin", `POST ${installation}/spaces`, { space })).status).toBe(201);
    expect(await shown()).toEqual(ALL);
    const before = asked.length;
    await ask("admin", `DELETE ${bot}`);
    expect(await shown()).toEqual(NOTHING);
    await ask("admin", `DELETE ${installation}`);
    expect(await shown()).toEqual(NOTHING);
    expect(asked).toHaveLength(before);
  });

  test("a content source is not called while the space lacks required configuration", async () => {
    const configurations = { space: { properties: { label: { type: "string" } }, required: ["label"] } };
    const { ask, shown, onSpace, asked } = await stage([ISSUES], { configurations });
    expect(await shown()).toEqual(NOTHING);
    expect(asked).toEqual([]);
    await ask("admin", `PATCH ${onSpace}`, { configuration: { label: "x" } });
    expect(await shown()).toEqual(ALL);
  });

  test("a content source is not called for those who cannot see the space", async () => {
    const { ask, at, asked } = await stage();
    await ask("admin", `PATCH ${at}`, { defaultLevel: null });
    for (const person of ["stranger", "rival", null] as const)
      expect((await ask(person, `GET ${at}/content/pages`)).status).toBe(person === null ? 401 : 404);
    expect(asked).toEqual([]);
  });
});

describe("dependencies", () => {
  const on = (ref: string) => `${ISSUES}\ndependencies:\n  it:\n    ref: ${ref}`;
  const value = (asked: readonly Asked[]) => (asked.at(-1)!.event.dependencies.it as { value: unknown }).value;

  test("S19: a dependency is passed on only as far as the integration may see it, and in no other space", async () => {
    const refs = ["{ kind: openapi, spec: books }", "{ kind: space }", "{ kind: url, url: https://a.example }"];
    const closed = await stage(refs.map(on));
    await closed.ask("admin", `PUT /v1/orgs/${closed.org}/openapi/books`, { source: { text: BOOKS_31 } });
    await closed.shown();
    const values = closed.asked.map(({ event }) => (event.dependencies.it as { value: unknown }).value);
    expect(values).toEqual([null, null, null]);
    const other = (await closed.ask("admin", `POST /v1/orgs/${closed.org}/spaces`, { title: "Other" })).body.id;
    const scopes = { scopes: ["space:content:read", "openapi:read"] };
    const elsewhere = await stage([on(`{ kind: space, space: ${other} }`)], scopes);
    await elsewhere.shown();
    expect(value(elsewhere.asked)).toBeNull();
  });

  test("a dependency on the space or one of its pages has its current state", async () => {
    const { shown, asked, ask, at, space } = await stage([on("{ kind: space }")], { scopes: ["space:content:read"] });
    await shown();
    const { revision } = (await ask("read", `GET ${at}`)).body;
    expect(value(asked)).toEqual({ object: "space", id: space, revision });
    const changes = [{ operation: "insert_page", title: "New", document: {} }];
    await ask("admin", `POST ${at}/content`, { changes });
    await shown();
    expect(asked).toHaveLength(2);
    expect(value(asked)).not.toMatchObject({ revision });
  });

  test("a dependency on a private specification hides the result from guests and visitors", async () => {
    const it = await stage([on("{ kind: openapi, spec: books }")], { scopes: ["openapi:read"] });
    const { ask, org, tree } = it;
    await ask("admin", `PUT /v1/orgs/${org}/openapi/books`, { source: { text: BOOKS_31 } });
    expect([paths(await tree("read")), paths(await tree("guest"))]).toEqual([ALL, NOTHING]);
    const site = await published(it);
    expect((await site.look()).tree).toEqual(NOTHING);
    await ask("admin", `PATCH /v1/orgs/${org}/openapi/books`, { visibility: "public" });
    expect(paths(await tree("guest"))).toEqual(ALL);
    expect((await site.look()).tree).toEqual(ALL);
  });
});

async function published({ ask, org, space, tree }: Awaited<ReturnType<typeof stage>>) {
  const made = await ask("admin", `POST /v1/orgs/${org}/sites`, { title: "Docs", spaces: [space] });
  const site = `/v1/orgs/${org}/sites/${made.body.id}`;
  const url = (await ask("admin", `POST ${site}/publish`)).body.urls.published;
  const inSite = `${site}/site-spaces/${(await ask("admin", `GET ${site}/site-spaces`)).body.items[0].id}`;
  const look = async () => {
    const comments = flat(await tree()).find(({ title }) => title === "Comments");
    return {
      tree: paths((await ask(null, `GET ${inSite}/pages`)).body.pages),
      text: (await ask(null, `GET ${inSite}/page/${comments?.id}`)).body.markdown,
      hits: (await ask(null, `POST ${site}/search`, { query: "zeppelin" })).body.count,
      late: (await ask(null, `POST ${site}/search`, { query: "quokka" })).body.count,
      url: (await ask(null, "POST /v1/urls/published", { url: `${url}/issues/leaking-roof` })).body.page !== undefined,
    };
  };
  return { look, inSite };
}

test("visitors of a site see computed content as long as it exists", async () => {
  const it = await stage();
  const { look } = await published(it);
  expect(await look()).toEqual({ tree: ALL, text: "Use a quokka.\n", hits: 1, late: 0, url: true });
  await it.ask("admin", `PATCH ${it.installation}`, { status: "paused" });
  expect(await look()).toMatchObject({ tree: NOTHING, hits: 0, url: false });
});

describe("content sources in development", () => {
  /** One that answers has all the time that a busy machine needs; one that says nothing is waited for `maxSeconds`. */
  async function tunnelled(chapters?: readonly string[], maxSeconds = 600) {
    const receiver = createReceiver();
    const it = await stage(chapters, {}, { tunnel: receiver.fetch, maxSeconds });
    expect((await it.ask("admin", `PUT ${bot}/dev`, { tunnelUrl: TUNNEL })).status).toBeLessThan(300);
    return { ...it, receiver };
  }
  const computes = JSON.stringify({ pages: [{ title: "New" }] });

  test("during development, a source is called every five seconds, since no version indicates a change", async () => {
    const { receiver, shown, clock, asked } = await tunnelled();
    receiver.behave = answers(200, computes);
    expect(await shown()).toContain("issues/new");
    const before = receiver.taken.length;
    clock.forward(4_999);
    await shown();
    expect(receiver.taken).toHaveLength(before);
    clock.forward(1);
    await shown();
    expect(receiver.taken).toHaveLength(before + 1);
    expect(receiver.taken.at(-1)!.event).toMatchObject({ type: "content_compute_revision", sourceId: "issues" });
    expect(asked).toEqual([]);
  });

  test("S3: during development, no redirect is followed", async () => {
    const { receiver, shown } = await tunnelled();
    receiver.behave = answers(302, "", { location: "http://169.254.169.254/" });
    const before = receiver.tried.length;
    expect(await shown()).toEqual(NOTHING);
    expect(receiver.tried.slice(before).map(({ url }) => url)).toEqual([`${TUNNEL}/v1`]);
  });

  test("during development, a silent source delays no one longer than any call", async () => {
    const { receiver, shown } = await tunnelled(undefined, 0.05);
    receiver.behave = stalls;
    expect(await shown()).toEqual(NOTHING);
  });

  test("during development, many silent sources delay a tree no longer than one", async () => {
    const { receiver, shown } = await tunnelled(
      Array.from({ length: 30 }, (_, i) => `${ISSUES}${i}`),
      0.05,
    );
    receiver.behave = stalls;
    const before = receiver.tried.length;
    expect((await shown()).filter((path) => path.endsWith("/new"))).toEqual([]);
    // Those that had no turn in that time were not asked at all.
    expect(receiver.tried.length - before).toBeLessThan(30);
  });

  test("during development, sources are called in parallel", async () => {
    const { receiver, shown } = await tunnelled([ISSUES, `${ISSUES}2`, `${ISSUES}3`]);
    const waiting: (() => void)[] = [];
    // Nobody is answered before everybody has asked.
    receiver.behave = async () => {
      await new Promise<void>((go) => {
        waiting.push(go);
        if (waiting.length === 3) for (const each of waiting) each();
      });
      return new Response(computes);
    };
    expect((await shown()).filter((path) => path.endsWith("/new"))).toHaveLength(3);
  });
});
