import fc from "fast-check";
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { importDocx, readDocx } from "../../src/importers/docx/import-docx";
import { ImportError } from "../../src/importers/errors";
import { runs } from "../support/test-length";
import { cell, type DocxParts, docx, image, item, PIXEL, p, row, run, style, table } from "./docx-fixture";
import { served } from "./served";

/** The text of the only page. */
function read(body: string, parts: DocxParts = {}): string {
  const { book } = readDocx(docx(body, parts));
  expect(book.texts.size).toBe(1);
  return [...book.texts.values()][0]!.text;
}

/** The body of the only page, which has no title of its own. */
function bodyOf(body: string, parts: DocxParts = {}): string {
  const text = read(body, parts);
  expect(text.startsWith("# Document\n\n")).toBe(true);
  return text.slice("# Document\n\n".length);
}

const field = (instruction: string, result: string) =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>${instruction}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${result}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;

describe("text", () => {
  test("text keeps direct and style formatting, except on surrounding spaces", () => {
    const runs = [
      run("A "),
      run("bold ", "<w:b/>"),
      run("not", '<w:b w:val="0"/>'),
      run(" slanted", "<w:i/>"),
      run(" gone", "<w:strike/>"),
      run(" under", '<w:u w:val="single"/>'),
      run(" strong", '<w:rStyle w:val="Strong"/>'),
      run(" x"),
      run("2", '<w:vertAlign w:val="superscript"/>'),
      run(" npm", '<w:rStyle w:val="VerbatimChar"/>'),
      run(" ls", '<w:rFonts w:ascii="Consolas"/>'),
      run(" hidden", "<w:vanish/>"),
    ];
    expect(bodyOf(p(runs.join("")))).toBe(
      "A **bold** not *slanted* ~~gone~~ *under* **strong** x<sup>2</sup> `npm ls`\n",
    );
  });

  test("text that looks like Markdown or HTML stays text", () => {
    expect(bodyOf(p("# *no* &lt;b&gt;html&lt;/b&gt; {% hint %}"))).toContain("\\# \\*no\\* ");
  });

  test("line breaks, hyphens and symbols are converted", () => {
    const runs = `<w:r><w:t>a</w:t><w:br/><w:t>b</w:t><w:noBreakHyphen/><w:t>c</w:t><w:br w:type="page"/><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>`;
    expect(bodyOf(p(runs))).toBe("a\\\nb\u2011c✓\n");
  });

  test("links in relationships and fields are converted, except those that would run something", () => {
    const relationships = {
      a: ["hyperlink", "https://example.com/?a=1&amp;b=2"],
      b: ["hyperlink", "https://x.example/"],
    } as const;
    const hidden = `<w:hyperlink r:id="c">${run("script")}</w:hyperlink>`;
    const body = p(
      `<w:hyperlink r:id="a">${run("one")}${run(" link", "<w:b/>")}</w:hyperlink>${run(", ")}${field(' HYPERLINK "https://f.example/x" ', run("field"))}${run(", ")}<w:fldSimple w:instr=' HYPERLINK "javascript:alert(1)" '>${run("simple")}</w:fldSimple>${run(", ")}${hidden}`,
    );
    expect(bodyOf(body, { relationships })).toBe(
      "[one **link**](https://example.com/?a=1&b=2), [field](https://f.example/x), simple, script\n",
    );
  });

  test("tracked changes are accepted, and comments are omitted", () => {
    const changed = `<w:ins>${run("new")}</w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:moveFrom>${run("away")}</w:moveFrom><w:moveTo>${run(" here")}</w:moveTo><w:commentRangeStart w:id="0"/><w:r><w:commentReference w:id="0"/></w:r>`;
    expect(bodyOf(p(changed))).toBe("new here\n");
    const joined = p("first ", "<w:rPr><w:del/></w:rPr>") + p("second");
    expect(bodyOf(joined)).toBe("first second\n");
  });

  test("footnotes are placed where they are referenced", () => {
    const note = (id: number, content: string) => `<w:footnote w:id="${id}">${p(content)}</w:footnote>`;
    const refer = (id: number) => `<w:r><w:footnoteReference w:id="${id}"/></w:r>`;
    const body = p(`${run("One")}${refer(1)}${run(" two")}${refer(2)}${run(".")}`);
    expect(
      bodyOf(body, { footnotes: note(1, "The first.") + note(2, `${run("In")}${refer(2)}${run(" itself.")}`) }),
    ).toBe("One[^1] two[^2].\n\n[^1]: The first.\n\n[^2]: In itself.\n");
  });
});

