// Malicious text in pages. Each test has the name of its row in the security table.

import { describe, expect, test } from "vitest";
import type { Block, Document } from "../../../src/content/document";
import { checkDocument } from "../../../src/content/document/check-document";
import { parseMarkdown } from "../../../src/content/markdown/parse";
import { readMarkdown } from "../../../src/content/markdown/read";
import { writeMarkdown } from "../../../src/content/markdown/write";
import { runs } from "../../support/test-length";

/** Every reference of kind url, and every address that stands in data. */
function addressesIn(document: Document): string[] {
  const found: string[] = [];
  JSON.stringify(document, (name, value) => {
    if (name === "url" && typeof value === "string") found.push(value);
    return value;
  });
  return found;
}

function textOf(document: Document): string {
  const texts: string[] = [];
  JSON.stringify(document, (_, value) => {
    if (value?.object === "leaf") texts.push(value.text);
    return value;
  });
  return texts.join("");
}

describe("S13: code injection", () => {
  test.each(["{{ 7 * 7 }}", "{7 * 7}", "<%= 7 * 7 %>", "{% import os %}", "#{7*7}"])("S13: %s stays text", (text) => {
    const { document } = readMarkdown(text);
    expect(textOf(document)).not.toContain("49");
    expect(writeMarkdown(document, { original: text })).toBe(text);
  });

  test("S13: an expression is text in the document, whatever it says", () => {
    const { document } = readMarkdown('<code class="expression">constructor.constructor("return process")()</code>');
    expect((document.nodes[0]!.nodes as Block[])[0]).toMatchObject({
      type: "expression",
      data: { expression: 'constructor.constructor("return process")()' },
    });
  });
});

describe("S16: diagrams and HTML", () => {
  test("S16: a Mermaid directive stays a line of code", () => {
    const { document } = readMarkdown(
      '```mermaid\n%%{init: {"securityLevel": "loose"}}%%\ngraph TD; A["<img src=x onerror=alert(1)>"]\n```',
    );
    expect(document.nodes).toHaveLength(1);
    expect(document.nodes[0]).toMatchObject({ type: "code", data: { syntax: "mermaid" } });
    expect(textOf(document)).toContain('A["<img src=x onerror=alert(1)>"]');
  });

  test.each([
    "<script>alert(1)</script>",
    '<style>@import "x"</style>',
    "<template>\n<img src=x onerror=alert(1)>\n</template>",
    '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
    '<form action="javascript:alert(1)" onsubmit="alert(1)"></form>',
  ])("S16: %j is in the text and not in the document", (html) => {
    const markdown = `before\n\n${html}\n\nafter\n`;
    const { document } = readMarkdown(markdown);
    expect(textOf(document)).toBe("beforeafter");
    expect(JSON.stringify(document)).not.toMatch(/alert|import/);
    expect(writeMarkdown(document, { original: markdown })).toBe(markdown);
  });

  test("S16: rendered elements carry nothing that a browser would run", () => {
    const { document, links } = readMarkdown(
      [
        '<form action="javascript:a()"><button onclick="b()">y</button></form>',
        '<div onload="c()" style="d"><p onclick="e()">z</p></div>',
        '<ul><li><a href="javascript:f()">g</a></li></ul>',
        '<table><tr><th>h</th></tr><tr><td><img src="i.png" onerror="j()"><script>k()</script>l</td></tr></table>',
        '<pre onclick="m()"><code onload="n()"><img src=x onerror=o()>p</code></pre>',
        '<iframe src="https://example.com/q" srcdoc="<script>r()</script>" onload="s()"></iframe>',
      ].join("\n\n"),
    );
    expect(JSON.stringify(document)).not.toMatch(/\(\)|javascript|style|srcdoc|onclick|onload/);
    expect(links.map(({ href }) => href)).toEqual(["i.png", "https://example.com/q"]);
    expect(document.nodes.map(({ type }) => type)).not.toContain("unknown");
  });

  test.each([
    "<SCRIPT\n>alert(1)//",
    "<!-- never ends",
    '<iframe src="javascript:alert(1)"></iframe>',
    '<video><source src="data:text/html,x"></video>',
    "<svg onload=alert(1)>",
    "<math><mi xlink:href=x></math>",
  ])("S16: %j is kept as the source of an unknown block or as paragraph text", (html) => {
    const { document } = readMarkdown(`before\n\n${html}\n\nafter`);
    const block = document.nodes[1]!;
    expect(["unknown", "paragraph"]).toContain(block.type);
    const kept = block.type === "unknown" ? block.data!.source : textOf({ ...document, nodes: [block] });
    expect(kept).toContain(html);
  });

  test("S16: event handlers on known elements are dropped", () => {
    const { document } = readMarkdown(
      '<img src="a.png" onerror="alert(1)" style="x"> text <a href="b" onclick="alert(1)">c</a> <kbd onmouseover="alert(1)">d</kbd>\n\n<figure onclick="alert(1)"><img src="e.png" onload="alert(1)"></figure>',
    );
    expect(JSON.stringify(document)).not.toMatch(/alert|onerror|onclick|onload|onmouseover|style/);
  });

  test("S16: raw HTML inside a paragraph is text", () => {
    const { document } = readMarkdown('a <script>alert(1)</script> <span onclick="x">b</span> c');
    expect(document.nodes[0]).toMatchObject({ type: "paragraph" });
    expect(textOf(document)).toBe("a <script>alert(1)</script> b c");
  });

  test("S16: a style may set only colors", () => {
    const style = (css: string) => {
      const { document } = readMarkdown(`<mark style="${css}">a</mark>`);
      expect(textOf(document)).toBe("a");
      return JSON.stringify(document).match(/"data":\{"text":.*?\}/)?.[0];
    };
    const colors = (text: string, background: string) => `"data":${JSON.stringify({ text, background })}`;
    expect(style("color:red;background-color:#fff")).toBe(colors("red", "#fff"));
    expect(style("color:red;position:fixed")).toBe(colors("red", "default"));
    for (const css of [
      "position:fixed",
      "color:expression(alert(1))",
      "background-color:url(x)",
      "color:red}body{x",
      "--x:1",
    ]) {
      expect(style(css)).toBe(colors("default", "default"));
    }
  });
});

