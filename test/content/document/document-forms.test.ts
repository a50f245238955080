// Forms that documents have for tools: specifications by name, widths as numbers, emoji by code points. What documents
// had before is still taken, and texts stay as their authors wrote them.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Block, BlockData, Document, Inline, InlineData, Phrasing } from "../../../src/content/document";
import { checkDocument } from "../../../src/content/document/check-document";
import { getEmojiCodePoints } from "../../../src/content/markdown/emoji";
import { readMarkdown } from "../../../src/content/markdown/read";
import { writeMarkdown } from "../../../src/content/markdown/write";
import { runs } from "../../support/test-length";

const blocksOf = (markdown: string) => readMarkdown(markdown).document.nodes;
const documentOf = (nodes: Block[]): Document => ({ object: "document", data: {}, nodes });
const paragraph = (...nodes: Phrasing[]): Block => ({ object: "block", type: "paragraph", nodes });
const text = (said: string): Phrasing => ({
  object: "text",
  leaves: [{ object: "leaf", text: said, marks: [] }],
});

/** Posts a document over the text that it was read from. */
function posted(original: string, nodes: Block[]): string {
  expect(checkDocument(documentOf(nodes))).toEqual([]);
  return writeMarkdown(documentOf(nodes), { original });
}

describe("operation blocks", () => {
  const petstore = '{% openapi-operation spec="petstore" path="/pets" method="get" %}\n{% endopenapi-operation %}';
  const operation = (ref: BlockData["openapi-operation"]["ref"]): Block => ({
    object: "block",
    type: "openapi-operation",
    isVoid: true,
    data: { ref, path: "/pets", method: "get" },
  });

  test("an operation block refers to its specification by name", () => {
    expect(blocksOf(petstore)).toMatchObject([{ data: { ref: { kind: "openapi", spec: "petstore" } } }]);
    expect(blocksOf(petstore.replace("petstore", "/openapi/petstore"))).toMatchObject([
      { data: { ref: { kind: "openapi", spec: "petstore" } } },
    ]);
  });

  test("an operation block refers to a file or a URL where the text does", () => {
    expect(blocksOf('{% openapi src="../a.yaml" path="/x" method="get" %}\n{% endopenapi %}')).toMatchObject([
      { data: { ref: { kind: "url", url: "../a.yaml" } } },
    ]);
  });

  test("an operation block is written by name, whatever form its reference has", () => {
    const href = () => "/openapi/petstore";
    for (const ref of [
      { kind: "openapi", spec: "petstore" },
      { kind: "url", url: "petstore" },
      { kind: "url", url: "/openapi/petstore" },
    ] as const) {
      const document = documentOf([operation(ref)]);
      expect(checkDocument(document)).toEqual([]);
      expect(writeMarkdown(document, { href })).toBe(`${petstore}\n`);
    }
  });

  test("an operation block that returns in its previous form keeps its bytes", () => {
    const original = petstore.replace("spec=", "  spec=").replace("path", " path");
    expect(posted(original, [operation({ kind: "url", url: "petstore" })])).toBe(original);
    expect(posted(original, [operation({ kind: "openapi", spec: "petstore" })])).toBe(original);
  });

  test("an operation does not claim the name of a link, and a link to a path is a path", () => {
    expect(blocksOf("[petstore](petstore)")).toMatchObject([
      { nodes: [{ data: { ref: { kind: "url", url: "petstore" } } }] },
    ]);
  });
});

