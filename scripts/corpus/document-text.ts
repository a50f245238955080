// What a document says and holds, read from its JSON without knowing its types of blocks.

import type { Target } from "./library";

/** What was found in a document. */
export interface DocumentFacts {
  /** All words, in order. */
  readonly text: string;
  readonly blocks: number;
  readonly unknown: number;
  /** The targets of its links. */
  readonly targets: readonly Target[];
}

/** Members of `data` that a reader sees. */
const SHOWN = new Set(["title", "label", "formula", "alt", "caption", "source", "description"]);
/** Inlines that stand inside a word's line, so that no space is put around them. */
const IN_LINE = new Set(["text", "inline"]);

/** Reads a document. */
export function factsOf(document: unknown): DocumentFacts {
  const parts: string[] = [];
  const targets: Target[] = [];
  let [blocks, unknown] = [0, 0];
  const visit = (value: unknown, member: string): void => {
    if (typeof value === "string") {
      if (member === "text") parts.push(value);
      else if (SHOWN.has(member)) parts.push(" ", value, " ");
    } else if (Array.isArray(value)) for (const each of value) visit(each, member);
    else if (typeof value === "object" && value !== null) visitObject(value as Record<string, unknown>, member);
  };
  const visitObject = (node: Record<string, unknown>, member: string): void => {
    if (node.object === "block") {
      blocks++;
      if (node.type === "unknown") unknown++;
    }
    if (member === "ref" && typeof node.kind === "string") targets.push(node as unknown as Target);
    const isApart = typeof node.object === "string" && !IN_LINE.has(node.object) && node.object !== "leaf";
    if (isApart) parts.push(" ");
    for (const [name, value] of Object.entries(node)) visit(value, name);
    if (isApart) parts.push(" ");
  };
  visit(document, "");
  return { text: parts.join(""), blocks, unknown, targets };
}
