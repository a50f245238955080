// What a site gives to machines: lists, feeds, Markdown and tools, for what the visitor may see and nothing else.

import { brotliDecompressSync, gunzipSync } from "node:zlib";
import {
  Client as PresentClient,
  StreamableHTTPClientTransport as PresentTransport,
} from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { DOMParser } from "@xmldom/xmldom";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { nodeCompressor } from "../../src/node/compressor";
import { renderContentsPart } from "../../src/site/machine-readable/llms";
import { isMarkdownPreferred, parseRequestedFormat } from "../../src/site/machine-readable/page-urls";
import { renderSitemap } from "../../src/site/machine-readable/sitemap";
import { removeInvalidXml } from "../../src/site/machine-readable/xml";
import { createResponseEncoder } from "../../src/utils/compression";
import { readPdf } from "../pdf/reader";
import { openSite } from "./opened";
import { openStage, type Stage } from "./stage";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});

/** Words and paths that no visitor without credentials finds in a list. */
const UNLISTED = ["secret", "Nobody lists this", "Nor this", "beta", "Closed words", "For betas alone"];

/** Parses XML; whatever is wrong with it fails. */
function parsed(text: string) {
  const fail = (message: string) => {
    throw new Error(message);
  };
  return new DOMParser({ errorHandler: { warning: fail, error: fail, fatalError: fail } }).parseFromString(
    text,
    "text/xml",
  );
}

const textsOf = (text: string, name: string) =>
  Array.from(parsed(text).getElementsByTagName(name), (element) => element.textContent ?? "");

