// Formulas are set, and emoji are drawn. Both are read as what was written.

import named from "markdown-it-emoji/lib/data/full.mjs";
import { describe, expect, test } from "vitest";
import { pdfPrinter } from "../../src/pdf";
import { loadEmojiDrawings, splitIntoDrawings } from "../../src/pdf/emoji/drawings-by-name";
import { readPdf } from "./reader";
import { block, inline, job, p, page } from "./writing";

const printed = async (...blocks: Parameters<typeof page>[2][]) => pdfPrinter().print(job([page("T", 0, ...blocks)]));

/** The last sheet, without the title and the foot. */
const textOf = async (pdf: Uint8Array) =>
  (await readPdf(pdf)).sheets
    .at(-1)!
    .text.replace(/^T /, "")
    .replace(/ \S+ \d+$/, "");

describe("emoji", () => {
  test("every emoji of the common table is drawn", async () => {
    const emoji = await loadEmojiDrawings();
    const isDrawn = (name: string) => emoji.has(name) || /^(?:1f1[ef][0-9a-f]-1f1[ef][0-9a-f]|20e3)$/.test(name);
    // Digits, © and ® are letters of every font.
    const pictures = Object.values(named).map((picture) => picture.replace(/[\0-\xff\u{e0020}-\u{e007f}]/gu, ""));
    const missing = pictures.filter(
      (picture) => ![...splitIntoDrawings(emoji, picture)].every(([, name]) => isDrawn(name)),
    );
    expect(missing).toEqual([]);
    expect(pictures.length).toBeGreaterThan(1800);
    expect([...splitIntoDrawings(emoji, "\u{1fbff}")].every(([, name]) => isDrawn(name))).toBe(false);
  });

  test("emoji read back as their characters everywhere", async () => {
    const smile = inline("emoji", { code: "1f604" });
    const heart = inline("emoji", { code: "2764" });
    const pdf = await printed(
      p("Done ✅ by 👩‍💻 in 🇩🇪, with 👍🏽.", smile, heart),
      block("heading-1", {}, "Start 🚀"),
      block("code", {}, block("code-line", {}, 'echo "🎉"')),
    );
    const text = await textOf(pdf);
    for (const words of ["Done ✅ by 👩‍💻 in 🇩🇪, with 👍.", "😄", "❤", "Start 🚀", 'echo "🎉"'])
      expect(text).toContain(words);
    expect(text).not.toContain("empty boxes");
  });

  test("an emoji without a drawing is a box, like other missing characters", async () => {
    expect(await textOf(await printed(p("\u{1fbff}")))).toContain("empty boxes");
  });
});

describe("formulas", () => {
  const formula = String.raw`\sum_{i=1}^{n} \frac{x_i}{\sqrt{2}} \le \left( \begin{matrix} a & b \\ c & d \end{matrix} \right)`;

  test("formulas are typeset inline and as blocks", async () => {
    const text = await textOf(
      await printed(p("So ", inline("inline-math", { formula: "e^{i\\pi}+1=0" }), "."), block("math", { formula })),
    );
    expect(text).toMatch(/So e ?i ?π ?\+ ?1 ?= ?0 ?\./);
    for (const sign of ["∑", "≤", "2", "a", "d"]) expect(text).toContain(sign);
    expect(text).not.toMatch(/\\|frac|matrix|empty boxes/);
  });

  test("formulas are never wider than the text", async () => {
    const wide = Array.from({ length: 120 }, (_, at) => `x_{${at}}`).join(" + ");
    const { sheets } = await readPdf(await printed(block("math", { formula: wide })));
    expect(sheets.at(-1)!.text).toMatch(/x ?119/);
  });

  test.each([String.raw`\frac{1}{`, String.raw`\nonesuch{x}`, "{".repeat(3000), "x".repeat(6000)])(
    "an invalid formula is printed as its source",
    async (broken) => {
      const { text } = await readPdf(await printed(p("Before"), block("math", { formula: broken }), p("After")));
      expect(text.replaceAll(" ", "")).toContain(`Before${broken.slice(0, 500)}`);
      expect(text).toContain("After");
    },
  );
});
