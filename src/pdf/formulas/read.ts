// Formulas as they are written in TeX, read into MathML. What reads them is loaded with the first formula.

import { Parser } from "htmlparser2";
import { late } from "../../late";

/** An element of MathML: with other elements in it, or with text. */
export interface MathNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly MathNode[];
  readonly text: string;
}

/** Reads a formula; undefined when it cannot be read. */
export type FormulaReader = (formula: string, isDisplayed: boolean) => MathNode | undefined;

/** Longer formulas are printed as they are written. */
const LONGEST = 5_000;

/** What reads formulas. */
export const loadFormulas: () => Promise<FormulaReader> = late(async () => {
  const { default: temml } = await import("temml");
  return (formula, isDisplayed) => {
    if (formula.length > LONGEST) return undefined;
    try {
      return parsed(temml.renderToString(formula, { displayMode: isDisplayed, throwOnError: true, xml: true }));
    } catch {
      return undefined;
    }
  };
});

interface Open {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: MathNode[];
  text: string;
}

function parsed(mathml: string): MathNode | undefined {
  const open: Open[] = [{ name: "", attributes: {}, children: [], text: "" }];
  const parser = new Parser(
    {
      onopentag: (name, attributes) => void open.push({ name, attributes, children: [], text: "" }),
      ontext: (text) => {
        // It asks for some signs not to become emoji; they never do here.
        open.at(-1)!.text += text.replaceAll("\ufe0e", "");
      },
      onclosetag: () => {
        const node = open.pop()!;
        open.at(-1)!.children.push(node);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(mathml);
  return open[0]!.children[0];
}
