// Small formulas that stand for huge ones: matrices that are filled, macros that repeat, commands that build their content
// several times. They are refused before they are built, and shown as they were written.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import temml from "temml";
import { describe, expect, test, vi } from "vitest";
import { createMathMlConverter, MAX_PAGE_FORMULA_WORK } from "../../src/content/formulas";
import { pdfPrinter } from "../../src/pdf";
import { loadFormulaRenderer } from "../../src/site/pages/page-features";
import { readPdf } from "../pdf/reader";
import { block, job, page } from "../pdf/writing";

const nested = (open: string, depth: number, inner = "x") => open.repeat(depth) + inner + "}".repeat(depth);

const matrix = (columns: number, rows: number) =>
  `\\begin{matrix}${"&".repeat(columns)}${"\\\\".repeat(rows)}\\end{matrix}`;

/** Definitions of macros, each of which repeats the one before ten times. */
const tenfold = (define: string) =>
  [..."bcdefghijk"].map((name, at) => `${define}\\${name}{${`\\${"abcdefghij"[at]}`.repeat(10)}}`).join("");

const multiplying: Readonly<Record<string, string>> = {
  "a matrix of empty cells": matrix(400, 400),
  "a matrix of many rows": matrix(4, 1_700),
  "matrices in the cells of a matrix": `\\begin{matrix}${`${matrix(60, 60)}&`.repeat(20)}\\end{matrix}`,
  "aligned rows": `\\begin{aligned}${"&".repeat(500)}${"\\\\".repeat(500)}\\end{aligned}`,
  "the plain matrix of TeX": `\\matrix{${"&".repeat(400)}${"\\cr".repeat(400)}}`,
  "a macro that repeats its argument": `\\def\\x#1{${"#1".repeat(900)}}\\x{${"a".repeat(2_000)}}`,
  "macros in arguments": `\\newcommand\\x[1]{#1#1}${nested("\\x{", 14)}`,
  "macros of macros": `\\def\\a{x}${tenfold("\\def")}\\k`,
  "macros that are expanded at once": `\\def\\a{x}${tenfold("\\edef")}\\k`,
  "definitions for all groups": `\\gdef\\a{x}${tenfold("\\gdef")}\\k`,
  "a macro under another name": `\\def\\x#1{#1#1#1#1}\\let\\y=\\x${nested("\\y{", 9)}`,
  "arrows over what is cancelled": nested("\\cancelto{0}{", 12),
  "phantoms at the left": nested("\\mathllap{", 14),
  "arrows of two parts": nested("\\equilibriumRight{", 13),
  "bordered matrices": nested("\\bordermatrix{&a\\cr b&", 9),
  "stacked lines": `\\substack{${nested("\\cancelto{0}{", 12, "a\\\\b")}}`,
  "a chemical formula": `\\ce{${"H2O + ".repeat(800)}}`,
  "chemical formulas in one another": nested("\\ce{$a", 100).replaceAll("}", "$}"),
};

describe("formulas that multiply", () => {
  test.each(Object.entries(multiplying))("a formula that multiplies is refused: %s", async (_, formula) => {
    const read = await createMathMlConverter();
    expect(formula.length).toBeLessThanOrEqual(5_000);
    expect(read(formula, true)).toBeUndefined();
    expect(read("a^2", true)).toContain("<msup>");
  });

  test("a refused formula is shown as source in code style on a site and as written in a PDF", async () => {
    const formula = matrix(90, 90);
    const draw = await loadFormulaRenderer();
    expect(draw(formula, "block").text).toBe(`<code>${formula.replaceAll("&", "&amp;")}</code>`);
    const pdf = await pdfPrinter().print(job([page("T", 0, block("math", { formula }))]));
    expect((await readPdf(pdf)).text.replaceAll(" ", "")).toContain("\\begin{matrix}&&&");
  });
});

