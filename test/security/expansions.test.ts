// Short texts that say something long. Sizes are counted, not time: what is built, and what is answered for what was sent.

import { memoryStorage } from "octavo/memory";
import { describe, expect, test } from "vitest";
import { evaluateToText } from "../../src/content/expressions";
import { MAX_TEXT_LENGTH } from "../../src/content/markdown/limits";
import { readMarkdown } from "../../src/content/markdown/read";
import { expandMdBook } from "../../src/content/mdbook/expand";
import { ExpansionBudget, MAX_EXPANSION_CHARACTERS } from "../../src/utils/expansion-budget";
import { evaluateMarkdown } from "../content/at-once";
import { client, REPOSITORY, remote } from "../resources/content/git-sync-remote";
import { type Form, publishSpace, readPage, succeed } from "../resources/content/published-space";
import { setUp } from "../support/setting";

const label = `[^${">".repeat(980)}]: `;
const expression = (source: string) => `<code class="expression">${source}</code>`;

/** Evaluates a text that includes others by their names. */
function evaluate(text: string, sources: Readonly<Record<string, string>> = {}, budget?: ExpansionBudget) {
  const include = (href: string) => sources[href];
  return evaluateMarkdown(text, { scope: {}, getIncludedText: include, ...(budget && { budget }) }).text;
}

describe("the budget of a page", () => {
  test("the budget grants what is left and refuses more without taking it", () => {
    const budget = new ExpansionBudget(10);
    expect([budget.take(6), budget.take(5), budget.remaining, budget.take(4), budget.take(1)]).toEqual([
      ...[true, false, 4, true, false],
    ]);
    expect(budget.take(0)).toBe(true);
    expect(budget.take(-1)).toBe(true);
    expect(budget.remaining).toBe(0);
  });

  test("the budget refuses values that are not numbers, and is empty when the page is at its limit", () => {
    expect(new ExpansionBudget(10).take(Number.NaN)).toBe(false);
    expect(new ExpansionBudget(10).take(Number.POSITIVE_INFINITY)).toBe(false);
    expect(new ExpansionBudget(-1).remaining).toBe(0);
  });
});

describe("S40: prefixes repeated by includes", () => {
  const sources = { lines: `a\n${"\n".repeat(4_000)}b`, many: '{% include "lines" %}\n\n'.repeat(100) };

  test.each([1, 2, 40])("S40: %i labels of a thousand characters before an include become indentation", (labels) => {
    const text = `${label.repeat(labels)}{% include "many" %}`;
    const plain = evaluate('{% include "many" %}', sources);
    expect(plain.length).toBeGreaterThan(400_000);
    // Of each line that says something, a label costs four blanks.
    const growth = evaluate(text, sources).length - text.length - plain.length;
    expect(growth).toBeLessThanOrEqual(labels * 4 * 200);
  });

  test("S40: quotes, items and footnotes continue in every included line", () => {
    const source = { part: "a\n\nb" };
    expect(evaluate('> {% include "part" %}', source)).toBe("> a\n>\n> b");
    expect(evaluate('1. {% include "part" %}', source)).toBe("1. a\n\n   b");
    expect(evaluate('[^note]: {% include "part" %}', source)).toBe("[^note]: a\n\n    b");
    expect(evaluate('> - [^n]: > {% include "part" %}', source)).toBe("> - [^n]: > a\n>       >\n>       > b");
  });

  test("S40: the size is computed first, and an include beyond the budget stays as written", () => {
    const text = '> {% include "part" %}\n\n> {% include "small" %}';
    const part = "a\n".repeat(1_000);
    // The text itself with what an include costs, and two characters for the mark of each further line.
    const needed = part.length + 64 + 999 * 2;
    const sources = { part, small: "b" };
    expect(evaluate(text, sources, new ExpansionBudget(needed))).toBe(
      `> ${part.trimEnd().replaceAll("\n", "\n> ")}\n\n> {% include "small" %}`,
    );
    expect(evaluate(text, sources, new ExpansionBudget(needed - 1))).toBe('> {% include "part" %}\n\n> b');
    expect(evaluate(text, sources, new ExpansionBudget(64))).toBe(text);
  });

  test("S40: lines in the most containers stay within the longest text", () => {
    const text = `${"> ".repeat(24)}${"1. ".repeat(12)}{% include "lines" %}`;
    const result = evaluate(text, { lines: "a\n".repeat(400_000) });
    expect(result).toBe(text);
    expect(evaluate(text, { lines: "a\n".repeat(1_000) }).length).toBeLessThan(1_000 * 512);
  });
});

