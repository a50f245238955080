// Descriptions of a specification, which are Markdown by strangers. Each is read and written again: its headings stand
// below those of the page, it ends where it ends, and nothing in it is more than words, pictures, tables and code.

import type { Block, BlockOf, Inline, Leaf, Phrasing } from "../../../content/document";
import { readMarkdown } from "../../../content/markdown/read";
import { writeMarkdown } from "../../../content/markdown/write";
import { omitUndefined } from "../../../utils/objects";

/** The most characters of a description: of an operation, a tag or an answer, and of a field. */
export const MAX_DESCRIPTION = 20_000;
export const MAX_FIELD_DESCRIPTION = 2000;

/** The level that the first heading of a description gets on its page; in a list, headings become bold lines. */
export type Place = 1 | 2 | 3 | "item";

/** A description as it stands on a page. */
export interface Described {
  readonly text: string;
  /** Whether it is one paragraph, which can stand behind other words. */
  readonly isParagraph: boolean;
  /** Whether it ends with a list, which another list would continue. */
  readonly endsWithList: boolean;
}

const NOTHING: Described = { text: "", isParagraph: true, endsWithList: false };

/** Gives descriptions as they stand on a page. */
export type Describe = (text: string | undefined, place: Place) => Described;

/** The most characters of descriptions that are remembered. Many operations have the same parameters. */
const MAX_REMEMBERED = 2_000_000;

/** Reads descriptions, each once while there is room to remember it. */
export function descriptions(): Describe {
  const known = new Map<string, Described>();
  let room = MAX_REMEMBERED;
  return (text, place) => {
    const whole = text?.trim() ?? "";
    const most = place === "item" ? MAX_FIELD_DESCRIPTION : MAX_DESCRIPTION;
    const words = whole.length <= most ? whole : `${whole.slice(0, most).trimEnd()} …`;
    if (words === "") return NOTHING;
    if (isPlain(words)) return { text: words, isParagraph: true, endsWithList: false };
    const name = `${place} ${words}`;
    const found = known.get(name);
    if (found) return found;
    const described = read(words, place);
    room -= name.length + described.text.length;
    if (room > 0) known.set(name, described);
    return described;
  };
}