test("ordinary formulas are accepted", async () => {
  const read = await createMathMlConverter();
  const cells = (count: number, sign: string) => Array.from({ length: count }, (_, at) => at).join(sign);
  const usual = [
    `\\begin{pmatrix}${Array.from({ length: 20 }, () => cells(20, "&")).join("\\\\")}\\end{pmatrix}`,
    "\\newcommand{\\size}[1]{\\left\\lVert#1\\right\\rVert}\\size{x+y}\\le\\size{x}+\\size{y}",
    "\\ce{2H2 + O2 ->[\\Delta] 2H2O}",
    "\\cancelto{0}{x+\\mathllap{y}}",
    "\\bordermatrix{&a&b\\cr c&1&2\\cr}",
    Array.from({ length: 400 }, (_, at) => `x_{${at}}`).join("+"),
  ];
  for (const formula of usual) expect(read(formula, true), formula.slice(0, 60)).toMatch(/^<math/);
});

test("the formulas of a page share one budget", async () => {
  const read = await createMathMlConverter();
  const formula = matrix(30, 30);
  let length = 0;
  let drawn = 0;
  for (let at = 0; at < 5_000; at++) {
    const markup = read(formula, true);
    length += markup?.length ?? 0;
    drawn += Number(markup !== undefined);
  }
  expect(drawn).toBeGreaterThan(10);
  // A cell takes at least the work of an element.
  expect(drawn * 31 * 30 * 8).toBeLessThanOrEqual(MAX_PAGE_FORMULA_WORK);
  expect(length).toBeLessThan(5_000_000);
  expect(read("x", false)).toBeUndefined();
  expect((await createMathMlConverter())("x", false)).toMatch(/^<math/);
});

test("every command of the parser that multiplies its content is counted", async () => {
  const source = await readFile(createRequire(import.meta.url).resolve("temml"), "utf8");
  const lists = [...source.matchAll(/names: \[([^\]]*)\]/g)].flatMap(([, list]) => [
    ...list!.matchAll(/"((?:\\\\[a-zA-Z]+)|[a-zA-Z]+\*?)"/g),
  ]);
  const macros = [...source.matchAll(/defineMacro\("(\\\\[a-zA-Z]+)"/g)];
  const names = [...new Set([...lists, ...macros].map(([, name]) => name!.replace("\\\\", "\\")))];
  expect(names.length).toBeGreaterThan(500);
  const forms = names.flatMap((name) =>
    name.startsWith("\\")
      ? [
          (inner: string) => `${name}{${inner}}`,
          (inner: string) => `${name}{a}{${inner}}`,
          (inner: string) => `${name}{${inner}}{a}`,
          (inner: string) => `${name}{a}{b}{${inner}}`,
          (inner: string) => `${name}{${inner}}{${inner[0]}}{b}`,
          (inner: string) => `${name}{a}{b}{c}{${inner}}`,
          (inner: string) => `${name}[${inner}]{a}`,
          (inner: string) => `${name}{&a\\cr b&${inner}}`,
        ]
      : [
          (inner: string) => `\\begin{${name}}a&${inner}\\end{${name}}`,
          (inner: string) => `\\begin{${name}}${inner}\\end{${name}}`,
          (inner: string) => `\\begin{${name}}{cc}a&${inner}\\end{${name}}`,
        ],
  );
  const wrapped = (form: (inner: string) => string, depth: number) =>
    Array.from({ length: depth }).reduce<string>((inner) => form(inner), "x");
  const lengthOf = (formula: string) => {
    try {
      return temml.renderToString(formula, { displayMode: true, throwOnError: true, strict: true, macros: {} }).length;
    } catch {
      return 0;
    }
  };
  const found: string[] = [];
  vi.spyOn(console, "log").mockReturnValue();
  vi.spyOn(console, "warn").mockReturnValue();
  for (const form of forms) {
    const one = lengthOf(wrapped(form, 1));
    if (one === 0) continue;
    const [three, five] = [3, 5].map((depth) => lengthOf(wrapped(form, depth)));
    // Each level adds as much as the one before, or a little more for its style.
    if (five! - three! <= 2 * (three! - one)) continue;
    found.push(form("x"));
    expect((await createMathMlConverter())(wrapped(form, 18), true), form("x")).toBeUndefined();
  }
  expect(found).toEqual(
    expect.arrayContaining([
      "\\cancelto{a}{x}",
      "\\mathllap{x}",
      "\\equilibriumRight{x}",
      "\\bordermatrix{&a\\cr b&x}",
    ]),
  );
});
