// Every block, inline and mark, as Markdown and as a document, in both directions.

import { describe, expect, test } from "vitest";
import type { Block, ContentRef, Document } from "../../../src/content/document";
import { checkDocument } from "../../../src/content/document/check-document";
import { readMarkdown } from "../../../src/content/markdown/read";
import { writeMarkdown } from "../../../src/content/markdown/write";

type Json = Record<string, unknown>;

const url = (href: string) => ({ kind: "url", url: href });
const leaf = (text: string, ...marks: (string | Json)[]) => ({
  object: "leaf",
  text,
  marks: marks.map((mark) => ({ object: "mark", ...(typeof mark === "string" ? { type: mark } : mark) })),
});
const text = (...leaves: (string | Json)[]) => ({
  object: "text",
  leaves: leaves.map((part) => (typeof part === "string" ? leaf(part) : part)),
});
const inline = (type: string, data: Json, rest: Json = {}) => ({
  object: "inline",
  type,
  isVoid: rest.nodes === undefined,
  data,
  ...rest,
});
const block = (type: string, data: Json, nodes: unknown[]) => ({ object: "block", type, isVoid: false, data, nodes });
const atom = (type: string, data: Json, rest: Json = {}) => ({ object: "block", type, isVoid: true, data, ...rest });
const paragraph = (...nodes: unknown[]) =>
  block(
    "paragraph",
    {},
    nodes.map((node) => (typeof node === "string" ? text(node) : node)),
  );
const fragment = (type: string, ...nodes: unknown[]) => ({ object: "fragment", type, nodes });
const cell = (name: string, ...nodes: unknown[]) => ({ object: "fragment", fragment: name, type: "cell", nodes });
const item = (data: Json, ...nodes: unknown[]) => block("list-item", data, nodes);
const line = (value: string, data: Json = {}) => block("code-line", data, [text(value)]);

