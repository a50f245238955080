// Formulas as they are written in TeX, read into MathML.

import { createMathMlConverter } from "../../content/formulas";

/** An element of MathML: with other elements in it, or with text. */
export interface MathNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly MathNode[];
  readonly text: string;
}

/** Reads a formula; undefined when it cannot be read. */
export type FormulaReader = (formula: string, isDisplayed: boolean) => MathNode | undefined;

/** Loads what reads the formulas of one page. */
export async function loadFormulas(): Promise<FormulaReader> {
  const read = await createMathMlConverter();
  return (formula, isDisplayed) => {
    const mathml = read(formula, isDisplayed);
    return mathml === undefined ? undefined : parsed(mathml);
  };
}

interface Open {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: MathNode[];
  text: string;
}

const TAG = /<(\/?)(\w+)(?!\w)([^<>]*)>|[^<]+/g;

/** Reads what Temml writes: elements that are all closed, and nothing that needs a parser of XML. */
function parsed(mathml: string): MathNode | undefined {
  const open: Open[] = [{ name: "", attributes: {}, children: [], text: "" }];
  for (const [whole, end, name, attributes = ""] of mathml.matchAll(TAG)) {
    // The selector asks for some signs not to become emoji; they never do here.
    if (name === undefined) open.at(-1)!.text += decoded(whole).replaceAll("\ufe0e", "");
    else if (!end) open.push({ name, attributes: attributesIn(attributes), children: [], text: "" });
    if (!end && !attributes.endsWith("/")) continue;
    const node = open.pop()!;
    open.at(-1)?.children.push(node);
  }
  return open[0]?.children[0];
}

function attributesIn(written: string): Record<string, string> {
  const pairs = [...written.matchAll(/(?<![\w-])([\w-]+)="([^"]*)"/g)];
  return Object.fromEntries(pairs.map(([, name, value]) => [name, decoded(value!)]));
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

function decoded(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => ENTITIES[name]!);
}
