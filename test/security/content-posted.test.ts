// Posted documents: an invalid one is refused with the path of the error, and a valid one becomes exactly the text that
// it states.

import { memoryStorage } from "octavo/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { type Setting, setUp } from "../support/setting";
import { change, issueIn, newPage, newSpace, read } from "./contents";
import { AT, block, documentOf, expectHarmless, inline, paragraph, post, textNode } from "./documents";

let setting: Setting;
let space: string;

beforeEach(async () => {
  setting = await setUp(memoryStorage());
  space = await newSpace(setting);
});

describe("S17: invalid posted documents", () => {
  const confused: [what: string, nodes: unknown][] = [
    ["no list of nodes", { length: 1, 0: paragraph("a") }],
    ["a text for a list", "paragraph"],
    ["a number for a node", [1]],
    ["null for a node", [null]],
    ["a list for a node", [[paragraph("a")]]],
    ["a text for a node", ["<script>"]],
    ["a number for a text", [block("paragraph", { nodes: [textNode(1 as never)] })]],
    ["a list for a text", [block("paragraph", { nodes: [textNode(["a"] as never)] })]],
    ["an object for a text", [block("paragraph", { nodes: [textNode({ toString: "x" } as never)] })]],
    ["null for a text", [block("paragraph", { nodes: [textNode(null as never)] })]],
    ["a text for the leaves", [block("paragraph", { nodes: [{ object: "text", leaves: "abc" }] })]],
    ["a text for the marks", [block("paragraph", { nodes: [textNode("a", "bold" as never)] })]],
    ["a mark that nobody knows", [block("paragraph", { nodes: [textNode("a", [{ object: "mark", type: "html" }])] })]],
    [
      "a color that is CSS",
      [
        block("paragraph", {
          nodes: [textNode("a", [{ object: "mark", type: "color", data: { text: "red;x:y", background: "url(x)" } }])],
        }),
      ],
    ],
    ["a list for a type", [block(["paragraph"] as never)]],
    ["a number for a type", [block(1 as never)]],
    ["a type that nobody knows", [block("html", { nodes: [] })]],
    ["a type of the prototype", [block("toString")]],
    ["an inline for a block", [inline("link", { ref: { kind: "url", url: "https://x.test" } }, [])]],
    ["a block for an inline", [block("paragraph", { nodes: [paragraph("a")] })]],
    ["a text as a child of a list", [block("list-unordered", { nodes: [textNode("a")] })]],
    ["a part outside of its whole", [block("tabs-item", { data: {}, nodes: [] })]],
    ["a text for data", [block("hint", { data: "info", nodes: [] })]],
    ["a list for data", [block("hint", { data: ["info"], nodes: [] })]],
    ["null for data", [block("hint", { data: null, nodes: [] })]],
    ["data that nobody knows", [block("paragraph", { data: { onclick: "alert(1)" }, nodes: [] })]],
    ["a member that nobody knows", [{ ...paragraph("a"), html: "<script>" }]],
    ["an object for a flag", [{ ...paragraph("a"), isVoid: { a: 1 } }]],
    ["a key that is no key", [{ ...paragraph("a"), key: "a b" }]],
    ["a key that is a path", [{ ...paragraph("a"), key: "../../x" }]],
    ["a list for a formula", [block("math", { isVoid: true, data: { formula: ["a"] } })]],
    ["an object for an expression", [block("if", { data: { expression: {} }, nodes: [] })]],
    ["a text for a reference", [block("content-ref", { isVoid: true, data: { ref: "pag_x" } })]],
    [
      "a list for a reference",
      [block("content-ref", { isVoid: true, data: { ref: [{ kind: "url", url: "https://x.test" }] } })],
    ],
    [
      "a kind of reference that nobody knows",
      [block("content-ref", { isVoid: true, data: { ref: { kind: "html" } } })],
    ],
    [
      "two kinds of reference",
      [
        block("content-ref", {
          isVoid: true,
          data: { ref: { kind: "page", page: "pag_x", url: "javascript:alert(1)" } },
        }),
      ],
    ],
    ["an object for a URL", [block("embed", { isVoid: true, data: { url: { href: "javascript:alert(1)" } } })]],
    ["an id that is a path", [block("content-ref", { isVoid: true, data: { ref: { kind: "page", page: "../x" } } })]],
    ["a number for a heading's anchor", [block("heading-1", { data: { id: 1 }, nodes: [textNode("a")] })]],
    [
      "an object for a size",
      [
        block("images", {
          nodes: [block("image", { isVoid: true, data: { ref: { kind: "file", file: "x" }, width: { a: 1 } } })],
        }),
      ],
    ],
    [
      "a size that is CSS",
      [
        block("images", {
          nodes: [block("image", { isVoid: true, data: { ref: { kind: "file", file: "x" }, width: "1px;x:y" } })],
        }),
      ],
    ],
    ["a table without a view", [block("table", { isVoid: true, data: { records: {}, definition: {} } })]],
    [
      "a list for a table's records",
      [
        block("table", {
          isVoid: true,
          data: { view: { type: "grid", columns: [], hideHeader: false }, records: [], definition: {} },
        }),
      ],
    ],
    [
      "a function's name for a column",
      [
        block("table", {
          isVoid: true,
          data: {
            view: { type: "grid", columns: ["a"], hideHeader: false },
            records: {},
            definition: { a: { id: "a", title: "a", type: "script" } },
          },
        }),
      ],
    ],
    [
      "a fragment where none belongs",
      [block("paragraph", { nodes: [], fragments: [{ object: "fragment", type: "cell", nodes: [] }] })],
    ],
    [
      "a fragment of text",
      [
        block("expandable", {
          isVoid: true,
          fragments: [{ object: "fragment", type: "expandable-title", nodes: [textNode("a")] }],
        }),
      ],
    ],
  ];

  test("S17: a malformed posted document is rejected with the location", async () => {
    for (const [what, nodes] of confused) {
      const answer = await post(setting, space, nodes);
      expect(issueIn(answer), what).toMatchObject({ status: 400, path: expect.stringMatching(AT) });
      expect(issueIn(answer).message, what).not.toBe("");
    }
  });

  test("S17: a value that is not a document is rejected", async () => {
    const documents = [
      null,
      1,
      "a",
      [],
      {},
      { object: "document" },
      { object: "block" },
      { object: ["document"], nodes: [] },
    ];
    for (const document of [
      ...documents,
      { object: "document", data: [], nodes: [] },
      { object: "document", data: {} },
    ]) {
      const answer = await change(setting, space, [{ operation: "insert_page", title: "A", document: { document } }]);
      expect(issueIn(answer), JSON.stringify(document)).toMatchObject({
        status: 400,
        path: expect.stringMatching(/^body\.changes\.0\.document/),
      });
    }
  });

  test("S17: a document must be neither too large nor too deep", async () => {
    const deep = (n: number): object => (n === 0 ? paragraph("a") : block("blockquote", { nodes: [deep(n - 1)] }));
    const deepLink = (n: number): object =>
      n === 0 ? textNode("a") : inline("link", { ref: { kind: "url", url: "https://x.test" } }, [deepLink(n - 1)]);
    const deepNote = (n: number): object =>
      block("expandable", {
        isVoid: true,
        fragments: [
          { object: "fragment", type: "expandable-body", nodes: n === 0 ? [paragraph("a")] : [deepNote(n - 1)] },
        ],
      });
    const wide = Array.from({ length: 20_000 }, () => paragraph("a"));
    const leaves = Array.from({ length: 60_000 }, () => ({ object: "leaf", text: "a", marks: [] }));
    const huge: [string, unknown][] = [
      ["60,000 nodes", wide],
      ["60,000 leaves", [block("paragraph", { nodes: [{ object: "text", leaves }] })]],
      ["100 blocks deep", [deep(100)]],
      ["100 links deep", [block("paragraph", { nodes: [deepLink(100)] })]],
      ["100 fragments deep", [deepNote(100)]],
    ];
    for (const [what, nodes] of huge)
      expect(issueIn(await post(setting, space, nodes)), what).toMatchObject({
        status: 400,
        path: expect.stringMatching(AT),
      });
    expect((await post(setting, space, [deep(20)])).status).toBe(200);
    expect((await post(setting, space, wide.slice(0, 5_000))).status).toBe(200);
  });

  test("S17: JSON of any depth is rejected with and without an Idempotency-Key", async () => {
    const nest = (n: number, open: string, close: string, core = "1") => open.repeat(n) + core + close.repeat(n);
    const around = (json: string) =>
      `{"changes":[{"operation":"insert_page","title":"A","document":{"document":${json}}}]}`;
    const bodies = [
      nest(100_000, "[", "]"),
      nest(100_000, '{"a":', "}"),
      nest(1_000_000, "[", ""),
      around(nest(100_000, "[", "]")),
      around(`{"object":"document","data":${nest(50_000, '{"a":', "}")},"nodes":[]}`),
      around(`{"object":"document","data":{},"nodes":${nest(50_000, "[", "]")}}`),
      around(nest(50_000, '{"object":"document","data":{},"nodes":[', "]}", "")),
      // Written as text: the stack of JSON.stringify is smaller on some machines.
      ...[2_000, 20_000].map((n) =>
        around(
          `{"object":"document","data":{},"nodes":[${nest(n, '{"object":"block","type":"blockquote","nodes":[', "]}", "")}]}`,
        ),
      ),
      nest(100_000, '{"__proto__":', "}"),
      nest(50_000, '{"\\u0061":', "}"),
    ];
    for (const body of bodies)
      for (const headers of [{}, { "idempotency-key": `k${body.length}` }] as Record<string, string>[]) {
        const answer = await setting.ask("edit", `POST /v1/spaces/${space}/content`, body, headers);
        expect([answer.status, body.slice(0, 60)]).toEqual([400, body.slice(0, 60)]);
        expect(JSON.stringify(answer.body).length).toBeLessThan(10_000);
      }
    expect((await setting.ask("read", `GET /v1/spaces/${space}`)).status).toBe(200);
  });

  test("S17: text that looks like markup reads back as the same text", async () => {
    const tricky = [
      "<script>alert(1)</script>",
      "<img src=x onerror=alert(1)>",
      "[a](javascript:alert(1))",
      "[a](https://evil.test)",
      "![a](https://evil.test/x.png)",
      "https://evil.test www.evil.test a@evil.test",
      '{% include "/reusable-contents/x" %}',
      "{% if true %}a{% endif %}",
      '<code class="expression">space.vars.x</code>',
      "**a** __b__ ~~c~~ `d` $$e$$ :smile: [^1] | a | b |",
      "# heading",
      "- item",
      "1. item",
      "> quote",
      "```",
      "---",
      "&lt;script&gt; &amp; &#60;",
      "\\*a\\*",
      "<details><summary>a</summary>",
      "<!-- comment",
      "<a href='javascript:alert(1)'>a</a>",
      "    code",
      "===",
      "[a]: https://evil.test",
    ];
    const heads = ["paragraph", "heading-1"] as const;
    for (const type of heads) {
      const nodes = tricky.map((text) => block(type, { nodes: [textNode(text)] }));
      const answer = await post(setting, space, nodes);
      expect(answer.status).toBe(200);
      const document = await documentOf(setting, space, answer.body.changes[0].page.id);
      expectHarmless(document, type);
      const said = document.nodes.map((node) => [node.type, plain(node)]);
      expect(said).toEqual(tricky.map((text) => [type, text.trim()]));
    }
  });

  /** The text of a block; undefined when there is anything in it but text. */
  function plain(node: Record<string, unknown>): string | undefined {
    const nodes = node.nodes as { object: string; leaves: { text: string; marks: unknown[] }[] }[];
    if (nodes.some(({ object, leaves }) => object !== "text" || leaves.some(({ marks }) => marks.length > 0)))
      return undefined;
    return nodes.flatMap(({ leaves }) => leaves.map(({ text }) => text)).join("");
  }

  test("S17: no code, title, formula, label or caption breaks out of its context", async () => {
    const evil =
      "\"'`\n```\n~~~\n$$\n%}\n{% endcode %}\n{% endtab %}\n</summary></details>\n<script>alert(1)</script>\n[a](javascript:alert(1))";
    const line = evil.replaceAll("\n", " ");
    const caption = { object: "fragment", type: "caption", nodes: [paragraph(line)] };
    const nodes = [
      block("code", {
        data: { syntax: "js", title: line },
        nodes: evil.split("\n").map((it) => block("code-line", { nodes: [textNode(it)] })),
      }),
      block("tabs", { nodes: [block("tabs-item", { data: { title: line }, nodes: [paragraph("a")] })] }),
      block("expandable", {
        isVoid: true,
        fragments: [
          { object: "fragment", type: "expandable-title", nodes: [paragraph(line)] },
          { object: "fragment", type: "expandable-body", nodes: [paragraph(line)] },
        ],
      }),
      block("images", {
        nodes: [
          block("image", {
            isVoid: true,
            data: { ref: { kind: "url", url: "https://x.test/a.png" }, alt: line },
            fragments: [caption],
          }),
        ],
      }),
      block("paragraph", {
        nodes: [
          inline("button", { label: line, kind: "primary", ref: { kind: "url", url: "https://x.test/" } }),
          inline("link", { ref: { kind: "url", url: "https://x.test/)\"'<>" } }, [textNode(line)]),
          inline("expression", { expression: `${line}</code>` }),
          inline("inline-math", { formula: line }),
          inline("emoji", { code: line }),
          inline("icon", { icon: line }),
        ],
      }),
      block("math", { isVoid: true, data: { formula: evil } }),
      block("if", { data: { expression: `true %}${line}` }, nodes: [paragraph("a")] }),
      block("integration", { isVoid: true, data: { integration: "a", block: "b", props: { x: line } } }),
      block("updates", { nodes: [block("update", { data: { date: line, tags: [line] }, nodes: [paragraph("a")] })] }),
      block("openapi-operation", {
        isVoid: true,
        data: { ref: { kind: "openapi", spec: "s" }, path: line, method: "get" },
      }),
    ];
    for (const node of nodes) {
      const answer = await post(setting, space, [node, paragraph("The end.")]);
      if (answer.status !== 200) {
        expect(issueIn(answer), node.type).toMatchObject({ status: 400, path: expect.stringMatching(AT) });
        continue;
      }
      const document = await documentOf(setting, space, answer.body.changes[0].page.id);
      expectHarmless(document, node.type);
      const types = document.nodes.map(({ type }) => type);
      expect(types, node.type).toEqual([node.type, "paragraph"]);
      expect(plain(document.nodes.at(-1)!)).toBe("The end.");
    }
  });

  test("S17: a posted page survives an update unchanged", async () => {
    const id = await newPage(setting, space, "A", "One.\n\nTwo.\n");
    const update = (nodes: unknown) =>
      change(setting, space, [
        { operation: "update_page", page: id, document: { document: { object: "document", data: {}, nodes } } },
      ]);
    for (const [what, nodes] of confused) expect((await update(nodes)).status, what).toBe(400);
    expect((await read(setting, space, id)).body.markdown).toBe("One.\n\nTwo.\n");
    expect((await update([paragraph("<script>")])).status).toBe(200);
    expect((await documentOf(setting, space, id)).nodes.map(plain)).toEqual(["<script>"]);
  });
});
