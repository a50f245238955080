// Converts formulas from TeX to MathML, for the pages of a site and for PDFs. A short source can produce a huge formula: a
// matrix is filled up to rows × columns, a macro repeats its arguments, and some commands build their content several times.
// The converter counts this work in advance, and rejects a formula, or all further formulas of a page, beyond the budget.

import { loadLazily } from "../utils/lazy";

/** The most characters of a formula. */
const MAX_FORMULA_LENGTH = 5_000;
/** The deepest nesting of elements. The parsers of browsers accept 512. */
const MAX_DEPTH = 150;
/** The most characters of the MathML of a formula. */
const MAX_MARKUP_LENGTH = 200_000;
/** The most macros that one formula expands. It also stops a macro that expands to itself. */
const MAX_EXPANSIONS = 1_000;
/** The largest length that an author can set, in em and in points. */
const MAX_LENGTHS: [em: number, points: number] = [30, 30];
/** The longest chemical formula, in tokens. Temml reads the argument of `\ce` and `\pu` many times. */
const MAX_CHEMISTRY_TOKENS = 500;

/** The work that one formula may take: tokens to read and elements to build. */
export const MAX_FORMULA_WORK = 60_000;
/** The work that all formulas of a page may take together. */
export const MAX_PAGE_FORMULA_WORK = 250_000;
const MIN_FORMULA_WORK = 50;
/** The work of one element, compared with that of reading a token. */
const ELEMENT_WORK = 8;
/** The work of one token of a chemical formula. */
const CHEMISTRY_WORK = 50;

const TEMML_OPTIONS = {
  throwOnError: true,
  trust: false,
  strict: true,
  maxExpand: MAX_EXPANSIONS,
  maxSize: MAX_LENGTHS,
};

const loadTemml = loadLazily(async () => (await import("temml")).default);

/** Creates a converter for the formulas of one page. The first call loads the parser. */
export async function createMathMlConverter(): Promise<(formula: string, isDisplayed: boolean) => string | undefined> {
  const temml = await loadTemml();
  let pageWork = 0;
  return (formula, isDisplayed) => {
    if (formula.length > MAX_FORMULA_LENGTH) return undefined;
    const available = Math.min(MAX_FORMULA_WORK, MAX_PAGE_FORMULA_WORK - pageWork);
    if (available < MIN_FORMULA_WORK) return undefined;

    const budget = new WorkBudget(available);
    const options = { ...TEMML_OPTIONS, displayMode: isDisplayed };
    try {
      budget.take(MIN_FORMULA_WORK);
      const guard = (expander: MacroExpander) => guardExpander(expander, budget);
      const tree = temml.__parse(`${GUARD} ${formula}`, { ...options, macros: { [GUARD]: guard } });
      // Another version of Temml might not call the guard. Then the cost of the formula is unknown.
      if (budget.taken === MIN_FORMULA_WORK) return undefined;
      takeElements(tree, budget);
      // Temml parses the formula once more, with the same result, and builds what was counted.
      const markup = temml.renderToString(formula, { ...options, macros: {} });
      if (markup.length > MAX_MARKUP_LENGTH) return undefined;
      let depth = 0;
      for (const [, closingSlash, selfClosingSlash] of markup.matchAll(/<(\/?)[a-z][^<>]*?(\/?)>/g)) {
        if (selfClosingSlash) continue;
        depth += closingSlash ? -1 : 1;
        if (depth > MAX_DEPTH) return undefined;
      }
      return markup;
    } catch {
      return undefined;
    } finally {
      pageWork += budget.taken;
    }
  };
}

/** Counts work, and throws before it exceeds the maximum. */
class WorkBudget {
  readonly #max: number;
  taken = 0;

  constructor(max: number) {
    this.#max = max;
  }

  take(amount: number): void {
    if (this.taken + amount > this.#max) throw new RangeError("The formula is too large.");
    this.taken += amount;
  }
}

/** A macro that precedes every formula and expands to nothing. Temml calls it with its expander. */
const GUARD = "\\@guard";

/** The members of Temml's expander that the guard replaces. Every token passes through `popToken`. */
interface MacroExpander {
  popToken(): unknown;
  consumeArgs(count: number, delimiters?: unknown): { readonly length: number }[];
  _getExpansion(name: string): { readonly tokens?: readonly { readonly text: string }[] } | null | undefined;
}

/** Makes an expander take the work of reading tokens and expanding macros from the budget before it does it. */
function guardExpander(expander: MacroExpander, budget: WorkBudget) {
  const { popToken, consumeArgs, _getExpansion } = expander;
  let body: readonly { readonly text: string }[] = [];
  let isChemistry = false;
  expander.popToken = () => {
    budget.take(1);
    return popToken.call(expander);
  };
  expander._getExpansion = (name) => {
    body = [];
    isChemistry = name === "\\ce" || name === "\\pu";
    const expansion = _getExpansion.call(expander, name);
    isChemistry = false;
    body = expansion?.tokens ?? [];
    return expansion;
  };
  expander.consumeArgs = (count, delimiters) => {
    const args = consumeArgs.call(expander, count, delimiters);
    if (isChemistry) {
      if (args[0]!.length > MAX_CHEMISTRY_TOKENS) throw new RangeError("The chemical formula is too long.");
      budget.take(args[0]!.length * CHEMISTRY_WORK);
      return args;
    }
    // Each placeholder of the macro's body, such as `#1`, becomes an argument. Temml stores the body in reverse order.
    let expandedTokens = 0;
    for (const [i, { text }] of body.entries()) {
      const isPlaceholder = body[i + 1]?.text === "#" && /^[1-9]$/.test(text);
      expandedTokens += 1 + (isPlaceholder ? (args[Number(text) - 1]?.length ?? 0) : 0);
    }
    budget.take(expandedTokens);
    return args;
  };
  return { tokens: [], numArgs: 0 };
}

/** The number of times that Temml builds the content of these nodes: as a phantom that reserves its space, and to be seen. */
const COPIES: Readonly<Record<string, number>> = { cancelto: 3, lap: 2 };

/** Takes the work of building a parse tree from the budget. A node that occurs twice in the tree is built twice. */
function takeElements(value: unknown, budget: WorkBudget, copies = 1, depth = 0): void {
  if (typeof value !== "object" || value === null) return;
  if (depth > 8 * MAX_DEPTH) throw new RangeError("The formula is too deep.");
  if (Array.isArray(value)) {
    for (const item of value) takeElements(item, budget, copies, depth + 1);
    return;
  }
  const { type, body } = value as { readonly type?: unknown; readonly body?: unknown };
  if (typeof type === "string") budget.take(copies * ELEMENT_WORK);
  // Temml fills the rows of a matrix up to the length of the first row.
  if (type === "array" && Array.isArray(body))
    budget.take(copies * ELEMENT_WORK * body.length * (1 + (body[0]?.length ?? 0)));
  const innerCopies = copies * (COPIES[String(type)] ?? 1);
  for (const [name, item] of Object.entries(value))
    if (name !== "loc" && name !== "token") takeElements(item, budget, innerCopies, depth + 1);
}