/** A document without what is made anew each time. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== "object" || value === null) return value;
  const { key: _, meta, ...rest } = value as Json;
  const kept = "object" in rest || meta === undefined ? rest : { ...rest, meta };
  return Object.fromEntries(Object.entries(kept).map(([name, member]) => [name, bare(member)]));
}

const blocksOf = (markdown: string) => bare(readMarkdown(markdown).document.nodes);
const written = (nodes: unknown) => writeMarkdown({ object: "document", data: {}, nodes: nodes as Block[] });

/** Name, Markdown in the form that is written, and the blocks that it is. */
const BLOCKS: readonly (readonly [name: string, markdown: string, blocks: unknown[]])[] = [
  ["paragraphs", "One.\n\nTwo.\n", [paragraph("One."), paragraph("Two.")]],
  [
    "an aligned paragraph",
    '<p align="center">Middle</p>\n',
    [block("paragraph", { align: "center" }, [text("Middle")])],
  ],
  [
    "headings",
    "## One\n\n### Two\n\n#### Three\n",
    [
      block("heading-1", {}, [text("One")]),
      block("heading-2", {}, [text("Two")]),
      block("heading-3", {}, [text("Three")]),
    ],
  ],
  [
    "a heading with its anchor",
    '## One <a href="#first" id="first"></a>\n',
    [block("heading-1", { id: "first" }, [text("One")])],
  ],
  ["an aligned heading", '<h3 align="right">Two</h3>\n', [block("heading-2", { align: "end" }, [text("Two")])]],
  [
    "lists",
    "* a\n* b\n  1. c\n  2. d\n",
    [
      block("list-unordered", {}, [
        item({}, paragraph("a")),
        item({}, paragraph("b"), block("list-ordered", {}, [item({}, paragraph("c")), item({}, paragraph("d"))])),
      ]),
    ],
  ],
  [
    "a list that starts later",
    "7. a\n8. b\n",
    [block("list-ordered", { start: 7 }, [item({}, paragraph("a")), item({}, paragraph("b"))])],
  ],
  [
    "tasks",
    "* [ ] a\n* [x] b\n",
    [block("list-tasks", {}, [item({ checked: false }, paragraph("a")), item({ checked: true }, paragraph("b"))])],
  ],
  [
    "lists beside each other",
    "* a\n\n+ b\n\n* c\n",
    [1, 2, 3].map((n) => block("list-unordered", {}, [item({}, paragraph("abc"[n - 1]!))])),
  ],
  [
    "an item with more than a paragraph",
    "* a\n\n  b\n",
    [block("list-unordered", {}, [item({}, paragraph("a"), paragraph("b"))])],
  ],
  ["a divider", "---\n", [atom("divider", {})]],
  [
    "a quote",
    "> a\n>\n> * b\n",
    [block("blockquote", {}, [paragraph("a"), block("list-unordered", {}, [item({}, paragraph("b"))])])],
  ],
  [
    "a hint",
    '{% hint style="warning" %}\nCareful.\n{% endhint %}\n',
    [block("hint", { style: "warning" }, [paragraph("Careful.")])],
  ],
  [
    "a hint with an icon",
    '{% hint style="info" icon="leaf" %}\nx\n{% endhint %}\n',
    [block("hint", { style: "info", icon: "leaf" }, [paragraph("x")])],
  ],
  [
    "a condition",
    '{% if visitor.claims.plan == "pro" %}\nYes.\n{% endif %}\n',
    [block("if", { expression: 'visitor.claims.plan == "pro"' }, [paragraph("Yes.")])],
  ],
  [
    "an image with its words",
    '![Alt](a.png "Caption")\n',
    [
      block("images", {}, [
        atom("image", { ref: url("a.png"), alt: "Alt" }, { fragments: [fragment("caption", paragraph("Caption"))] }),
      ]),
    ],
  ],
  [
    "several images",
    "![](a.png) ![](b.png)\n",
    [block("images", {}, [atom("image", { ref: url("a.png") }), atom("image", { ref: url("b.png") })])],
  ],
  [
    "a figure",
    '<figure><img src="a.png" alt="Alt" width="200"><figcaption><p>A <strong>bold</strong> caption</p></figcaption></figure>\n',
    [
      block("images", {}, [
        atom(
          "image",
          { ref: url("a.png"), width: 200, alt: "Alt" },
          { fragments: [fragment("caption", paragraph(text("A ", leaf("bold", "bold"), " caption")))] },
        ),
      ]),
    ],
  ],
  [
    "an image with a dark variant, wide and on the left",
    '<div align="left" data-full-width="true"><figure><picture><source srcset="d.png" media="(prefers-color-scheme: dark)"><img src="a.png" alt=""></picture></figure></div>\n',
    [
      block("images", { align: "start", fullWidth: true }, [
        atom("image", { ref: url("a.png"), refDark: url("d.png") }),
      ]),
    ],
  ],
  [
    "a drawing",
    '<figure><img src="d.svg" alt="" class="gitbook-drawing"></figure>\n',
    [atom("drawing", { ref: url("d.svg") })],
  ],
  ["a file", '{% file src="a.pdf" %}\n', [atom("file", { ref: url("a.pdf") })]],
  [
    "a file with a caption",
    '{% file src="a.pdf" %}\nThe *report*\n{% endfile %}\n',
    [
      atom(
        "file",
        { ref: url("a.pdf") },
        { fragments: [fragment("caption", paragraph(text("The ", leaf("report", "italic"))))] },
      ),
    ],
  ],
  [
    "an embed",
    '{% embed url="https://a.example/v" fullWidth="true" %}\n',
    [atom("embed", { url: "https://a.example/v", fullWidth: true })],
  ],
  ["a formula", "$$\na\n= b\n$$\n", [atom("math", { formula: "a\n= b" })]],
  ["code", "```js\nlet a;\n\n  b\n```\n", [block("code", { syntax: "js" }, [line("let a;"), line(""), line("  b")])]],
  [
    "code with options",
    '{% code title="a \\"b\\".js" overflow="wrap" lineNumbers="true" fullWidth="true" %}\n```js\na\n```\n{% endcode %}\n',
    [
      block("code", { syntax: "js", title: 'a "b".js', overflow: "wrap", lineNumbers: true, fullWidth: true }, [
        line("a"),
      ]),
    ],
  ],
  [
    "code with highlighted lines",
    "```js {1,3-4}\na\nb\nc\nd\n```\n",
    [
      block("code", { syntax: "js" }, [
        line("a", { highlighted: true }),
        line("b"),
        line("c", { highlighted: true }),
        line("d", { highlighted: true }),
      ]),
    ],
  ],
  ["code that holds a fence", "````\n```\na\n```\n````\n", [block("code", {}, [line("```"), line("a"), line("```")])]],
  [
    "code with words behind the language",
    "```js twoslash\na\n```\n",
    [block("code", { syntax: "js", meta: "twoslash" }, [line("a")])],
  ],
  [
    "an expandable",
    "<details>\n\n<summary>A <em>title</em></summary>\n\nBody\n\n</details>\n",
    [
      atom(
        "expandable",
        {},
        {
          fragments: [
            fragment("expandable-title", paragraph(text("A ", leaf("title", "italic")))),
            fragment("expandable-body", paragraph("Body")),
          ],
        },
      ),
    ],
  ],
  [
    "tabs",
    '{% tabs %}\n{% tab title="A" %}\none\n{% endtab %}\n\n{% tab %}\ntwo\n{% endtab %}\n{% endtabs %}\n',
    [
      block("tabs", {}, [
        block("tabs-item", { title: "A" }, [paragraph("one")]),
        block("tabs-item", {}, [paragraph("two")]),
      ]),
    ],
  ],
  [
    "a table",
    "| a | b |\n| :--- | :---: |\n| **1** | x \\| y |\n| 2 |\n",
    [
      atom(
        "table",
        {
          view: { type: "grid", columns: ["c1", "c2"], hideHeader: false },
          records: {
            r1: { orderIndex: "000001", values: { c1: "r1c1", c2: "r1c2" } },
            r2: { orderIndex: "000002", values: { c1: "r2c1" } },
          },
          definition: {
            c1: { id: "c1", title: "a", type: "text", textAlignment: "left" },
            c2: { id: "c2", title: "b", type: "text", textAlignment: "center" },
          },
        },
        {
          fragments: [
            cell("r1c1", paragraph(text(leaf("1", "bold")))),
            cell("r1c2", paragraph("x | y")),
            cell("r2c1", paragraph("2")),
          ],
        },
      ),
    ],
  ],
  [
    "a table with columns of other types",
    '<table data-view="grid" data-full-width="true" data-header-hidden><thead><tr><th width="90">T</th><th data-type="number">N</th><th data-type="checkbox">C</th><th data-type="rating" data-max="5">R</th><th>S<select><option value="x" label="X"></option></select></th><th data-type="users">U</th><th data-type="files">F</th><th data-type="image">I</th></tr></thead><tbody><tr><td>a<br><code>b</code></td><td>1.5</td><td>true</td><td>3</td><td><span data-option="x">X</span></td><td>usr_1,usr_2</td><td><a href="f.pdf">f.pdf</a></td><td><img src="i.png" alt=""></td></tr></tbody></table>\n',
    [
      atom(
        "table",
        {
          view: {
            type: "grid",
            columns: ["c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8"],
            columnWidths: { c1: 90 },
            hideHeader: true,
          },
          records: {
            r1: {
              orderIndex: "000001",
              values: {
                c1: "r1c1",
                c2: 1.5,
                c3: true,
                c4: 3,
                c5: ["x"],
                c6: ["usr_1", "usr_2"],
                c7: [url("f.pdf")],
                c8: url("i.png"),
              },
            },
          },
          definition: {
            c1: { id: "c1", title: "T", type: "text" },
            c2: { id: "c2", title: "N", type: "number" },
            c3: { id: "c3", title: "C", type: "checkbox" },
            c4: { id: "c4", title: "R", type: "rating", max: 5 },
            c5: { id: "c5", title: "S", type: "select", options: [{ value: "x", label: "X" }] },
            c6: { id: "c6", title: "U", type: "users" },
            c7: { id: "c7", title: "F", type: "files" },
            c8: { id: "c8", title: "I", type: "image" },
          },
          fullWidth: true,
        },
        { fragments: [cell("r1c1", paragraph(text("a\n", leaf("b", "code"))))] },
      ),
    ],
  ],
  [
    "cards",
    '<table data-view="cards" data-card-size="large"><thead><tr><th></th><th data-type="content-ref" data-hidden data-card-target></th><th data-type="files" data-hidden data-card-cover></th></tr></thead><tbody><tr><td><strong>A</strong></td><td><a href="a.md">a.md</a></td><td><a href="a.png">a.png</a></td></tr></tbody></table>\n',
    [
      atom(
        "table",
        {
          view: { type: "cards", cardSize: "large", columns: ["c1"], targetDefinition: "c2", coverDefinition: "c3" },
          records: { r1: { orderIndex: "000001", values: { c1: "r1c1", c2: url("a.md"), c3: [url("a.png")] } } },
          definition: {
            c1: { id: "c1", title: "", type: "text" },
            c2: { id: "c2", title: "", type: "content-ref" },
            c3: { id: "c3", title: "", type: "files" },
          },
        },
        { fragments: [cell("r1c1", paragraph(text(leaf("A", "bold"))))] },
      ),
    ],
  ],
  [
    "a reference to content",
    '{% content-ref url="a.md" %}\n[a.md](a.md)\n{% endcontent-ref %}\n',
    [atom("content-ref", { ref: url("a.md") })],
  ],
  [
    "reusable content",
    '{% include "../.gitbook/includes/a.md" %}\n',
    [atom("reusable-content", { ref: url("../.gitbook/includes/a.md") })],
  ],
  [
    "a block of an integration",
    '{% @acme/board size="large" url="https://acme.example/1" %}\n',
    [
      atom("integration", {
        integration: "acme",
        block: "board",
        props: { size: "large" },
        url: "https://acme.example/1",
      }),
    ],
  ],
  [
    "steps",
    "{% stepper %}\n{% step %}\n## One\n{% endstep %}\n{% endstepper %}\n",
    [block("stepper", {}, [block("stepper-step", {}, [block("heading-1", {}, [text("One")])])])],
  ],
  [
    "columns",
    '{% columns %}\n{% column width="33%" valign="middle" %}\na\n{% endcolumn %}\n\n{% column %}\nb\n{% endcolumn %}\n{% endcolumns %}\n',
    [
      block("columns", {}, [
        block("column", { width: 33, verticalAlignment: "middle" }, [paragraph("a")]),
        block("column", {}, [paragraph("b")]),
      ]),
    ],
  ],
  [
    "an operation of an OpenAPI document",
    '{% openapi-operation spec="pets" path="/pets" method="get" %}\n{% endopenapi-operation %}\n',
    [atom("openapi-operation", { ref: { kind: "openapi", spec: "pets" }, path: "/pets", method: "get" })],
  ],
  [
    "the old form of one",
    '{% openapi src="pets.yaml" path="/pets" method="get" %}\n{% endopenapi %}\n',
    [atom("swagger", { ref: url("pets.yaml"), path: "/pets", method: "get" })],
  ],
  [
    "schemas of an OpenAPI document",
    '{% openapi-schemas spec="pets" schemas="Pet,Cat" grouped="true" %}\n{% endopenapi-schemas %}\n',
    [atom("openapi-schemas", { ref: { kind: "openapi", spec: "pets" }, schemas: ["Pet", "Cat"], grouped: true })],
  ],
  [
    "a webhook of an OpenAPI document",
    '{% openapi-webhook spec="pets" name="new" method="post" %}\n{% endopenapi-webhook %}\n',
    [atom("openapi-webhook", { ref: { kind: "openapi", spec: "pets" }, name: "new", method: "post" })],
  ],
  [
    "updates",
    '{% updates format="full" %}\n{% update date="2025-01-01" tags="a,b" %}\nNew.\n{% endupdate %}\n{% endupdates %}\n',
    [
      block("updates", { format: "full" }, [
        block("update", { date: "2025-01-01", tags: ["a", "b"] }, [paragraph("New.")]),
      ]),
    ],
  ],
  [
    "a pair of tags that nobody knows",
    '{% brand-new level="3" %}\nInside **it**.\n{% endbrand-new %}\n',
    [block("unknown", { source: '{% brand-new level="3" %}' }, [paragraph(text("Inside ", leaf("it", "bold"), "."))])],
  ],
  [
    "a tag that nobody knows",
    '{% brand-new level="3" %}\n',
    [atom("unknown", { source: '{% brand-new level="3" %}' })],
  ],
  ["a component that nobody knows", '<Widget size="3" />\n', [atom("unknown", { source: '<Widget size="3" />' })]],
  [
    "a table whose cells hold blocks",
    '<table data-view="grid"><thead><tr><th>A</th></tr></thead><tbody><tr><td><h3>Title</h3><p>One <strong>two</strong></p><ul><li>a</li><li><p>b</p><ol start="3"><li>c</li></ol></li></ul></td></tr><tr><td><pre title="x.js"><code class="language-js">a &lt; b&#10;&#10;  c</code></pre></td></tr><tr><td><blockquote><p>q</p></blockquote><hr><figure><img src="a.png" alt=""></figure></td></tr></tbody></table>\n',
    [
      atom(
        "table",
        {
          view: { type: "grid", columns: ["c1"], hideHeader: false },
          records: {
            r1: { orderIndex: "000001", values: { c1: "r1c1" } },
            r2: { orderIndex: "000002", values: { c1: "r2c1" } },
            r3: { orderIndex: "000003", values: { c1: "r3c1" } },
          },
          definition: { c1: { id: "c1", title: "A", type: "text" } },
        },
        {
          fragments: [
            cell(
              "r1c1",
              block("heading-2", {}, [text("Title")]),
              paragraph(text("One ", leaf("two", "bold"))),
              block("list-unordered", {}, [
                item({}, paragraph("a")),
                item({}, paragraph("b"), block("list-ordered", { start: 3 }, [item({}, paragraph("c"))])),
              ]),
            ),
            cell("r2c1", block("code", { syntax: "js", title: "x.js" }, [line("a < b"), line(""), line("  c")])),
            cell(
              "r3c1",
              block("blockquote", {}, [paragraph("q")]),
              atom("divider", {}),
              block("images", {}, [atom("image", { ref: url("a.png") })]),
            ),
          ],
        },
      ),
    ],
  ],
  [
    "a table with options to select",
    '<table data-view="grid"><thead><tr><th>Name</th><th>State<select multiple><option value="o1" label="Open" color="blue"></option><option value="o2" label="Done &amp; closed"></option></select></th></tr></thead><tbody><tr><td>a</td><td><span data-option="o2">Done &amp; closed, </span><span data-option="o1">Open</span></td></tr></tbody></table>\n',
    [
      atom(
        "table",
        {
          view: { type: "grid", columns: ["c1", "c2"], hideHeader: false },
          records: { r1: { orderIndex: "000001", values: { c1: "r1c1", c2: ["o2", "o1"] } } },
          definition: {
            c1: { id: "c1", title: "Name", type: "text" },
            c2: {
              id: "c2",
              title: "State",
              type: "select",
              multiple: true,
              options: [
                { value: "o1", label: "Open", color: "blue" },
                { value: "o2", label: "Done & closed" },
              ],
            },
          },
        },
        { fragments: [cell("r1c1", paragraph("a"))] },
      ),
    ],
  ],
];

