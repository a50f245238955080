// Formulas: the TeX that renderers keep beside the drawn formula, or that is still to be drawn by a script.

import { attribute, elementsIn, find, namesOf, rawText, walk } from "./looking";
import type { Element } from "./tree";

/** A formula, in a line or on lines of its own. */
export interface Formula {
  readonly tex: string;
  readonly isBlock: boolean;
}

/** The formula that an element is; undefined when it is something else. */
export function formulaOf(element: Element): Formula | undefined {
  const drawn = drawnFormula(element);
  if (drawn) return drawn;
  const names = namesOf(element);
  return names.includes("math") || names.includes("arithmatex") ? delimited(element) : undefined;
}

/** A formula that a renderer has drawn, or finds by the type of its element. */
function drawnFormula(element: Element): Formula | undefined {
  if (element.name === "script") {
    const type = attribute(element, "type").toLowerCase();
    return type.startsWith("math/tex") ? formula(rawText(element), type.includes("display")) : undefined;
  }
  if (element.name === "math") return ofMathml(element, attribute(element, "display") === "block");
  if (element.name === "mjx-container") return ofMathml(element, attribute(element, "display") === "true");
  const names = namesOf(element);
  if (names.includes("katexdisplay")) return ofMathml(element, true);
  return names.includes("katex") ? ofMathml(element, false) : undefined;
}

function ofMathml(element: Element, isBlock: boolean): Formula | undefined {
  const annotation = find(
    element,
    (each) => each.name === "annotation" && /tex/i.test(attribute(each, "encoding") || "tex"),
  );
  const math = element.name === "math" ? element : find(element, ({ name }) => name === "math");
  return formula(annotation ? rawText(annotation) : math ? attribute(math, "alttext") : "", isBlock);
}

/** A formula between the signs that a script in the page looks for. */
function delimited(element: Element): Formula | undefined {
  const near = elementsIn(element.children.slice(0, 4));
  for (const each of [...near, ...near.flatMap(({ children }) => elementsIn(children.slice(0, 4)))]) {
    const drawn = drawnFormula(each);
    if (drawn) return drawn;
  }
  const text = shortText(element)?.trim() ?? "";
  const inLine = /^\\\(([\s\S]*)\\\)$/.exec(text)?.[1];
  if (inLine !== undefined) return formula(inLine, false);
  const isBlock = element.name === "div" || namesOf(element).includes("display");
  return formula(/^(?:\\\[|\$\$)([\s\S]*)(?:\\\]|\$\$)$/.exec(text)?.[1] ?? text, isBlock);
}

function formula(text: string, isBlock: boolean): Formula | undefined {
  const tex = text.trim();
  return tex === "" || tex.length > MAX_FORMULA ? undefined : { tex, isBlock };
}

const MAX_FORMULA = 10_000;

/** How many elements an undrawn formula may have; usually it has none. */
const MAX_ELEMENTS = 50;

/** The text of a small element; undefined for a larger one. */
function shortText(element: Element): string | undefined {
  let text = "";
  let elements = 0;
  walk(element, ({ children }) => {
    for (const child of children) if (typeof child === "string" && text.length <= MAX_FORMULA) text += child;
    return ++elements < MAX_ELEMENTS;
  });
  return elements < MAX_ELEMENTS ? text : undefined;
}
