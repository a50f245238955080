// Names that people give: of variables, pages, files and search words. They are plain data, and lead nowhere but to what
// they name.

import { request as httpRequest } from "node:http";
import { memoryStorage } from "octavo/memory";
import { nodeHandler } from "octavo/node";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { host } from "../support/listening";
import { dump, type Setting, setUp } from "../support/setting";
import { change, changed, issueIn, newFile, newHiddenSpace, newPage, newSpace, page, read } from "./contents";

const REACHING = ["__proto__", "constructor", "prototype"] as const;
let setting: Setting;
let space: string;

beforeEach(async () => {
  setting = await setUp(memoryStorage());
  space = await newSpace(setting);
});

describe("S7: prototype pollution", () => {
  afterEach(() => {
    const plain = {} as Record<string, unknown>;
    expect([plain.polluted, plain.x, Object.keys(Object.prototype)]).toEqual([undefined, undefined, []]);
  });

  /** As JSON that arrives, where such a key is a member like any other. */
  const withKey = (key: string, value: unknown): object =>
    JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(value)}}`);

  test.each(REACHING)("S7: a variable named %s is stored or rejected and never silently lost", async (name) => {
    const answer = await change(setting, space, [{ operation: "set_variables", variables: withKey(name, "polluted") }]);
    if (answer.status !== 200) {
      expect(issueIn(answer)).toMatchObject({ status: 400, path: expect.stringContaining("body.changes.0.variables") });
      return;
    }
    const { variables } = (await setting.ask("read", `GET /v1/spaces/${space}/content`)).body;
    expect(Object.entries(variables)).toEqual([[name, "polluted"]]);
  });

  test.each(REACHING)("S7: a page variable named %s is stored or rejected and never silently lost", async (name) => {
    const answer = await change(setting, space, [page("A", "", { variables: withKey(name, "polluted") })]);
    if (answer.status !== 200) {
      expect(issueIn(answer)).toMatchObject({ status: 400, path: expect.stringContaining("body.changes.0.variables") });
      return;
    }
    const { body } = await read(setting, space, answer.body.changes[0].page.id);
    expect(Object.entries(body.variables ?? {})).toEqual([[name, "polluted"]]);
  });

  test.each(REACHING)("S7: a call without HTTP stores or rejects a variable named %s", async (name) => {
    const body = { changes: [{ operation: "set_variables" as const, variables: withKey(name, "polluted") as never }] };
    const as = { user: setting.ids.edit };
    const outcome = await setting.api.call("changeContent", { params: { spaceId: space }, body }, as).catch((it) => it);
    if (outcome.reason !== "invalid_request") {
      const { variables } = (await setting.ask("read", `GET /v1/spaces/${space}/content`)).body;
      expect(Object.keys(variables)).toEqual([name]);
    }
  });

  test.each(REACHING)("S7: an object as the value of %s is rejected", async (name) => {
    const value = withKey(name, { polluted: true });
    for (const changes of [[{ operation: "set_variables", variables: value }], [page("A", "", { variables: value })]])
      expect(issueIn(await change(setting, space, changes))).toMatchObject({
        status: 400,
        path: expect.stringContaining("body.changes.0.variables"),
      });
  });

  test("S7: front matter with such keys stays as written and affects nothing", async () => {
    const matter = [
      "vars:\n  __proto__:\n    polluted: true\n  constructor: mine\n  toString: text",
      "__proto__:\n  polluted: true\nvars: { __proto__: { polluted: true } }",
      "layout: { __proto__: { polluted: true }, constructor: { prototype: { polluted: true } } }",
      "constructor: { prototype: { polluted: true } }\ncover: __proto__",
      "? __proto__\n: polluted: true",
      "<<: { polluted: true }\nvars: { <<: { polluted: true } }",
    ];
    for (const text of matter.map((it) => `---\n${it}\n---\n# Title\n\nText.\n`)) {
      const id = await newPage(setting, space, "A", text);
      const { status, body } = await read(setting, space, id);
      expect([status, body.markdown]).toEqual([200, text]);
      expect(body.layout?.polluted ?? body.variables?.polluted ?? body.polluted).toBeUndefined();
      const renamed = await change(setting, space, [
        { operation: "update_page", page: id, title: "New", icon: "bolt" },
      ]);
      expect(renamed.status).toBe(200);
      expect((await read(setting, space, id)).body.title).toBe("New");
    }
  });

  test("S7: an expression finds only variables that were set, whatever their names", async () => {
    const names = ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf", "prototype"];
    const text = names.map((name) => `[<code class="expression">space.vars.${name}</code>]`).join("\n\n");
    const id = await newPage(setting, space, "A", text);
    const seen = async () => (await read(setting, space, id, "?evaluated=true")).body.markdown as string;
    expect(await seen()).toBe(names.map(() => "[]").join("\n\n"));
    await changed(setting, space, [{ operation: "set_variables", variables: { toString: "mine", valueOf: true } }]);
    expect(await seen()).toBe(["[]", "[]", "[mine]", "[]", "[true]", "[]"].join("\n\n"));
  });

  test("S7: posted documents with such keys are rejected with the location", async () => {
    const paragraph = (more: string) =>
      `{"object":"block","type":"paragraph","nodes":[{"object":"text","leaves":[{"object":"leaf","text":"a","marks":[]}]}]${more}}`;
    const documents = REACHING.flatMap((key) => [
      `{"object":"document","data":{},"nodes":[],"${key}":{"polluted":true}}`,
      `{"object":"document","data":{"${key}":{"polluted":true}},"nodes":[]}`,
      `{"object":"document","data":{},"nodes":[${paragraph(`,"${key}":{"polluted":true}`)}]}`,
      `{"object":"document","data":{},"nodes":[${paragraph(`,"data":{"${key}":{"polluted":true}}`)}]}`,
      `{"object":"document","data":{},"nodes":[${paragraph(`,"meta":{"${key}":"x"}`)}]}`,
      `{"object":"document","data":{},"nodes":[{"object":"block","type":"table","isVoid":true,"data":{"view":{"type":"grid","columns":[],"hideHeader":false},"records":{"${key}":{"orderIndex":"a","values":{}}},"definition":{}}}]}`,
      `{"object":"document","data":{},"nodes":[{"object":"block","type":"integration","isVoid":true,"data":{"integration":"a","block":"b","props":{"${key}":"x"}}}]}`,
      `{"object":"document","data":{},"nodes":[{"object":"block","type":"${key}"}]}`,
      `{"object":"${key}","data":{},"nodes":[]}`,
    ]);
    for (const document of documents) {
      const body = `{"changes":[{"operation":"insert_page","title":"A","document":{"document":${document}}}]}`;
      const answer = await setting.ask("edit", `POST /v1/spaces/${space}/content`, body);
      expect(issueIn(answer), document).toMatchObject({
        status: 400,
        path: expect.stringContaining("body.changes.0.document"),
      });
    }
  });

  test("S7: such members anywhere else in a batch are unknown and reported", async () => {
    for (const key of REACHING) {
      const bodies = [
        `{"${key}":{"polluted":true},"changes":[{"operation":"insert_group","title":"A"}]}`,
        `{"changes":[{"operation":"insert_group","title":"A","${key}":{"polluted":true}}]}`,
        `{"changes":[{"operation":"insert_page","document":{"${key}":{"polluted":true}}}]}`,
        `{"changes":[{"operation":"insert_page","document":{},"layout":{"${key}":{"polluted":true}}}]}`,
        `{"changes":[{"operation":"insert_link","title":"A","target":{"kind":"url","url":"https://x.test/","${key}":1}}]}`,
        `{"changes":[{"operation":"${key}"}]}`,
        `{"changes":[{"${key}":{"operation":"insert_group","title":"A"}}]}`,
        `{"changes":{"${key}":[]}}`,
      ];
      for (const body of bodies)
        expect((await setting.ask("edit", `POST /v1/spaces/${space}/content`, body)).status, body).toBe(400);
    }
    expect((await setting.ask("read", `GET /v1/spaces/${space}/content`)).body.pages).toEqual([]);
  });

  test("S7: titles, refs, paths, headings, files and search words with such names are ordinary", async () => {
    const odd = ["constructor", "prototype", "__proto__", "toString", "hasOwnProperty", "__defineGetter__"];
    for (const name of odd) {
      const made = await changed(setting, space, [
        page(name, `## ${name}\n\n[link](${name}.md#${name}) ${name}\n`, { ref: name, emoji: name, icon: name }),
        { operation: "insert_reusable_content", title: name, document: { markdown: name } },
        page("Below", `[up](./${name}.md)`, { into: name }),
      ]);
      const { body } = await read(setting, space, made.changes[0].page.id, "?format=document");
      expect([body.title, body.pages[0].title]).toEqual([name, "Below"]);
      expect((await setting.ask("read", `GET /v1/spaces/${space}/content/path/${body.path}`)).body.id).toBe(body.id);
      const file = await newFile(setting, space, { name, contentType: name, content: "text" });
      expect([file.name, file.contentType]).toEqual([name, "text/plain"]);
      const found = await setting.ask("read", `GET /v1/spaces/${space}/search?query=${name}`);
      expect(found.body.items.map(({ title }: { title: string }) => title)).toContain(name);
      const backlinks = await setting.ask("read", `GET /v1/spaces/${space}/content/page/${body.id}/backlinks`);
      expect([backlinks.status, backlinks.body.count]).toEqual([200, 2]);
    }
    const { stats } = (await setting.ask("read", `GET /v1/spaces/${space}/links`)).body;
    expect([stats.total, typeof stats.broken.total]).toEqual([2 * odd.length, "number"]);
  });

  test("S7: ids and queries with such names find nothing", async () => {
    for (const name of [...REACHING, "toString"]) {
      for (const path of [`content/page/${name}`, `content/files/${name}`, `content/reusable-contents/${name}`])
        expect((await setting.ask("read", `GET /v1/spaces/${space}/${path}`)).status).toBe(404);
      expect((await setting.ask("read", `GET /v1/spaces/${space}/revisions/${name}`)).status).toBe(404);
      expect((await setting.ask("read", `GET /v1/spaces/${space}/search?query=${name}`)).body.count).toBe(0);
      const asked = await setting.ask("read", `GET /v1/spaces/${space}/content?${name}=1&${name}[x]=2`);
      expect(asked.body.error.issues).toMatchObject([{ path: `query.${name}` }, { path: `query.${name}[x]` }]);
      for (const operation of ["delete_page", "move_page", "revert_page"])
        expect((await change(setting, space, [{ operation, page: name }])).status).toBe(400);
    }
  });
});

