// Reads documents without trusting them: an invalid part is treated as absent.

import type { Block, BlockData, ContentRef, Fragment, Leaf, Phrasing } from "../../content/document";
import { MAX_PLAIN } from "../limits";

type UntrustedFields = Readonly<Record<string, unknown>>;

export function getBlocks(node: unknown): Block[] {
  return getMemberList(node, "nodes").filter((child): child is Block => isKind(child, "block"));
}

/** Returns the texts and inlines among the children of a node. */
export function getPhrasing(node: unknown): Phrasing[] {
  return getMemberList(node, "nodes").filter(
    (child): child is Phrasing => isKind(child, "text") || isKind(child, "inline"),
  );
}

export function getLeaves(node: unknown): Leaf[] {
  return getMemberList(node, "leaves").filter((leaf): leaf is Leaf => isFields(leaf) && typeof leaf.text === "string");
}

export function getFragments(node: unknown): Fragment[] {
  return getMemberList(node, "fragments").filter((fragment): fragment is Fragment => isFields(fragment));
}

export function getFragmentBlocks(node: unknown, type: Fragment["type"]): Block[] {
  return getBlocks(getFragments(node).find((fragment) => fragment.type === type));
}

/** Returns the data of a block. Its members may still be of any type. */
export function getData<Type extends keyof BlockData>(block: {
  readonly type: Type;
  readonly data?: unknown;
}): {
  readonly [Name in keyof BlockData[Type]]?: unknown;
} {
  return toFields(block.data) as { readonly [Name in keyof BlockData[Type]]?: unknown };
}

/** Returns an emoji for its code points, or its name between colons. */
export function getEmojiText(code: unknown): string {
  const given = readString(code);
  if (!/^[0-9a-f]{2,6}(?:-[0-9a-f]{2,6}){0,9}$/i.test(given) || !/\d/.test(given)) return given ? `:${given}:` : "";
  const codePoints = given.split("-").map((part) => Number.parseInt(part, 16));
  return codePoints.every((each) => each <= 0x10ffff) ? `${String.fromCodePoint(...codePoints)}\ufe0f` : "";
}

/** Returns an object, or an empty one for other values. */
export function toFields(value: unknown): UntrustedFields {
  return isFields(value) ? value : {};
}

/** Returns a text, or an empty one for other values. */
export function readString(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Returns a list, a list of one value, or an empty list. */
export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
}

/** Returns a finite number, or undefined. */
export function toNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function toReference(value: unknown): ContentRef | undefined {
  if (!isFields(value)) return undefined;
  const members: Readonly<Record<string, string>> = { url: "url", file: "file", page: "page", anchor: "anchor" };
  const member = members[readString(value.kind)];
  return member === undefined || typeof value[member] === "string" ? (value as unknown as ContentRef) : undefined;
}

/** Returns the text of a node, with a line for each block, cut to a length. */
export function getPlainText(node: unknown, longest = MAX_PLAIN): string {
  return getRawText(node, longest).trim();
}

/** Returns the text of a node without trimming it. */
export function getRawText(node: unknown, longest: number): string {
  let text = "";
  const waiting: unknown[] = [node];
  while (waiting.length > 0 && text.length < longest) {
    const next = waiting.pop();
    if (typeof next === "string") text += next;
    else if (isKind(next, "text")) for (const leaf of getLeaves(next)) text += leaf.text.slice(0, longest);
    else if (isFields(next)) {
      const data = toFields(next.data);
      if (isKind(next, "inline"))
        waiting.push(readString(data.label) || readString(data.formula) || readString(data.expression));
      const children = [...getMemberList(next, "nodes"), ...getMemberList(next, "fragments")].slice(0, longest);
      if (isKind(next, "block")) waiting.push("\n");
      for (const child of children.reverse()) waiting.push(child);
    }
  }
  return text.slice(0, longest);
}

function getMemberList(node: unknown, member: string): readonly unknown[] {
  const list = isFields(node) ? node[member] : undefined;
  return Array.isArray(list) ? list : [];
}

function isKind(value: unknown, object: string): boolean {
  return isFields(value) && value.object === object && (object === "text" || typeof value.type === "string");
}

function isFields(value: unknown): value is UntrustedFields {
  return typeof value === "object" && value !== null;
}
