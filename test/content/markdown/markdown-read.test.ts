// What reading gives beside the document: headings, links, sections, words and keys.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Block, Document, Fragment, Leaf, Phrasing } from "../../../src/content/document";
import { checkDocumentInSteps } from "../../../src/content/document/check-document";
import { parseMarkdown } from "../../../src/content/markdown/parse";
import { readDocumentInSteps, readMarkdown } from "../../../src/content/markdown/read";
import { writeInSteps, writeMarkdown } from "../../../src/content/markdown/write";
import { createAnchorEntry, lookUpAnchor } from "../../../src/content/revision/anchors";
import { runStepsSync, type Steps } from "../../../src/utils/concurrency/steps";

describe("large blocks", () => {
  const many = (text: string) => text.repeat(6000 / 4);
  const large: Record<string, string> = {
    "a paragraph": many("some *words* and `code`\n"),
    "a list": many("* item\n"),
    "a deep list": many("* a\n  * b\n    * c\n"),
    "a table": `| a | b |\n| - | - |\n${many("| one | two |\n")}`,
    code: `\`\`\`js\n${many("let a;\n")}\`\`\`\n`,
    "a quote": many("> word\n>\n"),
    HTML: `<div>\n${many("<p>word</p>\n")}</div>\n`,
    "a table of HTML": `<table>\n${many("<tr><td>a</td></tr>\n")}</table>\n`,
    details: `<details>\n<summary>a</summary>\n\n${many("word\n\n")}</details>\n`,
    tabs: `{% tabs %}\n{% tab title="a" %}\n${many("word\n\n")}{% endtab %}\n{% endtabs %}\n`,
  };

  /** How many steps work takes, and what comes of it. */
  function stepsOf<Result>(steps: Steps<Result>): { count: number; result: Result } {
    for (let count = 1; ; count++) {
      const { done, value } = steps.next();
      if (done) return { count, result: value };
    }
  }

  test.each(Object.entries(large))("%s is read and written in many steps", (_, text) => {
    const root = parseMarkdown(text);
    const read = stepsOf(readDocumentInSteps(text, root));
    expect(read.count).toBeGreaterThanOrEqual(3);
    const changed = JSON.parse(JSON.stringify(read.result.document)) as Document;
    expect(stepsOf(checkDocumentInSteps(changed))).toMatchObject({
      count: expect.toSatisfy((it) => it > 3),
      result: [],
    });
    const leaf = firstLeaf(changed.nodes)!;
    leaf.text = `other ${leaf.text}`;
    const written = stepsOf(writeInSteps(changed, { original: text }));
    expect(written.result.includes("other ")).toBe(true);
    expect(written.count).toBeGreaterThan(100);
  });

  function firstLeaf(nodes: readonly (Block | Phrasing | Fragment)[]): Leaf | undefined {
    for (const node of nodes) {
      const inside = [
        ...("nodes" in node ? (node.nodes ?? []) : []),
        ...("fragments" in node ? (node.fragments ?? []) : []),
      ];
      const found = "leaves" in node ? node.leaves[0] : firstLeaf(inside);
      if (found) return found;
    }
    return undefined;
  }
});

