// Converts our trees and those of the reference implementation to one form for comparison. Our own inline nodes are
// converted back to text, and differences without meaning are left out.

import type { Nodes } from "mdast";
import type { SourceNode } from "../../../src/content/markdown/nodes";
import { normalizeLabel } from "../../../src/content/markdown/parser/characters";

/** A node of either tree. */
interface Comparable {
  type: string;
  children?: Comparable[] | undefined;
  [property: string]: unknown;
}

/** Our tree. */
export function comparable(node: SourceNode): Comparable {
  const { start: _, end: __, ...properties } = node;
  const said: Comparable = { ...properties, type: node.type, children: undefined };
  if (node.type === "emoji") return { ...text(`:${node.code}:`) };
  if (node.type === "list") said.first = node.first;
  return cleaned(said, "children" in node ? (node.children as SourceNode[]).map(comparable) : undefined);
}

/** Theirs, its references resolved. */
export function comparableReference(root: Nodes): Comparable {
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
