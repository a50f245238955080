// Reads documents without trusting them: an invalid part counts as absent.

import type { Block, BlockData, ContentRef, Fragment, Inline, Leaf, Phrasing } from "../../content/document";
import { MAX_PLAIN } from "../limits";

type Fields = Readonly<Record<string, unknown>>;

/** The blocks among the children of a node. */
export function blocksIn(node: unknown): Block[] {
  return listed(node, "nodes").filter((child): child is Block => isKind(child, "block"));
}

/** The texts and inlines among the children of a node. */
export function phrasingIn(node: unknown): Phrasing[] {
  return listed(node, "nodes").filter((child): child is Phrasing => isKind(child, "text") || isKind(child, "inline"));
}

/** The leaves of a text. */
export function leavesIn(node: unknown): Leaf[] {
  return listed(node, "leaves").filter((leaf): leaf is Leaf => isFields(leaf) && typeof leaf.text === "string");
}

/** The fragments of a node. */
export function fragmentsIn(node: unknown): Fragment[] {
  return listed(node, "fragments").filter((fragment): fragment is Fragment => isFields(fragment));
}

/** The blocks of the fragment that has a type. */
export function fragmentBlocks(node: unknown, type: Fragment["type"]): Block[] {
  return blocksIn(fragmentsIn(node).find((fragment) => fragment.type === type));
}

/** The data of a block of a type, as far as it has any. Fields may still be of any kind. */
export function dataOf<Type extends keyof BlockData>(block: {
  readonly type: Type;
  readonly data?: unknown;
}): {
  readonly [Name in keyof BlockData[Type]]?: unknown;
} {
  return fieldsOf(block.data) as { readonly [Name in keyof BlockData[Type]]?: unknown };
}

/** What an inline says. */
export function inlineData(inline: Inline): Fields {
  return fieldsOf(inline.data);
}

/** An emoji by the numbers of its characters, or by its name. */
export function emojiText(code: unknown): string {
  const given = textIn(code);
  if (!/^[0-9a-f]{2,6}(?:-[0-9a-f]{2,6}){0,9}$/i.test(given) || !/\d/.test(given)) return given ? `:${given}:` : "";
  const codePoints = given.split("-").map((part) => Number.parseInt(part, 16));
  return codePoints.every((each) => each <= 0x10ffff) ? `${String.fromCodePoint(...codePoints)}\ufe0f` : "";
}

/** A value as an object with members. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** A text, or nothing. */
export function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Several values, or one, or none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
}

/** A number, or undefined. */
export function numberIn(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** A reference, or undefined. */
export function refIn(value: unknown): ContentRef | undefined {
  if (!isFields(value)) return undefined;
  const members: Readonly<Record<string, string>> = { url: "url", file: "file", page: "page", anchor: "anchor" };
  const member = members[textIn(value.kind)];
  return member === undefined || typeof value[member] === "string" ? (value as unknown as ContentRef) : undefined;
}

/** Everything that is written below a node, with a line for each block; cut where it becomes too long. */
export function plainText(node: unknown, longest = MAX_PLAIN): string {
  return writtenText(node, longest).trim();
}

/** The same with the spaces around it. */
export function writtenText(node: unknown, longest: number): string {
  let text = "";
  const waiting: unknown[] = [node];
  while (waiting.length > 0 && text.length < longest) {
    const next = waiting.pop();
    if (typeof next === "string") text += next;
    else if (isKind(next, "text")) for (const leaf of leavesIn(next)) text += leaf.text.slice(0, longest);
    else if (isFields(next)) {
      const data = fieldsOf(next.data);
      if (isKind(next, "inline")) waiting.push(textIn(data.label) || textIn(data.formula) || textIn(data.expression));
      const children = [...listed(next, "nodes"), ...listed(next, "fragments")].slice(0, longest);
      if (isKind(next, "block")) waiting.push("\n");
      for (const child of children.reverse()) waiting.push(child);
    }
  }
  return text.slice(0, longest);
}

function listed(node: unknown, member: string): readonly unknown[] {
  const list = isFields(node) ? node[member] : undefined;
  return Array.isArray(list) ? list : [];
}

function isKind(value: unknown, object: string): boolean {
  return isFields(value) && value.object === object && (object === "text" || typeof value.type === "string");
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}