describe("headings", () => {
  const anchors = (markdown: string) => readMarkdown(markdown).headings.map(({ anchor }) => anchor);

  test("headings have levels, texts and anchors, and the keys of their blocks", () => {
    const { headings, document } = readMarkdown("# T\n\n## One *two*\n\n### `three`\n\n##### 4: four!");
    expect(headings.map(({ level, text, anchor }) => [level, text, anchor])).toEqual([
      [1, "One two", "one-two"],
      [2, "three", "three"],
      [3, "4: four!", "4-four"],
    ]);
    expect(headings.map(({ key }) => key)).toEqual(document.nodes.map(({ key }) => key));
    expect(document.nodes.map(({ meta }) => meta?.id)).toEqual(["one-two", "three", "4-four"]);
  });

  test("anchors are made as GitHub makes them and are unique", () => {
    expect(
      anchors("## A & b_c - D\n\n## Über Größe\n\n## 日本語 です\n\n## !!!\n\n## a\n\n## a\n\n## a-1\n\n## a"),
    ).toEqual(["a--b_c---d", "über-größe", "日本語-です", "section", "a", "a-1", "a-1-1", "a-2"]);
  });

  test("anchors may be anywhere in a text and include those of headings", () => {
    const { anchors } = readMarkdown(
      '## One\n\n<a id="a"></a>\n\n* <a name="b"></a>**term** and <a id="c">words</a>\n\n| <a id="d"></a>x |\n| --- |\n| y <a href="#e" id="e"></a> |\n\n## <a href="#f" id="f"></a> Two <a id="g"></a>\n\n`<a id="h"></a>` <a id="no good"></a>',
    );
    expect([...anchors].sort()).toEqual(["a", "b", "c", "d", "e", "f", "g", "one"]);
  });

  test("a heading with several anchors keeps them when it is rewritten", () => {
    const markdown = '## <a href="#f" id="f"></a> Two <a id="g"></a>\n';
    const { document } = readMarkdown(markdown);
    expect(writeMarkdown(document)).toBe(markdown);
  });

  test("an explicit anchor of a heading takes precedence wherever it is", () => {
    expect(anchors('## b\n\n## A <a href="#b" id="b"></a>\n\n## <a name="c"></a>C')).toEqual(["b-1", "b", "c"]);
  });

  test("headings inside tabs, hints and HTML count too", () => {
    expect(
      anchors('{% tabs %}{% tab title="x" %}\n## a\n{% endtab %}{% endtabs %}\n\n> ## b\n\n<h2 align="center">c</h2>'),
    ).toEqual(["a", "b", "c"]);
  });
});

describe("anchors of other generators", () => {
  const meant = (markdown: string, ...anchors: string[]) => {
    const { anchors: own, aliases } = readMarkdown(markdown);
    return anchors.map((anchor) => (own.includes(anchor) ? anchor : runStepsSync(aliases()).get(anchor)));
  };

  // What github-slugger, Python-Markdown, Pandoc, docutils, Hugo, markdown-it-anchor, VitePress and mdBook give.
  test.each([
    ["Foo & Bar", ["foo--bar", "foo-bar", "foo-and-bar", "foo-&-bar"]],
    ["What's new in 2.0?", ["whats-new-in-20", "what-s-new-in-2-0", "whats-new-in-2-0", "whats-new-in-2.0"]],
    ["`fs.read(path[, options])`", ["fsreadpath-options", "fs-read-path-options", "fs.readpath-options"]],
    ["Über die Größe", ["über-die-größe", "uber-die-groe", "uber-die-große", "ber-die-gre"]],
    ["1. First", ["1-first", "first", "_1-first", "a1-first"]],
    ["snake_case", ["snake_case", "snake-case"]],
    ["A  double   space", ["a--double---space", "a-double-space"]],
    ["Vec<T> and `Vec<T>`", ["vec-and-vect"]],
    ['<span class="x">Spanned</span> words', ["spanned-words"]],
    ["[Linked](https://example.com) words", ["linked-words", "linkedhttpsexamplecom-words"]],
    [":tada: Party", ["tada-party", "-party", "party"]],
    ["![Logo](logo.png) Name", ["logo-name", "-name", "name"]],
    ["AT&amp;T &mdash; more", ["att--more", "at-t-more", "att-more"]],
    ["Привет, мир!", ["привет-мир"]],
    ["你好，世界", ["你好世界", "你好-世界", "_1"]],
    ["Foo {#stated}", ["stated", "foo-stated"]],
    ["Foo {: #stated .big}", ["stated"]],
    ["Classed {.big}", ["classed"]],
  ])("anchors that other generators make of headings are known: %s", (heading, anchors) => {
    const markdown = `# Title\n\n## ${heading}\n`;
    const [own] = readMarkdown(markdown).headings.map(({ anchor }) => anchor);
    expect(meant(markdown, ...anchors)).toEqual(anchors.map(() => own));
  });

  test("a title is the page itself and counts among repeated headings", () => {
    const markdown = "# Set up\n\n## Set up\n\n## Next\n\n### Set up\n\n### Next\n";
    expect(meant(markdown, "set-up", "set-up-1", "set-up-2", "set-up_1", "set-up_2")).toEqual([
      "set-up",
      "set-up-1",
      "set-up-1",
      "set-up",
      "set-up-1",
    ]);
    expect(meant("# Set up: *all*\n\nText", "set-up-all", "set-up:-all", "all")).toEqual(["", "", undefined]);
    expect(meant(markdown, "next", "next-1", "next_1", "id1")).toEqual(["next", "next-1", "next-1", "set-up"]);
  });

  test("ids of elements count as anchors, but not those in comments and code", () => {
    const markdown =
      '<span id="a">x</span>\n\n<div class="b" id=\'c\'>\n<p id=d>y</p>\n</div>\n\n<!-- <i id="no"> -->\n\n`<i id="no">`\n\n<details id="e"><summary>s</summary>\n\nz\n\n</details>\n';
    expect([...readMarkdown(markdown).anchors].sort()).toEqual(["a", "c", "d", "e"]);
  });

  test("an anchor that only resembles that of a heading is not one", () => {
    const markdown = "# Title\n\n## What's new in 2.0?\n\n## snake_case\n\n## Foo {#stated}\n";
    const wrong = ["what", "whats-new", "What's-new", "new-in-20", "snake--case", "foo", "whats-new-in-20-1"];
    expect(meant(markdown, ...wrong, "title-1", "")).toEqual([...wrong, "", ""].map(() => undefined));
  });

  test("the stored form of anchors restores them, even for a very long page", () => {
    const headings = Array.from({ length: 400 }, (_, i) => `Heading.number(${i}) of a long page`);
    const { anchors, aliases } = readMarkdown(headings.map((it) => `## ${it}\n`).join("\n"));
    const entry = createAnchorEntry(anchors, runStepsSync(aliases()))!;
    expect(entry.isWhole).toBe(true);
    expect(JSON.stringify(entry).length).toBeLessThan(16_000);
    const found = (anchor: string) => lookUpAnchor(entry, anchor);
    expect(found("headingnumber1-of-a-long-page")).toBe("headingnumber1-of-a-long-page");
    expect(found("heading-number-1-of-a-long-page")).toBe("headingnumber1-of-a-long-page");
    expect(anchors.filter((anchor) => found(anchor) !== anchor)).toEqual([]);
    expect([...runStepsSync(aliases()).keys()].filter((anchor) => found(anchor) === undefined)).toEqual([]);
    expect(Array.from({ length: 400 }, (_, i) => found(`heading-${i}`)).filter(Boolean)).toEqual([]);
    const tooMany = createAnchorEntry(
      Array.from({ length: 3000 }, (_, i) => `a${i}`),
      new Map(),
    );
    expect(lookUpAnchor(tooMany, "anything")).toBe("anything");
    expect(lookUpAnchor({ anchors: ["old"], isWhole: true }, "older")).toBeUndefined();
    expect(createAnchorEntry([], new Map())).toBeUndefined();
  });
});