describe("lists of pages", () => {
  test("the sitemap has the indexable pages of all languages", async () => {
    const { status, headers, text } = await stage.get("sitemap.xml");
    expect([status, headers.get("content-type")]).toEqual([200, "application/xml; charset=utf-8"]);
    expect(textsOf(text, "loc").map((it) => it.slice(stage.root.length))).toEqual([
      "start",
      "start/setup",
      "changes",
      "more/last",
      "anleitung/start",
    ]);
    for (const time of textsOf(text, "lastmod")) expect(new Date(time).toISOString()).toBe(time);
    const known = await stage.get("sitemap.xml", { authorization: `Bearer ${stage.jwt}` });
    expect(textsOf(known.text, "loc")).toContain(`${stage.root}beta`);
    expect(known.headers.get("cache-control")).toContain("private");
    expect((await stage.get("sitemap-2.xml")).status).toBe(404);
  });

  test("a sitemap with too many addresses is an index of parts", async () => {
    async function* pages() {
      for (let i = 0; i < 5; i++) yield { url: `https://example.org/a&b/${i}`, updatedAt: "2026-01-01T00:00:00.000Z" };
    }
    const part = async (number?: number) => renderSitemap(pages(), "https://example.org/", number, 2);
    expect(textsOf((await part())!, "loc")).toEqual([1, 2, 3].map((n) => `https://example.org/sitemap-${n}.xml`));
    expect(textsOf((await part(2))!, "loc")).toEqual(["https://example.org/a&b/2", "https://example.org/a&b/3"]);
    expect(textsOf((await part(3))!, "loc")).toEqual(["https://example.org/a&b/4"]);
    expect(await part(4)).toBeUndefined();
    expect(textsOf((await renderSitemap(pages(), "https://example.org/", undefined, 5))!, "url")).toHaveLength(5);
    expect(parsed(`<a>${removeInvalidXml("a\0\u000b\ud800b\ufffe")}</a>`).documentElement.textContent).toBe("ab");
  });

  test("robots.txt refers to the sitemap, and llms.txt to the Markdown of pages", async () => {
    const { pathname } = new URL(stage.root);
    expect((await stage.get("robots.txt")).text).toBe(
      `User-agent: *\nDisallow: ${pathname}~octavo/search\nSitemap: ${stage.root}sitemap.xml\n`,
    );
    const { text, headers } = await stage.get("llms.txt");
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(text).toBe(
      [
        "# Docs",
        "",
        "> The pages of Docs, as links to their Markdown.",
        "",
        "## Guide",
        "",
        `- [Start](${stage.root}start.md): Begin <here>.`,
        `  - [Setup](${stage.root}start/setup.md)`,
        `- [Changes](${stage.root}changes.md)`,
        `- [Last](${stage.root}more/last.md)`,
        "",
        "## Anleitung",
        "",
        `- [Anfang](${stage.root}anleitung/start.md)`,
        "",
      ].join("\n"),
    );
  });

  test("llms-full.txt has the full pages and can start at any of them", async () => {
    const { text } = await stage.get("llms-full.txt");
    expect(text.match(/^# .*$/gm)).toEqual(["# Start", "# Setup", "# Changes", "# Last", "# Anfang"]);
    expect(text).toContain(`# Setup\n\nSource: ${stage.root}start/setup\n\n## First`);
    for (const word of UNLISTED.slice(1, 3)) expect(text).not.toContain(word);
    expect(text).not.toMatch(/Closed words|For betas alone/);
    expect(text).not.toContain("{%");
    expect(text).toContain("**2026-02-03**\n\n## Faster <everything>");
    const { body } = await stage.ask("admin", `GET ${stage.at}/site-spaces`);
    const german = body.items[1].id as string;
    const page = (await stage.ask("admin", `GET ${stage.at}/site-spaces/${german}/pages`)).body.pages[0].id as string;
    expect((await stage.get(`llms-full.txt?from=${german}.${page}`)).text).toBe(
      `# Anfang\n\nSource: ${stage.root}anleitung/start\n\nHallo.\n`,
    );
    expect((await stage.get("llms-full.txt?from=gone")).text).toBe("");
  });
});

test("a list of pages for agents ends before it is too long and says where it continues", async () => {
  async function* pages() {
    const siteSpace = { id: "one", title: "One" };
    for (let i = 0; i < 2_001; i++)
      yield { siteSpace, page: { title: `[${i}]`, description: "" }, url: `${i}`, depth: 0 };
  }
  const context = {
    customization: { socialPreview: { description: "About\nit." } },
    profile: { site: { title: "Docs" } },
  };
  const { text, next } = await renderContentsPart(context as never, pages() as never, (url) => `u${url}`);
  expect(text).toMatch(/^# Docs\n\n> About it\.\n\n## One\n\n- \[\\\[0\\\]\]\(u0\)\n/);
  expect(text.match(/^- /gm)).toHaveLength(2_000);
  expect(next?.url).toBe("2000");
});

describe("a page as Markdown", () => {
  test("a page as Markdown has its title, evaluated conditions and values, reusable content and absolute links", async () => {
    const { status, headers, text } = await stage.get("start.md");
    expect([status, headers.get("content-type")]).toEqual([200, "text/markdown; charset=utf-8"]);
    expect(headers.get("link")).toBe(`<${stage.root}start>; rel="canonical"`);
    expect(headers.get("x-robots-tag")).toBe("noindex");
    expect(text).toMatch(/^# Start\n\nHello Octopus \\& Co, see /);
    expect(text).toContain(`[setup](${stage.root}start/setup)`);
    expect(text).toContain(`[a part](${stage.root}start/setup#second)`);
    expect(text).toContain(`[here](${stage.root}start#below)`);
    expect(text).toContain("Said *in many* places.");
    expect(text).toContain("[elsewhere](https://example.org/x?a=1&b=2)");
    const picture = /!\[A dot\]\((http[^)]+)\)/.exec(text)![1]!;
    expect((await stage.api.fetch(new Request(picture))).headers.get("content-type")).toBe("image/png");
    expect(text).not.toContain("For betas alone");
    const known = await stage.get("start.md", { authorization: `Bearer ${stage.jwt}` });
    expect(known.text).toContain("For betas alone.");
    expect(known.text).toContain(`[the closed page](${stage.root}beta)`);
    expect(known.headers.get("cache-control")).toBe("private, no-cache");
  });

  test("a page as Markdown is found by its path, at the site root, at a former path, and with Accept", async () => {
    const start = (await stage.get("start.md")).text;
    expect((await stage.get("index.md")).text).toBe(start);
    expect((await stage.get("README.md")).text).toBe(start);
    expect((await stage.get("start", { accept: "text/markdown, text/html;q=0.9, */*;q=0.1" })).text).toBe(start);
    // The same address holds the page and its Markdown, each by itself.
    for (const _ of [1, 2]) {
      expect((await stage.get("start")).text).toMatch(/^<!doctype html>/);
      expect((await stage.get("start", { accept: "text/markdown" })).text).toBe(start);
    }
    expect((await stage.get("start")).headers.get("vary")).toContain("accept,");
    const moved = await stage.get("more.md");
    expect([moved.status, moved.headers.get("location")]).toEqual([308, `${stage.root}more/last.md`]);
    for (const path of ["nothing.md", "beta.md", "start/nothing.md"])
      expect((await stage.get(path)).status, path).toBe(404);
    expect((await stage.get("beta.md", { authorization: `Bearer ${stage.jwt}` })).text).toBe(
      "# Beta\n\nClosed words.\n",
    );
  });

  test("Markdown is preferred only for clients that name it", () => {
    expect(isMarkdownPreferred("text/markdown")).toBe(true);
    expect(isMarkdownPreferred("text/html, text/markdown")).toBe(true);
    expect(isMarkdownPreferred("text/html;q=0.5, text/markdown;q=0.9")).toBe(true);
    expect(isMarkdownPreferred("text/html, text/markdown;q=0.9")).toBe(false);
    expect(isMarkdownPreferred("text/markdown;q=0")).toBe(false);
    expect(isMarkdownPreferred("text/markdown;q=x")).toBe(false);
    expect(isMarkdownPreferred("text/html,application/xhtml+xml,*/*;q=0.8")).toBe(false);
    expect(isMarkdownPreferred(null)).toBe(false);
    const paths = (path: string) =>
      parseRequestedFormat(new URL(`https://example.org${path}`), null).urls.map((it) => it.pathname);
    expect(paths("/docs/index.md")).toEqual(["/docs/index", "/docs", "/docs/index.md"]);
    expect(paths("/rss.xml")).toEqual(["/", "/rss.xml"]);
  });
});

test("the feed of a page has its updates with absolute links", async () => {
  const { status, headers, text } = await stage.get("changes/rss.xml");
  expect([status, headers.get("content-type")]).toEqual([200, "application/rss+xml; charset=utf-8"]);
  expect(textsOf(text, "title")).toEqual(["Changes | Docs", "Faster <everything>", "2026-01-02"]);
  expect(textsOf(text, "link")).toEqual(["", "#2026-02-03", "#2026-01-02"].map((it) => `${stage.root}changes${it}`));
  expect(textsOf(text, "pubDate")).toEqual(["Tue, 03 Feb 2026 00:00:00 GMT", "Fri, 02 Jan 2026 00:00:00 GMT"]);
  expect(textsOf(text, "category")).toEqual(["new", "fixed"]);
  expect(new Set(textsOf(text, "guid")).size).toBe(2);
  expect(textsOf(text, "description")[1]).toBe(`<p>See <a href="${stage.root}start/setup">setup</a> &amp; more.</p>`);
  expect((await stage.get("start/rss.xml")).status).toBe(404);
  expect((await stage.get("beta/rss.xml")).status).toBe(404);
});

test("the head of a page has its canonical URL, formats, languages and indexing", async () => {
  const { text } = await stage.get("start");
  expect(text).toContain(`<link rel="canonical" href="${stage.root}start">`);
  expect(text).toContain(`<link rel="alternate" hreflang="en" href="${stage.root}start">`);
  expect(text).toContain(`<link rel="alternate" hreflang="de" href="${stage.root}anleitung/start">`);
  expect(text).toContain(`<link rel="alternate" type="text/markdown" href="${new URL(stage.root).pathname}start.md">`);
  expect(text).toContain('<meta property="og:description" content="Begin &lt;here&gt;.">');
  expect(text).not.toMatch(/application\/rss|noindex/);
  expect((await stage.get("changes")).text).toMatch(
    /type="application\/rss\+xml" title="Changes" href="[^"]+changes\/rss.xml"/,
  );
  const setup = (await stage.get("start/setup")).text;
  const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(setup)![1]!);
  expect(data.itemListElement.map(({ name }: { name: string }) => name)).toEqual(["Docs", "Start", "Setup"]);
  expect(data.itemListElement[2].item).toBe(`${stage.root}start/setup`);
  const grouped = (await stage.get("more/last")).text;
  const steps = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(grouped)![1]!).itemListElement;
  expect(steps.map(({ position, item }: Record<string, unknown>) => [position, item])).toEqual([
    [1, stage.root.replace(/\/$/, "")],
    [2, `${stage.root}more/last`],
  ]);
  expect(setup).not.toContain('rel="alternate" hreflang');
  for (const path of ["secret", "secret/below-secret", "unsearched", "unindexed"])
    expect((await stage.get(path)).text, path).toContain('<meta name="robots" content="noindex">');
});

