// Parses the descriptions of a specification, which are Markdown by strangers. The headings of each stand below those of the page, it
// cannot affect what follows it, and it contains only text, pictures, tables and code.

import type { Block, BlockOf, Inline, Leaf, Phrasing } from "../../content/document";
import { readMarkdown } from "../../content/markdown/read";
import { omitUndefined } from "../../utils/objects";

/** The most characters of a description: of an operation, a tag or a response, and of a field. */
const MAX_DESCRIPTION = 20_000;
const MAX_FIELD_DESCRIPTION = 2000;

/** The level that the first heading of a description gets on its page; in a list, headings become bold lines. */
export type DescriptionPlace = 1 | 2 | 3 | "item";

/** Returns a description within the limit of its place; empty if there is none. */
export function trimDescription(text: string | undefined, place: DescriptionPlace): string {
  const whole = text?.trim() ?? "";
  const most = place === "item" ? MAX_FIELD_DESCRIPTION : MAX_DESCRIPTION;
  return whole.length <= most ? whole : `${whole.slice(0, most).trimEnd()} …`;
}

/** Words and code in one line, in which no character has a meaning in Markdown. */
export const PLAIN_MARKDOWN = /^[A-Za-z](?:[A-Za-z0-9 ,.;:'"()/?=+%@-]|(?<=[A-Za-z0-9])_(?=[A-Za-z0-9])|`[^`\n{]+`)*$/;

/** Parses a description into blocks without active content. */
export function parseDescription(text: string, place: DescriptionPlace): Block[] {
  // A leading heading would be the title of a page. Our own tags have no meaning here.
  const { nodes } = readMarkdown(`# .\n\n${text.replaceAll("{%", "{\\%")}`).document;
  const blocks = nodes.flatMap(sanitizeBlock);
  const top = Math.min(...blocks.map((block) => getHeadingLevel(block) ?? 3));
  return blocks.map((block) => {
    const level = getHeadingLevel(block);
    if (level === undefined) return block;
    const nodes = (block.nodes ?? []) as Phrasing[];
    // In a list, a heading becomes a bold line.
    if (place === "item") return createParagraph(nodes.map(makeBold));
    const type = `heading-${Math.min(3, level - top + place)}` as "heading-3";
    return { object: "block", type, isVoid: false, data: {}, nodes };
  });
}

function getHeadingLevel({ type }: Block): number | undefined {
  return type.startsWith("heading-") ? Number(type.slice(-1)) : undefined;
}

function makeBold(node: Phrasing): Phrasing {
  if (node.object === "inline")
    return { ...node, ...omitUndefined({ nodes: node.nodes ? node.nodes.map(makeBold) : undefined }) } as Inline;
  const leaves = node.leaves.map((leaf): Leaf => {
    const others = leaf.marks.filter(({ type }) => type !== "bold");
    return { ...leaf, marks: [{ object: "mark", type: "bold" }, ...others] };
  });
  return { ...node, leaves };
}

/** The blocks without active content. */
const PASSIVE_BLOCKS = new Set<Block["type"]>([
  ...(["paragraph", "heading-1", "heading-2", "heading-3", "divider", "code", "code-line", "math"] as const),
  ...(["list-ordered", "list-unordered", "list-tasks", "list-item", "blockquote", "hint"] as const),
  ...(["table", "images", "image", "expandable"] as const),
]);

/** Tags at which a line of HTML ends. */
const ENDS_LINE = /<\/?(?:p|div|li|ul|ol|br|tr|table|h[1-6]|pre|dl|dt|dd|section|hr)(?=[\s/>])[^<>]*>/gi;

/** Removes active content from a block. An active block is replaced by the blocks, or the words, in it. */
function sanitizeBlock(block: Block): Block[] {
  if (block.type === "unknown" && !block.nodes) {
    // HTML that the Markdown parser left as it is. Only its text stays.
    return (block.data?.source ?? "")
      .replaceAll(/<!--(?:(?!-->).)*(?:-->|$)/gs, "")
      .split(ENDS_LINE)
      .map((line) =>
        line
          .replaceAll(/<\/?[a-z][^<>]*>/gi, "")
          .replaceAll(/\s+/g, " ")
          .trim(),
      )
      .filter((line) => line !== "")
      .map((line) => createParagraph([createText(line)]));
  }
  if (!PASSIVE_BLOCKS.has(block.type)) return block.nodes ? sanitizeNodes(block.nodes) : [];
  const { nodes, fragments } = block;
  const isPhrasing = nodes?.every(({ object }) => object !== "block");
  return [
    {
      ...block,
      ...omitUndefined({
        nodes: isPhrasing ? (nodes as Phrasing[]).flatMap(sanitizePhrasing) : nodes && sanitizeNodes(nodes),
        fragments: fragments ? fragments.map((it) => ({ ...it, nodes: it.nodes.flatMap(sanitizeBlock) })) : undefined,
      }),
    } as Block,
  ];
}

function sanitizeNodes(nodes: readonly (Block | Phrasing)[]): Block[] {
  return nodes.flatMap((node) => (node.object === "block" ? sanitizeBlock(node) : []));
}

function sanitizePhrasing(node: Phrasing): Phrasing[] {
  if (node.object === "text") return [node];
  const inside = node.nodes?.flatMap(sanitizePhrasing);
  switch (node.type) {
    case "expression":
      return [createText(node.data.expression, "code")];
    // A note stands at the end of the page, among those of others.
    case "annotation":
      return inside ?? [];
    case "mention":
    case "anchor":
      return [];
    case "button":
      return [createText(node.data.label)];
    default:
      return [{ ...node, ...omitUndefined({ nodes: inside }) } as Inline];
  }
}

function createText(text: string, mark?: "code"): Phrasing {
  return { object: "text", leaves: [{ object: "leaf", text, marks: mark ? [{ object: "mark", type: mark }] : [] }] };
}

function createParagraph(nodes: Phrasing[]): BlockOf<"paragraph"> {
  return { object: "block", type: "paragraph", isVoid: false, data: {}, nodes };
}
