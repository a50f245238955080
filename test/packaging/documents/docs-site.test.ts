// The documentation as a site of the product itself: it is built from the documents as they are, and everything in it leads
// somewhere.

import { createContext, runInContext } from "node:vm";
import { beforeAll, expect, test } from "vitest";
import { type BuiltDocs, buildDocs } from "../../../scripts/docs/build-docs";
import { findBrokenLinks } from "../../../scripts/docs/find-broken-links";
import type { SearchResult } from "../../../src/site/browser/search-results";

let docs: BuiltDocs;
const text = (path: string) => new TextDecoder().decode(docs.files.get(path));

beforeAll(async () => {
  docs = await buildDocs({ hasApi: false, url: "https://docs.example.com/octavo/" });
}, 120_000);

test("every document is a page, and every link on the pages leads somewhere", () => {
  expect(docs.leftOut).toEqual([]);
  expect(docs.pages).toBeGreaterThan(100);
  expect(findBrokenLinks(docs.files)).toEqual([]);
});

test("a link to nothing, to a missing anchor, and to the page for missing pages is found", () => {
  const page = '<a href="b.html">1</a><a href="#no">2</a><a href="404.html">3</a><a href="#yes" id="yes">4</a>';
  const files = new Map([
    ["a.html", new TextEncoder().encode(page)],
    ["404.html", new Uint8Array()],
  ]);
  expect(findBrokenLinks(files)).toEqual(["a.html: b.html", "a.html: #no", "a.html: 404.html"]);
});

test("the pages have titles of their own, and links to sources lead to the repository", () => {
  const pages = [...docs.files.keys()].filter((path) => path.endsWith("/index.html"));
  const titles = pages.map((path) => /<h1>(.*?)<\/h1>/.exec(text(path))?.[1]);
  for (const [i, title] of titles.entries()) expect(title, pages[i]).toBeTruthy();
  expect(text("index.html")).toContain("<h1>Octavo</h1>");
  expect(text("index.html")).toContain('class="cards large"');
  expect(text("guides/embed-in-your-server/index.html")).toContain("/blob/main/examples/");
});

test("the search finds pages, llms.txt lists them, and there are a sitemap and a page for missing pages", () => {
  const context = createContext({});
  runInContext(text("search.js"), context);
  const [found] = (context as { octavoSearch: (query: string) => SearchResult[] }).octavoSearch("git sync");
  expect(docs.files.has(found!.href)).toBe(true);
  expect(found!.href).toBe("guides/git-sync/index.html");
  expect(text("llms.txt")).toContain("(https://docs.example.com/octavo/guides/quick-start.md)");
  expect(text("sitemap.xml")).toContain("<loc>https://docs.example.com/octavo/guides/quick-start/</loc>");
  expect(docs.files.has("404.html")).toBe(true);
});