describe("blocks", () => {
  test("lists nest, continue after a break, start at their number, and may have tasks", () => {
    const body = [
      p("one", item(2, 0)),
      p("a", item(2, 1)),
      p("two", item(2, 0)),
      p("Between."),
      p("three", item(2, 0)),
      p("seven", item(3, 0)),
      p("dot", style("Bullets")),
      p("☐ open", item(1, 1)),
      p("☒ done", item(1, 1)),
    ];
    expect(bodyOf(body.join(""))).toBe(
      ["1. one\n   1. a\n2. two", "Between.", "3. three", "7) seven", "* dot\n  * [ ] open\n  * [x] done\n"].join(
        "\n\n",
      ),
    );
  });

  test("code keeps its spaces, and quotes become block quotes", () => {
    const body =
      p("if (a) {", style("Code")) + p("  b();", style("Code")) + p("}", style("Code")) + p("Said.", style("Quote"));
    expect(bodyOf(body)).toBe("```\nif (a) {\n  b();\n}\n```\n\n> Said.\n");
  });

  test("a paragraph in a monospaced font is code", () => {
    const typed = (text: string) => p(run(text, '<w:rFonts w:ascii="Courier New"/>'));
    expect(bodyOf(typed("npm install") + typed("npm start"))).toBe("```\nnpm install\nnpm start\n```\n");
  });

  test("the first row of a table is its header, and merged cells appear once", () => {
    const body = table(
      row(cell("A"), cell("B", '<w:gridSpan w:val="2"/>')),
      row(cell("1", '<w:vMerge w:val="restart"/>'), cell("2"), cell("3")),
      row(cell("again", "<w:vMerge/>"), cell(p("x|y", item(1, 0)) + p("z", item(1, 0))), cell("d")),
    );
    expect(bodyOf(body)).toBe(
      ["| A | B |  |", "| --- | --- | --- |", "| 1 | 2 | 3 |", "|  | • x\\|y<br>• z | d |", ""].join("\n"),
    );
  });

  test("a table of one cell becomes its content, and a deleted row is omitted", () => {
    const deleted = `<w:tr><w:trPr><w:del/></w:trPr>${cell("gone")}</w:tr>`;
    expect(bodyOf(table(row(cell(p("npm i", style("Code")))), deleted))).toBe("```\nnpm i\n```\n");
  });

  test("images become files of the book with alternative text and captions, and equal ones become one file", () => {
    const parts = {
      relationships: {
        i: ["image", "media/image1.png"],
        w: ["image", "media/image2.emf"],
        x: ["image", "media/no.png"],
      },
      files: { "word/media/image1.png": PIXEL, "word/media/image2.emf": PIXEL },
    } as const;
    const body =
      p(image("i", "A pixel")) +
      p("Figure 1", style("Caption")) +
      p(run("In ") + image("i", "") + image("w", "") + image("x", ""));
    const { book, foundCount: total } = readDocx(docx(body, parts));
    expect(book.texts.get("document.md")?.text).toBe(
      '# Document\n\n![A pixel](.gitbook/assets/image1.png "Figure 1")\n\nIn ![](.gitbook/assets/image1.png)\n',
    );
    expect([...book.files]).toEqual([[".gitbook/assets/image1.png", { bytes: PIXEL, contentType: "image/png" }]]);
    expect(book.skipped).toEqual([
      { resource: "word/media/image2.emf", reason: "It is a drawing in a format that only Windows can display." },
      { resource: "word/media/no.png", reason: "The document refers to this image but doesn't contain it." },
    ]);
    expect(total).toBe(4);
  });

  test("a text box follows its paragraph once", () => {
    const box = `<w:txbxContent>${p("In a box.")}</w:txbxContent>`;
    const both = `<w:r><mc:AlternateContent><mc:Choice><w:drawing>${box}</w:drawing></mc:Choice><mc:Fallback><w:pict>${box}</w:pict></mc:Fallback></mc:AlternateContent></w:r>`;
    expect(bodyOf(p(run("Beside.") + both))).toBe("Beside.\n\nIn a box.\n");
  });
});

