// Reads formulas in TeX into MathML, for the pages of a site and for PDFs. A small source can stand for a huge formula: a
// matrix is filled up to rows × columns, a macro repeats its arguments, and some commands build their content several times.
// The reader counts this work before it is done, and refuses a formula, or the rest of a page, that is beyond its budget.

import { loadLazily } from "../utils/lazy";

/** The most characters of a formula. */
const MAX_LENGTH = 5_000;
/** The most elements inside one another. The parsers of browsers go down to 512. */
const MAX_DEPTH = 150;
/** The most characters of the MathML of a formula. */
const MAX_MARKUP = 200_000;
/** The most macros that one formula expands. A macro that expands to itself ends here. */
const MAX_EXPANSIONS = 1_000;
/** The largest length that an author can set, in em and in points. */
const MAX_LENGTHS: [em: number, points: number] = [30, 30];
/** The longest chemical formula, in tokens: `\ce` and `\pu` read theirs many times. */
const MAX_CHEMISTRY = 500;

/** The work that one formula may take: tokens that are read, and elements that are built. */
export const MAX_FORMULA_WORK = 60_000;
/** The work that all formulas of a page may take together. */
export const MAX_PAGE_WORK = 250_000;
/** The work of the smallest formula. */
const FORMULA_WORK = 50;
/** The work of one element, compared with that of reading a token. */
const ELEMENT_WORK = 8;
/** The work of one token of a chemical formula. */
const CHEMISTRY_WORK = 50;

/** Reads a formula as a `<math>` element; undefined if it isn't TeX, or if it goes beyond a limit. */
export type ReadFormula = (formula: string, isDisplayed: boolean) => string | undefined;

const OPTIONS = {
  throwOnError: true,
  trust: false,
  strict: true,
  maxExpand: MAX_EXPANSIONS,
  maxSize: MAX_LENGTHS,
};

const loadTemml = loadLazily(async () => (await import("temml")).default);

/** Creates a reader for the formulas of one page. The parser is loaded with the first reader. */
export async function createFormulaReader(): Promise<ReadFormula> {
  const temml = await loadTemml();
  let pageWork = 0;
  return (formula, isDisplayed) => {
    if (formula.length > MAX_LENGTH) return undefined;
    const available = Math.min(MAX_FORMULA_WORK, MAX_PAGE_WORK - pageWork);
    if (available < FORMULA_WORK) return undefined;
    const work = new Work(available);
    const options = { ...OPTIONS, displayMode: isDisplayed };
    try {
      work.take(FORMULA_WORK);
      const guard = (expander: MacroExpander) => guardExpander(expander, work);
      const tree = temml.__parse(`${GUARD} ${formula}`, { ...options, macros: { [GUARD]: guard } });
      // Another version of Temml might not call the guard: then nothing is known about the formula.
      if (work.taken === FORMULA_WORK) return undefined;
      takeElements(tree, work);
      // Temml parses the formula again, as before, and builds what was counted.
      const markup = temml.renderToString(formula, { ...options, macros: {} });
      return isModest(markup) ? markup : undefined;
    } catch {
      return undefined;
    } finally {
      pageWork += work.taken;
    }
  };
}

/** Counts work, and throws before there is more of it than is allowed. */
class Work {
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

/** A macro that stands in front of every formula and expands to nothing. Temml calls it with its expander. */
const GUARD = "\\@guard";

/** The parts of Temml's expander that are counted. Every token passes through `popToken`. */
interface MacroExpander {
  popToken(): unknown;
  consumeArgs(count: number, delimiters?: unknown): { readonly length: number }[];
  _getExpansion(name: string): { readonly tokens?: readonly { readonly text: string }[] } | null | undefined;
}

/** Makes an expander take the work of reading tokens and of expanding macros before it is done. */
function guardExpander(expander: MacroExpander, work: Work) {
  const { popToken, consumeArgs, _getExpansion } = expander;
  let body: readonly { readonly text: string }[] = [];
  let isChemistry = false;
  expander.popToken = () => {
    work.take(1);
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
      if (args[0]!.length > MAX_CHEMISTRY) throw new RangeError("The chemical formula is too long.");
      work.take(args[0]!.length * CHEMISTRY_WORK);
    } else work.take(expandedLength(body, args));
    return args;
  };
  return { tokens: [], numArgs: 0 };
}

/** Returns the number of tokens that a macro becomes. Its body is in reverse order, as Temml stores it. */
function expandedLength(body: readonly { readonly text: string }[], args: readonly { readonly length: number }[]) {
  return body.reduce((sum, { text }, at) => {
    const isPlaceholder = body[at + 1]?.text === "#" && /^[1-9]$/.test(text);
    return sum + 1 + (isPlaceholder ? (args[Number(text) - 1]?.length ?? 0) : 0);
  }, 0);
}

/** Temml builds the content of these several times: as a phantom that takes its room, and to be seen. */
const COPIES: Readonly<Record<string, number>> = { cancelto: 3, lap: 2 };

/** Takes the work of building a parse tree. A node that stands in the tree twice is built twice. */
function takeElements(value: unknown, work: Work, copies = 1, depth = 0): void {
  if (typeof value !== "object" || value === null) return;
  if (depth > 8 * MAX_DEPTH) throw new RangeError("The formula is too deep.");
  if (Array.isArray(value)) {
    for (const item of value) takeElements(item, work, copies, depth + 1);
    return;
  }
  const { type, body } = value as { readonly type?: unknown; readonly body?: unknown };
  if (typeof type === "string") work.take(copies * ELEMENT_WORK);
  // The rows of a matrix are filled up to the length of the first.
  if (type === "array" && Array.isArray(body))
    work.take(copies * ELEMENT_WORK * body.length * (1 + (body[0]?.length ?? 0)));
  const inside = copies * (COPIES[String(type)] ?? 1);
  for (const [name, item] of Object.entries(value))
    if (name !== "loc" && name !== "token") takeElements(item, work, inside, depth + 1);
}

function isModest(markup: string): boolean {
  if (markup.length > MAX_MARKUP) return false;
  let depth = 0;
  for (const [, end, own] of markup.matchAll(/<(\/?)[a-z][^<>]*?(\/?)>/g)) {
    if (own) continue;
    depth += end ? -1 : 1;
    if (depth > MAX_DEPTH) return false;
  }
  return true;
}
