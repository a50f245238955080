// Websites, crawled over real sockets: which pages are taken, in which order, and how they are linked.

import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Chapter } from "../../src/content/book/book";
import { ImportError } from "../../src/importers/errors";
import { importHtml } from "../../src/importers/html/import-html";
import { CompressedText } from "../../src/importers/website/compressed-text";
import { importWebsite } from "../../src/importers/website/import-website";
import { parseRobots } from "../../src/importers/website/robots";
import { runStepsSync } from "../../src/utils/concurrency/steps";
import { openSite, PNG, page, redirect, type Site, typed } from "./website-site";

const heldAndRead = (text: string) => runStepsSync(runStepsSync(CompressedText.compressInSteps(text)).readInSteps());

const crawl = (site: Site, path = "/docs/", limits = {}) =>
  importWebsite({ url: site.origin + path, fetch: site.fetch, limits });

/** The table of contents, with two spaces for each level. */
function outline(chapters: readonly Chapter[], indent = ""): string[] {
  return chapters.flatMap((chapter) => [
    indent + (chapter.kind === "page" ? chapter.path : `(${chapter.kind === "group" ? chapter.title : ""})`),
    ...("chapters" in chapter ? outline(chapter.chapters, `${indent}  `) : []),
  ]);
}

describe("importing a site", () => {
  test("a site becomes a book nested like its paths, in the order of its navigation", async () => {
    const nav =
      '<nav><a href="/docs/">Home</a><a href="/docs/z">Z</a><a href="/docs/guide/">Guide</a><a href="/docs/guide/b">B</a></nav>';
    const site = await openSite({
      "/docs/": page("Home", [], nav),
      "/docs/z": page("Z"),
      "/docs/guide/": page("Guide", ["a", "b", "deep/er/page.html"]),
      "/docs/guide/a": page("A"),
      "/docs/guide/b": page("B"),
      "/docs/guide/deep/er/page.html": page("Deep", ["/docs/api/x"]),
      "/docs/api/x": page("X", ["/outside", "https://other.test/"]),
    });
    const { book, foundCount: total } = await crawl(site);
    expect(outline(book.chapters)).toEqual([
      "README.md",
      "z.md",
      "guide/README.md",
      "  guide/b.md",
      "  guide/a.md",
      "  guide/deep/er/page.md",
      "(Api)",
      "  api/x.md",
    ]);
    expect([...book.texts.keys()].sort()).toEqual(
      ["README.md", "api/x.md", "guide/README.md", "guide/a.md", "guide/b.md", "guide/deep/er/page.md", "z.md"].sort(),
    );
    expect({ total, skipped: book.skipped }).toEqual({ total: 7, skipped: [] });
    expect(site.asked).not.toContain("/outside");
    expect(book.websitePaths?.get("guide/deep/er/page.md")).toBe("guide/deep/er/page.html");
  });

  test("the order of a navigation in a frame is used, and pages of the frame are not imported", async () => {
    const site = await openSite({
      "/docs/": page("Home", ["b"], '<noscript><iframe src="toc.html"></iframe></noscript>'),
      "/docs/toc.html": `<meta name="robots" content="noindex"><ol class="chapter"><li><a href="./">Home</a><li><a href="c">C</a><li><a href="b">B</a><li><a href="a">A</a></ol>`,
      "/docs/a": page("A"),
      "/docs/b": page("B", [], '<nav><a href="a">Next</a></nav>'),
      "/docs/c": page("C"),
    });
    const { book } = await crawl(site);
    expect(outline(book.chapters)).toEqual(["README.md", "c.md", "b.md", "a.md"]);
    expect(book.skipped.map(({ resource }) => resource)).toEqual([`${site.origin}/docs/toc.html`]);
  });

  test("a site is nested like the tables of contents in its pages, whatever its paths", async () => {
    const contents = (...items: string[]) => `<div class="toctree-wrapper"><ul>${items.join("")}</ul></div>`;
    const item = (href: string, inside = "") =>
      `<li><a href="${href}">Label of ${href}</a>${inside && `<ul>${inside}</ul>`}</li>`;
    const site = await openSite({
      "/docs/": page("Home", ["contents.html"]),
      "/docs/contents.html": page(
        "Contents",
        [],
        contents(item("z.html", item("a.html#x") + item("y.html")), item("b.html")),
      ),
      "/docs/z.html": page("Z", [], contents(item("a.html", item("a.html#x")), item("y.html"))),
      "/docs/a.html": page("A"),
      "/docs/y.html": `<html><head><title>Y</title></head><body><div class="toc"><dl><dt><a href="deep.html">1. Deep</a></dt></dl></div></body></html>`,
      "/docs/deep.html": page("Deep"),
      "/docs/b.html": page("B"),
    });
    const { book } = await crawl(site);
    expect(outline(book.chapters)).toEqual([
      "README.md",
      "z.md",
      "  a.md",
      "  y.md",
      "    deep.md",
      "b.md",
      "contents.md",
    ]);
    expect(book.texts.get("y.md")?.text).toContain("* [1. Deep](deep.md)");
  });

  test("a site is nested like its navigation, with headings that are not pages, and ordered by next links", async () => {
    const nav = `<nav><ul><li><a href="/docs/">Home</a></li><li><span>Guides</span><ul><li><a href="/docs/two">Two</a><ul><li><a href="/docs/one">One</a></li></ul></li></ul></li></ul></nav>`;
    const next = (href: string) => `<link rel="next" href="${href}">`;
    const site = await openSite({
      "/docs/": page("Home", [], nav + next("/docs/two")),
      "/docs/one": page("One", ["three", "four"], next("/docs/four")),
      "/docs/two": page("Two", [], next("/docs/one")),
      "/docs/three": page("Three", [], '<a accesskey="u" href="/docs/two">Up</a>'),
      "/docs/four": page("Four", [], next("/docs/three")),
    });
    const { book } = await crawl(site);
    expect(outline(book.chapters)).toEqual([
      "README.md",
      "(Guides)",
      "  two.md",
      "    one.md",
      "    three.md",
      "four.md",
    ]);
  });

  test("titles omit what all page titles share, and come from the content where a page has none", async () => {
    const words = "<p>Words that are on this page alone, and more of them: ";
    const titled = (title: string) => `<title>${title}</title><body>${words}${title}</p></body>`;
    const site = await openSite({
      "/docs/": titled("Acme - Home - Manual 2.0").replace(
        "<body>",
        '<body><nav><a href="a">A</a><ul><li><a href="c.html">Called C</a></li></ul></nav>',
      ),
      "/docs/a": `${titled("Acme - a — The first - Manual 2.0")}<a href="b">b</a>`,
      "/docs/b": titled("Acme - B - Manual 2.0"),
      "/docs/c.html": `<body>${words}none</p></body>`,
    });
    const { book } = await crawl(site);
    const titles = book.chapters.map((chapter) => (chapter.kind === "page" ? chapter.title : ""));
    expect(titles.sort()).toEqual(["B", "Called C", "Home", "a — The first"]);
  });

  test("pages keep anchors that links refer to and anchors that are meaningful", async () => {
    const site = await openSite({
      "/docs/": page("Home", ["a#id-1.2", "a#top", "a#open"]),
      "/docs/a": `<main><section id="top"><h1>A</h1><p id="id-1.2">One</p><p id="id-1.3">Two</p><dl><dt id="open">open</dt><dd>Opens.</dd></dl><p><span id="close">Three</span></p></section></main>`,
    });
    const { book } = await crawl(site);
    expect(book.texts.get("a.md")?.text).toBe(
      '# A\n\n<a id="top"></a><a id="id-1.2"></a>One\n\nTwo\n\n* <a id="open"></a>**open**\n\n  Opens.\n\n<a id="close"></a>Three\n',
    );
    expect(book.omittedParts).toEqual(
      [
        { part: "header", pages: 1, characters: 4 },
        { part: "footer", pages: 1, characters: 6 },
      ].sort((x, y) => y.characters - x.characters),
    );
  });

  test("internal links become paths with anchors, and external links stay", async () => {
    const site = await openSite({
      "/docs/": page("Home", [
        "a/b.html?utm_source=x#part",
        "#here",
        "/docs/index.html#top",
        "/blog/",
        "https://other.test/x",
        "mailto:a@b.test",
      ]),
      "/docs/a/b.html?utm_source=x": page("B", ["../", "../c/", "b.html#own"]),
      "/docs/c/": page("C"),
    });
    const { book } = await crawl(site);
    const home = book.texts.get("README.md")!.text;
    for (const link of [
      "](a/b.md#part)",
      "](#here)",
      "](#top)",
      `](${site.origin}/blog/)`,
      "](https://other.test/x)",
      "](mailto:a@b.test)",
    ])
      expect(home).toContain(link);
    const b = book.texts.get("a/b.md")!.text;
    for (const link of ["](../README.md)", "](../c.md)", "](#own)"]) expect(b).toContain(link);
    expect(home).toMatch(/^# Home\n\nWhat Home says/);
  });

  test("a site is also read by its sitemap, through index files and compression, in that order", async () => {
    const origin: { at: string } = { at: "" };
    const urls = (...paths: string[]) =>
      `<urlset>${paths.map((path) => `<url><loc>${origin.at}${path}</loc></url>`).join("")}</urlset>`;
    const site = await openSite({
      "/robots.txt": (_, response) => response.end(`Sitemap: ${origin.at}/maps.xml`),
      "/maps.xml": (_, response) =>
        response.end(
          `<?xml version="1.0"?><sitemapindex><sitemap><loc>${origin.at}/one.xml.gz</loc></sitemap><sitemap><loc>${origin.at}/two.xml</loc></sitemap><sitemap><loc>${origin.at}/maps.xml</loc></sitemap></sitemapindex>`,
        ),
      "/one.xml.gz": (_, response) => response.end(gzipSync(urls("/docs/second", "/elsewhere"))),
      "/two.xml": (_, response) => response.end(urls("/docs/first", "/docs/gone")),
      "/docs/": page("Home"),
      "/docs/first": page("First"),
      "/docs/second": page("Second"),
    });
    origin.at = site.origin;
    const { book, foundCount: total } = await crawl(site);
    expect(outline(book.chapters)).toEqual(["README.md", "second.md", "first.md"]);
    expect(book.skipped).toEqual([{ resource: `${site.origin}/docs/gone`, reason: "It returned the status 404." }]);
    expect(total).toBe(4);
  });

  test("images are fetched once for each address and stored once for each content", async () => {
    const image = (src: string) => `<p>Look: <img src="${src}" alt="it"></p>`;
    const site = await openSite({
      "/docs/": page(
        "Home",
        ["a", "manual.pdf"],
        image("/img/one.png") + image("/img/same.png?v=2") + image("/img/broken.png"),
      ),
      "/docs/a": page(
        "A",
        [],
        image("../img/one.png") + image("/img/page.png") + image("https://elsewhere.test/x.png"),
      ),
      "/docs/manual.pdf": typed("application/pdf", "%PDF-1.7"),
      "/img/one.png": typed("image/png", PNG),
      "/img/same.png?v=2": typed("image/png", PNG),
      "/img/page.png": page("No image"),
    });
    const { book, foundCount: total } = await crawl(site);
    expect([...book.files.keys()].sort()).toEqual([
      "assets/manual.pdf",
      expect.stringMatching(/^assets\/(?:one|same)\.png$/),
    ]);
    const [path] = [...book.files.keys()].filter((name) => name.endsWith(".png"));
    expect(book.files.get(path!)).toEqual({ bytes: PNG, contentType: "image/png" });
    expect(book.texts.get("README.md")!.text.split(`![it](${path})`)).toHaveLength(3);
    expect(book.texts.get("README.md")!.text).toContain("](assets/manual.pdf)");
    expect(book.texts.get("a.md")!.text).toContain(`![it](${path})`);
    expect(book.texts.get("a.md")!.text).toContain("![it](https://elsewhere.test/x.png)");
    expect(site.asked.filter((asked) => asked === "/img/one.png")).toHaveLength(1);
    expect(
      Object.fromEntries(book.skipped.map(({ resource, reason }) => [resource.replace(site.origin, ""), reason])),
    ).toEqual({
      "/img/broken.png": "It returned the status 404.",
      "/img/page.png": "It is text/html, not a file.",
      "https://elsewhere.test/x.png": "It could not be reached.",
    });
    expect(total).toBe(2 + 2 + 3);
  });
});

describe("duplicate pages", () => {
  test("pages are identical by spelling, canonical address, redirects or content", async () => {
    const canonical = '<link rel="canonical" href="/docs/real">';
    const site = await openSite({
      "/docs/": page("Home", [
        "/docs",
        "/docs/index.html",
        "real/",
        "real",
        "copy",
        "old",
        "real?b=2&a=1",
        "real?a=1&b=2&fbclid=x",
        "twin",
      ]),
      "/docs/real": page("Real"),
      "/docs/real/": page("Real"),
      "/docs/copy": page("Copy").replace("<head>", `<head>${canonical}`),
      "/docs/old": redirect("/docs/real", 301),
      "/docs/real?b=2&a=1": page("Real with a query"),
      "/docs/twin": page("Real"),
    });
    const { book, foundCount: total } = await crawl(site);
    expect([...book.texts.keys()].sort()).toEqual(["README.md", "real-a-1-b-2.md", "real.md"]);
    expect({ total, skipped: book.skipped }).toEqual({ total: 3, skipped: [] });
    const links = [...book.texts.get("README.md")!.text.matchAll(/\]\(([^)]+)\)/g)].map(([, href]) => href);
    expect(links).toEqual([
      ...["README.md", "README.md", "real.md", "real.md", "real.md", "real.md"],
      ...["real-a-1-b-2.md", "real-a-1-b-2.md", "real.md"],
    ]);
  });

  test("pages that each claim the other as canonical are imported once, and one that claims a missing page is kept", async () => {
    const called = (title: string, url: string) =>
      page(title).replace("<head>", `<head><link rel="canonical" href="${url}">`);
    const site = await openSite({
      "/docs/": page("Home", ["a", "b", "lost"]),
      "/docs/a": called("A", "/docs/b"),
      "/docs/b": called("B", "/docs/a"),
      "/docs/lost": called("Lost", "/docs/missing"),
    });
    const { book } = await crawl(site);
    expect([...book.texts.keys()].filter((path) => /^[ab]\.md$/.test(path))).toHaveLength(1);
    expect(book.texts.has("lost.md")).toBe(true);
    expect(book.skipped.map(({ resource }) => resource)).toEqual([`${site.origin}/docs/missing`]);
  });

  test("a canonical address outside the import changes nothing", async () => {
    const site = await openSite({
      "/v1/": page("Home").replace("<head>", '<head><link rel="canonical" href="/latest/">'),
    });
    expect([...(await crawl(site, "/v1/")).book.texts.keys()]).toEqual(["README.md"]);
  });

  test("loops of links and redirects end", async () => {
    const site = await openSite({
      "/docs/": page("Home", ["a", "/docs/round"]),
      "/docs/a": page("A", ["b"]),
      "/docs/b": page("B", ["a", "/docs/"]),
      "/docs/round": redirect("/docs/round"),
    });
    const { book } = await crawl(site);
    expect([...book.texts.keys()].sort()).toEqual(["README.md", "a.md", "b.md"]);
    expect(book.skipped).toEqual([
      { resource: `${site.origin}/docs/round`, reason: "It could not be reached: it redirects too often." },
    ]);
  });
});

