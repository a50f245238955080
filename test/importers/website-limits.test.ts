// Endless sites, endless answers, and a site that is only large.

import { describe, expect, test } from "vitest";
import { describeLimitOption } from "../../src/importers/errors";
import { importWebsite } from "../../src/importers/website/import-website";
import type { WebLimits } from "../../src/importers/website/limits";
import { openSite, PNG, page, redirect, type Served, type Site, typed } from "./website-site";

const crawl = (site: Site, limits: WebLimits = {}) =>
  importWebsite({ url: `${site.origin}/docs/`, fetch: site.fetch, limits });

const html =
  (make: (path: string) => string): Served =>
  (request, response) => {
    if (!request.url!.startsWith("/docs/")) response.writeHead(404).end();
    else response.setHeader("content-type", "text/html").end(make(request.url!));
  };

describe("endless sites", () => {
  test("the crawl of an endless site stops at the page limit and reports what was left", async () => {
    const site = await openSite({
      "*": html((path) => {
        const month = Number(/month=(\d+)/.exec(path)?.[1] ?? 0);
        return page(`Month ${month}`, [`?month=${month + 1}`, `?month=${month + 2}`]);
      }),
    });
    const { book, foundCount: total } = await crawl(site, { maxPages: 20, maxDepth: 100 });
    expect(book.texts.size).toBe(20);
    expect(book.skipped.length).toBeGreaterThan(0);
    expect(new Set(book.skipped.map(({ reason }) => reason))).toEqual(
      new Set([`An import can have at most 20 pages. ${describeLimitOption("maxPages")}`]),
    );
    expect(total).toBe(20 + book.skipped.length);
    expect(site.asked.length).toBeLessThan(30);
  });

  test("the crawl of an endless site stops at the depth limit", async () => {
    const site = await openSite({
      "*": html((path) => page(`At ${path}`, [`n${Number(/\d+$/.exec(path)?.[0] ?? 0) + 1}`])),
    });
    const { book } = await crawl(site, { maxDepth: 3 });
    expect(book.texts.size).toBe(4);
    expect(book.skipped.map(({ reason }) => reason)).toEqual(["It is more than 3 links away from the first page."]);
  });

  test("an endless site is recognized by its repeating addresses", async () => {
    const site = await openSite({
      "*": html((path) => page(`At ${path}`, [`${path.endsWith("/") ? path : `${path}/`}more/`])),
    });
    const { book } = await crawl(site);
    expect(book.texts.size).toBe(4);
    expect(book.skipped.map(({ reason }) => reason)).toEqual([
      "Its URL repeats the same segments, as in an endless loop of links.",
    ]);
  });

  test("a limited number of addresses is remembered and reported", async () => {
    const links = Array.from({ length: 4000 }, (_, i) => `p${i}`);
    const site = await openSite({ "/docs/": page("Home", links) });
    const { book, foundCount: total } = await crawl(site, { maxUrls: 1500, concurrency: 8 });
    expect(total).toBe(1 + 1499 + 1);
    expect(book.skipped.length).toBeLessThan(1010);
    expect(book.skipped.at(-1)!.reason).toMatch(/more for the same reason|More than 1500 addresses/);
    expect(
      book.skipped.some(({ reason }) => /^\d+ more for the same reason: It returned the status 404/.test(reason)),
    ).toBe(true);
  });

  test("the crawl stops at the time limit", async () => {
    let time = 0;
    const site = await openSite({
      "*": html((path) => page(`At ${path}`, [`n${Number(/\d+$/.exec(path)?.[0] ?? 0) + 1}`])),
    });
    const { book } = await importWebsite({
      url: `${site.origin}/docs/`,
      fetch: site.fetch,
      limits: { timeoutMs: 600_000 },
      now: () => (time += 20_000),
    });
    expect(book.texts.size).toBeGreaterThan(1);
    expect(book.skipped.map(({ reason }) => reason)).toEqual(["The import had reached its time limit."]);
  });

  test("the crawl stops when its consumer cancels", async () => {
    const giving = new AbortController();
    const site = await openSite({
      "*": html((path) => {
        if (path.length > 20) giving.abort(new Error("Enough."));
        return page(`At ${path}`, [`${path}${path.length}`]);
      }),
    });
    const crawling = importWebsite({ url: `${site.origin}/docs/`, fetch: site.fetch, signal: giving.signal });
    await expect(crawling).rejects.toThrow("Enough.");
  });
});