/** Words and code in one line, in which no character can mean anything else. */
export function isPlain(text: string): boolean {
  return /^[A-Za-z](?:[A-Za-z0-9 ,.;:'"()/?=+%@-]|(?<=[A-Za-z0-9])_(?=[A-Za-z0-9])|`[^`\n{]+`)*$/.test(text);
}

/** A description as blocks that say nothing but what is seen. */
export function describedBlocks(text: string, place: Place): Block[] {
  // A leading heading would be the title of a page. Tags of our own have no meaning here.
  const { nodes } = readMarkdown(`# .\n\n${text.replaceAll("{%", "{\\%")}`).document;
  const blocks = nodes.flatMap(plainBlock);
  const top = Math.min(...blocks.map((block) => levelOf(block) ?? 3));
  return blocks.map((block) => placedHeading(block, place, top));
}

function read(text: string, place: Place): Described {
  const placed = describedBlocks(text, place);
  const last = placed.at(-1);
  return {
    text: writeMarkdown({ object: "document", data: {}, nodes: placed }).trim(),
    isParagraph: placed.length === 1 && last!.type === "paragraph" && !last!.data?.align,
    endsWithList: last?.type.startsWith("list-") === true,
  };
}

function levelOf({ type }: Block): number | undefined {
  return type.startsWith("heading-") ? Number(type.slice(-1)) : undefined;
}

/** A heading at the level of its place; in a list a bold line. */
function placedHeading(block: Block, place: Place, top: number): Block {
  const level = levelOf(block);
  if (level === undefined) return block;
  const nodes = (block.nodes ?? []) as Phrasing[];
  if (place === "item") return paragraph(nodes.map(bold));
  const type = `heading-${Math.min(3, level - top + place)}` as "heading-3";
  return { object: "block", type, isVoid: false, data: {}, nodes };
}

function bold(node: Phrasing): Phrasing {
  if (node.object === "inline")
    return { ...node, ...omitUndefined({ nodes: node.nodes ? node.nodes.map(bold) : undefined }) } as Inline;
  const leaves = node.leaves.map((leaf): Leaf => {
    const others = leaf.marks.filter(({ type }) => type !== "bold");
    return { ...leaf, marks: [{ object: "mark", type: "bold" }, ...others] };
  });
  return { ...node, leaves };
}

/** Blocks that say nothing but what is seen. */
const PLAIN = new Set<Block["type"]>([
  ...(["paragraph", "heading-1", "heading-2", "heading-3", "divider", "code", "code-line", "math"] as const),
  ...(["list-ordered", "list-unordered", "list-tasks", "list-item", "blockquote", "hint"] as const),
  ...(["table", "images", "image", "expandable"] as const),
]);

/** A block without anything that does something: what is not known as plain becomes the blocks, or the words, in it. */
function plainBlock(block: Block): Block[] {
  if (block.type === "unknown") return block.nodes ? plainNodes(block.nodes) : wordsOfHtml(block.data?.source ?? "");
  if (!PLAIN.has(block.type)) return block.nodes ? plainNodes(block.nodes) : [];
  const { nodes, fragments } = block;
  return [
    {
      ...block,
      ...omitUndefined({
        nodes: nodes ? (isPhrasing(nodes) ? nodes.flatMap(plainPhrasing) : plainNodes(nodes)) : undefined,
        fragments: fragments ? fragments.map((it) => ({ ...it, nodes: it.nodes.flatMap(plainBlock) })) : undefined,
      }),
    } as Block,
  ];
}

function plainNodes(nodes: readonly (Block | Phrasing)[]): Block[] {
  return nodes.flatMap((node) => (node.object === "block" ? plainBlock(node) : []));
}

function isPhrasing(nodes: readonly (Block | Phrasing)[]): nodes is Phrasing[] {
  return nodes.every(({ object }) => object !== "block");
}

function plainPhrasing(node: Phrasing): Phrasing[] {
  if (node.object === "text") return [node];
  const inside = node.nodes?.flatMap(plainPhrasing);
  switch (node.type) {
    case "expression":
      return [textOf(node.data.expression, "code")];
    // A note is at the end of the page, where it would be among those of others.
    case "annotation":
      return inside ?? [];
    case "mention":
    case "anchor":
      return [];
    case "button":
      return [textOf(node.data.label)];
    default:
      return [{ ...node, ...omitUndefined({ nodes: inside }) } as Inline];
  }
}

/** Tags at which a line of HTML ends. */
const ENDS_LINE = /<\/?(?:p|div|li|ul|ol|br|tr|table|h[1-6]|pre|dl|dt|dd|section|hr)(?=[\s/>])[^<>]*>/gi;

/** What HTML says that the reader of Markdown left as it is. */
function wordsOfHtml(html: string): Block[] {
  return html
    .replaceAll(/<!--(?:(?!-->).)*(?:-->|$)/gs, "")
    .split(ENDS_LINE)
    .map((line) =>
      line
        .replaceAll(/<\/?[a-z][^<>]*>/gi, "")
        .replaceAll(/\s+/g, " ")
        .trim(),
    )
    .filter((line) => line !== "")
    .map((line) => paragraph([textOf(line)]));
}

function textOf(text: string, mark?: "code"): Phrasing {
  return { object: "text", leaves: [{ object: "leaf", text, marks: mark ? [{ object: "mark", type: mark }] : [] }] };
}

function paragraph(nodes: Phrasing[]): BlockOf<"paragraph"> {
  return { object: "block", type: "paragraph", isVoid: false, data: {}, nodes };
}