describe("pages", () => {
  const h = (level: number, text: string, name = "") =>
    p(`<w:bookmarkStart w:id="1" w:name="${name}"/>${run(text)}`, style(`berschrift${level}`));

  test("a single first-level heading is the title of the only page", () => {
    expect(read(h(1, "Guide") + h(2, "Setup") + p("Text.") + h(4, "Deep"))).toBe(
      "# Guide\n\n## Setup\n\nText.\n\n#### Deep\n",
    );
    expect(read(p("Whole", style("Titel")) + h(1, "Guide") + h(2, "Setup"))).toBe("# Whole\n\n## Guide\n\n### Setup\n");
  });

  test("a style based on a heading is a heading", () => {
    expect(read(h(1, "Guide") + p("Own", style("Own")))).toBe("# Guide\n\n## Own\n");
  });

  test("a document without a heading takes its title from its properties or its file name", () => {
    expect(read(p("Text."), { title: "Properties" })).toBe("# Properties\n\nText.\n");
    const { book } = readDocx(docx(p("Text.")), { name: "my notes" });
    expect([...book.texts]).toEqual([["my-notes.md", { text: "# my notes\n\nText.\n" }]]);
  });

  test("several first-level headings become a page each, with links between them", () => {
    const link = (name: string) => `<w:hyperlink w:anchor="${name}">${run(name)}</w:hyperlink>`;
    const contents = p("Setup 1", style("TOC1"));
    const body = [
      p("Handbook", style("Titel")),
      contents,
      p(link("usage")),
      h(1, "Setup", "setup"),
      p(`${link("deep")}${run(" ")}${link("setup")}${run(" ")}${link("nowhere")}`),
      h(1, "Usage", "usage"),
      h(2, "Far Down", "deep"),
      p(link("deep")),
    ];
    const { book, foundCount: total } = readDocx(docx(body.join("")));
    expect(book.chapters).toEqual([
      { kind: "page", path: "handbook.md", title: "Handbook", chapters: [] },
      { kind: "page", path: "setup.md", title: "Setup", chapters: [] },
      { kind: "page", path: "usage.md", title: "Usage", chapters: [] },
    ]);
    expect([...book.texts.values()].map(({ text }) => text)).toEqual([
      "# Handbook\n\n[usage](usage.md)\n",
      "# Setup\n\n[deep](usage.md#far-down) [setup](#) [nowhere](#nowhere)\n",
      "# Usage\n\n## Far Down\n\n[deep](#far-down)\n",
    ]);
    expect(total).toBe(3);
  });

  test("pages with the same title have different paths", () => {
    const { book } = readDocx(docx(h(1, "Same") + p("a") + h(1, "Same") + p("b") + h(1, "same") + p("c")));
    expect([...book.texts.keys()]).toEqual(["same.md", "same-1.md", "same-2.md"]);
  });

  test("a table of contents is omitted, and an unterminated one hides nothing after a heading", () => {
    const toc = `<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr><w:sdtContent>${p("Contents")}</w:sdtContent></w:sdt>`;
    const open = p(
      `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> TOC \\o </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${run("hidden")}`,
    );
    expect(read(toc + open + h(1, "Guide") + p("Shown."))).toBe("# Guide\n\nShown.\n");
  });
});

test("a document from a URL is named after its file", async () => {
  const { fetch } = served({ "/d/Team%20notes.docx": docx(p("Text.")) });
  const { book } = await importDocx({ url: "https://host.example/d/Team%20notes.docx", fetch });
  expect([...book.texts]).toEqual([["team-notes.md", { text: "# Team notes\n\nText.\n" }]]);
});

