// A site as files: every link and everything that a page loads is a file of the export, nothing names the server, and nothing is
// there that a visitor without credentials does not find.

import { posix } from "node:path";
import { createContext, runInContext } from "node:vm";
import { DOMParser } from "@xmldom/xmldom";
import { exportSite } from "octavo/site";
import { beforeAll, expect, test } from "vitest";
import type { SearchResult } from "../../src/site/browser/search-results";
import { createSearchIndexPage } from "../../src/site/export/search-index";
import { collectMarkupUrls } from "../../src/site/machine-readable/markup-urls";
import { openStage, PIXEL, type Stage } from "./stage";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});

async function exported(options: { url?: string } = {}) {
  const files = new Map<string, Uint8Array>();
  const progress: number[] = [];
  const result = await exportSite(stage.api, stage.id, async (path, bytes) => void files.set(path, bytes), {
    ...options,
    onProgress: ({ pages, total: of }) => progress.push(pages / of),
  });
  const text = (path: string) => new TextDecoder().decode(files.get(path));
  return { files, result, progress, text };
}

const PAGES = ["start", "start/setup", "unsearched", "unindexed", "changes", "more/last", "anleitung/start"];

test("a site is exported as files whose links lead to each other", async () => {
  const { files, result, progress, text } = await exported();
  expect(result).toEqual({ url: stage.root.slice(0, -1), pages: PAGES.length, files: 1 });
  expect(progress.at(-1)).toBe(1);
  const pages = [...files.keys()].filter((path) => path.endsWith(".html"));
  expect(pages.sort()).toEqual(
    ["404.html", "index.html", "anleitung/index.html", ...PAGES.map((path) => `${path}/index.html`)].sort(),
  );
  for (const path of PAGES) expect(files.has(`${path}.md`), path).toBe(true);
  let followed = 0;
  for (const path of pages)
    for (const address of collectMarkupUrls(text(path))) {
      if (/^(?:[a-z]+:|#)/i.test(address)) continue;
      expect(address, path).not.toMatch(/^\//);
      const [file = ""] = decodeURIComponent(address).split("#");
      expect(files.has(posix.join(posix.dirname(path), file)), `${path}: ${address}`).toBe(true);
      followed++;
    }
  expect(followed).toBeGreaterThan(50);
  const setup = text("start/setup/index.html");
  expect(setup).toContain('<a href="../index.html">Start</a>');
  expect(text("start/index.html")).toContain('<a href="setup/index.html#second">a part</a>');
  expect(text("start/index.html")).toContain('<a href="#below">here</a>');
  expect(text("start/index.html")).toContain('href="https://example.org/x?a=1&amp;b=2"');
  expect(text("index.html")).toContain('<a href="start/setup/index.html">setup</a>');
  const [picture] = [...files.keys()].filter((path) => path.startsWith("files/"));
  expect(picture).toMatch(/^files\/[0-9a-f]{16}-dot\.png$/);
  expect(Buffer.from(files.get(picture!)!).toString("base64")).toBe(PIXEL);
  expect(text("start.md")).toContain(`![A dot](${picture})`);
  expect(text("start.md")).toContain("[setup](start/setup.md), [a part](start/setup.md#second)");
  expect(text("changes.md")).toContain("[setup](start/setup.md)");
});

test("an export does not mention the server and needs none", async () => {
  const { files, text } = await exported();
  const { host } = new URL(stage.root);
  for (const path of files.keys()) {
    if (path.startsWith("files/")) continue;
    expect(text(path), path).not.toContain(host);
    expect(text(path), path).not.toContain("/v1/");
    // The script knows where things are on a server; it asks for nothing where there is none.
    if (!path.endsWith(".js")) expect(text(path), path).not.toContain("~octavo");
    expect(text(path), path).not.toMatch(/<form|rel="canonical"|og:url|ld\+json/);
  }
  expect(files.has("sitemap.xml")).toBe(false);
  expect(text("robots.txt")).toBe("User-agent: *\nAllow: /\n");
  expect(text("llms.txt")).toContain("- [Start](start.md): Begin <here>.\n  - [Setup](start/setup.md)\n");
  expect(text("llms-full.txt")).toContain("# Setup\n\n## First");
});

test("an exported site searches its pages without a server, from any folder", async () => {
  const { files, text } = await exported();
  const context = createContext({});
  runInContext(text("search.js"), context);
  const search = (query: string) =>
    (context as { octavoSearch: (query: string) => SearchResult[] }).octavoSearch(query).map(({ href }) => href);
  const [best] = search("setup");
  expect(best).toBe("start/setup/index.html");
  for (const href of search("s")) expect(files.has(href), href).toBe(true);
  expect(search("nothing-has-this-word")).toEqual([]);
  expect(search("  ")).toEqual([]);
  // A page that the search of the site leaves out.
  expect(text("unsearched/index.html")).toContain("<h1>");
  expect(text("search.js")).not.toContain("unsearched/index.html");
  // Every page names the index relative to its script, and the script is one folder below it.
  for (const path of ["index.html", "start/setup/index.html"]) {
    expect(text(path)).toContain("&quot;searchIndexAt&quot;:&quot;../search.js&quot;");
    expect(text(path)).toContain('<div class="search js-only" role="search">');
  }
});

test("a search index has the words of a page below their headings, and nothing of the page around them", () => {
  const markup = [
    '<title>No</title><article><nav>No</nav><header class="title"><h1>Title</h1>',
    '<p class="lead">A lead &amp; more</p></header><p>First <b>bo</b>ld.</p><svg><text>no</text></svg>',
    '<h2 id="a-b">A <code>b</code> <a class="anchor" href="#a-b">#</a></h2><ul><li>one</li><li>&lt;two&gt;</li></ul>',
    '<footer class="about">No</footer></article>',
  ].join("");
  expect(createSearchIndexPage(markup, "Title", "t/index.html", "Guide")).toEqual([
    "Title",
    "t/index.html",
    "Guide",
    [
      ["Title", "", "A lead & more First bold."],
      ["A b", "a-b", "one <two>"],
    ],
  ]);
});

test("an export omits what a visitor without credentials cannot see", async () => {
  const { files, text } = await exported({ url: "https://example.net/" });
  for (const path of files.keys()) {
    expect(path).not.toMatch(/secret|beta/);
    if (!path.startsWith("files/"))
      expect(text(path), path).not.toMatch(/Nobody lists|Nor this|Closed words|For betas/);
  }
  expect(text("llms.txt")).not.toMatch(/unsearched|unindexed/);
  expect(text("sitemap.xml")).not.toMatch(/unsearched|unindexed|secret|beta/);
  expect(text("unindexed/index.html")).toContain('<meta name="robots" content="noindex">');
});

test("with its new address, an export has canonical URLs, a sitemap and feeds", async () => {
  const { text, files } = await exported({ url: "https://example.net/guide" });
  const home = "https://example.net/guide/";
  expect(text("start/setup/index.html")).toContain(`<link rel="canonical" href="${home}start/setup/">`);
  expect(text("start/index.html")).toContain(`hreflang="de" href="${home}anleitung/start/">`);
  const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(text("start/index.html"))![1]!);
  expect(data.itemListElement[1].item).toBe(`${home}start/`);
  const parser = new DOMParser({ errorHandler: (_: string, message: string) => expect.fail(message) });
  const locations = parser.parseFromString(text("sitemap.xml"), "text/xml").getElementsByTagName("loc");
  expect(Array.from(locations, (it) => it.textContent)).toContain(`${home}more/last/`);
  expect(text("robots.txt")).toBe(`User-agent: *\nAllow: /\nSitemap: ${home}sitemap.xml\n`);
  expect(text("llms.txt")).toContain(`](${home}start/setup.md)`);
  const feed = parser.parseFromString(text("changes/rss.xml"), "text/xml");
  expect(feed.getElementsByTagName("link")[0]!.textContent).toBe(`${home}changes/`);
  expect(feed.getElementsByTagName("description")[1]!.textContent).toContain(`href="${home}start/setup/"`);
  expect(text("changes/index.html")).toContain('title="Changes" href="rss.xml">');
  expect(text("404.html")).toContain('href="/guide/start/index.html"');
  for (const path of files.keys())
    if (!path.startsWith("files/")) expect(text(path), path).not.toContain(new URL(stage.root).host);
});

test("a site that is not public is not exported, and a signal ends an export", async () => {
  const write = () => expect.fail("Nothing may be written.");
  expect((await exportSite(stage.api, stage.root, () => {})).pages).toBe(PAGES.length);
  await expect(exportSite(stage.api, "sit_nothing", write)).rejects.toThrow("everybody may read");
  await expect(exportSite(stage.api, stage.id, write, { url: "nowhere" })).rejects.toThrow("https://docs.example.org");
  await expect(exportSite(stage.api, stage.root, write, { signal: AbortSignal.abort("over") })).rejects.toBe("over");
  for (const visibility of ["share-link", "visitor-auth"]) {
    await stage.ask("admin", `PATCH ${stage.at}`, { visibility });
    for (const site of [stage.id, stage.root])
      await expect(exportSite(stage.api, site, write), visibility).rejects.toThrow("cannot be exported");
  }
  await stage.ask("admin", `PATCH ${stage.at}`, { visibility: "unlisted" });
  const { text } = await exported({ url: "https://example.net/" });
  expect(text("robots.txt")).toBe("User-agent: *\nDisallow: /\n");
  expect(text("start/index.html")).toContain('<meta name="robots" content="noindex">');
});