describe("links", () => {
  const text = [
    "[link **bold**](a.md#x) and ![image](b.png) and <https://c.example> and [ref][r] and www.d.example",
    "",
    '{% content-ref url="e.md" %}',
    "[e.md](e.md)",
    "{% endcontent-ref %}",
    "",
    '{% include "f.md" %}',
    '{% embed url="https://g.example" %}',
    '{% file src="h.pdf" %}the file{% endfile %}',
    '{% openapi-operation spec="i" path="/" method="get" %}{% endopenapi-operation %}',
    "",
    '<a href="j.md" class="button primary">Go</a> <a data-mention href="k">K</a> <a href="l.md">html</a>',
    "",
    "| a |\n|---|\n| [cell](m.md) |",
    "",
    '<figure><img src="n.png" alt="N"></figure>',
    "",
    "[r]: /definition",
  ].join("\n");
  const { links, document } = readMarkdown(text);

  test("links are found with their purpose and their text", () => {
    expect(links.map(({ href, as, text: shown }) => `${as} ${href} ${JSON.stringify(shown)}`)).toEqual([
      'link a.md#x "link bold"',
      'image b.png "image"',
      'link https://c.example "https://c.example"',
      'link /definition "ref"',
      'link http://www.d.example "www.d.example"',
      'content-ref e.md "e.md"',
      'include f.md ""',
      'embed https://g.example ""',
      'file h.pdf "the file"',
      'openapi i ""',
      'button j.md "Go"',
      'mention k "K"',
      'link l.md "html"',
      'link m.md "cell"',
      'image n.png "N"',
    ]);
  });

  test("links have the offsets of the definition that states their address", () => {
    expect(links.map(({ start, end }) => text.slice(start, end))).toEqual([
      "[link **bold**](a.md#x)",
      "![image](b.png)",
      "<https://c.example>",
      "[r]: /definition",
      "www.d.example",
      '{% content-ref url="e.md" %}',
      '{% include "f.md" %}',
      '{% embed url="https://g.example" %}',
      '{% file src="h.pdf" %}',
      '{% openapi-operation spec="i" path="/" method="get" %}',
      '<a href="j.md" class="button primary">Go</a>',
      '<a data-mention href="k">K</a>',
      '<a href="l.md">html</a>',
      "[cell](m.md)",
      '<img src="n.png" alt="N">',
    ]);
  });

  test("links name the top-level block that contains them", () => {
    const keys = document.nodes.map(({ key }) => key);
    expect(links.map(({ block }) => keys.indexOf(block))).toEqual([0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 6, 6, 7, 8]);
  });

  test("offsets are those of the whole text, behind front matter, in quotes and with any line endings", () => {
    const page =
      '\ufeff---\r\na: b\r\n---\r\n# T [t](t.md)\r\n\r\n> x\r\n> [y\r\n> z](u.md)\r\n>\r\n> <figure>\r\n> <img src="v.png">\r\n> </figure>\r\n';
    expect(readMarkdown(page).links.map(({ start, end }) => page.slice(start, end))).toEqual([
      "[y\r\n> z](u.md)",
      '<img src="v.png">',
    ]);
  });
});