describe("S11: path traversal", () => {
  /** Asks with the path as it stands: `fetch` would tidy it up before it is sent. */
  async function raw(path: string, token = setting.tokens.read): Promise<{ status: number; body: string }> {
    const { port, close } = await host(nodeHandler(setting.api));
    try {
      return await new Promise((resolve, reject) => {
        const headers = { authorization: `Bearer ${token}`, connection: "close" };
        httpRequest({ host: "127.0.0.1", port, path, headers }, (response) => {
          let body = "";
          response.on("data", (data) => {
            body += data;
          });
          response.on("end", () => resolve({ status: response.statusCode!, body }));
        })
          .on("error", reject)
          .end();
      });
    } finally {
      await close();
    }
  }

  const TRICKS = [
    "..%2F..",
    "%2e%2e%2f%2e%2e%2f",
    "guide%2F..%2Fguide",
    "%2F..%2Fguide",
    "guide%2f%2e%2e%2fguide",
    "..%5Cguide",
    "guide%5C..%5Cguide",
    "..%255cguide",
    "%252e%252e%252fguide",
    "guide%00",
    "%00guide",
    "guide%00.md",
    "guide%0d%0aX: y".replace(" ", "%20"),
    "guide%20",
    "guide.",
    "GUIDE",
    "guide%2F%2E",
    "C:%5Cguide",
    "file:%2F%2F%2Fguide",
    "~",
    "-",
    "*",
    "%E2%80%A5%2Fguide",
    "%EF%BC%8E%EF%BC%8E%2Fguide",
    "p%2F",
    "s%2F-%2Fguide",
  ];

  test.each(["content", "revisions/{revision}"])(
    "S11: no spelling of dots leads out of the pages of a space: %s",
    async (at) => {
      await newPage(setting, space, "Guide", "The guide.\n");
      const { revision } = (await setting.ask("read", `GET /v1/spaces/${space}`)).body;
      const base = `/v1/spaces/${space}/${at.replace("{revision}", revision)}/path`;
      expect((await raw(`${base}/guide`)).status).toBe(200);
      for (const trick of TRICKS) {
        const { status, body } = await raw(`${base}/${trick}`);
        expect([status, JSON.parse(body).error.reason], trick).toEqual([404, "page_not_found"]);
      }
    },
  );

  test("S11: an invalid escape is reported, and an overlong path is simply not found", async () => {
    const base = `/v1/spaces/${space}/content/path`;
    for (const path of ["%", "%f", "%c0%ae%c0%ae%c0%af", "%ff", "%ed%a0%80"])
      expect(issueIn(await setting.ask("read", `GET ${base}/${path}`))).toMatchObject({
        status: 400,
        path: "params.pagePath",
      });
    for (const path of ["a".repeat(10_000), "a/".repeat(5_000), "%2e%2e%2f".repeat(1_000)])
      expect((await setting.ask("read", `GET ${base}/${path}`)).body.error.reason).toBe("page_not_found");
  });

  test("S11: plain dots are resolved before the lookup and grant nothing that the plain path does not", async () => {
    const hidden = await newHiddenSpace(setting);
    await newPage(setting, hidden, "Secret", "Words.\n", "admin");
    const base = `/v1/spaces/${space}/content/path`;
    const wanted = [
      `../../../${hidden}/content/path/secret`,
      `%2e%2e/%2e%2e/%2E%2E/${hidden}/content`,
      `..\\..\\..\\${hidden}\\content`,
      `.%2e/.%2e/.%2e/${hidden}/revisions`,
      `../../../../spaces/${hidden}`,
      `../../../../../../../../../v1/spaces/${hidden}`,
    ];
    for (const path of wanted) expect([path, (await raw(`${base}/${path}`)).status]).toEqual([path, 404]);
    expect((await raw(`${base}/../../../${hidden}/content`, setting.tokens.admin)).status).toBe(200);
  });

  test("S11: links with dots lead to pages of the space or nowhere", async () => {
    const target = await newPage(setting, space, "Guide");
    const hidden = await newHiddenSpace(setting);
    const secret = await newPage(setting, hidden, "Secret", "Words.\n", "admin");
    const lost = [
      "../../etc/passwd",
      "..%2F..%2F..%2Fguide2",
      `../spaces/${hidden}`,
      `../../${hidden}/secret`,
      `/pages/${secret}`,
      `/pages/../pages/${secret}`,
      `/spaces/../spaces/${hidden}`,
      `/files/..%2Fpages%2F${target}x`,
      ".gitbook/../../secret",
      ".gitbook/assets/../../guide2",
      "guide\\..\\x",
      "%00guide",
      "p/x",
      "s/-/guide",
    ];
    const id = await newPage(setting, space, "Links", lost.map((href) => `[a](<${href}>)`).join("\n\n"));
    const { body } = await setting.ask("read", `GET /v1/spaces/${space}/content/page/${id}/links`);
    expect(body.stats).toEqual({ total: lost.length, broken: { total: lost.length, changeRequest: 0 } });
    for (const { status, targetReference } of body.items)
      expect([status, targetReference.kind], targetReference.url).toEqual(["broken", "url"]);
    expect(JSON.stringify(body)).not.toContain("Hidden plans");
  });

  test("S11: slugs contain no path", async () => {
    const bad = [
      "..",
      ".",
      "a/b",
      "a\\b",
      "%2e%2e",
      "a%2Fb",
      "a b",
      "A",
      "a\0b",
      "-a",
      "a--b",
      "\u202ea",
      "~",
      "a.md",
      "ａ",
    ];
    for (const slug of bad)
      expect(issueIn(await change(setting, space, [page("A", "", { slug })])), slug).toMatchObject({
        status: 400,
        path: "body.changes.0.slug",
      });
    const titles = ["../../etc/passwd", "..", "/", "\\\\host\\share", "\0", "CON", "a/b", "%2e%2e%2f", "\u202egpj.exe"];
    for (const title of titles) {
      const { body } = await read(setting, space, await newPage(setting, space, title));
      expect(body.slug, title).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    }
  });

  test("S11: file names lose their folders and are listed under their own folder in links", async () => {
    const names: [given: string, kept: string][] = [
      ["../../etc/passwd", "passwd"],
      ["..\\..\\boot.ini", "boot.ini"],
      ["/etc/shadow", "shadow"],
      ["C:\\x\\y.txt", "y.txt"],
      ["C:evil.txt", "evil.txt"],
      ["a/../../b.txt", "b.txt"],
      ["..", "file"],
      ["...", "file"],
      ["a\0.txt", "a.txt"],
      [".\0./x.txt", "x.txt"],
      ["%2e%2e%2fx.txt", "%2e%2e%2fx.txt"],
      ["\u202egpj.exe", "gpj.exe"],
      [`${"a".repeat(250)}.txt`, `${"a".repeat(250)}.txt`],
    ];
    for (const [given, kept] of names)
      expect((await newFile(setting, space, { name: given, content: "x" })).name, given).toBe(kept);
    const file = await newFile(setting, space, { name: "../assets/../../evil.png", content: "x" });
    const link = await newPage(setting, space, "Link", "[a](../.gitbook/assets/evil.png) [b](.gitbook/evil.png)");
    const { items } = (await setting.ask("read", `GET /v1/spaces/${space}/content/page/${link}/links`)).body;
    expect(
      items.map(({ targetReference: { file } }: { targetReference: { file?: { id: string } } }) => file?.id),
    ).toEqual([file.id, undefined]);
    expect((await change(setting, space, [insertion("a".repeat(257))])).status).toBe(400);
    expect((await change(setting, space, [insertion("")])).status).toBe(400);
  });

  const insertion = (name: string) => ({
    operation: "insert_files",
    files: [{ name, contentType: "text/plain", base64: "eA==" }],
  });

  test("S11: no storage key contains a name chosen by a person", async () => {
    const marks = ["etcpasswd", "%2e%2e", "..", "shadowfile", "zebra"];
    await changed(setting, space, [
      page("../../etcpasswd zebra", "## zebra\n\n[a](../../shadowfile.md) [b](/x/%2e%2e/zebra)\n", { ref: "zebra" }),
      insertion("../shadowfile"),
      { operation: "set_variables", variables: { zebra: "zebra" } },
      { operation: "insert_reusable_content", title: "../zebra", document: { markdown: "zebra" } },
    ]);
    await newFile(setting, space, { name: "../../zebra.bin", content: "z".repeat(40_000) });
    await setting.ask("read", `GET /v1/spaces/${space}/search?query=zebra`);
    for (const name of (await dump(setting.storage)).keys())
      for (const mark of marks) expect(name.includes(mark), name).toBe(false);
  });
});