describe("column widths", () => {
  const columns = (width: string) =>
    `{% columns %}\n{% column width="${width}" %}\na\n{% endcolumn %}\n\n{% column %}\nb\n{% endcolumn %}\n{% endcolumns %}\n`;
  const dataIn = (markdown: string) => (blocksOf(markdown)[0]!.nodes as Block[])[0]!.data;
  const withData = (data: unknown): Block[] => {
    const [block] = blocksOf(columns("1%")) as [Block];
    return [{ ...block, nodes: (block.nodes as Block[]).with(0, { ...block.nodes![0], data } as Block) } as Block];
  };

  test.each([
    ["50%", { width: 50 }],
    ["50", { width: 50 }],
    ["33.33%", { width: 33.33 }],
    ["300px", { size: "300px" }],
    ["2fr", { size: "2fr" }],
    ["wide", {}],
    ["", {}],
  ])("the column width %s is read", (written, data) => {
    expect(dataIn(columns(written))).toEqual(data);
  });

  test.each([
    [{ width: 50 }, "50%"],
    [{ width: "50%" }, "50%"],
    [{ width: "50" }, "50%"],
    [{ width: "300px" }, "300px"],
    [{ size: "300px" }, "300px"],
    [{ width: 33.333333333 }, "33.3333%"],
    [{ width: 1e-9 }, "0%"],
  ])("the column width %j is written", (data, written) => {
    expect(checkDocument(documentOf(withData(data)))).toEqual([]);
    expect(writeMarkdown(documentOf(withData(data)))).toBe(columns(written));
  });

  test("a column width round-trips byte for byte, as a number and as text", () => {
    for (const written of ["50", "50.0%", "300px"]) {
      const original = columns(written);
      expect(posted(original, blocksOf(original))).toBe(original);
      expect(posted(original, withData({ width: written }))).toBe(original);
    }
  });

  test("an invalid column width is rejected", () => {
    for (const width of [-1, Number.NaN, 1e6, "a".repeat(40), null, {}])
      expect(checkDocument(documentOf(withData({ width })))).not.toEqual([]);
  });
});

describe("emoji", () => {
  const emojiIn = (markdown: string) =>
    (blocksOf(markdown)[0]!.nodes as Inline[]).flatMap((node) => (node.type === "emoji" ? [node.data] : []));
  const emoji = (data: InlineData["emoji"]): Inline => ({ object: "inline", type: "emoji", isVoid: true, data });

  test.each([
    [":smile:", "1f604"],
    [":+1:", "1f44d"],
    [":heart:", "2764-fe0f"],
    [":family_man_woman_girl_boy:", "1f468-200d-1f469-200d-1f467-200d-1f466"],
    [":de:", "1f1e9-1f1ea"],
    [":one:", "31-fe0f-20e3"],
    [":100:", "1f4af"],
    [":1f604:", "1f604"],
    [":2705:", "2705"],
  ])("the emoji %s has the code points %s", (written, code) => {
    expect(emojiIn(`a ${written} b`)).toEqual([{ code, name: written.slice(1, -1) }]);
  });

  test.each([":no_such_emoji:", ":constructor:", ":face:", ":110000:", ":abc-def:"])(
    "%s is not an emoji and stays text",
    (written) => {
      expect(blocksOf(`a ${written} b`)).toMatchObject([{ nodes: [{ leaves: [{ text: `a ${written} b` }] }] }]);
      expect(writeMarkdown(documentOf(blocksOf(`a ${written} b`)))).toBe(`a ${written} b\n`);
    },
  );

  test("an emoji character is text and stays", () => {
    expect(emojiIn("a 😄 b")).toEqual([]);
    expect(posted("a 😄 b", blocksOf("a 😄 b"))).toBe("a 😄 b");
  });

  test.each([
    [{ code: "1f604" }, ":smile:"],
    [{ code: "1F604" }, ":1f604:"],
    [{ code: "smile" }, ":smile:"],
    [{ code: "1f44d", name: "thumbsup" }, ":thumbsup:"],
    [{ code: "1f44d", name: "smile" }, ":+1:"],
    [{ code: "1f468-1f3fd" }, ":1f468-1f3fd:"],
    [{ code: "our-logo" }, ":our-logo:"],
  ])("the emoji %j is written as %s", (data, written) => {
    const document = documentOf([paragraph(text("a "), emoji(data), text(" b"))]);
    expect(checkDocument(document)).toEqual([]);
    expect(writeMarkdown(document)).toBe(`a ${written} b\n`);
  });

  test("an emoji keeps the name that the author chose, in changed and unchanged blocks", () => {
    const original = "First :thumbsup:\n\nSecond :thumbsup:\n";
    const [first, second] = blocksOf(original) as [Block, Block];
    const changed = { ...first, nodes: [text("New "), ...first.nodes!.slice(1)] } as Block;
    expect(posted(original, [changed, second])).toBe("New :thumbsup:\n\nSecond :thumbsup:\n");
    const withoutName = [first, second].map(
      ({ nodes, ...block }) =>
        ({
          ...block,
          nodes: (nodes as Inline[]).map((it) => (it.type === "emoji" ? emoji({ code: it.data.code }) : it)),
        }) as Block,
    );
    expect(posted(original, withoutName)).toBe(original);
  });

  test("emoji leave heading anchors and search words unchanged", () => {
    const { headings, sections } = readMarkdown("## Well done :thumbsup:\n\nSo :tada:\n");
    expect(headings).toMatchObject([{ anchor: "well-done-thumbsup" }]);
    expect(sections).toMatchObject([{ text: "So :tada:" }]);
  });
});

