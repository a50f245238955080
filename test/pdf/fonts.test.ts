// Fonts: every script reads back as it was written, fonts are loaded when a text needs them and not before, and what no font
// has is replaced in a way that can be told.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { unzlibSync } from "fflate";
import { describe, expect, test } from "vitest";
import { type FontSource, type PrinterFonts, pdfPrinter } from "../../src/pdf";
import { fontFile, fontsource, NOTO } from "./fonts";
import { readPdf } from "./reader";
import { code, h, job, link, p, page, text } from "./writing";

const require = createRequire(import.meta.url);
const liberation = () => readFile(require.resolve("pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf"));

async function printed(words: string, fonts?: PrinterFonts): Promise<string> {
  const pdf = await readPdf(await pdfPrinter(fonts && { fonts }).print(job([page("T", 0, p(words))])));
  return pdf.sheets
    .slice(1)
    .map(({ lines }) => lines.slice(0, -1).join(" "))
    .join(" ");
}

const SCRIPTS: readonly (readonly [name: string, words: string])[] = [
  ["Latin", "Zażółć gęślą jaźń – “façade” naïve Ærøskøbing ığüşöç Tiếng Việt"],
  ["Greek", "Η γρήγορη καφέ αλεπού πηδάει πάνω από τον σκύλο"],
  ["Cyrillic", "Съешь же ещё этих мягких французских булок, да выпей чаю"],
  ["Chinese", "中文文档没有空格，因此换行必须遵循规则。"],
  ["Japanese", "日本語の文書は、「カタカナ」と漢字とひらがなを使います。"],
  ["Korean", "한국어 문서는 단어 사이에 공백이 있습니다."],
];

describe("reading text back", () => {
  test.each(SCRIPTS)("text reads back as it was written: %s", async (_, words) => {
    const squeezed = (await printed(words, NOTO)).replace(/\s/g, "");
    expect(squeezed).toContain(words.normalize("NFC").replace(/\s/g, ""));
  });

  test("bold text, code, titles and mixed scripts on one line read back as written", async () => {
    const words = "Übung Ωμέγα Москва 東京 서울";
    const pages = [page(words, 0, p(text(words, "bold")), h(1, words), code(words), p(text(words, "italic")))];
    const pdf = await readPdf(await pdfPrinter({ fonts: NOTO }).print(job(pages, { title: words })));
    const squeezed = pdf.text.replace(/\s/g, "");
    // The cover, the contents, the title, four blocks, and the foot of two sheets.
    expect(squeezed.split(words.replace(/\s/g, "")).length - 1).toBe(9);
    expect(pdf.bookmarks[0]!.title).toBe(words);
  });

  test("ligatures and characters that share a glyph read back as written", async () => {
    expect(await printed("office waffle fjord", NOTO)).toContain("office waffle fjord");
    // In this font the division slash and the wide solidus look the same.
    const sans = fontFile("noto-sans-jp", "japanese", "400-normal");
    expect(await printed("一∕二と一／二", { sans })).toContain("一∕二と一／二");
  });

  test("a font file with all scripts can be used", async () => {
    expect(await printed("Füße Ωμέγα Москва", { sans: liberation })).toContain("Füße Ωμέγα Москва");
  });

  test("right-to-left text starts at the right", async () => {
    const fonts = { ...NOTO, fallbacks: [fontFile("noto-sans-arabic", "arabic", "400-normal")] };
    const words = "مرحبا بالعالم Octavo 42";
    const pdf = await readPdf(await pdfPrinter({ fonts }).print(job([page("T", 0, p(words))])));
    const [, line] = pdf.sheets[1]!.lines;
    const read = line!.replaceAll("\u2060", "");
    expect(read.indexOf("Octavo")).toBeLessThan(read.indexOf("مرحبا"));
  });

  test("letters composed of shared glyphs read back as written", async () => {
    const fonts = { sans: fontFile("noto-sans-arabic", "arabic", "400-normal") };
    const read = (await printed("بت نص تب", fonts)).replaceAll("\u2060", "");
    for (const word of ["بت", "نص", "تب"]) expect(read).toContain(word);
  });
});