describe("crawling rules", () => {
  test("robots.txt is respected, by the group that names us and the longest rule", async () => {
    const site = await openSite({
      "/robots.txt": typed(
        "text/plain",
        "User-agent: *\nDisallow: /\n\nUser-agent: Other\nUser-agent: octavo\nDisallow: /docs/private\nAllow: /docs/private/open\nDisallow: /*.png$\n",
      ),
      "/docs/": page("Home", ["private/x", "private/open/y"], '<p><img src="/i.png"></p>'),
      "/docs/private/open/y": page("Y"),
      "/i.png": typed("image/png", PNG),
    });
    const { book } = await crawl(site);
    expect([...book.texts.keys()].sort()).toEqual(["README.md", "private/open/y.md"]);
    expect(book.skipped.map(({ resource }) => resource.replace(site.origin, "")).sort()).toEqual([
      "/docs/private/x",
      "/i.png",
    ]);
    expect(site.asked).not.toContain("/docs/private/x");
    expect(site.asked).not.toContain("/i.png");
  });

  test("noindex pages and nofollow links are respected", async () => {
    const site = await openSite({
      "/docs/": page("Home", ["draft", "closed"], '<p><a rel="nofollow" href="ad">ad</a></p>'),
      "/docs/draft": page("Draft", ["found"]).replace("<head>", '<head><meta name="robots" content="noindex">'),
      "/docs/found": page("Found"),
      "/docs/closed": (_, response) => {
        response
          .setHeader("content-type", "text/html")
          .setHeader("x-robots-tag", "nofollow")
          .end(page("Closed", ["never"]));
      },
    });
    const { book } = await crawl(site);
    expect([...book.texts.keys()].sort()).toEqual(["README.md", "closed.md", "found.md"]);
    expect(book.skipped).toEqual([
      { resource: `${site.origin}/docs/draft`, reason: "The page has a noindex or noarchive directive." },
    ]);
  });

  test("crawl delays are respected up to a limit", async () => {
    const waits: number[] = [];
    const site = await openSite({
      "/robots.txt": typed("text/plain", "User-agent: *\nCrawl-delay: 3600"),
      "/docs/": page("Home", ["a", "b"]),
      "/docs/a": page("A"),
      "/docs/b": page("B"),
    });
    await importWebsite({
      url: `${site.origin}/docs/`,
      fetch: site.fetch,
      sleep: async (time) => void waits.push(time),
    });
    expect(waits).toEqual([2000, 2000]);
    expect(site.busiest()).toBe(1);
  });

  test("a site whose robots.txt is unavailable is not crawled", async () => {
    const site = await openSite({
      "/docs/": page("Home"),
      "/robots.txt": (_, response) => response.writeHead(503).end(),
    });
    await expect(crawl(site)).rejects.toThrow(
      /robots\.txt couldn't be read, so the pages that may be crawled are unknown: It returned the status 503/,
    );
  });

  test.each([
    ["Disallow: /a", "/a/b", false],
    ["Disallow: /a$", "/a/b", true],
    ["Disallow: /a*c", "/abbc/d", false],
    ["Disallow: /a*c$", "/abbc/d", true],
    ["Disallow: /a\nAllow: /a", "/a", true],
    ["Disallow: /a/\nAllow: /a/b\nDisallow: /a/b/c", "/a/b/c/d", false],
    ["Disallow:", "/a", true],
    ["Disallow: /%c3%a4", "/ä", false],
    ["disallow : /x # all of it", "/x", false],
  ])("%j is the decision for %s", (rules, path, allowed) => {
    expect(parseRobots(`User-agent: *\n${rules}`).allows(path)).toBe(allowed);
  });
});

