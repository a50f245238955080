import fc from "fast-check";
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { ImportError } from "../../src/importers/errors";
import { parseCsv } from "../../src/importers/notion/database";
import { importNotion, readNotion } from "../../src/importers/notion/import-notion";
import { PIXEL } from "./docx-fixture";
import { served } from "./served";

const pack = (files: Record<string, string | Uint8Array>) =>
  zipSync(
    Object.fromEntries(Object.entries(files).map(([path, it]) => [path, typeof it === "string" ? strToU8(it) : it])),
  );

const id = (digit: string) => digit.repeat(32);
const HANDBOOK = `Handbook ${id("a")}`;
const TASKS = `Tasks ${id("c")}`;

const EXPORT = {
  [`${HANDBOOK}.md`]: [
    "# Handbook",
    "",
    `![Logo](${encodeURIComponent(HANDBOOK)}/Untitled.png)`,
    "",
    "<aside>",
    "⚠️ Mind the step.",
    "",
    "</aside>",
    "",
    `[Second](${encodeURIComponent(HANDBOOK)}/Second%20${id("d")}.md)`,
    "",
    `[First](${encodeURIComponent(HANDBOOK)}/first%20${id("b")}.md)`,
    "",
    `[Tasks](${encodeURIComponent(HANDBOOK)}/${encodeURIComponent(TASKS)}.csv)`,
    "",
    `[By id](https://www.notion.so/team/First-${id("b")}?pvs=4) [Out](https://www.notion.so/Other-${id("9")})`,
    "",
    "- Toggle",
    "",
    "    Inside it.",
    "",
    "```html",
    "<aside>",
    "```",
    "",
  ].join("\n"),
  [`${HANDBOOK}/Untitled.png`]: PIXEL,
  [`${HANDBOOK}/unused.png`]: PIXEL,
  [`${HANDBOOK}/First ${id("b")}.md`]: `# First\n\n[Up](../${encodeURIComponent(HANDBOOK)}.md) [Gone](Gone%20${id("8")}.md)\n`,
  [`${HANDBOOK}/Second ${id("d")}.md`]: "# Second\n",
  [`${HANDBOOK}/${TASKS}.csv`]: "\ufeffName,Status\nShown,Done\n",
  [`${HANDBOOK}/${TASKS}_all.csv`]: `\ufeffName,Status,Link,Related\nPaint | wall,"Done, twice",https://a.example/x,"First (../First%20${id("b")}.md)"\nSweep,,"line 1\nline 2",\n`,
  [`${HANDBOOK}/${TASKS}/Sweep ${id("e")}.md`]: "# Sweep\n\nStatus: Open\nTags: a, b\n\nThe text.\n",
  [`${HANDBOOK}/${TASKS}/Paint wall ${id("f")}.md`]: "# Paint | wall\n\nStatus: Done, twice\n",
};

describe("Markdown exports", () => {
  test("a Markdown export keeps the tree, with titles instead of ids, in the order in which pages mention each other", async () => {
    const { book, foundCount: total } = await readNotion(pack(EXPORT));
    const page = (path: string, title: string, chapters: unknown[] = []) => ({ kind: "page", path, title, chapters });
    expect(book.chapters).toEqual([
      page("handbook.md", "Handbook", [
        page("handbook/second.md", "Second"),
        page("handbook/first.md", "First"),
        page("handbook/tasks.md", "Tasks", [
          page("handbook/tasks/paint-wall.md", "Paint | wall"),
          page("handbook/tasks/sweep.md", "Sweep"),
        ]),
      ]),
    ]);
    expect([...book.files.keys()]).toEqual([".gitbook/assets/Untitled.png"]);
    expect(book.skipped).toEqual([{ resource: `${HANDBOOK}/unused.png`, reason: "No page refers to it." }]);
    expect(total).toBe(8);
  });

  test("a Markdown export keeps links, turns callouts into hints and leaves code unchanged", async () => {
    const { book } = await readNotion(pack(EXPORT));
    expect(book.texts.get("handbook.md")?.text).toBe(
      [
        "# Handbook",
        "![Logo](.gitbook/assets/Untitled.png)",
        '{% hint style="warning" %}\n⚠️ Mind the step.\n\n{% endhint %}',
        "[Second](handbook/second.md)",
        "[First](handbook/first.md)",
        "[Tasks](handbook/tasks.md)",
        `[By id](handbook/first.md) [Out](https://www.notion.so/Other-${id("9")})`,
        "- Toggle\n\n    Inside it.",
        "```html\n<aside>\n```\n",
      ].join("\n\n"),
    );
    expect(book.texts.get("handbook/first.md")?.text).toBe(
      `# First\n\n[Up](../handbook.md) [Gone](Gone%20${id("8")}.md)\n`,
    );
  });

  test("databases become tables of all rows, and their properties become lists", async () => {
    const { book } = await readNotion(pack(EXPORT));
    expect(book.texts.get("handbook/tasks.md")?.text).toBe(
      [
        "# Tasks",
        "",
        "| Name | Status | Link | Related |",
        "| --- | --- | --- | --- |",
        "| [Paint \\| wall](tasks/paint-wall.md) | Done, twice | <https://a.example/x> | [First](first.md) |",
        "| [Sweep](tasks/sweep.md) |  | line 1<br>line 2 |",
        "",
      ].join("\n"),
    );
    expect(book.texts.get("handbook/tasks/sweep.md")?.text).toBe(
      "# Sweep\n\n* Status: Open\n* Tags: a, b\n\nThe text.\n",
    );
  });

  test("an export may come in parts and with folders named without ids", async () => {
    const part1 = pack({ [`Export/Home ${id("1")}.md`]: `# Home\n\n![](Home/a%20b.png)\n` });
    const part2 = pack({ "Export/Home/a b.png": PIXEL, [`Export/Home/Sub ${id("2")}.md`]: "Text.\n" });
    const { book, foundCount: total } = await readNotion(
      pack({ "Export-1-Part-1.zip": part1, "Export-1-Part-2.zip": part2 }),
    );
    expect(book.chapters).toMatchObject([{ path: "home.md", chapters: [{ path: "home/sub.md", title: "Sub" }] }]);
    expect(book.texts.get("home.md")?.text).toBe("# Home\n\n![](.gitbook/assets/a%20b.png)\n");
    expect(total).toBe(3);
  });

  test("an export can be imported from a URL", async () => {
    const { fetch } = served({ "/export.zip": pack({ [`A ${id("1")}.md`]: "# A\n" }) });
    expect((await importNotion({ url: "https://host.example/export.zip", fetch })).foundCount).toBe(1);
  });
});