describe("skipped responses", () => {
  test("a slow response is skipped with the reason", async () => {
    const site = await openSite({
      "/docs/": page("Home", ["slow"]),
      "/docs/slow": (_, response) => response.setHeader("content-type", "text/html").write("<p>"),
    });
    // The first page must answer in this time, on a busy machine as well.
    const { book, foundCount: total } = await crawl(site, { responseTimeoutMs: 3000 });
    expect(book.skipped.map(({ reason }) => reason)).toEqual(["It didn't respond in time."]);
    expect([...book.texts.keys()]).toEqual(["README.md"]);
    expect(total).toBe(2);
  });

  test("responses that are huge, broken, of another type or from another site are skipped with the reason", async () => {
    const site = await openSite({
      "/docs/": page("Home", ["huge", "declared", "cut", "data", "out", "away", "good"]),
      "/docs/huge": (_, response) => {
        response.setHeader("content-type", "text/html");
        const more = () => {
          while (!response.destroyed && response.write("x".repeat(10_000)));
        };
        response.on("drain", more);
        more();
      },
      "/docs/declared": (_, response) =>
        response.writeHead(200, { "content-type": "text/html", "content-length": 1e9 }).write("<p>"),
      "/docs/cut": (_, response) => {
        response.writeHead(200, { "content-type": "text/html", "content-length": 1000 }).write("<p>");
        setImmediate(() => response.destroy());
      },
      "/docs/data": typed("application/json", "{}"),
      "/docs/out": redirect("/elsewhere"),
      "/docs/away": redirect("https://other.test/"),
      "/elsewhere": page("Elsewhere"),
      "/docs/good": page("Good"),
    });
    const { book, foundCount: total } = await crawl(site, { maxPageBytes: 100_000 });
    expect(
      Object.fromEntries(book.skipped.map(({ resource, reason }) => [resource.split("/").at(-1), reason])),
    ).toEqual({
      huge: "It is larger than 100 kB.",
      declared: "It is larger than 100 kB.",
      cut: "It could not be reached: it broke off the connection.",
      data: "It is application/json, not a page.",
      out: "It is outside the imported part of the site.",
      away: expect.stringMatching(/^It could not be reached|^It is outside/),
    });
    expect([...book.texts.keys()]).toEqual(["README.md", "good.md"]);
    expect(total).toBe(2 + 6);
  });

  test("files beyond the limits of number, size and total bytes are skipped with the reason", async () => {
    const images = (names: string[]) => names.map((name) => `<p><img src="/${name}.png"></p>`).join("");
    const numbered = (number: number) => typed("image/png", Uint8Array.from([...PNG, number]));
    const paths = {
      "/1.png": numbered(1),
      "/2.png": numbered(2),
      "/big.png": typed("image/png", new Uint8Array(5000)),
    };
    const few = await openSite({ "/docs/": page("Home", [], images(["1", "big", "2"])), ...paths });
    const limited = await crawl(few, { maxFiles: 1, maxFileBytes: 4000, concurrency: 1 });
    expect(limited.book.files.size).toBe(1);
    expect(limited.book.skipped.map(({ reason }) => reason).sort()).toEqual([
      `An import takes 1 files at the most. ${describeLimitOption("maxFiles")}`,
      `An import takes 1 files at the most. ${describeLimitOption("maxFiles")}`,
    ]);
    const all = await crawl(few, { maxFileBytes: 4000, concurrency: 1 });
    expect(all.book.skipped).toEqual([{ resource: `${few.origin}/big.png`, reason: "It is larger than 4 kB." }]);
    const some = await openSite({ "/docs/": page("Home", [], images(["big", "1"])), ...paths });
    const { book } = await crawl(some, { maxBytes: 3000, concurrency: 1 });
    expect(new Set(book.skipped.map(({ reason }) => reason))).toEqual(
      new Set(["The import had reached its size limit."]),
    );
    expect(book.texts.size).toBe(1);
  });

  test("S39: a hostile page costs no more than itself", async () => {
    const site = await openSite({
      "/docs/": page("Home", ["deep", "good"]),
      "/docs/deep": `<main><h1>Deep</h1>${"<div><ul><li><table><tr><td>".repeat(20_000)}words</main>`,
      "/docs/good": page("Good"),
    });
    const { book } = await crawl(site);
    expect(book.texts.has("good.md")).toBe(true);
  });

  test("the number of simultaneous requests is limited", async () => {
    const links = Array.from({ length: 40 }, (_, i) => `p${i}`);
    const site = await openSite({ "*": html((path) => page(`At ${path}`, links)) });
    const { book } = await crawl(site, { concurrency: 3 });
    expect(book.texts.size).toBe(41);
    expect(site.busiest()).toBeLessThanOrEqual(3);
  });
});

test("a site of a hundred pages is imported completely", async () => {
  const number = 100;
  const nav = `<nav>${Array.from({ length: number }, (_, i) => `<a href="/docs/part-${i % 20}/page-${i}/">Page ${i}</a>`).join("")}</nav>`;
  const part = (i: number, k: number) =>
    `<h2 id="s${k}">Section ${k}</h2><p>Words of <b>page ${i}</b> that go on for a while, with <code>code()</code> and a <a href="/docs/part-${(i + 1) % 20}/page-${(i + 1) % number}/#s${k}">link</a>.</p><pre><code class="language-js">const a = ${i};\nrun(${k});</code></pre>`;
  const site = await openSite({
    "*": (request, response) => {
      const i = Number(/page-(\d+)\/$/.exec(request.url!)?.[1] ?? -1);
      if (request.url!.endsWith(".png")) response.setHeader("content-type", "image/png").end(PNG);
      else if (i < 0 && request.url !== "/docs/") response.writeHead(404).end();
      else {
        const parts = Array.from({ length: 20 }, (_, k) => part(i, k)).join("");
        const image = `<p><img src="/img-${i % 50}.png" alt="it"></p>`;
        response.setHeader("content-type", "text/html").end(`<body>${nav}${page(`Page ${i}`, [], parts + image)}`);
      }
    },
  });
  const { book, foundCount: total } = await importWebsite({ url: `${site.origin}/docs/`, fetch: site.fetch });
  expect({ pages: book.texts.size, files: book.files.size, total, skipped: book.skipped }).toEqual({
    pages: number + 1,
    files: 1,
    total: number + 2,
    skipped: [],
  });
  expect(book.texts.get("part-7/page-7.md")!.text).toContain("](../part-8/page-8.md#s19)");
  expect(book.chapters).toHaveLength(21);
});