const INLINES: readonly (readonly [name: string, markdown: string, nodes: unknown[]])[] = [
  ["bold", "a **b** c", [text("a ", leaf("b", "bold"), " c")]],
  ["italic", "a *b* c", [text("a ", leaf("b", "italic"), " c")]],
  ["strikethrough", "a ~~b~~ c", [text("a ", leaf("b", "strikethrough"), " c")]],
  ["code", "a `b  c` d", [text("a ", leaf("b  c", "code"), " d")]],
  ["code with backticks", "``a`b``", [text(leaf("a`b", "code"))]],
  ["a key", "<kbd>Ctrl</kbd>+<kbd>C</kbd>", [text(leaf("Ctrl", "keyboard"), "+", leaf("C", "keyboard"))]],
  [
    "what is raised and lowered",
    "x<sup>2</sup> H<sub>2</sub>O",
    [text("x", leaf("2", "superscript"), " H", leaf("2", "subscript"), "O")],
  ],
  [
    "colors",
    '<mark style="color:red;">a</mark> <mark style="color:#123;background-color:blue;">b</mark>',
    [
      text(
        leaf("a", { type: "color", data: { text: "red", background: "default" } }),
        " ",
        leaf("b", { type: "color", data: { text: "#123", background: "blue" } }),
      ),
    ],
  ],
  [
    "marks in marks",
    "**a *b* `c`**",
    [text(leaf("a ", "bold"), leaf("b", "bold", "italic"), leaf(" ", "bold"), leaf("c", "bold", "code"))],
  ],
  ["marks with space at their edges", "a<strong> b </strong>c", [text("a", leaf(" b ", "bold"), "c")]],
  ["a line break", "a\\\nb", [text("a\nb")]],
  ["a link", "[a **b**](c.md)", [inline("link", { ref: url("c.md") }, { nodes: [text("a ", leaf("b", "bold"))] })]],
  [
    "a mark around a link",
    "**a [b](c)**",
    [text(leaf("a ", "bold")), inline("link", { ref: url("c") }, { nodes: [text(leaf("b", "bold"))] })],
  ],
  [
    "a link with spaces and brackets",
    "[a\\]b](<c d>)",
    [inline("link", { ref: url("c d") }, { nodes: [text("a]b")] })],
  ],
  [
    "a link that shows its address",
    "<https://a.example/?b=1&c=2>",
    [inline("link", { ref: url("https://a.example/?b=1&c=2") }, { nodes: [text("https://a.example/?b=1&c=2")] })],
  ],
  [
    "an image in a line",
    'a ![b](c.png "d") e',
    [text("a "), inline("inline-image", { ref: url("c.png"), caption: "d", alt: "b" }), text(" e")],
  ],
  [
    "an image as high as the line",
    'a <img src="c.png" alt="b" data-size="line">',
    [text("a "), inline("inline-image", { ref: url("c.png"), size: "line", alt: "b" })],
  ],
  [
    "a linked image",
    "[![a](b.png)](c)",
    [inline("link", { ref: url("c") }, { nodes: [inline("inline-image", { ref: url("b.png"), alt: "a" })] })],
  ],
  ["emoji", "a :smile: b", [text("a "), inline("emoji", { code: "1f604", name: "smile" }), text(" b")]],
  ["an icon", 'a <i class="fa-github">:github:</i>', [text("a "), inline("icon", { icon: "github" })]],
  [
    "an expression",
    'a <code class="expression">space.vars.x &lt; 3</code>',
    [text("a "), inline("expression", { expression: "space.vars.x < 3" })],
  ],
  ["an anchor", 'a <a id="b.c"></a>d', [text("a "), inline("anchor", { id: "b.c" }), text("d")]],
  ["a formula in a line", "a $$b^2$$ c", [text("a "), inline("inline-math", { formula: "b^2" }), text(" c")]],
  [
    "a note",
    "a word[^1] b\n\n[^1]: The note.\n\n    * more",
    [
      text("a "),
      inline(
        "annotation",
        {},
        {
          nodes: [text("word")],
          fragments: [
            fragment(
              "annotation-body",
              paragraph("The note."),
              block("list-unordered", {}, [item({}, paragraph("more"))]),
            ),
          ],
        },
      ),
      text(" b"),
    ],
  ],
  [
    "a mention",
    'a <a data-mention href="/users/u1">/users/u1</a>',
    [text("a "), inline("mention", { ref: url("/users/u1") })],
  ],
  [
    "a button",
    '<a href="a.md" class="button primary" data-icon="rocket">Go</a> <a href="b.md" class="button secondary">Stop \\* now</a>',
    [
      inline("button", { label: "Go", kind: "primary", icon: "rocket", ref: url("a.md") }),
      text(" "),
      inline("button", { label: "Stop * now", kind: "secondary", ref: url("b.md") }),
    ],
  ],
];

