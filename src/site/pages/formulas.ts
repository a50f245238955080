// Formulas in TeX as MathML, which browsers draw themselves. A formula that cannot be read is shown as it was written.

import { createMathMlConverter } from "../../content/formulas";
import { html, Markup } from "../../utils/html";

/** Draws a formula. */
export type RenderFormula = (formula: string, display: "inline" | "block") => Markup;

/** Loads what draws the formulas of one page. */
export async function loadFormulaRenderer(): Promise<RenderFormula> {
  const read = await createMathMlConverter();
  return (formula, display) => {
    const markup = read(formula, display === "block");
    return markup === undefined ? html`<code>${formula}</code>` : new Markup(replaceStyleAttributes(markup));
  };
}

/** The policy of the page lets no style stand in an attribute. Colours have attributes of their own; the rest is in the style
 * sheet, or does without. */
function replaceStyleAttributes(text: string): string {
  return text.replace(/ style="([^"]*)"/g, (_, style: string) => {
    const color = /(?:^|;) ?color: ?(#[0-9a-fA-F]{3,8}|[a-z]{3,20});/.exec(style)?.[1];
    const background = /background-color: ?(#[0-9a-fA-F]{3,8}|[a-z]{3,20});/.exec(style)?.[1];
    return `${color === undefined ? "" : ` mathcolor="${color}"`}${background === undefined ? "" : ` mathbackground="${background}"`}`;
  });
}