describe("S40: prefixes repeated by conditions", () => {
  const tags = (count: number) => "{% if true %}b{% endif %} ".repeat(count);

  test("S40: a text with many conditions on one line does not grow", () => {
    for (const before of [label, label.repeat(20), "> ".repeat(30), "1. ", " ".repeat(30_000)]) {
      const text = before + tags(5_000);
      expect(evaluate(text).length, before.slice(0, 9)).toBeLessThan(before.length + 5_000 * 300);
      expect(evaluate(text).length).toBeLessThanOrEqual(Math.max(MAX_TEXT_LENGTH, text.length));
    }
    expect(evaluate(label + tags(5_000)).length).toBeLessThan(label.length + tags(5_000).length);
  });

  test("S40: beyond the budget, conditions are evaluated as before, and only separators are omitted", () => {
    const text = `${"> ".repeat(20)}{% if true %}b{% endif %} {% if false %}hidden{% endif %} {% if true %}c{% endif %}`;
    const [within, beyond] = [evaluate(text), evaluate(text, {}, new ExpansionBudget(0))];
    for (const result of [within, beyond]) expect(result.replace(/[\s>]/g, "")).toBe("bc");
    expect(beyond.length).toBeLessThanOrEqual(text.length);
    expect(within.length).toBeGreaterThan(beyond.length);
  });
});

describe("S40: long values", () => {
  const scope = (v: string) => ({ page: { vars: { v } } });

  test("S40: a value and its escaping are taken from the budget", () => {
    const text = expression("page.vars.v");
    const include = () => undefined;
    const of = (value: string, budget: number) =>
      evaluateMarkdown(text, { scope: scope(value), getIncludedText: include, budget: new ExpansionBudget(budget) })
        .text;
    const words = "a".repeat(100);
    expect(of(words, 100 - text.length)).toBe(words);
    expect(of(words, 100 - text.length - 1)).toBe(text);
    const marks = "*".repeat(100);
    expect(of(marks, 200 - text.length)).toBe("\\*".repeat(100));
    expect(of(marks, 200 - text.length - 1)).toBe(text);
  });

  test("S40: a value beside thousands of links to one long definition is inserted", () => {
    const links = `${"[a]".repeat(5_000)} ${"![b][a]".repeat(2_000)}\n\n[a]: /${"b".repeat(200_000)}\n`;
    const text = `${expression("page.vars.v")} ${links}`;
    expect(evaluateMarkdown(text, { scope: scope("c"), getIncludedText: () => undefined }).text).toBe(`c ${links}`);
  });

  test("S40: a value that would change the target of a link is still omitted", () => {
    const text = `[a]\n\n[a]: /b${expression("page.vars.v")}\n`;
    const result = evaluateMarkdown(text, { scope: scope(" \n\n[a]: /c"), getIncludedText: () => undefined }).text;
    expect(readMarkdown(result).links.map(({ href }) => href)).not.toContain("/c");
  });

  test("S40: substring search agrees with JavaScript, even with a small alphabet", () => {
    const [texts, wanted] = [
      ["", "ab".repeat(600), `${"a".repeat(900)}b${"a".repeat(900)}`, "abc".repeat(700)],
      [
        "",
        "a",
        "ba",
        "ab".repeat(300),
        `b${"a".repeat(500)}`,
        `${"a".repeat(500)}b`,
        `${"a".repeat(2_000)}b`,
        "abca".repeat(90),
      ],
    ];
    const sums = (text: string) =>
      text
        .match(/.{1,200}/g)
        ?.map((part) => `"${part}"`)
        .join("+") ?? '""';
    for (const text of texts)
      for (const word of wanted) {
        const vars = { text, word };
        if (text.length + word.length < 900)
          expect(evaluateToText(`(${sums(text)}).indexOf(${sums(word)})`, {})).toBe(String(text.indexOf(word)));
        expect(evaluateToText("page.vars.text.indexOf(page.vars.word)", { page: { vars } })).toBe(
          String(text.indexOf(word)),
        );
        expect(evaluateToText("page.vars.text.includes(page.vars.word)", { page: { vars } })).toBe(
          String(text.includes(word)),
        );
      }
  });
});