describe("blocks", () => {
  test.each(BLOCKS)("the Markdown of %s is read as blocks", (_, markdown, blocks) => {
    expect(blocksOf(markdown)).toEqual(blocks);
  });

  test.each(BLOCKS)("the blocks of %s are written as Markdown", (_, markdown, blocks) => {
    expect(written(blocks)).toBe(markdown);
  });

  test.each(BLOCKS)("the blocks of %s are a valid document", (_, __, blocks) => {
    expect(checkDocument({ object: "document", data: {}, nodes: blocks })).toEqual([]);
  });
});

describe("inlines and marks", () => {
  test.each(INLINES)("the Markdown of %s is read as inlines", (_, markdown, nodes) => {
    expect(blocksOf(markdown)).toEqual([block("paragraph", {}, nodes)]);
  });

  test.each(INLINES)("the inlines of %s are written as Markdown", (_, markdown, nodes) => {
    expect(written([block("paragraph", {}, nodes)])).toBe(`${markdown}\n`);
  });

  test.each(INLINES)("the inlines of %s are a valid document", (_, __, nodes) => {
    expect(checkDocument({ object: "document", data: {}, nodes: [block("paragraph", {}, nodes)] })).toEqual([]);
  });

  test.each(INLINES.filter(([name]) => name !== "a note"))(
    "%s round-trips in headings, cells, captions and titles",
    (name, __, nodes) => {
      // The first anchor in a heading is the heading's own.
      const id = name === "an anchor" ? { id: "own" } : {};
      const heading = block("heading-1", id, nodes);
      const caption = fragment("caption", block("paragraph", {}, nodes));
      const documents = [
        [heading],
        [block("heading-2", { ...id, align: "center" }, nodes)],
        [block("images", {}, [atom("image", { ref: url("a.png"), width: 3 }, { fragments: [caption] })])],
        [
          atom(
            "expandable",
            {},
            {
              fragments: [
                fragment("expandable-title", block("paragraph", {}, nodes)),
                fragment("expandable-body", paragraph("x")),
              ],
            },
          ),
        ],
        [
          atom(
            "table",
            {
              view: { type: "grid", columns: ["c1"], hideHeader: false },
              records: { r1: { orderIndex: "000001", values: { c1: "r1c1" } } },
              definition: { c1: { id: "c1", title: "a", type: "text" } },
            },
            { fragments: [cell("r1c1", block("paragraph", {}, nodes))] },
          ),
        ],
      ];
      for (const blocks of documents) expect(blocksOf(written(blocks))).toEqual(blocks);
    },
  );
});

