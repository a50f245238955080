// What the blocks of a page are drawn with, beyond what every page has. It is loaded before the first block is drawn, and only
// where there is something to draw with it.

import type { Block } from "../../content/document";
import { escapeLines, type HighlightCode, loadHighlighter } from "../highlighting/highlight";
import { loadFormulaRenderer, type RenderFormula } from "./formulas";

/** What a page has. */
export interface PageFeatures {
  readonly hasCode: boolean;
  readonly hasFormulas: boolean;
  readonly hasDiagrams: boolean;
}

interface Node {
  readonly type?: string;
  readonly data?: { readonly syntax?: unknown };
  readonly nodes?: readonly Node[];
  readonly fragments?: readonly Node[];
}

/** What blocks and everything in them need. */
export function findPageFeatures(...lists: readonly (readonly Block[])[]): PageFeatures {
  const needs = { hasCode: false, hasFormulas: false, hasDiagrams: false };
  const look = (nodes: readonly Node[]): void => {
    for (const { type, data, nodes: inner = [], fragments = [] } of nodes) {
      if (type === "math" || type === "inline-math") needs.hasFormulas = true;
      // Operations of specifications show samples.
      if (type?.startsWith("openapi-") || type === "swagger" || type === "integration") needs.hasCode = true;
      if (type === "code" && data?.syntax === "mermaid") needs.hasDiagrams = true;
      else if (type === "code" && data?.syntax !== undefined) needs.hasCode = true;
      if (type !== "code") look(inner);
      look(fragments);
    }
  };
  for (const blocks of lists) look(blocks as readonly Node[]);
  return needs;
}

/** Loads what is needed. */
export async function loadFeatureRenderers({
  hasCode,
  hasFormulas,
}: PageFeatures): Promise<{ readonly code: HighlightCode; readonly formula: RenderFormula }> {
  const [code, formula] = await Promise.all([
    hasCode ? loadHighlighter() : escapeLines,
    hasFormulas ? loadFormulaRenderer() : undefined,
  ]);
  return { code, formula: formula ?? nothing };
}

/** Never called: a page without formulas draws none. */
function nothing(): never {
  throw new TypeError("A formula was drawn on a page that was thought to have none.");
}
