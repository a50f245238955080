// Formulas: the TeX that renderers store next to the drawn formula, or that a script is still to draw.

import { filterElements, findElement, getAttribute, getNames, getText, walkElements } from "./elements";
import type { HtmlElement } from "./parse-html";

export interface HtmlFormula {
  readonly tex: string;
  readonly isBlock: boolean;
}

/** The longest formula, in characters. */
const MAX_FORMULA_LENGTH = 10_000;
/** The most elements of a formula that is not drawn yet. Usually it has none. */
const MAX_FORMULA_ELEMENTS = 50;

export function readFormula(element: HtmlElement): HtmlFormula | undefined {
  const drawn = readDrawnFormula(element);
  if (drawn) return drawn;
  const names = getNames(element);
  if (!names.includes("math") && !names.includes("arithmatex")) return undefined;

  const near = filterElements(element.children.slice(0, 4));
  for (const each of [...near, ...near.flatMap(({ children }) => filterElements(children.slice(0, 4)))]) {
    const formula = readDrawnFormula(each);
    if (formula) return formula;
  }

  // The formula is between the delimiters that a script in the page looks for.
  let text = "";
  let elementCount = 0;
  walkElements(element, ({ children }) => {
    for (const child of children) if (typeof child === "string" && text.length <= MAX_FORMULA_LENGTH) text += child;
    return ++elementCount < MAX_FORMULA_ELEMENTS;
  });
  text = elementCount < MAX_FORMULA_ELEMENTS ? text.trim() : "";
  const inlineTex = /^\\\(([\s\S]*)\\\)$/.exec(text)?.[1];
  if (inlineTex !== undefined) return createFormula(inlineTex, false);
  const isBlock = element.name === "div" || names.includes("display");
  return createFormula(/^(?:\\\[|\$\$)([\s\S]*)(?:\\\]|\$\$)$/.exec(text)?.[1] ?? text, isBlock);
}

/** Returns a formula that a renderer has drawn, or that it finds by the type of its element. */
function readDrawnFormula(element: HtmlElement): HtmlFormula | undefined {
  if (element.name === "script") {
    const type = getAttribute(element, "type").toLowerCase();
    return type.startsWith("math/tex") ? createFormula(getText(element), type.includes("display")) : undefined;
  }
  if (element.name === "math") return readMathml(element, getAttribute(element, "display") === "block");
  if (element.name === "mjx-container") return readMathml(element, getAttribute(element, "display") === "true");
  const names = getNames(element);
  if (names.includes("katexdisplay")) return readMathml(element, true);
  return names.includes("katex") ? readMathml(element, false) : undefined;
}

function readMathml(element: HtmlElement, isBlock: boolean): HtmlFormula | undefined {
  const annotation = findElement(
    element,
    (each) => each.name === "annotation" && /tex/i.test(getAttribute(each, "encoding") || "tex"),
  );
  const math = element.name === "math" ? element : findElement(element, ({ name }) => name === "math");
  return createFormula(annotation ? getText(annotation) : math ? getAttribute(math, "alttext") : "", isBlock);
}

function createFormula(text: string, isBlock: boolean): HtmlFormula | undefined {
  const tex = text.trim();
  return tex === "" || tex.length > MAX_FORMULA_LENGTH ? undefined : { tex, isBlock };
}
