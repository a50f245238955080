// Formulas in TeX as MathML, which browsers draw themselves. What reads them is loaded with the first page that has one. What
// cannot be read is shown as it was written.

import { late } from "../late";
import { html, Markup } from "../markup";

/** Draws a formula. */
export type DrawFormula = (formula: string, display: "inline" | "block") => Markup;

/** Longer formulas are shown as they are written, and so are those that become more than this. */
const LONGEST = 5_000;
const LONGEST_DRAWN = 100_000;
/** Elements in elements. Parsers of browsers go down to 512. */
const DEEPEST = 150;
/** The most macros that one formula unfolds. One that unfolds into itself ends here. */
const MOST_MACROS = 500;
/** The largest measure that an author can give, in the size of a letter. */
const LARGEST = 30;

export const loadFormulas: () => Promise<DrawFormula> = late(async () => {
  const { default: temml } = await import("temml");
  return (formula, display) => {
    const drawn = formula.length > LONGEST ? undefined : read(formula, display === "block");
    return drawn ?? html`<code>${formula}</code>`;
  };

  function read(formula: string, displayMode: boolean): Markup | undefined {
    try {
      const text = temml.renderToString(formula, {
        displayMode,
        throwOnError: true,
        trust: false,
        strict: true,
        maxExpand: MOST_MACROS,
        maxSize: [LARGEST, LARGEST],
        macros: {},
      });
      return isModest(text) ? new Markup(withoutStyles(text)) : undefined;
    } catch {
      // Not TeX, or more of it than is allowed.
      return undefined;
    }
  }
});

function isModest(text: string): boolean {
  if (text.length > LONGEST_DRAWN) return false;
  let depth = 0;
  for (const [, end, own] of text.matchAll(/<(\/?)[a-z][^<>]*?(\/?)>/g)) {
    if (own) continue;
    depth += end ? -1 : 1;
    if (depth > DEEPEST) return false;
  }
  return true;
}

/** The policy of the page lets no style stand in an attribute. Colours have attributes of their own; the rest is in the style
 * sheet, or does without. */
function withoutStyles(text: string): string {
  return text.replace(/ style="([^"]*)"/g, (_, style: string) => {
    const color = /(?:^|;) ?color: ?(#[0-9a-fA-F]{3,8}|[a-z]{3,20});/.exec(style)?.[1];
    const background = /background-color: ?(#[0-9a-fA-F]{3,8}|[a-z]{3,20});/.exec(style)?.[1];
    return `${color === undefined ? "" : ` mathcolor="${color}"`}${background === undefined ? "" : ` mathbackground="${background}"`}`;
  });
}
