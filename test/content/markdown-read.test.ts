// What reading gives beside the document: headings, links, sections, words and keys.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Block } from "../../src/content/document";
import { readMarkdown } from "../../src/content/markdown/read";
import { writeMarkdown } from "../../src/content/markdown/write";

describe("headings", () => {
  const anchors = (markdown: string) => readMarkdown(markdown).headings.map(({ anchor }) => anchor);

  test("have levels, texts and anchors, and their blocks' keys", () => {
    const { headings, document } = readMarkdown("# T\n\n## One *two*\n\n### `three`\n\n##### 4: four!");
    expect(headings.map(({ level, text, anchor }) => [level, text, anchor])).toEqual([
      [1, "One two", "one-two"],
      [2, "three", "three"],
      [3, "4: four!", "4-four"],
    ]);
    expect(headings.map(({ key }) => key)).toEqual(document.nodes.map(({ key }) => key));
    expect(document.nodes.map(({ meta }) => meta?.id)).toEqual(["one-two", "three", "4-four"]);
  });

  test("anchors are made as GitHub makes them, and are unique", () => {
    expect(
      anchors("## A & b_c - D\n\n## Über Größe\n\n## 日本語 です\n\n## !!!\n\n## a\n\n## a\n\n## a-1\n\n## a"),
    ).toEqual(["a--b_c---d", "über-größe", "日本語-です", "section", "a", "a-1", "a-1-1", "a-2"]);
  });

  test("anchors may stand anywhere in a text, and those of headings are among them", () => {
    const { anchors } = readMarkdown(
      '## One\n\n<a id="a"></a>\n\n* <a name="b"></a>**term** and <a id="c">words</a>\n\n| <a id="d"></a>x |\n| --- |\n| y <a href="#e" id="e"></a> |\n\n## <a href="#f" id="f"></a> Two <a id="g"></a>\n\n`<a id="h"></a>` <a id="no good"></a>',
    );
    expect([...anchors].sort()).toEqual(["a", "b", "c", "d", "e", "f", "g", "one"]);
  });

  test("a heading with several anchors keeps them when it is written anew", () => {
    const markdown = '## <a href="#f" id="f"></a> Two <a id="g"></a>\n';
    const { document } = readMarkdown(markdown);
    expect(writeMarkdown(document)).toBe(markdown);
  });

  test("an anchor that a heading gives itself wins, wherever it stands", () => {
    expect(anchors('## b\n\n## A <a href="#b" id="b"></a>\n\n## <a name="c"></a>C')).toEqual(["b-1", "b", "c"]);
  });

  test("those inside tabs, hints and HTML count as well", () => {
    expect(
      anchors('{% tabs %}{% tab title="x" %}\n## a\n{% endtab %}{% endtabs %}\n\n> ## b\n\n<h2 align="center">c</h2>'),
    ).toEqual(["a", "b", "c"]);
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

  test("are found with what they are for and what they show", () => {
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

  test("have the places of what states their address", () => {
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

  test("name the block at the top that holds them", () => {
    const keys = document.nodes.map(({ key }) => key);
    expect(links.map(({ block }) => keys.indexOf(block))).toEqual([0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 6, 6, 7, 8]);
  });

  test("places are those of the whole text, behind front matter, in quotes and with any line endings", () => {
    const page =
      '\ufeff---\r\na: b\r\n---\r\n# T [t](t.md)\r\n\r\n> x\r\n> [y\r\n> z](u.md)\r\n>\r\n> <figure>\r\n> <img src="v.png">\r\n> </figure>\r\n';
    expect(readMarkdown(page).links.map(({ start, end }) => page.slice(start, end))).toEqual([
      "[y\r\n> z](u.md)",
      '<img src="v.png">',
    ]);
  });
});

describe("sections", () => {
  test("are cut at headings and hold plain words", () => {
    const { sections, words } = readMarkdown(
      '# T\n\nIntro *text* with `code` and :smile:.\n\n## One\n\n{% tabs %}{% tab title="Tab" %}inside{% endtab %}{% endtabs %}\n\n```js\nlet a = 1;\n```\n\n## Two [link](x)\n\n| h1 | h2 |\n|--|--|\n| c1 | **c2** |\n\n<div class="x">raw</div>\n\n{% unknown a="b" %}\nkept\n{% endunknown %}\n\nnoted[^1]\n\n[^1]: the note',
    );
    expect(sections).toEqual([
      { text: "Intro text with code and :smile:." },
      { anchor: "one", title: "One", text: "Tab\ninside\nlet a = 1;" },
      { anchor: "two-link", title: "Two link", text: "h1 h2\nc1\nc2\nraw\nkept\nnoted\nthe note" },
    ]);
    expect(words).toBe(23);
  });

  test("of an empty text there are none", () => {
    expect(readMarkdown("# T")).toMatchObject({ sections: [], words: 0, headings: [], links: [] });
  });
});

describe("keys", () => {
  const keysOf = (markdown: string) => readMarkdown(markdown).document.nodes.map(({ key }) => key!);

  test("are those of a comment's target, and of nested blocks too", () => {
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

  test("do not depend on line endings, and tell equal blocks apart by their number", () => {
    expect(keysOf("a\nb\n\nc")).toEqual(keysOf("a\r\nb\r\n\r\nc"));
    const [first, second, third] = keysOf("x\n\nx\n\nx");
    expect([second, third]).toEqual([`${first}-1`, `${first}-2`]);
  });

  test("stay when anything else in the page changes", () => {
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