describe("S40: mdBook includes", () => {
  const files: Readonly<Record<string, string>> = {
    "lines.txt": "a\n".repeat(30_000),
    "small.txt": "a\nb\n",
    "large.txt": `${"a".repeat(1_000_000)}\nb\n`,
  };
  let reads = 0;
  const find = async (path: string) => {
    reads++;
    return { path, text: files[path]! };
  };

  test("S40: every included line is prefixed like the directive if that fits the budget", async () => {
    const text = `${" ".repeat(30_000)}{{#include lines.txt}}\n\n> {{#include small.txt}}\n`;
    // The first would have 900 million characters, more than a text can have.
    expect(await expandMdBook(text, {} as never, find)).toBe(text.replace("{{#include small.txt}}", "a\n> b"));
    const one = "> {{#include small.txt}}";
    // Three characters of the file, and two before its second line.
    expect(await expandMdBook(one, {} as never, find, new ExpansionBudget(5))).toBe("> a\n> b");
    expect(await expandMdBook(one, {} as never, find, new ExpansionBudget(4))).toBe(one);
  });

  test("S40: a large file is scanned a few times, however often its lines are included", async () => {
    reads = 0;
    const text = "{{#include large.txt:2}}\n".repeat(1_000);
    const lines = (await expandMdBook(text, {} as never, find)).trimEnd().split("\n");
    expect(reads).toBe(1_000);
    expect(lines.filter((line) => line === "b")).toHaveLength(16);
  });
});

describe("S40: empty table cells", () => {
  test("S40: HTML cells that span many rows and columns do not become a table", () => {
    const rows = `<tr>${"<td colspan=100 rowspan=100>x".repeat(5)}${"<tr>".repeat(99)}`;
    const spread = `<table>${rows.repeat(20)}</table>`;
    const wide = `<table>${`<tr>${"<td colspan=100>x".repeat(200)}`.repeat(50)}</table>`;
    for (const text of [spread, wide]) {
      const { document } = readMarkdown(text);
      expect(document.nodes.map(({ type }) => type)).not.toContain("table");
      expect(JSON.stringify(document).length).toBeLessThan(text.length * 60);
    }
    const ordinary = "<table><tr><td colspan=2>a</td><td>b</td></tr><tr><td rowspan=2>c</td><td>d</td></tr></table>";
    expect(readMarkdown(ordinary).document.nodes.map(({ type }) => type)).toEqual(["table"]);
  });
});

/** Publishes pages and reads each in every form. */
async function published(pages: Readonly<Record<string, string>>, reusables: readonly string[] = []) {
  const setting = await setUp(memoryStorage());
  const stage = await publishSpace(setting, async (space) => {
    const ids: string[] = [];
    const linked = (text: string) =>
      text.replace(/include "(\d)"/g, (_, n) => `include "/reusable-contents/${ids[n]}"`);
    const change = async (change: object) =>
      (await succeed(setting, 200, "admin", `POST /v1/spaces/${space}/content`, { changes: [change] })).changes[0];
    for (const markdown of reusables) {
      const document = { markdown: linked(markdown) };
      ids.push((await change({ operation: "insert_reusable_content", title: "Part", document })).reusableContent);
    }
    for (const [title, markdown] of Object.entries(pages))
      await change({ operation: "insert_page", title, document: { markdown: linked(markdown) } });
  });
  const read = async (title: string, form: Form = "site") => {
    const { status, bytes } = await readPage(setting, stage, form, stage.pages[Object.keys(pages).indexOf(title)]!);
    return { status, size: bytes.length, text: form === "pdf" ? "" : new TextDecoder().decode(bytes) };
  };
  return { setting, stage, read };
}

