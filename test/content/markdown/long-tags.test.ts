// Tags that go over several lines: a value may have line endings, and attributes may stand on lines of their own.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Block, Document } from "../../../src/content/document";
import { checkDocument } from "../../../src/content/document/check-document";
import { readMarkdown } from "../../../src/content/markdown/read";
import { writeMarkdown } from "../../../src/content/markdown/write";
import { translatePage } from "../../../src/content/translation/translate-page";
import { runs } from "../../support/test-length";
import { evaluateMarkdown, mergeTexts } from "../at-once";
import { reversed } from "../translation/translators";

const blocksOf = (markdown: string) => readMarkdown(markdown).document.nodes;
const documentOf = (nodes: Block[]): Document => ({ object: "document", data: {}, nodes });
const keyless = (nodes: readonly Block[]) =>
  JSON.parse(JSON.stringify(nodes, (name, value) => (name === "key" || name === "meta" ? undefined : value)));
const evaluated = (text: string, claims: object = {}) =>
  evaluateMarkdown(text, { scope: { visitor: { claims } }, getIncludedText: () => undefined }).text;

const diagram = (props: Record<string, string>) => ({
  type: "integration",
  data: { integration: "mermaid", block: "diagram", props },
});

describe("tags over several lines", () => {
  test.each<[what: string, markdown: string, props: Record<string, string>]>([
    ["a value with line endings", '{% @mermaid/diagram content="a\n\n  b %}\nc" %}', { content: "a\n\n  b %}\nc" }],
    ["attributes on lines of their own", "{% @mermaid/diagram\n  a='1'\n  b=\"2\"\n%}", { a: "1", b: "2" }],
    ["lines of Windows", '{% @mermaid/diagram content="a\r\nb"\r\n%}', { content: "a\nb" }],
    ["escaped quotes", '{% @mermaid/diagram content="say \\"hi\\"\nnow" %}', { content: 'say "hi"\nnow' }],
    ["values without quotes", "{% @mermaid/diagram a=1\nb=2%}", { a: "1", b: "2" }],
    [
      "other syntax in a value",
      '{% @mermaid/diagram c="```\n# a\n- b\n{% hint %}\n" %}',
      { c: "```\n# a\n- b\n{% hint %}\n" },
    ],
  ])("a tag over several lines is read: %s", (_, markdown, props) => {
    expect(blocksOf(`before\n\n${markdown}\n\nbehind`)).toMatchObject([
      { type: "paragraph" },
      diagram(props),
      { type: "paragraph" },
    ]);
  });

  test("a tag over several lines is read in quotes and list items without their markers", () => {
    const quoted = blocksOf('> {% @mermaid/diagram content="a\n>\n>   b" %}\n> after\n');
    expect(quoted[0]!.nodes).toMatchObject([diagram({ content: "a\n\n  b" }), { type: "paragraph" }]);
    const [list] = blocksOf('- {% @mermaid/diagram content="a\n\n    b" %}\n\n  after\n- next\n') as [Block];
    expect((list.nodes![0] as Block).nodes).toMatchObject([diagram({ content: "a\n\n  b" }), { type: "paragraph" }]);
  });

  test("a tag over several lines may contain blocks, and more tags on its last line", () => {
    expect(blocksOf('{% hint\nstyle="warning"\n%}\nMind.\n{% endhint %}')).toMatchObject([
      { type: "hint", data: { style: "warning" }, nodes: [{ type: "paragraph" }] },
    ]);
    expect(blocksOf('{% tabs\nfullWidth="true" %}{% tab title="A" %}x{% endtab %}{% endtabs %}')).toMatchObject([
      { type: "tabs", data: { fullWidth: true }, nodes: [{ type: "tabs-item", data: { title: "A" } }] },
    ]);
    expect(blocksOf('{% foo a="1\n2" %}\nin\n{% endfoo %}')).toMatchObject([
      { type: "unknown", data: { source: '{% foo a="1\n2" %}' }, nodes: [{ type: "paragraph" }] },
    ]);
  });

  test.each([
    ["text that only begins like one", "{% foo\nis a tag %}"],
    ["a key without a value", '{% foo a="b"\nc %}'],
    ["a value that nothing closes", '{% foo a="b\nc'],
    ["a tag that nothing closes", '{% foo a="b"\nc="d"\n'],
    ["a line that leaves the quote", '> {% foo a="b\nc" %}'],
    ["a line that leaves the item", '- {% foo a="b\nc" %}'],
    ["a condition", "{% if a=1\nb=2 %}"],
  ])("text that only resembles a tag is not one: %s", (_, markdown) => {
    expect(JSON.stringify(blocksOf(markdown))).not.toMatch(/"unknown"|"integration"/);
  });

  test("a tag over several lines round-trips byte for byte, alone and beside a change", () => {
    const tag = "{%  @mermaid/diagram\n   content='a\n\n  b'\n%}";
    const original = `# T\n\nfirst\n\n${tag}\n\nlast\n`;
    const nodes = blocksOf(original);
    expect(checkDocument(documentOf(nodes))).toEqual([]);
    expect(writeMarkdown(documentOf(nodes), { original })).toBe(original);
    const changed = nodes.with(0, blocksOf("other")[0]!);
    expect(writeMarkdown(documentOf(changed), { original })).toBe(original.replace("first", "other"));
  });

  test("a multiline value is written as a tag over several lines, in quotes and list items too", () => {
    const nodes = blocksOf(
      '> {% @mermaid/diagram content="a\n>\n> \tb" %}\n\n1. {% foo a="x\n\n   y" %}\n   in\n   {% endfoo %}\n',
    );
    const written = writeMarkdown(documentOf(nodes));
    expect(keyless(blocksOf(written))).toEqual(keyless(nodes));
    expect(written).toContain('content="a\n>\n> \tb"');
  });

  test("a tag over several lines is merged as one unit", () => {
    const base = '# T\n\none\n\n{% @mermaid/diagram content="a\nb\nc" %}\n\ntwo\n';
    const merged = mergeTexts(base, base.replace("one", "ONE"), base.replace("b\nc", "b\nC"));
    expect(merged).toEqual({ text: base.replace("one", "ONE").replace("b\nc", "b\nC"), conflicts: [] });
    const torn = mergeTexts(base, base.replace('content="a', 'content="A'), base.replace('c" %}', 'C" %}'));
    expect(blocksOf(torn.text).map(({ type }) => type)).toEqual(["paragraph", "integration", "paragraph"]);
  });

  test("translating the surrounding text leaves the tag unchanged", async () => {
    const tag = '{% @mermaid/diagram\n content="Words of\n\na drawing" %}';
    const { texts: sheet } = await translatePage(
      async ({ texts }) => texts.map(reversed),
      { title: "T", text: `Before.\n\n${tag}\n\n{% hint\nstyle="info"\n%}\nInside.\n{% endhint %}\n` },
      { from: "en", to: "de" },
    );
    expect(sheet.text).toBe(`erofeBq.\n\n${tag}\n\n{% hint\nstyle="info"\n%}\nedisnIq.\n{% endhint %}\n`);
  });

  test("conditions in a tag over several lines are evaluated, and a condition may span lines itself", () => {
    const text = '{% @mermaid/diagram content="a\n{% if visitor.claims.x %}\nsecret\n{% endif %}\nb" %}\n';
    expect(evaluated(text)).not.toContain("secret");
    expect(evaluated(text, { x: true })).toContain("secret");
    expect(evaluated("before\n\n{% section\nif='visitor.claims.x'\n%}\nsecret\n")).toBe("before\n\n");
    expect(evaluated("> {% section\n> if='visitor.claims.x'\n> %}\n> secret\n")).not.toContain("secret");
    expect(evaluated("{% section\ntitle='a'\n%}\nopen\n")).toContain("open");
  });
});