describe("the MCP server", () => {
  const address = () => new URL(`${stage.root}~octavo/mcp`);
  const through = (headers: Record<string, string> = {}) => ({
    requestInit: { headers },
    fetch: (url: string | URL, init?: RequestInit) => stage.site.fetch(new Request(url, init)),
  });

  async function withClient<T>(headers: Record<string, string>, run: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StreamableHTTPClientTransport(address(), through(headers)) as never);
    try {
      return await run(client);
    } finally {
      await client.close();
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it called.
  const called = async (client: Client, name: string, given: object = {}): Promise<any> =>
    client.callTool({ name, arguments: { ...given } });

  test("the MCP server of a site lists, finds and reads what a visitor sees", async () => {
    await withClient({}, async (client) => {
      expect(client.getInstructions()).toContain("Docs");
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(["search", "read_page", "list_pages"]);
      for (const { annotations } of tools) expect(annotations).toMatchObject({ readOnlyHint: true });
      const listed = (await called(client, "list_pages")).structuredContent.pages as { url: string; depth: number }[];
      expect(listed.map(({ url }) => url.slice(stage.root.length))).toEqual([
        ...["start", "start/setup", "unsearched", "unindexed", "changes", "more/last", "anleitung/start"],
      ]);
      const below = await called(client, "list_pages", { under: "start", offset: 1 });
      expect(below.structuredContent.pages).toMatchObject([{ title: "Setup", depth: 1, space: "Guide" }]);
      const found = await called(client, "search", { query: "elsewhere" });
      expect(found.structuredContent.pages[0]).toMatchObject({ title: "Start", url: `${stage.root}start` });
      expect(found.content[0].text).toContain(`- [Start](${stage.root}start)`);
      for (const page of [`${stage.root}start`, "start", "/start.md", `${stage.root}start#below`])
        expect((await called(client, "read_page", { page })).structuredContent.markdown, page).toBe(
          (await stage.get("start.md")).text,
        );
      expect((await called(client, "read_page", { page: "more" })).structuredContent.title).toBe("Last");
      expect((await called(client, "read_page", { page: "anleitung/start" })).content[0].text).toBe(
        "# Anfang\n\nHallo.\n",
      );
      for (const page of ["beta", "nothing", "https://example.org/x", "../../../v1", "http://[", ""])
        expect((await called(client, "read_page", { page })).isError, page).toBe(true);
      expect((await called(client, "search", { query: "betas alone" })).structuredContent.pages).toEqual([]);
    });
  });

  test("the MCP server of a site identifies a visitor by JWT and uses the current protocol version", async () => {
    const authorization = `Bearer ${stage.jwt}`;
    await withClient({ authorization }, async (client) => {
      expect((await called(client, "read_page", { page: "beta" })).content[0].text).toBe("# Beta\n\nClosed words.\n");
      expect((await called(client, "search", { query: "closed" })).structuredContent.pages[0].title).toBe("Beta");
    });
    await withClient({ authorization: "Bearer no.good.token" }, async (client) => {
      expect((await called(client, "read_page", { page: "beta" })).isError).toBe(true);
    });
    const present = new PresentClient({ name: "test", version: "1" });
    await present.connect(new PresentTransport(address(), through()) as never);
    const { tools } = await present.listTools();
    expect(tools).toHaveLength(3);
    await present.close();
    const foreign = { method: "POST", headers: { origin: "https://evil.example" }, body: "{}" };
    expect((await stage.site.fetch(new Request(address(), foreign))).status).toBe(403);
    expect((await stage.get("~octavo/mcp")).status).toBe(405);
  });
});

describe("a page as PDF", () => {
  const pdf = async (path: string, headers: Record<string, string> = {}) => {
    const response = await stage.site.fetch(new Request(`${stage.root}${path}`, { headers, redirect: "manual" }));
    const bytes = new Uint8Array(await response.arrayBuffer());
    const isPdf = response.headers.get("content-type") === "application/pdf";
    return {
      status: response.status,
      headers: response.headers,
      bytes,
      read: isPdf ? await readPdf(bytes) : undefined,
    };
  };
  const enable = async (enabled: boolean) =>
    expect((await stage.ask("admin", `PUT ${stage.at}/customization`, { pdf: { enabled } })).status).toBe(200);
  const authorization = () => `Bearer ${stage.jwt}`;

  test("a page as PDF has what this visitor sees, and links that lead to the site", async () => {
    const { text } = await stage.get("start");
    expect(text).toContain(`<a href="${new URL(stage.root).pathname}start.pdf" rel="nofollow">Download as PDF</a>`);
    const plain = await pdf("start.pdf");
    expect(plain.status).toBe(200);
    expect(plain.headers.get("content-disposition")).toContain('attachment; filename="Start.pdf"');
    expect(plain.headers.get("x-robots-tag")).toBe("noindex");
    expect(plain.headers.get("cache-control")).toContain("public");
    expect(plain.read!.text).toContain("Hello Octopus & Co, see setup");
    expect(plain.read!.text).toContain("Said in many places.");
    expect(plain.read!.text).not.toContain("For betas alone");
    const links = plain.read!.sheets.flatMap((sheet) => sheet.links.map(({ url }) => url));
    expect(links).toContain(`${stage.root}start/setup`);
    expect(links).toContain(`${stage.root}start/setup#second`);
    expect(links).not.toContain(`${stage.root}beta`);
    expect(plain.read!.sheets.flatMap(({ pictures }) => pictures)).toHaveLength(1);
    const known = await pdf("start.pdf", { authorization: authorization() });
    expect(known.read!.text).toContain("For betas alone.");
    expect(known.headers.get("cache-control")).toBe("private, no-cache");
    // What one visitor printed is not handed to the next.
    expect((await pdf("start.pdf")).bytes).toEqual(plain.bytes);
    const cookie = `octavo-visitor=${stage.jwt.slice(0, -2)}xx`;
    expect((await pdf("start.pdf", { cookie })).read!.text).not.toContain("For betas alone");
    const etag = plain.headers.get("etag")!;
    expect((await pdf("start.pdf", { "if-none-match": etag })).status).toBe(304);
    expect((await pdf("start.pdf", { "if-modified-since": plain.headers.get("last-modified")! })).status).toBe(304);
    const part = await stage.site.fetch(
      new Request(`${stage.root}start.pdf`, { headers: { range: "bytes=5-99", "if-range": etag } }),
    );
    expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 5-99/${plain.bytes.length}`]);
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(plain.bytes.slice(5, 100));
    const none = await stage.site.fetch(
      new Request(`${stage.root}start.pdf`, { headers: { range: `bytes=${plain.bytes.length}-` } }),
    );
    expect([none.status, none.headers.get("content-range")]).toEqual([416, `bytes */${plain.bytes.length}`]);
  });

  test("a PDF is printed once for anonymous visitors until the page changes", async () => {
    let prints = 0;
    const printed = new Uint8Array(15_000);
    const print = async () => {
      printed[0] = ++prints;
      return printed.slice();
    };
    // A PDF needs room for its own bytes, not for what compressed texts need beside them.
    const site = await openSite({ pdf: { print } }, { cacheBytes: 20_000 });
    await site.write("Handbook", "Words.");
    for (const expected of [1, 1, 1]) expect((await site.bytes("handbook.pdf"))[0]).toBe(expected);
    await site.write("Another", "More words.");
    for (const expected of [2, 2]) expect((await site.bytes("handbook.pdf"))[0]).toBe(expected);
  });

  test("a PDF opens exactly where its page opens", async () => {
    expect((await pdf("beta.pdf")).status).toBe(404);
    expect((await pdf("beta.pdf", { authorization: authorization() })).read!.text).toContain("Closed words.");
    // A hidden page is in no list, and opens for those who know its address.
    for (const path of ["secret", "secret.pdf"]) expect((await pdf(path)).status, path).toBe(200);
    for (const path of ["more.pdf", "nothing.pdf", ".pdf/.pdf", "~octavo/search.pdf"])
      expect([308, 404], path).toContain((await pdf(path)).status);
  });

  test("a PDF ends with its setting, its share link and its site", async () => {
    expect((await pdf("start.pdf")).status).toBe(200);
    await enable(false);
    expect((await pdf("start.pdf")).status).toBe(404);
    expect((await stage.get("start")).text).not.toContain("start.pdf");
    await enable(true);
    await stage.ask("admin", `PATCH ${stage.at}`, { visibility: "share-link" });
    expect((await pdf("start.pdf")).status).toBe(404);
    const link = (await stage.ask("admin", `POST ${stage.at}/share-links`, { name: "For a friend" })).body;
    const shared = `${(link.urls.published as string).slice(stage.root.length).replace(/\/$/, "")}/start.pdf`;
    expect((await pdf(shared)).read!.text).toContain("Hello");
    await stage.ask("admin", `DELETE ${stage.at}/share-links/${link.id}`);
    expect((await pdf(shared)).status).toBe(404);
    await stage.ask("admin", `PATCH ${stage.at}`, { visibility: "public" });
    expect((await pdf("start.pdf")).status).toBe(200);
    await stage.ask("admin", `POST ${stage.at}/unpublish`);
    expect((await pdf("start.pdf")).status).toBe(404);
    await stage.ask("admin", `POST ${stage.at}/publish`);
  });
});

describe("restricted sites", () => {
  const change = async (body: object) => expect((await stage.ask("admin", `PATCH ${stage.at}`, body)).status).toBe(200);

  test("a site without agent access has no lists for agents and no server, and its pages remain", async () => {
    await change({ agentsContext: "excluded" });
    for (const path of ["llms.txt", "llms-full.txt", "~octavo/mcp"])
      expect((await stage.get(path)).status, path).toBe(404);
    expect((await stage.get("start", { accept: "text/markdown" })).text).toMatch(/^<!doctype html>/);
    expect((await stage.get("start.md")).status).toBe(200);
    await change({ agentsContext: "included" });
  });

  test("an unlisted site is in no index, and its Markdown is available", async () => {
    await change({ visibility: "unlisted" });
    expect((await stage.get("robots.txt")).text).toBe("User-agent: *\nDisallow: /\n");
    expect((await stage.get("sitemap.xml")).status).toBe(404);
    expect((await stage.get("start")).text).toContain('<meta name="robots" content="noindex">');
    expect((await stage.get("start.md")).status).toBe(200);
  });

  test("a share link opens the whole site with its key alone", async () => {
    await change({ visibility: "share-link" });
    const link = await stage.ask("admin", `POST ${stage.at}/share-links`, { name: "For a friend" });
    const key = (link.body.urls.published as string).slice(stage.root.length).replace(/\/$/, "");
    for (const path of ["start.md", "sitemap.xml", "llms.txt", "llms-full.txt", "changes/rss.xml", "~octavo/mcp"])
      expect((await stage.get(path)).status, path).toBe(404);
    expect((await stage.get("robots.txt")).text).toBe("User-agent: *\nDisallow: /\n");
    const { text, headers } = await stage.get(`${key}/start.md`);
    expect(text).toContain(`[setup](${stage.root}${key}/start/setup)`);
    expect(headers.get("cache-control")).toContain("private");
    expect((await stage.get(`${key}/llms.txt`)).text).toContain(`](${stage.root}${key}/start.md)`);
    expect((await stage.get(`${key}/sitemap.xml`)).status).toBe(404);
    expect((await stage.get(`${key}/robots.txt`)).text).toBe("User-agent: *\nDisallow: /\n");
    expect((await stage.get(`${key}/changes/rss.xml`)).text).toContain(`<link>${stage.root}${key}/changes</link>`);
  });

  test("a site for signed-in visitors shows nothing to others", async () => {
    await change({ visibility: "visitor-auth" });
    const paths = ["start.md", "sitemap.xml", "llms.txt", "llms-full.txt", "changes/rss.xml", "~octavo/mcp"];
    for (const path of paths) expect((await stage.get(path)).status, path).toBe(404);
    expect((await stage.get("robots.txt")).text).toBe("User-agent: *\nDisallow: /\n");
    const authorization = `Bearer ${stage.jwt}`;
    expect((await stage.get("start.md", { authorization })).text).toContain("For betas alone.");
    expect((await stage.get("llms.txt", { authorization })).text).toContain("beta.md");
    expect((await stage.get("robots.txt", { authorization })).text).toBe("User-agent: *\nDisallow: /\n");
  });

  test("a site with a login asks an agent for the JWT and redirects a person to the login", async () => {
    const login = { fallbackURL: "https://login.example/" };
    expect((await stage.ask("admin", `PATCH ${stage.at}/publishing/auth`, login)).status).toBe(200);
    const { status, headers } = await stage.get("~octavo/mcp");
    expect([status, headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect((await stage.get("start.md")).status).toBe(307);
    expect((await stage.get("robots.txt")).text).toBe("User-agent: *\nDisallow: /\n");
  });
});

test("a long page is read in parts", async () => {
  await stage.ask("admin", `PATCH ${stage.at}`, { visibility: "public" });
  const line = "a line of words that are not many, but there are many lines of them\n";
  const long = { operation: "insert_page", title: "Long", document: { markdown: `~~~\n${line.repeat(1_000)}~~~` } };
  expect((await stage.ask("admin", `POST /v1/spaces/${stage.guide}/content`, { changes: [long] })).status).toBe(200);
  const call = async (name: string, given: object) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } });
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const response = await stage.site.fetch(new Request(`${stage.root}~octavo/mcp`, { method: "POST", headers, body }));
    return ((await response.json()) as { result: { structuredContent: Record<string, never> } }).result
      .structuredContent;
  };
  const first = await call("read_page", { page: "long" });
  expect(first).toMatchObject({ nextOffset: 50_000 });
  const second = await call("read_page", { page: "long", offset: 50_000 });
  expect(second).not.toHaveProperty("nextOffset");
  expect(`${first.markdown}${second.markdown}`).toBe((await stage.get("long.md")).text);
});

test("responses are compressed for browsers that accept it, once for what is cached, and decompress to the same bytes", async () => {
  const compress = vi.fn(nodeCompressor.compress);
  const encode = createResponseEncoder({ ...nodeCompressor, compress });
  const ask = async (path: string, headers: Readonly<Record<string, string>>) => {
    const request = {
      method: "GET",
      url: stage.root + path,
      headers: { get: (name: string) => headers[name] ?? null },
      body: async () => new Uint8Array(),
    };
    return encode(request, await stage.site.handle(request));
  };
  /** An answer that is kept is bytes. */
  const read = async (path: string, headers: Readonly<Record<string, string>>) => {
    const { body, ...rest } = await ask(path, headers);
    return { ...rest, body: Buffer.from(body as string | Uint8Array).toString() };
  };
  await read("start", {});
  const plain = await read("start", {});
  for (let i = 0; i < 3; i++) {
    const packed = await ask("start", { "accept-encoding": "br;q=0.4, gzip;q=0.5" });
    expect(gunzipSync(packed.body as Uint8Array).toString()).toBe(plain.body);
    expect(packed.headers).toMatchObject({ "content-encoding": "gzip", etag: `W/${plain.headers.etag}` });
    expect(packed.headers.vary).toContain("accept-encoding");
  }
  expect(compress).toHaveBeenCalledTimes(1);
  const etag = `W/${plain.headers.etag}`;
  const again = await ask("start", { "accept-encoding": "gzip", "if-none-match": etag });
  expect([again.status, again.body, again.headers.etag]).toEqual([304, undefined, etag]);
  for (const refusing of ["gzip;q=0", "deflate", "gzip;q=0.0"])
    expect(await read("start", { "accept-encoding": refusing })).toEqual(plain);
  const style = /~octavo\/assets\/site\.\w+\.css/.exec(plain.body)![0];
  const asset = await ask(style, { "accept-encoding": "br" });
  expect(asset.headers).toMatchObject({ "content-encoding": "br", vary: "accept-encoding" });
  expect(brotliDecompressSync(asset.body as Uint8Array).toString()).toBe((await read(style, {})).body);
  const response = await stage.get("start", { "accept-encoding": "gzip" });
  expect([response.status, response.headers.get("content-encoding")]).toEqual([200, "gzip"]);
});