describe("S18: dangerous links", () => {
  const schemes = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "java\tscript:alert(1)",
    "\u0001javascript:alert(1)",
    "\u00a0javascript:alert(1)",
    "\u200bjavascript:alert(1)",
    `${" ".repeat(5000)}javascript:alert(1)`,
    "vbscript:msgbox(1)",
    "data:text/html,<script>alert(1)</script>",
    "data:image/svg+xml;base64,PHN2Zz4=",
    "file:///etc/passwd",
    "blob:x",
    "view-source:x",
  ];
  const entities = [
    "javascript&colon;alert(1)",
    "&#106;avascript:alert(1)",
    "java&Tab;script:alert(1)",
    "java&NewLine;script&#58;alert(1)",
  ];
  const encode = (href: string) => href.replace(/[^A-Za-z0-9:;,&#]/g, (character) => `&#${character.codePointAt(0)};`);

  test.each([...schemes.map(encode), ...entities])("S18: %j is dropped and its text stays", (href) => {
    const forms = [
      `[shown](<${href}>)`,
      `[shown][r]\n\n[r]: <${href}>`,
      `<a href="${href}">shown</a>`,
      `<a href="${href}" class="button primary">shown</a>`,
      `<a data-mention href="${href}">shown</a>`,
    ];
    for (const form of forms) {
      const { document, links } = readMarkdown(form);
      expect({ form, addresses: addressesIn(document), links }).toEqual({ form, addresses: [], links: [] });
      expect(textOf(document)).toContain("shown");
    }
    const blocks = [
      `{% embed url="${decoded(href)}" %}`,
      `{% file src="${decoded(href)}" %}`,
      `{% content-ref url="${decoded(href)}" %}{% endcontent-ref %}`,
      `{% include "${decoded(href)}" %}`,
      `{% @a/b url="${decoded(href)}" %}`,
      `<table data-view="cards"><thead><tr><th data-type="content-ref"></th></tr></thead><tbody><tr><td><a href="${href}">x</a></td></tr></tbody></table>`,
    ];
    for (const form of blocks)
      expect({ form, addresses: addressesIn(readMarkdown(form).document) }).toEqual({ form, addresses: [] });
  });

  /** Tags know no character references. */
  function decoded(href: string): string {
    const [block] = readMarkdown(`\`${href}\` ${href}`).document.nodes;
    const text = block?.nodes?.at(-1);
    return text?.object === "text"
      ? text.leaves
          .at(-1)!
          .text.trim()
          .replace(/[\r\n]/g, "")
      : href;
  }

  test("S18: a resolver cannot bring back a dangerous link", () => {
    const { document } = readMarkdown("[a](b)", () => ({ kind: "url", url: "javascript:alert(1)" }));
    expect(addressesIn(document)).toEqual([]);
  });

  test("S18: an image may embed its data but nothing that runs", () => {
    const images = (src: string) => addressesIn(readMarkdown(`![a](${src})`).document);
    expect(images("data:image/png;base64,iVBORw0KGgo=")).toEqual(["data:image/png;base64,iVBORw0KGgo="]);
    expect(images("data:image/svg+xml;base64,PHN2Zz4=")).toEqual([]);
    expect(addressesIn(readMarkdown("[a](data:image/png;base64,iVBORw0KGgo=)").document)).toEqual([]);
  });

  test("S18: ordinary addresses stay", () => {
    const hrefs = [
      "https://a.example",
      "HTTP://a.example",
      "mailto:a@b.example",
      "tel:+1",
      "a.md",
      "../a:b.md",
      "#x",
      "?a=b:c",
      "//a.example",
      "/a:b",
    ];
    for (const href of hrefs) expect(addressesIn(readMarkdown(`[a](${href})`).document)).toEqual([href]);
  });

  test("S13: template expressions inside code stay unchanged", () => {
    const code =
      "```html\n{{ constructor.constructor('alert(1)')() }}\n{% if x %}\n<code class=\"expression\">space.vars.x</code>\n```";
    const { document } = readMarkdown(`${code}\n\n\`{{ 7*7 }}\` and \`<code class="expression">x</code>\``);
    expect(textOf(document)).toBe(
      '{{ constructor.constructor(\'alert(1)\')() }}{% if x %}<code class="expression">space.vars.x</code>{{ 7*7 }} and <code class="expression">x</code>',
    );
    expect(JSON.stringify(document)).not.toContain('"type":"expression"');
  });
});

/** What makes parsers slow, each made of a few pieces over and over: half a megabyte with a seed. */
const LARGE = runs(1 << 19);
const times = (piece: string, length = LARGE) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
const HALF = LARGE / 2;
const ladder = (mark: string) => Array.from({ length: Math.sqrt(2 * LARGE) }, (_, i) => mark.repeat(i + 1)).join("a");

const SLOW: Readonly<Record<string, string>> = {
  "nested quotes": times(">"),
  "nested quotes and blank lines": times(">", HALF) + times("\n", HALF),
  "nested items and blank lines": times("- ", HALF) + times("\n", HALF),
  "items indented further and further": Array.from({ length: 1000 }, (_, i) => `${"  ".repeat(i)}- a\n`).join(""),
  "numbers on one line": times("1. "),
  "quotes and items": times("> - "),
  "opening brackets": times("["),
  "closing brackets": times("]"),
  "brackets in brackets": times("[", HALF) + times("]", HALF),
  "images in images": times("![a ", HALF) + times("](u)", HALF),
  "links behind open brackets": times("[", HALF) + times("[a](b)", HALF),
  "targets that never end": times("[a](<b"),
  "titles that never end": times('[a](b "c'),
  "opening emphasis": times("*a "),
  "closing emphasis": times("a* "),
  "emphasis in emphasis": times("*a **a ", HALF) + times("a** a* ", HALF),
  "one run of stars": `${times("*", HALF)}a${times("*", HALF)}`,
  "emphasis of several kinds": times("*a_ ~b "),
  "backticks of every length": ladder("`"),
  "dollars of every length": ladder("$"),
  "formulas in quotes": times("> $$\n\n", HALF) + times("$$$\n\n", HALF),
  "comments that never end": times("a <!-- "),
  "instructions that never end": times("a <? "),
  "attributes that never end": times('a <b c="'),
  "expressions that never end": times('a <code class="expression">'),
  "addresses in brackets": times("[http://a "),
  "closing parentheses behind an address": `www.a${times(")")}`,
  "dots behind an address": `www.a${times(".")}a`,
  "mail addresses": times("a_b@c."),
  definitions: Array.from({ length: LARGE / 8 }, (_, i) => `[a${i}]: /u`).join("\n"),
  notes: times("[^a]: b\n"),
  "notes that are referred to again and again": `${times("a[^1] ", HALF)}\n\n[^1]: ${times("b ", HALF)}`,
  "a wide table with short rows": `${times("|a", HALF)}\n${times("|-", HALF)}\n${times("a\n", HALF)}`,
  rows: `|a|\n|-|\n${times("a\n")}`,
  "dashes far apart": `a\n-${times(" ")}-`,
  underlines: times("a\n=\n"),
  "lazy lines": times("> a\nb\n"),
  spaces: `a${times(" ")}b`,
  "closing hashes": `# a${times(" #")}`,
  "tags that never end": times("{% a "),
  "tags that are never closed": times("{% a %}\n"),
  "tags in tags": times("{% a %}\n", HALF) + times("{% enda %}\n", HALF),
  "quotes in a tag": `{% a ${times('"\\')}%}`,
  "ends of tags behind text": `{% a %}\n${times("b %}\n")}`,
  "closing tags behind text": times("{% a %}\nb {% enda %}{% enda %}\n"),
  "details in details": times("<details>", HALF) + times("</details>", HALF),
  "details that are never closed": times("<details><summary>"),
  "highlighted lines": `\`\`\`js {${times("1-9999,", HALF)}1}\na\n\`\`\``,
  "emoji that are none": times(":a"),
  "headings with the same anchor": times("## a\n"),
  nothing: times("\n"),
  "null characters": times("\0"),
};

describe("S39: complexity attacks", () => {
  test.each(Object.entries(SLOW))("S39: a large text is read in time: %s", (_, text) => {
    const { document } = readMarkdown(text);
    expect(document.object).toBe("document");
  });

  test("S39: nothing is nested deeper than a document may be", () => {
    for (const name of [
      "nested quotes",
      "emphasis in emphasis",
      "images in images",
      "tags in tags",
      "details in details",
      "quotes and items",
    ]) {
      const { document } = readMarkdown(SLOW[name]!.slice(0, 20_000) + SLOW[name]!.slice(-20_000));
      expect(checkDocument(document).filter(({ message }) => message.includes("nested"))).toEqual([]);
      expect(() => JSON.stringify(document)).not.toThrow();
    }
  });

  test("S39: large documents are written in time", () => {
    for (const [name, text] of Object.entries(SLOW)) {
      const short = text.slice(0, runs(20_000)) + text.slice(-runs(20_000));
      const { document } = readMarkdown(short);
      expect({ name, type: typeof writeMarkdown(document) }).toEqual({ name, type: "string" });
      expect(writeMarkdown(document, { original: short }) === short).toBe(true);
      expect(typeof writeMarkdown({ ...document, nodes: document.nodes.slice(1) }, { original: short })).toBe("string");
    }
  });

  test("S39: deep trees are truncated and become text", () => {
    expect(parseMarkdown(">".repeat(1000)).children).toHaveLength(1);
    expect(textOf(readMarkdown(`${"> ".repeat(1000)}end`).document)).toMatch(/> end$/);
    expect(textOf(readMarkdown(`${"*a ".repeat(1000)}${"b* ".repeat(1000)}`).document)).toContain("*a *a");
  });
});

test("S40: a footnote referenced again and again does not make an endless document", () => {
  const { document } = readMarkdown(`${"a[^1] ".repeat(10_000)}\n\n[^1]: ${"b ".repeat(10_000)}`);
  expect(JSON.stringify(document).length).toBeLessThan(5_000_000);
});