describe("attribute values", () => {
  const piece = fc.constantFrom(
    "a",
    " ",
    "\n",
    "\n\n",
    "\t",
    '"',
    "'",
    "\\",
    "%}",
    "{%",
    "> ",
    "- ",
    "```",
    "#",
    "=",
    "é",
  );
  const value = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
  const frames: readonly ((block: Block) => Block)[] = [
    (block) => block,
    (block) => ({ object: "block", type: "blockquote", nodes: [block] }),
    (block) => ({
      object: "block",
      type: "list-unordered",
      nodes: [{ object: "block", type: "list-item", nodes: [block] }],
    }),
    (block) => ({ object: "block", type: "hint", data: { style: "info" }, nodes: [block] }),
  ];

  test("any attribute value round-trips, wherever the block is", () => {
    fc.assert(
      fc.property(value, value, fc.constantFrom(...frames), (content, other, framed) => {
        const props = { content, ...(other === "" ? {} : { other }) };
        const block = framed({
          object: "block",
          type: "integration",
          data: { integration: "a", block: "b", props },
        } as Block);
        const document = documentOf([...blocksOf("before"), block, ...blocksOf("behind")]);
        const written = writeMarkdown(document);
        const read = blocksOf(written);
        const found = JSON.stringify(read).includes(JSON.stringify(content).slice(1, -1));
        expect(found, written).toBe(true);
        expect(keyless(blocksOf(writeMarkdown(documentOf(read))))).toEqual(keyless(read));
        expect(writeMarkdown(documentOf(read), { original: written })).toBe(written);
      }),
      { numRuns: runs(1000) },
    );
  });
});
