// Parses TeX formulas into MathML nodes.

import { createMathMlConverter } from "../../content/formulas";

/** A MathML element. It has child elements or text. */
export interface MathNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly MathNode[];
  readonly text: string;
}

/** Parses a formula. Returns undefined if it is invalid. */
export type FormulaParser = (formula: string, isDisplayed: boolean) => MathNode | undefined;

export async function loadFormulaParser(): Promise<FormulaParser> {
  const convertToMathMl = await createMathMlConverter();
  return (formula, isDisplayed) => {
    const mathml = convertToMathMl(formula, isDisplayed);
    if (mathml === undefined) return undefined;
    // Temml closes every element, so that its output does not need a complete XML parser.
    const open: OpenMathNode[] = [{ name: "", attributes: {}, children: [], text: "" }];
    for (const [whole, end, name, attributes = ""] of mathml.matchAll(TAG)) {
      // This variation selector requests text instead of emoji, which is always the case here.
      if (name === undefined) open.at(-1)!.text += decodeMathEntities(whole).replaceAll("\ufe0e", "");
      else if (!end) {
        const pairs = [...attributes.matchAll(/(?<![\w-])([\w-]+)="([^"]*)"/g)];
        const values = Object.fromEntries(pairs.map(([, key, value]) => [key, decodeMathEntities(value!)]));
        open.push({ name, attributes: values, children: [], text: "" });
      }
      if (!end && !attributes.endsWith("/")) continue;
      const node = open.pop()!;
      open.at(-1)?.children.push(node);
    }
    return open[0]?.children[0];
  };
}

interface OpenMathNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: MathNode[];
  text: string;
}

const TAG = /<(\/?)(\w+)(?!\w)([^<>]*)>|[^<]+/g;

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

function decodeMathEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => ENTITIES[name]!);
}