describe("HTML exports", () => {
  const html = (title: string, body: string, properties = "") =>
    `<html><head><title>${title}</title></head><body><article id="x" class="page sans"><header><h1 class="page-title">${title}</h1>${properties}</header><div class="page-body">${body}</div></article></body></html>`;

  test("an HTML export keeps callouts, toggles, tasks, code and links", async () => {
    const body = [
      '<figure class="block-color-gray_background callout"><div style="font-size:1.5em"><span class="icon">✅</span></div><div style="width:100%">All is well.</div></figure>',
      '<ul class="toggle"><li><details open=""><summary>More</summary><p>Hidden text.</p></details></li></ul>',
      '<ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span class="to-do-children-checked">done</span></li></ul>',
      '<ul class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span>open</span></li></ul>',
      '<pre class="code"><code class="language-javascript">let a = 1;</code></pre>',
      `<figure class="link-to-page"><a href="Home%20${id("1")}/Sub%20${id("2")}.html">Sub</a></figure>`,
      `<figure class="image"><a href="Home%20${id("1")}/p.png"><img src="Home%20${id("1")}/p.png"/></a></figure>`,
      "<h1>Part</h1><h2>Section</h2>",
    ].join("");
    const properties =
      '<table class="properties"><tbody><tr><th>Status</th><td><span>Done</span></td></tr></tbody></table>';
    const bytes = pack({
      "index.html": "<html><body>a list</body></html>",
      [`Home ${id("1")}.html`]: html("Home", body),
      [`Home ${id("1")}/Sub ${id("2")}.html`]: html(
        "Sub page",
        `<p><a href="../Home%20${id("1")}.html">Back</a></p>`,
        properties,
      ),
      [`Home ${id("1")}/p.png`]: PIXEL,
    });
    const { book, foundCount: total } = await readNotion(bytes);
    const text = book.texts.get("home.md")!.text;
    expect(text).toContain('{% hint style="success" %}\nAll is well.\n{% endhint %}');
    expect(text).toContain("<details>\n\n<summary>More</summary>\n\nHidden text.\n\n</details>");
    expect(text).toMatch(/\[x\] done\n/);
    expect(text).toMatch(/\[ \] open\n/);
    expect(text).toContain("```javascript\nlet a = 1;\n```");
    expect(text).toContain("[Sub](home/sub-page.md)");
    expect(text).toContain(".gitbook/assets/p.png");
    expect(text).toContain("## Part\n\n### Section");
    expect(book.texts.get("home/sub-page.md")?.text).toBe("# Sub page\n\n* Status: Done\n\n[Back](../home.md)\n");
    expect(total).toBe(3);
  });
});

describe("CSV", () => {
  test("CSV values may be quoted and may end with any line ending", () => {
    expect(parseCsv('a,"b ""c"", d"\r\n"x\ny",\n\nlast', 10)).toEqual([["a", 'b "c", d'], ["x\ny", ""], ["last"]]);
    expect(parseCsv('"never closed, or\nelse', 10)).toEqual([["never closed, or\nelse"]]);
  });

  test("CSV round-trips", () => {
    const value = fc.string({ unit: fc.constantFrom("a", ",", '"', "\n", "\r", " ") });
    fc.assert(
      fc.property(fc.array(fc.array(value, { minLength: 2, maxLength: 4 }), { maxLength: 5 }), (rows) => {
        const text = rows.map((row) => row.map((it) => `"${it.replaceAll('"', '""')}"`).join(",")).join("\n");
        expect(parseCsv(text, 100)).toEqual(rows);
      }),
    );
  });

  test("S39: unterminated CSV costs no more than its length", () => {
    expect(parseCsv('"'.repeat(500_001), 10).length).toBe(1);
    expect(parseCsv(",".repeat(500_000), 10)[0]?.length).toBe(500_001);
  });
});

test("an export without a page is rejected", async () => {
  await expect(readNotion(pack({ "a.png": PIXEL }))).rejects.toThrow(ImportError);
  await expect(readNotion(pack({ "Export-Part-1.zip": strToU8("broken") }))).rejects.toThrow(ImportError);
});

test("S40: a part inside a part is not opened", async () => {
  const inner = pack({ [`Deep ${id("1")}.md`]: "# Deep\n" });
  const bytes = pack({ "A-Part-1.zip": pack({ "B-Part-1.zip": inner, "a.md": "# A\n" }) });
  expect([...(await readNotion(bytes)).book.texts.keys()]).toEqual(["a.md"]);
});