describe("empty imports", () => {
  test.each([
    ["where there is no page", {}, /could not be imported: It returned the status 404\./],
    ["from a file", { "/docs/": typed("application/zip", "PK") }, /It is application\/zip, not a page\./],
    [
      "from a page without content",
      { "/docs/": '<html><body><div id="root"></div></body></html>' },
      /No content was found in it\./,
    ],
    [
      "against the wish of the site",
      { "/docs/": page("X"), "/robots.txt": typed("text/plain", "User-agent: *\nDisallow: /") },
      /disallows http/,
    ],
    [
      "from a page that leads to another site",
      { "/docs/": redirect("http://127.0.0.2/") },
      /could not be reached|another site/,
    ],
  ])("an import without pages is rejected: %s", async (_, paths, sentence) => {
    const site = await openSite(paths);
    const failed = await crawl(site).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(ImportError);
    expect((failed as Error).message).toMatch(sentence);
  });

  test("an import from something other than a web address is rejected", async () => {
    for (const url of ["file:///etc/passwd", "nonsense", "javascript:alert(1)"])
      await expect(importWebsite({ url, fetch })).rejects.toThrow(ImportError);
  });
});

test("a single page is imported with its images and nothing else", async () => {
  const site = await openSite({
    "/docs/a": page("A", ["b", "/docs/a#x"], '<p><img src="i.png" alt="i"></p>'),
    "/docs/i.png": typed("image/png", PNG),
  });
  const { book, foundCount: total } = await importHtml({ url: `${site.origin}/docs/a`, fetch: site.fetch });
  expect(total).toBe(2);
  expect(site.asked).toEqual(["/docs/a", "/docs/i.png"]);
  const { text } = book.texts.get("README.md")!;
  for (const part of ["# A\n", "![i](assets/i.png)", `](${site.origin}/docs/b)`]) expect(text).toContain(part);
});

test("a text that is set aside comes back unchanged, whatever its length", () => {
  for (const length of [0, 10, 1023, 1024, 50_000, 1024 * 1024, 1024 * 1024 + 1]) {
    const text = "Wörter 日本 🙂 ".repeat(length / 12 + 1).slice(0, length);
    const whole = text.replace(/[\ud800-\udbff]$/, "");
    expect(heldAndRead(whole) === whole, `${length}`).toBe(true);
  }
  // Wherever it is cut, a character of two units stays whole.
  for (const text of ["🙂".repeat(40_000), `a${"🙂".repeat(40_000)}`]) expect(heldAndRead(text) === text).toBe(true);
});