describe("loading fonts", () => {
  function counted(source: FontSource): { readonly source: FontSource; readonly loads: () => number } {
    const file = "font" in source ? source.font : source;
    let loads = 0;
    const counting = () => {
      loads++;
      return typeof file === "function" ? file() : file;
    };
    return { source: "font" in source ? { ...source, font: counting } : counting, loads: () => loads };
  }

  test("fonts are loaded only if the text needs them, and once for all documents", async () => {
    const [japanese, korean] = [
      counted(fontFile("noto-sans-jp", "japanese", "400-normal")),
      counted({
        font: fontFile("noto-sans-kr", "korean", "400-normal"),
        unicodeRange: "U+31??, u+1100-11ff, U+AC00-D7AF",
      }),
    ];
    const fonts = { sans: fontsource("noto-sans", "400-normal"), fallbacks: [korean.source, japanese.source] };
    const printer = pdfPrinter({ fonts });
    await printer.print(job([page("T", 0, p("Only Latin, ελληνικά and кириллица"))]));
    expect([japanese.loads(), korean.loads()]).toEqual([0, 0]);
    await printer.print(job([page("T", 0, p("日本語"))]));
    await printer.print(job([page("T", 0, p("日本語"))]));
    expect([japanese.loads(), korean.loads()]).toEqual([1, 0]);
    await printer.print(job([page("T", 0, p("힣"))]));
    expect([japanese.loads(), korean.loads()]).toEqual([1, 1]);
  });

  test("a font that fails to load is named in the error and loaded again next time", async () => {
    let isThere = false;
    const sans = async () => {
      if (!isThere) throw new Error("no such file");
      return liberation();
    };
    const printer = pdfPrinter({ fonts: { sans } });
    const print = () => printer.print(job([page("T", 0, p("a"))]));
    await expect(print()).rejects.toThrow("The font sans cannot be read: no such file");
    isThere = true;
    expect((await print()).length).toBeGreaterThan(1000);
  });

  test.each([
    ["WOFF2", () => readFile(require.resolve("@fontsource/noto-sans/files/noto-sans-latin-400-normal.woff2")), "WOFF2"],
    ["something else", async () => new TextEncoder().encode("not a font".repeat(20)), "Unknown font format"],
    ["nothing", async () => new Uint8Array(), "cannot be read"],
  ])("%s is rejected with the reason", async (_, sans, reason) => {
    await expect(pdfPrinter({ fonts: { sans } }).print(job([page("T", 0, p("a"))]))).rejects.toThrow(reason);
  });
});

describe("without fonts", () => {
  test("without fonts, letters lose their diacritics, and symbols are replaced", async () => {
    expect(await printed("Győr, Łódź, Ψυχή → ≤ ├── └── ✓ ★ “quoted” – 50 €")).toContain(
      "Gyor, Lódz, Ψυχη → ≤ |-- `-- ✓ ★ “quoted” – 50 €",
    );
  });

  test("without fonts, other characters are boxes that copy as text, with a note", async () => {
    const bytes = await pdfPrinter().print(job([page("T", 0, p("Before 日本 after"))]));
    const { text: read } = await readPdf(bytes);
    expect(read).toContain("Before");
    expect(read).toContain("after");
    expect(read).not.toContain("?");
    expect(read).toContain("Some characters are shown as empty boxes");
    expect(contentsOf(bytes)).toContain("/ActualText <FEFF65E5672C>");
  });

  test("Latin text needs no note about fonts", async () => {
    expect(await printed("Nothing is missing.")).not.toContain("boxes");
  });
});

test("the printer's own text and the date are in the requested language", async () => {
  const words = { contents: "Inhalt", notes: "Anmerkungen" };
  const printer = pdfPrinter({ language: "de", messages: words });
  const pdf = await readPdf(await printer.print(job([page("Eins", 0, p("a")), page("Zwei", 0, p("b"))])));
  expect(pdf.sheets[0]!.text).toContain("14. März 2026");
  expect(pdf.sheets[1]!.lines[0]).toBe("Inhalt");
  expect(pdf.info).toMatchObject({ Language: "de" });
  expect(() => pdfPrinter({ language: "not a language" })).toThrow(RangeError);
});

test("a link over several scripts is one link", async () => {
  const pages = [page("T", 0, p(link("see 東京 and Москва", { kind: "url", url: "https://example.com/" })))];
  const pdf = await readPdf(await pdfPrinter({ fonts: NOTO }).print(job(pages)));
  expect(pdf.sheets[1]!.links.map(({ url }) => url)).toEqual(["https://example.com/"]);
});

/** What is drawn on all sheets. */
function contentsOf(bytes: Uint8Array): string {
  const file = new TextDecoder("latin1").decode(bytes);
  return [...file.matchAll(/stream\n/g)]
    .filter(({ index }) => !file.startsWith("endstream", index - 3))
    .map(({ index }) => {
      try {
        return new TextDecoder("latin1").decode(unzlibSync(bytes.subarray(index + 7)));
      } catch {
        return "";
      }
    })
    .join("\n");
}