describe("reading Markdown", () => {
  test.each([
    ["emphasis in every form", "__a__ _b_ <b>c</b> <em>d</em> <s>e</s>", "**a** *b* **c** *d* ~~e~~\n"],
    ["the deepest headings are of the third level", "##### a\n\n###### b", "#### a\n\n#### b\n"],
    ["a heading of the first level that is not the title", "x\n\n# a", "x\n\n## a\n"],
    ["reference links", "[a][b]\n\n[b]: /c", "[a](/c)\n"],
    ["breaks", "a  \nb<br>c", "a\\\nb\\\nc\n"],
    [
      "the old reference to a page",
      '{% page-ref page="a.md" %}',
      '{% content-ref url="a.md" %}\n[a.md](a.md)\n{% endcontent-ref %}\n',
    ],
    [
      "an old operation",
      '{% swagger src="a.yaml" path="/b" method="get" %}\n{% endswagger %}',
      '{% openapi src="a.yaml" path="/b" method="get" %}\n{% endopenapi %}\n',
    ],
    ["a paragraph of HTML on several lines", '<a href="x">\n  <img src="y.png">\n</a>', "[![](y.png)](x)\n"],
    ["a link of HTML", 'a <a href="b">c</a>', "a [c](b)\n"],
    ["indented code", "    a\n\n    b", "```\na\n\nb\n```\n"],
  ])("Markdown is read and written in its canonical form: %s", (_, markdown, canonical) => {
    expect(written(readMarkdown(markdown).document.nodes)).toBe(canonical);
  });

  test("the title and front matter are not part of the document", () => {
    expect(blocksOf("---\na: b\n---\n\n# Title\n\nText")).toEqual([paragraph("Text")]);
    expect(blocksOf("Title\n===\n\nText")).toEqual([paragraph("Text")]);
    expect(blocksOf("# Title")).toEqual([]);
  });

  test("an incomplete tag is an unknown block that loses nothing", () => {
    const nodes = blocksOf(
      '{% hint style="purple" %}\na\n{% endhint %}\n\n{% tabs %}\nb\n{% endtabs %}\n\n{% embed %}',
    );
    expect(nodes).toEqual([
      block("unknown", { source: '{% hint style="purple" %}' }, [paragraph("a")]),
      block("unknown", { source: "{% tabs %}" }, [paragraph("b")]),
      atom("unknown", { source: "{% embed %}" }),
    ]);
  });

  test("a footnote referenced twice is at both places, and an unreferenced one is not shown", () => {
    const markdown = "a[^x] b[^x]\n\n[^x]: note\n\n[^y]: alone";
    const note = (word: string) =>
      inline("annotation", {}, { nodes: [text(word)], fragments: [fragment("annotation-body", paragraph("note"))] });
    expect(blocksOf(markdown)).toEqual([block("paragraph", {}, [note("a"), text(" "), note("b")])]);
    const { document } = readMarkdown(markdown);
    expect(writeMarkdown(document, { original: markdown })).toBe(markdown);
  });
});

