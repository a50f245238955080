// The features of a page that need code of their own, such as formulas. Only pages that have them load it. The console loads this file
// for its previews, so it imports nothing of the server.

import type { Block } from "../../content/document";
import { createMathMlConverter } from "../../content/formulas";
import { html, Markup } from "../../utils/html";
import { escapeLines, type HighlightCode, loadHighlighter } from "../highlighting/highlight";

export interface PageFeatures {
  readonly hasCode: boolean;
  readonly hasFormulas: boolean;
  readonly hasDiagrams: boolean;
}

/** A node of any kind, as far as features depend on it. */
interface FeatureNode {
  readonly type?: string;
  readonly data?: { readonly syntax?: unknown };
  readonly nodes?: readonly FeatureNode[];
  readonly fragments?: readonly FeatureNode[];
}

/** Returns the features that the blocks of some lists, and everything in them, need. */
export function detectPageFeatures(...lists: readonly (readonly Block[])[]): PageFeatures {
  const features = { hasCode: false, hasFormulas: false, hasDiagrams: false };
  const visit = (nodes: readonly FeatureNode[]): void => {
    for (const { type, data, nodes: inner = [], fragments = [] } of nodes) {
      if (type === "math" || type === "inline-math") features.hasFormulas = true;
      // Operations of specifications show code samples.
      if (type?.startsWith("openapi-") || type === "swagger" || type === "integration") features.hasCode = true;
      if (type === "code" && data?.syntax === "mermaid") features.hasDiagrams = true;
      else if (type === "code" && data?.syntax !== undefined) features.hasCode = true;
      if (type !== "code") visit(inner);
      visit(fragments);
    }
  };
  for (const blocks of lists) visit(blocks as readonly FeatureNode[]);
  return features;
}

/** Loads the renderers of code and formulas, as far as the features need them. */
export async function loadFeatureRenderers({
  hasCode,
  hasFormulas,
}: PageFeatures): Promise<{ readonly code: HighlightCode; readonly formula: RenderFormula }> {
  const [code, formula] = await Promise.all([
    hasCode ? loadHighlighter() : escapeLines,
    hasFormulas ? loadFormulaRenderer() : undefined,
  ]);
  const rejectFormula: RenderFormula = () => {
    throw new TypeError("A formula was drawn on a page that was thought to have none.");
  };
  return { code, formula: formula ?? rejectFormula };
}

/** Renders a formula. */
type RenderFormula = (formula: string, display: "inline" | "block") => Markup;

/** Loads a renderer of TeX formulas as MathML, which browsers render natively. A formula that cannot be parsed is shown as its source. */
export async function loadFormulaRenderer(): Promise<RenderFormula> {
  const convert = await createMathMlConverter();
  return (formula, display) => {
    const markup = convert(formula, display === "block");
    if (markup === undefined) return html`<code>${formula}</code>`;
    // The policy of the page forbids style attributes. MathML has attributes for colors; other styles are dropped.
    const withoutStyles = markup.replace(/ style="([^"]*)"/g, (_, style: string) => {
      const color = /(?:^|;) ?color: ?(#[0-9a-fA-F]{3,8}|[a-z]{3,20});/.exec(style)?.[1];
      const background = /background-color: ?(#[0-9a-fA-F]{3,8}|[a-z]{3,20});/.exec(style)?.[1];
      const colorAttribute = color === undefined ? "" : ` mathcolor="${color}"`;
      return colorAttribute + (background === undefined ? "" : ` mathbackground="${background}"`);
    });
    return new Markup(withoutStyles);
  };
}
