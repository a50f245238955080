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

/** Loads the parser for the formulas of one page. */
export async function loadFormulaParser(): Promise<FormulaParser> {
  const read = await createMathMlConverter();
  return (formula, isDisplayed) => {
    const mathml = read(formula, isDisplayed);
    return mathml === undefined ? undefined : parseMathMl(mathml);
  };
}

interface OpenMathNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: MathNode[];
  text: string;
}

const TAG = /<(\/?)(\w+)(?!\w)([^<>]*)>|[^<]+/g;

/** Parses the output of Temml, in which every element is closed. It does not need a complete XML parser. */
function parseMathMl(mathml: string): MathNode | undefined {
  const open: OpenMathNode[] = [{ name: "", attributes: {}, children: [], text: "" }];
  for (const [whole, end, name, attributes = ""] of mathml.matchAll(TAG)) {
    // This variation selector requests text instead of emoji, which is always the case here.
    if (name === undefined) open.at(-1)!.text += decodeMathEntities(whole).replaceAll("\ufe0e", "");
    else if (!end) open.push({ name, attributes: parseMathAttributes(attributes), children: [], text: "" });
    if (!end && !attributes.endsWith("/")) continue;
    const node = open.pop()!;
    open.at(-1)?.children.push(node);
  }
  return open[0]?.children[0];
}

function parseMathAttributes(written: string): Record<string, string> {
  const pairs = [...written.matchAll(/(?<![\w-])([\w-]+)="([^"]*)"/g)];
  return Object.fromEntries(pairs.map(([, name, value]) => [name, decodeMathEntities(value!)]));
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

function decodeMathEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => ENTITIES[name]!);
}