describe("sections", () => {
  test("sections are split at headings and contain plain text", () => {
    const { sections, words } = readMarkdown(
      '# T\n\nIntro *text* with `code` and :smile:.\n\n## One\n\n{% tabs %}{% tab title="Tab" %}inside{% endtab %}{% endtabs %}\n\n```js\nlet a = 1;\n```\n\n## Two [link](x)\n\n| h1 | h2 |\n|--|--|\n| c1 | **c2** |\n\n<div class="x">raw</div>\n\n{% unknown a="b" %}\nkept\n{% endunknown %}\n\nnoted[^1]\n\n[^1]: the note',
    );
    expect(sections).toEqual([
      { text: "Intro text with code and :smile:.", code: [16, 20] },
      { anchor: "one", title: "One", text: "Tab\ninside\nlet a = 1;", code: [11, 21] },
      { anchor: "two-link", title: "Two link", text: "h1 h2\nc1\nc2\nraw\nkept\nnoted\nthe note" },
    ]);
    expect(words).toBe(23);
  });

  test("an empty text has no sections", () => {
    expect(readMarkdown("# T")).toMatchObject({ sections: [], words: 0, headings: [], links: [] });
  });
});

describe("keys", () => {
  const keysOf = (markdown: string) => readMarkdown(markdown).document.nodes.map(({ key }) => key!);

  test("keys are those that comments refer to, for nested blocks too", () => {
    const all: string[] = [];
    const visit = (block: Block) => {
      if (block.key) all.push(block.key);
      for (const node of block.nodes ?? []) if (node.object === "block") visit(node);
    };
    for (const block of readMarkdown("* a\n* b\n\n> c\n\n```\nd\n```").document.nodes) visit(block);
    expect(all.length).toBe(8);
    expect(new Set(all).size).toBe(8);
    for (const key of all) expect(key).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  });

  test("keys do not depend on line endings, and a number distinguishes equal blocks", () => {
    expect(keysOf("a\nb\n\nc")).toEqual(keysOf("a\r\nb\r\n\r\nc"));
    const [first, second, third] = keysOf("x\n\nx\n\nx");
    expect([second, third]).toEqual([`${first}-1`, `${first}-2`]);
  });

  test("keys stay when anything else on the page changes", () => {
    const paragraph = fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8}){0,3}$/);
    fc.assert(
      fc.property(fc.uniqueArray(paragraph, { minLength: 1, maxLength: 8 }), fc.nat(), fc.nat(), (texts, at, where) => {
        const kept = texts[at % texts.length]!;
        const before = readMarkdown(texts.join("\n\n")).document.nodes[at % texts.length]!.key;
        const others = texts.filter((text) => text !== kept).map((text) => `Changed ${text}!`);
        others.splice(where % (others.length + 1), 0, kept);
        expect(keysOf(others.join("\n\n"))).toContain(before);
      }),
    );
  });
});
