// Imports of what is hostile: addresses that lead inside, archives that lead out of themselves, and small things that want
// to become large. Whatever is refused leaves the storage as it was.

import { gzipSync } from "node:zlib";
import { strToU8, zipSync } from "fflate";
import { memoryStorage } from "octavo/memory";
import { guardedFetch } from "octavo/node";
import { describe, expect, test } from "vitest";
import { zipOf } from "../importers/archive-bytes";
import { PIXEL } from "../importers/docx-fixture";
import { page } from "../importers/website-site";
import { redirectTo, resolver, site } from "../node/egress/servers";
import { dump, setUp } from "../support/setting";

const SOURCES = [
  "website",
  "docx",
  "markdown",
  "html",
  "zip",
  "confluence",
  "github-wiki",
  "notion",
  "google-docs",
] as const;
type Source = (typeof SOURCES)[number];

/** An API with a space, and a way to import into it. */
async function docs(fetch: typeof globalThis.fetch, imports: { maxBytes?: number } = {}) {
  const errors: unknown[] = [];
  const storage = memoryStorage();
  const { ask, org } = await setUp(storage, { fetch, imports, onError: (error) => errors.push(error) });
  const space = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Guide" })).body.id;
  const before = await dump(storage);
  return {
    ask,
    space,
    importing: (source: Source, url: string) =>
      ask("admin", `POST /v1/spaces/${space}/content/import`, { source, url }),
    /** Nothing was stored, not even what nobody would see, and nobody had to be told. */
    expectUntouched: async () => {
      expect(await dump(storage)).toEqual(before);
      expect(errors).toEqual([]);
      for await (const blob of storage.blobs.list("")) expect.unreachable(`${blob} was stored`);
    },
    titles: async (): Promise<string[]> =>
      (await ask("admin", `GET /v1/spaces/${space}/content/pages`)).body.pages.map((it: { title: string }) => it.title),
    report: async (revision: string): Promise<{ resource: string; reason: string }[]> =>
      (await ask("admin", `GET /v1/spaces/${space}/revisions/${revision}/import`)).body.skipped,
  };
}

/** Where a source is taken from on a host. Two of them know their hosts by name. */
function addressOf(source: Source, origin: string): string {
  if (source === "google-docs") return "https://docs.google.com/document/d/1AbCdEfGhIjKlMnOp/edit";
  return source === "github-wiki" ? "https://github.com/acme/tool/wiki" : `${origin}/secret`;
}

/** Answers everything with these bytes. */
const always =
  (bytes: Uint8Array | string): typeof fetch =>
  async () =>
    new Response(bytes as BodyInit, { headers: { "content-type": "text/html" } });

const zip = (files: Record<string, string | Uint8Array>) =>
  zipSync(
    Object.fromEntries(Object.entries(files).map(([path, it]) => [path, typeof it === "string" ? strToU8(it) : it])),
  );