describe("any document of these forms", () => {
  const emoji = fc
    .constantFrom("smile", "+1", "heart", "1f604", "2705", "31-fe0f-20e3", "de", "nothing", "1f44d")
    .chain((code) =>
      fc.constantFrom<InlineData["emoji"]>({ code }, { code: getEmojiCodePoints(code) ?? code, name: code }),
    );
  /** An emoji that is glued to a word has no form in Markdown. */
  const words = fc.constantFrom(" a ", " b c ", " : ", " :smile: ", " x: ", " 1 ");
  const phrasing = fc.array(
    fc.oneof(
      words.map(text),
      emoji.map((data): Phrasing => ({ object: "inline", type: "emoji", isVoid: true, data })),
    ),
    { minLength: 1, maxLength: 4 },
  );
  const paragraphs = fc.array(
    phrasing.map((nodes) => paragraph(text("p "), ...nodes)),
    { minLength: 1, maxLength: 2 },
  );
  const width = fc.oneof(
    fc.constant({}),
    fc.double({ min: 0, max: 200, noNaN: true }).map((width) => ({ width })),
    fc.constantFrom({ width: "50%" }, { width: "12.5" }, { width: "20px" }, { size: "3fr" }),
  );
  const columns = fc.array(fc.tuple(width, paragraphs), { minLength: 1, maxLength: 3 }).map(
    (all): Block => ({
      object: "block",
      type: "columns",
      data: {},
      nodes: all.map(([data, nodes]) => ({ object: "block", type: "column", data, nodes }) as Block),
    }),
  );
  const ref = fc.constantFrom<BlockData["openapi-operation"]["ref"]>(
    { kind: "openapi", spec: "petstore" },
    { kind: "url", url: "petstore" },
    { kind: "url", url: "https://a.example/b.json" },
  );
  const operation = fc
    .record({ ref, path: fc.constantFrom("/a", "/b/{c}"), method: fc.constantFrom("get", "post") })
    .map((data): Block => ({ object: "block", type: "openapi-operation", isVoid: true, data }));
  const blocks = fc.array(
    fc.oneof(
      paragraphs.map(([first]) => first!),
      columns,
      operation,
    ),
    {
      minLength: 1,
      maxLength: 5,
    },
  );
  const said = (nodes: readonly Block[]) =>
    JSON.stringify(nodes, (name, value) => (name === "key" || name === "meta" ? undefined : value));

  /** The key of a block comes from its bytes; the number behind it counts equal ones. */
  const bytesOf = ({ key }: Block) => key!.replace(/-\d+$/, "");

  test("any document of these forms is written and read as one document and is stable from then on", () => {
    fc.assert(
      fc.property(blocks, (nodes) => {
        expect(checkDocument(documentOf(nodes))).toEqual([]);
        const written = writeMarkdown(documentOf(nodes));
        const read = blocksOf(written);
        expect(checkDocument(documentOf(read))).toEqual([]);
        expect(said(blocksOf(writeMarkdown(documentOf(read))))).toBe(said(read));
        expect(writeMarkdown(documentOf(nodes), { original: written })).toBe(written);
      }),
      { numRuns: runs(500) },
    );
  });

  test("editing any document of these forms changes only what was edited", () => {
    fc.assert(
      fc.property(blocks, blocks, fc.nat(), (before, after, at) => {
        const original = writeMarkdown(documentOf(before));
        const nodes = blocksOf(original);
        const index = at % nodes.length;
        const written = writeMarkdown(documentOf(nodes.with(index, after[0]!)), { original });
        const read = blocksOf(written);
        expect(read).toHaveLength(nodes.length);
        for (const [i, node] of nodes.entries()) if (i !== index) expect(bytesOf(read[i]!)).toBe(bytesOf(node));
      }),
      { numRuns: runs(500) },
    );
  });
});