describe("writing Markdown", () => {
  test.each([
    "# a",
    "#",
    "> a",
    "- a",
    "+ a",
    "-",
    "1. a",
    "1) a",
    "---",
    "===",
    "```",
    "~~~",
    "    a",
    "a  b",
    "[a]",
    "[a](b)",
    "![a](b)",
    "[^1]",
    "[^1]: a",
    "[a]: b",
    "*a*",
    "_a_",
    "__a__",
    "a_b_c",
    "~a~",
    "`a`",
    "<b>",
    "</b>",
    "<!-- a -->",
    "<a@b.co>",
    "&amp;",
    "&#35;",
    "a & b",
    "\\",
    "\\*",
    "a\\",
    "{% a %}",
    "a {% endb %}",
    "$$a$$",
    "$$",
    "$5",
    ":smile:",
    "10:30:20",
    "www.example.com",
    "https://example.com",
    "me@example.com",
    "| a | b |",
    "|-|-|",
    "a | b",
    '{% hint style="info" %}',
    "<details>",
    "[ ] a",
    "[x] a",
    "!",
    "a!",
    "2 < 3 > 1",
    "<",
    '<code class="expression">x</code>',
    "<br>",
    "é*è*",
    "“*a*”",
    "*",
    "**",
    "a*",
  ])("the text %j is not read as markup anywhere", (value) => {
    const said = value.trim();
    const places = [
      [paragraph(said)],
      [paragraph(`${said}\n${said}`)],
      [block("heading-1", {}, [text(said)])],
      [block("blockquote", {}, [paragraph(said)])],
      [block("list-unordered", {}, [item({}, paragraph(said))])],
      [block("hint", { style: "info" }, [paragraph(said)])],
      [paragraph(text(leaf(said, "bold")))],
      [paragraph(text("a ", leaf(said, "italic"), " b"))],
      [paragraph(inline("link", { ref: url("u") }, { nodes: [text(said)] }))],
      [paragraph(text(leaf(said, "code")))],
    ];
    for (const blocks of places) expect(blocksOf(written(blocks))).toEqual(blocks);
  });

  test("references are written as the caller says, and otherwise by id", () => {
    const refs: ContentRef[] = [
      { kind: "page", page: "p1" },
      { kind: "file", file: "f1" },
      { kind: "anchor", anchor: "x" },
    ];
    const nodes = refs.map((ref) => paragraph(inline("link", { ref }, { nodes: [text("a")] }))) as unknown as Block[];
    const document: Document = { object: "document", data: {}, nodes };
    expect(writeMarkdown(document)).toBe("[a](/pages/p1)\n\n[a](/files/f1)\n\n[a](#x)\n");
    expect(writeMarkdown(document, { href: ({ kind }) => `${kind}.md` })).toBe(
      "[a](page.md)\n\n[a](file.md)\n\n[a](anchor.md)\n",
    );
  });

  test("resolve decides where addresses lead", () => {
    const { document, links } = readMarkdown('[a](b.md) ![](c.png)\n\n{% include "d.md" %}', (href, as) => ({
      kind: "page",
      page: `${as}-${href}`,
    }));
    expect(links.map(({ href, as }) => `${as} ${href}`)).toEqual(["link b.md", "image c.png", "include d.md"]);
    expect(JSON.stringify(document)).toContain('{"kind":"page","page":"include-d.md"}');
  });

  test("documents from editors are normalized first", () => {
    const messy = [
      block("paragraph", {}, [
        text(""),
        text("a"),
        text(leaf("b", "italic", "bold"), leaf("c", "bold", "italic"), leaf("", "code")),
      ]),
      block("paragraph", {}, [text("")]),
      { object: "block", type: "list-unordered", nodes: [] },
      { object: "block", type: "list-tasks", nodes: [{ object: "block", type: "list-item", nodes: [paragraph("d")] }] },
    ];
    expect(checkDocument({ object: "document", data: {}, nodes: messy })).toEqual([]);
    expect(written(messy)).toBe("a***bc***\n\n* [ ] d\n");
  });

  test("an unknown block that would be read as something else is written as text", () => {
    const read = (source: string) => blocksOf(written([atom("unknown", { source }), paragraph("behind")]));
    expect(read("# Not a heading")).toEqual([paragraph("# Not a heading"), paragraph("behind")]);
    expect(read("<!-- never closed")).toEqual([paragraph("<!-- never closed"), paragraph("behind")]);
  });

  test("an empty document is an empty text", () => {
    expect(written([])).toBe("");
    expect(readMarkdown("").document).toEqual({ object: "document", data: { schemaVersion: 1 }, nodes: [] });
  });
});