describe("S8: imports from private addresses", () => {
  test.each(SOURCES)("S1: %s from a private address is refused, and nothing is requested or stored", async (source) => {
    const inside = await site((_, res) => res.end("# Secret"));
    const { importing, expectUntouched } = await docs(guardedFetch({ lookup: resolver(["127.0.0.1"]).lookup }));
    const spelled = ["127.0.0.1", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1", "localhost", "public.example"];
    for (const host of spelled) {
      const { status, body } = await importing(source, addressOf(source, `http://${host}:${inside.port}`));
      expect([status, body.error.reason, body.error.issues[0].path]).toEqual([422, "import_failed", "body.url"]);
      if (host === "public.example") expect(JSON.stringify(body)).not.toContain("127.0.0.1");
    }
    expect(inside.requests).toEqual([]);
    await expectUntouched();
  });

  test("S1, S3: an import into a page is guarded too, and addresses in a text are not fetched", async () => {
    const inside = await site((_, res) => res.end("# Secret"));
    const outside = await site(redirectTo(`${inside.origin}/secret`));
    const { ask, space } = await docs(guardedFetch({ allow: [outside.host] }));
    const at = `/v1/spaces/${space}/content`;
    const made = await ask("admin", `POST ${at}`, {
      changes: [{ operation: "insert_page", title: "P", document: {} }],
    });
    const page = `${at}/page/${made.body.changes[0].page.id}`;
    for (const url of [`http://127.0.0.1:${inside.port}/`, `${outside.origin}/`]) {
      const { status, body } = await ask("admin", `POST ${page}/import`, { source: "markdown", url });
      expect([status, body.error.reason]).toEqual([422, "import_failed"]);
    }
    const text = `<p>A</p><img src="${inside.origin}/secret.png"><a href="javascript:alert(1)">b</a><script>c()</script>`;
    expect((await ask("admin", `POST ${page}/import`, { source: "html", text })).status).toBe(201);
    const { markdown } = (await ask("admin", `GET ${page}`)).body;
    expect(markdown).not.toMatch(/javascript:|c\(\)/);
    expect(inside.requests).toEqual([]);
  });

  test("S2: a name that resolves differently the second time leads nowhere", async () => {
    const inside = await site((_, res) => res.end("# Secret"));
    const { lookup } = resolver(["3ffe::1", "127.0.0.1"], ["127.0.0.1"]);
    const { importing, expectUntouched } = await docs(guardedFetch({ lookup }));
    for (const source of ["website", "markdown"] as const) {
      const { status } = await importing(source, `http://flips.example:${inside.port}/secret`);
      expect(status).toBe(422);
    }
    expect(inside.requests).toEqual([]);
    await expectUntouched();
  });

  test.each(["website", "html", "markdown", "zip"] as const)(
    "S3: %s that redirects to a private address is refused",
    async (source) => {
      const inside = await site((_, res) => res.end("# Secret"));
      const outside = await site(redirectTo(`${inside.origin}/secret`));
      const { importing, expectUntouched } = await docs(guardedFetch({ allow: [outside.host] }));
      const { status, body } = await importing(source, `${outside.origin}/`);
      expect([status, body.error.reason]).toEqual([422, "import_failed"]);
      expect(inside.requests).toEqual([]);
      await expectUntouched();
    },
  );

  test.each(["website", "html", "markdown"] as const)(
    "%s takes no image from a private address and reports it",
    async (source) => {
      const inside = await site((_, res) => res.setHeader("content-type", "image/png").end(PIXEL));
      const outside = await site((req, res) => {
        if (req.url === "/leads.png") return void redirectTo(`${inside.origin}/b.png`)(req, res);
        if (req.url !== "/") return void res.writeHead(404).end();
        if (source === "markdown") return void res.end("# Title\n\n![b](leads.png)\n");
        res.setHeader("content-type", "text/html");
        res.end(
          page("Title", [], `<img src="${inside.origin}/a.png"><img src="/leads.png"><img src="file:///etc/passwd">`),
        );
      });
      const { importing, titles, report } = await docs(guardedFetch({ allow: [outside.host] }));
      const { status, body } = await importing(source, `${outside.origin}/`);
      expect(status, JSON.stringify(body)).toBe(201);
      expect(body.importedResources).toBe(1);
      expect(await titles()).toEqual(["Title"]);
      expect(inside.requests).toEqual([]);
      expect((await report(body.revision)).map(({ resource }) => resource)).toContain(
        source === "markdown" ? "leads.png" : `${outside.origin}/leads.png`,
      );
    },
  );

  test.each(["file:///etc/passwd", "ftp://a.example/", "gopher://a.example/", "data:text/html,hi", "http://"])(
    "an import from %s is rejected",
    async (url) => {
      const { importing, expectUntouched } = await docs(() => expect.unreachable("something was fetched"));
      for (const source of SOURCES) {
        const { status, body } = await importing(source, url);
        expect([status, body.error.issues[0].path]).toEqual([400, "body.url"]);
      }
      await expectUntouched();
    },
  );
});

describe("S7: prototype names", () => {
  const NAMES = ["__proto__", "constructor", "prototype", "toString"];

  test("S7: names that reach into prototypes are ordinary names of pages, files, variables and fields", async () => {
    const files: Record<string, string | Uint8Array> = {
      "README.md": `---\n__proto__:\n  polluted: yes\nconstructor:\n  prototype:\n    polluted: yes\ntitle: Home\n---\n${NAMES.map((it) => `[${it}](${it}.md) ![${it}](${it}.png)`).join("\n")}\n`,
      ".gitbook/vars.yaml": "__proto__:\n  polluted: yes\nconstructor: yes\nplain: fine\n",
      "book.json": '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
    };
    const own = Object.create(null) as typeof files;
    for (const [name, content] of Object.entries(files)) own[name] = content;
    for (const name of NAMES) {
      own[`${name}.md`] = `# The page of ${name.length} letters\n`;
      own[`${name}.png`] = Uint8Array.from([...PIXEL, name.length]);
    }
    const entries = Object.entries(own).map(([name, it]) => ({
      name,
      data: typeof it === "string" ? strToU8(it) : it,
    }));
    const { importing, titles } = await docs(always(zipOf(entries)));
    const { status, body } = await importing("zip", "https://a.example/a.zip");
    expect(status, JSON.stringify(body)).toBe(201);
    expect((await titles()).toSorted()).toEqual(
      ["Home", ...NAMES.map((it) => `The page of ${it.length} letters`)].toSorted(),
    );
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test("S7: names that reach into prototypes are rejected in the body of an import", async () => {
    const { ask, space, expectUntouched } = await docs(() => expect.unreachable("something was fetched"));
    const sent = '{"url":"https://a.example/","source":"html","__proto__":{"polluted":true}}';
    expect((await ask("admin", `POST /v1/spaces/${space}/content/import`, sent)).status).toBe(400);
    for (const source of NAMES)
      expect(
        (await ask("admin", `POST /v1/spaces/${space}/content/import`, { url: "https://a.example/", source })).status,
      ).toBe(400);
    await expectUntouched();
  });
});

describe("S9, S10: path traversal in archives", () => {
  test.each([
    ["dots", "../../etc/passwd"],
    ["dots inside", "book/../../passwd.md"],
    ["a root", "/etc/passwd"],
    ["a drive", "C:\\windows\\system.md"],
    ["backslashes", "..\\..\\a.md"],
    ["a NUL", "a.md\0.png"],
  ])("S9, S10: nothing is opened or stored for an archive with %s", async (_, name) => {
    const bytes = zipOf([
      { name: "README.md", data: strToU8("# Hello\n") },
      { name, data: strToU8("# Evil\n") },
    ]);
    const { importing, expectUntouched, titles } = await docs(always(bytes));
    for (const source of ["zip", "notion", "confluence", "docx"] as const) {
      const { status, body } = await importing(source, "https://a.example/a.zip");
      expect([status, body.error?.reason]).toEqual([422, "import_failed"]);
      expect(JSON.stringify(body).length).toBeLessThan(2000);
    }
    expect(await titles()).toEqual([]);
    await expectUntouched();
  });

  test("S10: names of more than 4,096 bytes are skipped and reported", async () => {
    const long = [`${"n".repeat(5000)}.md`, `${"a/".repeat(2100)}${"../".repeat(2200)}x.md`];
    const bytes = zipOf([
      { name: "README.md", data: strToU8("# Hello\n") },
      ...long.map((name) => ({ name, data: strToU8("# Evil\n") })),
    ]);
    const { importing, titles, report } = await docs(always(bytes));
    const { status, body } = await importing("zip", "https://a.example/a.zip");
    expect([status, body.importedResources, body.totalResources]).toEqual([201, 1, 3]);
    expect(await titles()).toEqual(["Hello"]);
    const skipped = await report(body.revision);
    expect(skipped).toHaveLength(2);
    for (const { resource } of skipped) expect(resource.length).toBeLessThanOrEqual(500);
  });

  test("S9: a link in an archive is not followed", async () => {
    const bytes = zipOf([
      { name: "README.md", data: strToU8("# Hello\n\n![x](link.png)\n") },
      { name: "link.png", data: strToU8("/etc/passwd"), mode: 0o120777 },
    ]);
    const { importing, ask, space } = await docs(always(bytes));
    const { status } = await importing("zip", "https://a.example/a.zip");
    expect([201, 422]).toContain(status);
    expect((await ask("admin", `GET /v1/spaces/${space}/content/files`)).body.count).toBe(0);
  });
});

describe("S40: decompression bombs", () => {
  const MiB = 1024 * 1024;

  test("S40: a bomb in an archive is not unpacked and is reported as skipped", async () => {
    const bomb = zip({ "README.md": "# Hello\n\n![x](zeros.bin)\n", "zeros.bin": new Uint8Array(40 * MiB) });
    expect(bomb.length).toBeLessThan(MiB);
    const { importing, ask, space, report } = await docs(always(bomb));
    const { status, body } = await importing("zip", "https://a.example/a.zip");
    expect([status, body.importedResources, body.totalResources]).toEqual([201, 1, 2]);
    expect(await report(body.revision)).toMatchObject([{ resource: expect.stringContaining("zeros.bin") }]);
    expect((await ask("admin", `GET /v1/spaces/${space}/content/files`)).body.count).toBe(0);
  });

  test("S40: an archive with nothing but a bomb imports nothing", async () => {
    const text = strToU8("a".repeat(40 * MiB));
    for (const [source, name] of [
      ["zip", "README.md"],
      ["notion", `Page ${"a".repeat(32)}.md`],
      ["confluence", "entities.xml"],
      ["docx", "word/document.xml"],
    ] as const) {
      const { importing, expectUntouched } = await docs(always(zip({ [name]: text })));
      expect((await importing(source, "https://a.example/a.zip")).status).toBe(422);
      await expectUntouched();
    }
  });

  test("S40: an archive with false sizes is rejected or loses those files", async () => {
    const lying = zipOf([
      { name: "README.md", data: strToU8("# Hello\n\n![x](x.png)\n") },
      { name: "x.png", data: strToU8("x".repeat(1000)), size: 3 },
    ]);
    const { importing, ask, space } = await docs(always(lying));
    await importing("zip", "https://a.example/a.zip");
    expect((await ask("admin", `GET /v1/spaces/${space}/content/files`)).body.count).toBe(0);
  });

  test.each(["website", "html", "markdown", "zip"] as const)(
    "S40: %s whose response decompresses to too much is rejected",
    async (source) => {
      const packed = gzipSync(Buffer.alloc(20 * MiB, "<p>a</p> "));
      const bomb = await site((_, res) =>
        res.writeHead(200, { "content-encoding": "gzip", "content-type": "text/html" }).end(packed),
      );
      const { importing, expectUntouched } = await docs(guardedFetch({ allow: [bomb.host] }), { maxBytes: MiB });
      expect((await importing(source, bomb.origin)).status).toBe(422);
      await expectUntouched();
    },
  );

  test("S40: aliases in front matter and variables do not multiply", async () => {
    const level = (n: number) =>
      `a${n}: &a${n} [${Array(9)
        .fill(`*a${n - 1}`)
        .join(", ")}]`;
    const laughs = ["a0: &a0 [ha]", ...Array.from({ length: 12 }, (_, i) => level(i + 1))].join("\n");
    const files = { "README.md": `---\n${laughs}\ntitle: Funny\n---\nText.\n`, ".gitbook/vars.yaml": `${laughs}\n` };
    const { importing, titles } = await docs(always(zip(files)));
    const { status } = await importing("zip", "https://a.example/a.zip");
    expect([201, 422]).toContain(status);
    expect((await titles()).length).toBeLessThanOrEqual(1);
  });

  test("S40: XML entities do not multiply, and none is fetched", async () => {
    const entity = (n: number) => `<!ENTITY l${n} "${`&l${n - 1};`.repeat(10)}">`;
    const laughs = `<!DOCTYPE x [<!ENTITY l0 "ha">${Array.from({ length: 12 }, (_, i) => entity(i + 1)).join("")}<!ENTITY f SYSTEM "file:///etc/passwd">]>`;
    const xml = `<?xml version="1.0"?>${laughs}<hibernate-generic><object class="Page" package="com.atlassian.confluence"><id name="id">1</id><property name="title">&l12;&f;</property></object></hibernate-generic>`;
    const { importing, titles } = await docs(always(zip({ "entities.xml": xml })));
    const { status } = await importing("confluence", "https://a.example/a.zip");
    expect([201, 422]).toContain(status);
    expect(JSON.stringify(await titles()).length).toBeLessThan(1000);
  });
});

describe("S31: error details", () => {
  test("S31: network errors stay internal", async () => {
    const broken: typeof fetch = async () => {
      throw new TypeError("connect ECONNREFUSED 10.0.0.7:8080 with key hunter2");
    };
    const { importing, expectUntouched } = await docs(broken);
    for (const source of SOURCES) {
      const { status, body } = await importing(source, addressOf(source, "https://a.example"));
      expect(status).toBe(422);
      expect(JSON.stringify(body)).not.toMatch(/10\.0\.0\.7|hunter2|ECONN/);
    }
    await expectUntouched();
  });

  test("S31: a truncated response is a rejection and not an internal error", async () => {
    const half: typeof fetch = async () => {
      let sent = 0;
      const body = new ReadableStream({
        pull: (controller) =>
          sent++ === 0 ? controller.enqueue(strToU8("# Half")) : controller.error(new Error("gone")),
      });
      return new Response(body, { headers: { "content-type": "text/html" } });
    };
    const { importing, expectUntouched } = await docs(half);
    for (const source of SOURCES)
      expect((await importing(source, addressOf(source, "https://a.example"))).status).toBe(422);
    await expectUntouched();
  });
});
