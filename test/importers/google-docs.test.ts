// Documents of Google Docs, exported and published. Their structure is only in class names and siblings.

import { describe, expect, test } from "vitest";
import { getExportUrl, importGoogleDocs } from "../../src/importers/google-docs/import-google-docs";
import { openSite, PNG, redirect, type Served, typed } from "./website-site";

const ID = "1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789";
const png = btoa(String.fromCharCode(...PNG));

/** A fetch for which a site is Google. */
async function google(paths: Readonly<Record<string, Served>>): Promise<typeof fetch> {
  const site = await openSite(paths);
  return async (input, init) => {
    const url = new URL(String(input));
    const answer = await site.fetch(site.origin + url.pathname + url.search, init);
    const last = answer.url.startsWith(`${site.origin}/signin`)
      ? "https://accounts.google.com/signin"
      : answer.url.replace(site.origin, url.origin);
    return Object.defineProperty(answer, "url", { value: last });
  };
}

const exported = `<html><head><title>File name</title><style type="text/css">ol{margin:0}.c1{font-weight:700}.c2{font-style:italic}
  .c3{font-weight:400;font-family:"Courier New"}.c4{text-decoration:line-through}.c9{color:#000}</style></head><body class="c9 doc-content">
  <p class="c9 title" id="h.t"><span class="c9">The handbook</span></p>
  <p class="c9"><span class="c1">Bold</span><span class="c9">, </span><span class="c2">italic</span><span class="c9"> and </span><span class="c1 c2">both</span><span>, </span><span class="c4">gone</span><span>, </span><span class="c3">code</span><span>. See </span><span><a class="c9"
    href="https://www.google.com/url?q=https://example.test/x%3Fa%3D1&amp;sa=D&amp;source=editors&amp;ust=1&amp;usg=2">there</a></span><sup><a href="#cmnt1" id="cmnt_ref1">[a]</a></sup></p>
  <h1 class="c9" id="h.abc"><span>Part</span></h1>
  <ul class="c9 lst-kix_a1-0 start"><li class="c9 li-bullet-0"><span>one</span></li></ul>
  <ul class="c9 lst-kix_a1-1 start"><li class="c9"><span>one one</span></li><li><span>one two</span></li></ul>
  <ul class="c9 lst-kix_a1-0"><li><span>two</span></li></ul>
  <h2 class="c9"><span>Piece</span></h2>
  <ol class="c9 lst-kix_b2-0 start" start="1"><li><span>first</span></li></ol>
  <p class="c9"><span class="c3">let a = 1;</span></p><p class="c9"><span class="c3">&nbsp;&nbsp;run(a);</span></p>
  <table class="c9"><tr><td class="c9"><p><span>x</span></p></td><td><p><span>y</span></p></td></tr></table>
  <p><span style="overflow: hidden"><img alt="" src="data:image/png;base64,${png}" title=""></span></p>
  <p><span><img alt="far" src="https://lh7.googleusercontent.com/far.png"></span></p>
  <div class="c9"><p><a href="#cmnt_ref1" id="cmnt1">[a]</a><span>A comment</span></p></div></body></html>`;

describe("importing a document", () => {
  test("a document shared by link is imported with its formatting, lists, code and images", async () => {
    const fetch = await google({
      [`/document/d/${ID}/export?format=html`]: exported,
      "/far.png": typed("image/png", Uint8Array.from([...PNG, 0])),
    });
    const { book, foundCount: total } = await importGoogleDocs({
      url: `https://docs.google.com/document/d/${ID}/edit?usp=sharing#heading=h.abc`,
      fetch,
    });
    expect(book.texts.get("README.md")!.text).toBe(
      [
        "# The handbook",
        "**Bold**, *italic* and ***both***, ~~gone~~, `code`. See [there](https://example.test/x?a=1)",
        '## Part <a href="#h.abc" id="h.abc"></a>',
        "* one\n  * one one\n  * one two\n* two",
        "### Piece",
        "1. first",
        "```\nlet a = 1;\n  run(a);\n```",
        '<table data-view="grid" data-header-hidden><thead><tr><th></th><th></th></tr></thead><tbody><tr><td>x</td><td>y</td></tr></tbody></table>',
        "![](assets/image-1.png)",
        "![far](assets/far.png)\n",
      ].join("\n\n"),
    );
    expect(book.files.get("assets/image-1.png")).toEqual({ bytes: PNG, contentType: "image/png" });
    expect({ total, skipped: book.skipped, chapters: book.chapters }).toEqual({
      total: 3,
      skipped: [],
      chapters: [{ kind: "page", path: "README.md", title: "The handbook", chapters: [] }],
    });
  });

  test("a published document is imported without the page around it", async () => {
    const fetch = await google({
      "/document/d/e/2PACX-1vQabcdefgh/pub": `<html><head><title>Published</title></head><body><div id="header">Published using Google Docs</div>
        <div id="contents"><style>.c0{font-weight:700}</style><div class="doc-content"><p><span class="c0">Hello</span></p></div></div><div id="footer">Report abuse</div></body></html>`,
    });
    const { book } = await importGoogleDocs({
      url: "https://docs.google.com/document/d/e/2PACX-1vQabcdefgh/pub?embedded=true",
      fetch,
    });
    expect(book.texts.get("README.md")!.text).toBe("# Published\n\n**Hello**\n");
  });

  test("a document that is private, deleted or not a document is rejected with a message", async () => {
    const closed = await google({
      [`/document/d/${ID}/export?format=html`]: redirect("/signin"),
      "/signin": "<p>Sign in</p>",
    });
    const url = `https://docs.google.com/document/d/${ID}/edit`;
    await expect(importGoogleDocs({ url, fetch: closed })).rejects.toThrow("isn't shared with everyone");
    await expect(importGoogleDocs({ url, fetch: await google({}) })).rejects.toThrow("isn't shared with everyone");
    for (const other of [
      "https://docs.google.com/spreadsheets/d/abcdefghijkl/edit",
      "https://evil.test/document/d/abcdefghijkl",
      "x",
    ])
      expect(() => getExportUrl(other)).toThrow("https://docs.google.com/document/d/");
  });
});
