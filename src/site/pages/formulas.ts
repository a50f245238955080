// TeX formulas as MathML, which browsers render natively. A formula that cannot be parsed is shown as its source.

import { createMathMlConverter } from "../../content/formulas";
import { html, Markup } from "../../utils/html";

/** Renders a formula. */
export type RenderFormula = (formula: string, display: "inline" | "block") => Markup;

/** Loads a renderer for the formulas of one page. */
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