describe("hostile documents", () => {
  test("S40: a document that declares entities is rejected", () => {
    const document = `<!DOCTYPE w [<!ENTITY a "ha"><!ENTITY b "&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${p("&b;&c;")}</w:body></w:document>`;
    expect(() => readDocx(docx("", { document }))).toThrow("document type declaration");
  });

  test("an undeclared entity is text", () => {
    expect(bodyOf(p("&lol9; &amp; &#65;"))).toMatch(/^\\?&lol9; & A\n$/);
  });

  test("S39: endlessly nested elements are rejected, and unclosed ones are not", () => {
    expect(() => readDocx(docx("<w:ins>".repeat(5000)))).toThrow(ImportError);
    expect(bodyOf("<w:p><w:r><w:t>open")).toBe("open\n");
  });

  test("S40: rows with large spans and repeated long addresses do not make a small file huge", () => {
    const wide = `<w:tr><w:trPr><w:gridBefore w:val="499"/></w:trPr>${cell("x")}</w:tr>`;
    const { book } = readDocx(docx(table(...Array.from({ length: 1000 }, () => wide))));
    expect(book.texts.get("document.md")!.text.length).toBeLessThan(100_000);
    expect(book.skipped).toEqual([{ resource: "A table", reason: "Its rows after the first 40 were left out." }]);
    const link = `<w:hyperlink r:id="l">${run("a")}</w:hyperlink>${run("b")}`;
    const body = (length: number) =>
      bodyOf(p(link.repeat(3000)), { relationships: { l: ["hyperlink", `https://x.example/${"a".repeat(length)}`] } });
    expect(body(10_000)).not.toContain("https:");
    expect(body(4000).length).toBeLessThan(600_000);
  });

  test("S9: relationships that lead out of the archive lead nowhere", () => {
    const { book } = readDocx(
      docx(p(run("x") + image("i", "")), { relationships: { i: ["image", "../../../etc/passwd"] } }),
    );
    expect(book.files.size).toBe(0);
  });

  test("S8: external images are links, and only with http or https", () => {
    const relationships = { i: ["image", "https://x.example/i.png"], f: ["image", "file:///etc/passwd"] } as const;
    const linked = (id: string) => image(id, "").replace("r:embed", "r:link");
    expect(bodyOf(p(linked("i") + linked("f")), { relationships })).toBe("![](https://x.example/i.png)\n");
  });

  test("a file that is not a Word document is rejected", () => {
    expect(() => readDocx(zipSync({ "a.md": strToU8("# A") }))).toThrow("not a Word document");
    expect(() => readDocx(strToU8("no archive"))).toThrow(ImportError);
  });

  test("a malformed styles, numbering or notes part does no harm", () => {
    const style =
      '<w:style w:styleId="A"><w:basedOn w:val="B"/></w:style><w:style w:styleId="B"><w:basedOn w:val="A"/></w:style>';
    const xmlns = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
    const files = {
      "word/styles.xml": strToU8(`<w:styles ${xmlns}>${style}</w:styles>`),
      "word/numbering.xml": strToU8("<w:numbering"),
      "word/footnotes.xml": new Uint8Array([0xff, 0xfe, 0x00]),
    };
    expect(bodyOf(p("text", '<w:pStyle w:val="A"/>') + p("item", item(99, 77)), { files })).toBe("text\n\n* item\n");
  });

  test("any nesting of known elements gives a page or a rejection", () => {
    const names =
      "w:p w:r w:t w:tbl w:tr w:tc w:ins w:del w:sdt w:sdtContent w:hyperlink w:pPr w:numPr w:drawing w:txbxContent w:fldSimple".split(
        " ",
      );
    const tree = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: "small" },
        fc.constant("text"),
        fc
          .tuple(fc.constantFrom(...names), fc.array(tie("node"), { maxLength: 4 }))
          .map(([name, inside]) => `<${name}>${inside.join("")}</${name}>`),
      ),
    })).node;
    fc.assert(
      fc.property(fc.array(tree, { maxLength: 6 }), (nodes) => {
        expect(readDocx(docx(nodes.join(""))).book.texts.size).toBe(1);
      }),
      { numRuns: runs(100) },
    );
  });
});
