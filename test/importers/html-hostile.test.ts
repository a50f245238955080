// Malicious pages: scripts in every place, names that reach prototypes, and megabytes of text that take other parsers
// very long.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readMarkdown } from "../../src/content/markdown/read";
import { MAX_ELEMENT_DEPTH, parseHtml } from "../../src/importers/html/parse-html";
import { convertHtmlToMarkdown } from "../support/html";
import { runs } from "../support/test-length";

const base = "https://docs.test/";
const read = (html: string) => convertHtmlToMarkdown(html, { baseUrl: base, isContentOnly: true });

describe("S18: active content", () => {
  test.each([
    ["<p>a<script>alert(1)</script></p>", "a\n"],
    ["<p>a<style>p{background:url(javascript:alert(1))}</style></p>", "a\n"],
    ['<p onclick="alert(1)">a</p>', "a\n"],
    ['<a href="javascript:alert(1)">a</a>', "a\n"],
    ['<a href=" java\tscript&colon;alert(1)">a</a>', "a\n"],
    ['<a href="&#106;avascript:alert(1)">a</a>', "a\n"],
    ['<a href="vbscript:x">a</a>', "a\n"],
    ['<a href="data:text/html,<script>alert(1)</script>">a</a>', "a\n"],
    ['a<img src="javascript:alert(1)">', "a\n"],
    ['a<img src="data:image/svg+xml;base64,PHN2Zz4=">', "a\n"],
    ['a<img src="data:image/png;base64,iVBORw0KGgo=">', "a\n"],
    ['a<iframe src="javascript:alert(1)"></iframe>', "a\n"],
    ['a<iframe srcdoc="<script>alert(1)</script>"></iframe>', "a\n"],
    ['a<object data="x.swf"></object><embed src="x.swf">', "a\n"],
    ['a<svg><script>alert(1)</script><a href="javascript:x">b</a></svg>', "a\n"],
    ["a<math><mtext><script>alert(1)</script></mtext></math>", "a\n"],
    ["a<template><script>alert(1)</script></template>", "a\n"],
    ['<base href="javascript:alert(1)//"><a href="b">a</a>', "a\n"],
    ["<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>", "\\<script>alert(1)\\</script>\n"],
    ["<p>&lt;img src=x onerror=alert(1)&gt;</p>", "\\<img src=x onerror=alert(1)>\n"],
  ])("S18: nothing that a browser would run is imported: %s", (html, markdown) => {
    expect(read(html).markdown).toBe(markdown);
  });

  test("S18: a mapped address is checked again", () => {
    const options = {
      isContentOnly: true,
      mapLink: () => "javascript:alert(1)",
      mapImage: () => "javascript:alert(1)",
    };
    expect(convertHtmlToMarkdown('<a href="x">a</a><img src="y">', options).markdown).toBe("a\n");
  });

  test("S18: code, titles and captions cannot break out of their context", () => {
    const { markdown } = read(
      '<div class="codeblock"><div class="code-block-title">x" %}{% embed url="https://evil.test</div><pre>```\n{% endcode %}\n&lt;script&gt;</pre></div>' +
        '<figure><img src="a.png" alt="](javascript:alert(1))"><figcaption>"&gt;&lt;script&gt;</figcaption></figure>',
    );
    const { document, links } = readMarkdown(markdown);
    expect(document.nodes.map(({ type }) => type)).toEqual(["code", "images"]);
    expect(links.map(({ href }) => href)).toEqual(["https://docs.test/a.png"]);
  });
});

test("S7: names with a meaning in JavaScript are ordinary names", () => {
  const { markdown } = read(
    '<p __proto__="x" constructor="y" class="__proto__ constructor toString" id="__proto__">a</p><constructor>b</constructor><toString>c</toString><table><tr><th>__proto__<tr><td>constructor</table>',
  );
  expect(markdown).toBe('<a id="__proto__"></a>a\n\nbc\n\n| \\_\\_proto\\_\\_ |\n| --- |\n| constructor |\n');
  expect(Reflect.get({}, "x")).toBeUndefined();
});

describe("S39: complexity attacks", () => {
  const LARGE = runs(1 << 19);
  const fill = (text: string) => text.repeat(Math.ceil(LARGE / text.length));
  const hostile: Readonly<Record<string, string>> = {
    "elements that never end": fill("<div>"),
    "paragraphs in bold that never end": fill("<b><p>x"),
    "fonts that never end, each another one": Array.from(
      { length: runs(50_000) },
      (_, i) => `<font color=${i}><p>`,
    ).join(""),
    "ends without beginnings": "<div>".repeat(runs(100_000)) + "</x>".repeat(runs(130_000)),
    "nested tables": fill("<table><tr><td>"),
    "nested lists": fill("<ul><li><p>x"),
    "quotes in quotes": fill("<blockquote>x"),
    "nested formulas": fill("<span class=math>"),
    "nested tabs": fill("<div class=tabs><div role=tablist>"),
    "nested hints": fill('<div class="admonition note">x'),
    "nested figures": fill("<figure><img src=x>"),
    "cells that span everything": `<table>${fill("<tr><td colspan=1000 rowspan=65534>x<td>y")}`,
    "empty rows": `<table><tr><td>a<td>b${fill("<tr>")}`,
    "open brackets": fill("<"),
    "comments that never end": fill("<!--"),
    "references that never end": fill("&amp"),
    "an element of many attributes": `<a ${fill("a=b ")}`,
    "an element of many classes": `<p class="${fill("a ")}">x`,
    "titles of code without code": fill("<span class=filename>x</span>"),
    "a title without end": `<title>${fill("a - ")}`,
    "signs of Markdown": `<p>${fill("*a_`[x](!")}`,
    spaces: `<p>x${fill(" ")}y`,
  };

  test.each(Object.entries(hostile))("S39: any large input is read in linear time: %s", (_, html) => {
    expect(typeof convertHtmlToMarkdown(html, { baseUrl: base }).markdown).toBe("string");
  });

  test("the parsed tree stays shallow", () => {
    let depth = 0;
    for (let at = parseHtml("<div>".repeat(10_000)); at; depth++) at = at.children[0] as typeof at;
    expect(depth).toBeLessThanOrEqual(MAX_ELEMENT_DEPTH + 1);
  });
});

test("the output for any page can be parsed again", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ..."<p> </p> <b> </b> <i> <code> </code> <pre> </pre> <ul> <li> </ul> <ol> <table> <tr> <td> <th> </table> <h1> <h2> </h2> <a> </a> <br> <hr> <img> <div> </div> <blockquote> </blockquote> <details> <summary> <dl> <dt> <dd> <figure> <figcaption> <script> </script> <svg> <math> <!-- --> &amp; &lt; < > \" ' = /".split(
        " ",
      ),
      "<a href='https://x.test/a_b'>",
      "<img src='i.png' alt='[x]'>",
      "<div class='admonition tip'>",
      "<span class=katex>",
      "<input type=checkbox>",
      "{% hint %}",
      "{% endhint %}",
    ),
    fc.string({ maxLength: 8, unit: "binary" }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const { markdown, links } = read(pieces.join(" "));
      const again = readMarkdown(markdown);
      expect(markdown).not.toMatch(/<script|<svg|<iframe|onerror=|javascript:/i);
      for (const { href } of again.links) expect(href).not.toMatch(/^(?:javascript|data|vbscript):/i);
      expect(links.length).toBeLessThanOrEqual(pieces.length);
    }),
    { numRuns: runs(300) },
  );
});