const FORMS: readonly Form[] = ["site", "markdown", "document", "llms", "pdf"];

describe("output for a short text", () => {
  const wide = (columns: number, rows: number) =>
    `${"|a".repeat(columns)}|\n${"|-".repeat(columns)}|\n${"x\n".repeat(rows)}`;
  const ratings = '<table><thead><tr><th data-type="rating" data-max="999">a</th></tr></thead><tbody>';

  test.each([
    ["a table whose rows are shorter than its head", wide(1_700, 1_700)],
    ["a hundred columns with short rows", wide(100, 5_000)],
    [
      "ratings of a billion stars",
      `${ratings}${"<tr><td>1000000000</td></tr><tr><td>-1</td></tr>".repeat(200)}</tbody></table>`,
    ],
    ["conditions behind a label", `${label}${"{% if true %}b{% endif %} ".repeat(700)}`],
    ["icons", '<i class="fa-gear"></i> '.repeat(12_000)],
  ])("S40: a short text is bounded in every format: %s", async (_, text) => {
    const { read } = await published({ Home: "Home.", Page: text });
    for (const form of FORMS) {
      const frame = (await read("Home", form)).size;
      const { status, size } = await read("Page", form);
      expect(status, form).toBe(200);
      // Drawing adds at most its budget to the markup of what was written.
      expect(size - frame, form).toBeLessThan(text.length * 150);
      expect(size - frame, form).toBeLessThan(text.length * 60 + MAX_EXPANSION_CHARACTERS);
    }
  });

  test("an ordinary table has the cells of GFM", async () => {
    const { read } = await published({
      Home: "Home.",
      Page: "| a | b | c |\n|---|:-:|---|\n| d |\n| e | f | g | h |\n",
    });
    const { text } = await read("Page");
    const table = /<table>.*<\/table>/s.exec(text)![0].replace(/<\/?p>/g, "");
    expect(table).toContain('<tr><td>d</td><td class="center"></td><td></td></tr>');
    expect(table).toContain('<tr><td>e</td><td class="center">f</td><td>g</td></tr>');
    const cells = await published({ Home: "Home.", Page: wide(101, 1) });
    expect((await cells.read("Page")).text).toContain('<td colspan="100"></td></tr>');
  });

  test("S40: a page whose include is refused is readable in every format and says so", async () => {
    const huge = "word ".repeat(150_000);
    const pages = {
      Home: "Home.",
      Page: 'Before.\n\n{% include "0" %}\n\n{% include "0" %}\n\nBehind.',
      Other: "Other.",
    };
    const { read, stage } = await published(pages, [huge]);
    for (const form of FORMS) {
      for (const title of Object.keys(pages)) expect((await read(title, form)).status, `${title} ${form}`).toBe(200);
      if (form === "pdf") continue;
      const { text } = await read("Page", form);
      expect(text.match(/word word word/g)!.length, form).toBeGreaterThan(1);
      for (const word of ["Before.", "Behind."]) expect(text, form).toContain(word);
      expect(text.length, form).toBeLessThan(2 * huge.length);
    }
    expect((await read("Page")).text).toContain("Part of this page can’t be displayed.");
    expect((await read("Page", "markdown")).text).toContain('{% include "');
    const all = await stage.site.fetch(new Request(`${stage.url}/llms-full.txt`));
    expect(all.status).toBe(200);
    const text = await all.text();
    for (const word of ["Home.", "Before.", "Behind.", "Other."]) expect(text).toContain(word);
  });

  test("S40: a book whose directive is refused is readable in every format", async () => {
    const setting = await setUp(memoryStorage(), {
      git: { client },
      fetch: async () => new Response(null, { status: 404 }),
    });
    remote.reset({
      "book.toml": "[book]\n",
      "src/SUMMARY.md": "# Summary\n\n- [Home](home.md)\n- [Page](page.md)\n- [Other](other.md)\n",
      "src/home.md": "# Home\n\nHome.\n",
      "src/page.md": `# Page\n\nBefore.\n\n${" ".repeat(30_000)}{{#include part.txt}}\n\nBehind.\n`,
      "src/other.md": "# Other\n\nOther.\n",
      "src/part.txt": "a\n".repeat(30_000),
    });
    const stage = await publishSpace(setting, async (space) => {
      const send = { url: REPOSITORY, ref: "refs/heads/main" };
      await succeed(setting, 204, "admin", `POST /v1/spaces/${space}/git/import`, send);
      await setting.api.maintain();
    });
    expect(stage.pages).toHaveLength(3);
    for (const form of FORMS)
      for (const page of stage.pages)
        expect((await readPage(setting, stage, form, page)).status, `${page.path} ${form}`).toBe(200);
    const all = await stage.site.fetch(new Request(`${stage.url}/llms-full.txt`));
    const text = await all.text();
    for (const word of ["Home.", "Before.", "{{#include part.txt}}", "Behind.", "Other."]) expect(text).toContain(word);
  });

  test("S40: a six-character link to a page with a long address is bounded", async () => {
    const setting = await setUp(memoryStorage());
    const stage = await publishSpace(setting, async (space) => {
      const change = async (change: object) =>
        (await succeed(setting, 200, "admin", `POST /v1/spaces/${space}/content`, { changes: [change] })).changes[0];
      let parent: string | undefined;
      for (let depth = 0; depth < 8; depth++) {
        const at = parent === undefined ? {} : { into: parent };
        const title = `${"long ".repeat(18)}${depth}`;
        parent = (await change({ operation: "insert_page", title, ...at, document: { markdown: "Deep." } })).page.id;
      }
      const markdown = `[a][b] ${"[b] ".repeat(3)}${`[a](/pages/${parent}) `.repeat(12_000)}\n\n[b]: /pages/${parent}\n`;
      await change({ operation: "insert_page", title: "Links", document: { markdown } });
    });
    const page = stage.pages.at(-1)!;
    expect(page.path).toBe("links");
    const { bytes } = await readPage(setting, stage, "markdown", page);
    expect(bytes.length).toBeLessThan(2 * MAX_TEXT_LENGTH);
    const site = await readPage(setting, stage, "site", page);
    expect(site.bytes.length).toBeLessThan(MAX_EXPANSION_CHARACTERS + 12_000 * 150);
    expect(new TextDecoder().decode(site.bytes)).toContain('<span class="gone">a</span>');
  });

  test("S40: a schema that is shown again and again is bounded", async () => {
    const setting = await setUp(memoryStorage());
    const members = Array.from({ length: 60 }, (_, n) => [
      `m${n}`,
      { type: "string", description: "word ".repeat(390) },
    ]);
    const schemas = { A: { type: "object", properties: Object.fromEntries(members) } };
    const text = JSON.stringify({
      openapi: "3.1.0",
      info: { title: "A", version: "1" },
      paths: {},
      components: { schemas },
    });
    const at = `/v1/orgs/${setting.org}/openapi/api`;
    await succeed(setting, 200, "admin", `PUT ${at}`, { source: { text } });
    await succeed(setting, 200, "admin", `PATCH ${at}`, { visibility: "public" });
    const block = '{% openapi-schemas spec="api" schemas="A" %}\n{% endopenapi-schemas %}\n\n';
    const stage = await publishSpace(setting, async (space) => {
      for (const count of [1, 300]) {
        const change = {
          operation: "insert_page",
          title: `Page ${count}`,
          document: { markdown: block.repeat(count) },
        };
        await succeed(setting, 200, "admin", `POST /v1/spaces/${space}/content`, { changes: [change] });
      }
    });
    const [one, many] = await Promise.all(stage.pages.map((page) => readPage(setting, stage, "site", page)));
    expect(one!.bytes.length).toBeGreaterThan(100_000);
    expect(many!.bytes.length).toBeGreaterThan(MAX_EXPANSION_CHARACTERS / 2);
    expect(many!.bytes.length).toBeLessThan(MAX_EXPANSION_CHARACTERS * 2);
  });
});
