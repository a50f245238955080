// Expressions of authors who are not trusted: in conditions, in texts, in evaluated reads. They are read and walked, bounded in
// length and depth, and reach nothing but the variables.

import { memoryStorage } from "octavo/memory";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Setting, setUp } from "../support/setting";
import { change, changed, evaluated, issueIn, newPage, newSpace, page, read } from "./contents";

let setting: Setting;
let space: string;

beforeEach(async () => {
  setting = await setUp(memoryStorage());
  space = await newSpace(setting);
  await changed(setting, space, [
    { operation: "set_variables", variables: { yes: true, name: "Octavo", list: "a,b", n: 3 } },
  ]);
});

/** Would run code, or reach what is none of an author's business, if it were JavaScript. */
const REACHING = [
  "constructor",
  "space.constructor",
  "space.vars.constructor",
  "space.vars.name.constructor",
  "space.vars.name['constructor']",
  "space.vars['__proto__']",
  "space.__proto__",
  "space.vars.__proto__.polluted",
  "space.vars['const' + 'ructor']",
  "space.vars[['constructor']]",
  "page.vars.toString",
  "visitor.claims.constructor.name",
  "visitor.claims.unsigned.__proto__",
  "''.constructor",
  "''['at']",
  "[].constructor",
  "[].length.constructor",
  "(0).constructor",
  "true.constructor",
  "null.x",
  "undefined.x",
  "this",
  "globalThis",
  "global",
  "window",
  "process",
  "process.env.HOME",
  "require",
  "module",
  "self",
  "Function",
  "Object",
  "eval",
  "fetch",
  "'constructor' in space.vars",
  "'toString' in page.vars",
  "space.vars?.constructor?.constructor",
  "space.vars.name.length.constructor",
];

/** Not expressions at all, as far as we know them. */
const REFUSED = [
  "constructor.constructor('globalThis.polluted = 1')()",
  "space.vars.name.constructor.constructor('globalThis.polluted = 1')()",
  "eval('globalThis.polluted = 1')",
  "Function('globalThis.polluted = 1')()",
  "(() => globalThis.polluted = 1)()",
  "function () { return 1 }",
  "space.vars.yes = false",
  "space.vars.n++",
  "delete space.vars",
  "new Date()",
  "import('node:fs')",
  "require('node:fs')",
  "process.exit(1)",
  "`a`",
  "space.vars.name.replace(/a/, 'b')",
  "space.vars.name.toString()",
  "space.vars.name['toUpperCase']()",
  "space.vars.name.at(0)",
  "'a'.repeat(1000000000)",
  "{}",
  "{ a: 1 }",
  "a, b",
  "a; b",
  "await x",
  "yield",
  "...space.vars",
  "/a/.test('a')",
  "space.vars.yes |> x",
  "2 ** 1000",
  "1 << 31",
  "@x",
  "'",
  "((",
  "a b",
  "'\\u0063onstructor'",
];

afterEach(() => {
  expect((globalThis as { polluted?: unknown }).polluted).toBeUndefined();
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

describe("S13: code injection through expressions", () => {
  test("S13: an expression that tries to run code shows nothing and decides nothing", async () => {
    for (const expression of [...REACHING, ...REFUSED]) {
      const shown = `<code class="expression">${expression}</code>`;
      const text = `Start ${shown} end\n\n{% if ${expression} %}\nguarded\n{% endif %}\n\n<p>${shown}</p>`;
      const seen = await evaluated(setting, space, await newPage(setting, space, "A", text));
      expect(seen, expression).not.toContain("guarded");
      const [line, html] = [seen.split("\n")[0], seen.split("\n").at(-1)];
      expect([`Start ${shown} end`, "Start  end", "Start false end"], expression).toContain(line);
      expect([`<p>${shown}</p>`, "<p></p>", "<p>false</p>"], expression).toContain(html);
    }
  });

  test("S13: valid expressions still work", async () => {
    const text =
      'A <code class="expression">space.vars.name.toUpperCase()</code>\n\n{% if space.vars.yes && space.vars.n > 2 %}\nguarded\n{% endif %}\n';
    const seen = await evaluated(setting, space, await newPage(setting, space, "A", text));
    expect(seen).toContain("OCTAVO");
    expect(seen).toContain("guarded");
  });

  test("S13: a value is text and never syntax: no markup, expression, tag or link", async () => {
    const values = [
      "<script>alert(1)</script>",
      "<img src=x onerror=alert(1)>",
      "[a](javascript:alert(1))",
      "![a](https://evil.test/x.png)",
      '<code class="expression">space.vars.secret</code>',
      '{% include "/reusable-contents/x" %}',
      "https://evil.test",
      "www.evil.test",
      "evil@evil.test",
      "**bold** `code` ~~x~~ $$x$$ :smile:",
      "a | b | c",
      "](javascript:alert(1))",
      "```\n</code>",
      "\n\n# Heading\n\n",
      "&lt;script&gt;",
      "[^1]",
      "\\",
    ];
    for (const value of values) {
      await changed(setting, space, [{ operation: "set_variables", variables: { value, secret: "SECRET" } }]);
      const text = 'Start <code class="expression">space.vars.value</code> end.\n';
      const id = await newPage(setting, space, "A", text);
      const { body } = await read(setting, space, id, "?evaluated=true&format=document");
      const [block, ...others] = body.document.nodes;
      expect([others.length, block.type, block.nodes.map((it: { object: string }) => it.object)], value).toEqual([
        0,
        "paragraph",
        ["text"],
      ]);
      const said = block.nodes[0].leaves.map((leaf: { text: string }) => leaf.text).join("");
      expect(said.replace(/\s+/g, " ")).toBe(`Start ${value} end.`.replace(/\s+/g, " "));
    }
  });

  test("S13: a condition in a value is evaluated like one in a text and protects its content", async () => {
    const value = "{% if true %}open{% endif %} {% if visitor.claims.x %}guarded{% endif %} {% if *x* %}guarded";
    await changed(setting, space, [{ operation: "set_variables", variables: { value } }]);
    const text = 'Start <code class="expression">space.vars.value</code> end.\n';
    expect(await evaluated(setting, space, await newPage(setting, space, "A", text))).toBe("Start open end.\n");
  });

  test("S13: a value cannot complete a link, an image or a tag that its author began", async () => {
    await changed(setting, space, [
      { operation: "set_variables", variables: { url: "javascript:alert(1)", close: ")", tag: "endif %}" } },
    ]);
    const expression = (name: string) => `<code class="expression">space.vars.${name}</code>`;
    const texts = [
      `[a](${expression("url")})`,
      `![a](${expression("url")})`,
      `[a](javascript:alert(1)${expression("close")}`,
      `<a href="${expression("url")}">a</a>`,
      `<img src="${expression("url")}">`,
      `<${expression("url")}>`,
      `[a][b]\n\n[b]: ${expression("url")}`,
      `{% embed url="${expression("url")}" %}`,
      `{% if space.vars.no %}\nguarded\n{% ${expression("tag")}`,
    ];
    for (const text of texts) {
      const id = await newPage(setting, space, "A", text);
      const { body } = await read(setting, space, id, "?evaluated=true&format=document");
      expect(JSON.stringify(body.document), text).not.toMatch(/"url":"\s*javascript/i);
    }
  });

  test("S13: expressions in code stay as written", async () => {
    const inside = '<code class="expression">space.vars.name</code> {{ constructor }} <%= 7*7 %> #{7*7}';
    const text = `\`\`\`js\n${inside}\n{% if space.vars.yes %}\n\`\`\`\n\n\`${inside}\`\n\n    ${inside}\n`;
    const id = await newPage(setting, space, "A", text);
    expect(await evaluated(setting, space, id)).toBe(text);
    const { body } = await read(setting, space, id, "?evaluated=true&format=document");
    expect(JSON.stringify(body.document)).not.toContain('"type":"expression"');
    expect(JSON.stringify(body.document).split("{{ constructor }} <%= 7*7 %> #{7*7}")).toHaveLength(4);
  });

  test("S13: nothing is evaluated unless requested", async () => {
    const text = 'A <code class="expression">space.vars.name</code>\n\n{% if space.vars.yes %}\nb\n{% endif %}\n';
    const id = await newPage(setting, space, "A", text);
    for (const query of ["", "?evaluated=false"])
      expect((await read(setting, space, id, query)).body.markdown).toBe(text);
    const { body } = await read(setting, space, id, "?format=document");
    expect(JSON.stringify(body.document)).toContain('"expression":"space.vars.name"');
  });

  test("S13: an include inserts only reusable content of the same space", async () => {
    const other = await newSpace(setting);
    const made = await changed(setting, other, [
      { operation: "insert_reusable_content", title: "Secret", document: { markdown: "SECRET" } },
      page("Secret", "SECRET"),
    ]);
    const { reusableContent } = made.changes[0];
    const own = await newPage(setting, space, "Own", "SECRET of the page");
    const hrefs = [
      `/reusable-contents/${reusableContent}`,
      `/spaces/${other}/reusable-contents/${reusableContent}`,
      `/pages/${made.changes[1].page.id}`,
      `/spaces/${other}/pages/${made.changes[1].page.id}`,
      `/pages/${own}`,
      "own.md",
      ".gitbook/includes/secret.md",
      "../.gitbook/includes/secret.md",
      "file:///etc/passwd",
      "/etc/passwd",
      "https://evil.test/",
      "../../../../etc/passwd",
    ];
    const text = hrefs.map((href) => `{% include "${href}" %}`).join("\n\n");
    const seen = await evaluated(setting, space, await newPage(setting, space, "A", text));
    expect(seen).not.toMatch(/SECRET|root:/);
    expect(seen.trimEnd()).toBe(text);
  });
});

describe("S36: access to constructors", () => {
  test("S36: a condition that reaches for constructors is rejected or kept without effect", async () => {
    for (const condition of REACHING) {
      const answer = await change(setting, space, [page("A", "", { condition })]);
      if (answer.status === 200)
        expect((await read(setting, space, answer.body.changes[0].page.id)).body.condition).toBe(condition);
      else expect(issueIn(answer)).toMatchObject({ status: 400, path: "body.changes.0.condition" });
    }
  });

  test("S36: an invalid condition is rejected with the position", async () => {
    for (const condition of REFUSED) {
      for (const operation of [page("A", "", { condition }), { operation: "insert_group", title: "A", condition }]) {
        const issue = issueIn(await change(setting, space, [operation]));
        expect(issue).toMatchObject({ status: 400, path: "body.changes.0.condition" });
        const at = Number(/\(at (\d+)\)$/.exec(issue.message)?.[1] ?? Number.NaN);
        expect([at >= 0, at <= condition.length], issue.message).toEqual([true, true]);
      }
    }
  });

  test("S36: a condition must not be an object, a number or a list", async () => {
    for (const condition of [1, true, ["a"], { toString: "x" }, { length: 1 }])
      expect(issueIn(await change(setting, space, [page("A", "", { condition })])).path).toBe(
        "body.changes.0.condition",
      );
  });
});

describe("S37: limits of expressions", () => {
  const deep: [name: string, expression: (n: number) => string][] = [
    ["parentheses", (n) => `${"(".repeat(n)}a${")".repeat(n)}`],
    ["lists", (n) => `${"[".repeat(n)}a${"]".repeat(n)}`],
    ["negations", (n) => `${"!".repeat(n)}a`],
    ["signs", (n) => `${"-+".repeat(n / 2)}a`],
    ["members", (n) => `a${"[a".repeat(n)}${"]".repeat(n)}`],
    ["choices", (n) => `${"a ? ".repeat(n)}a${" : a".repeat(n)}`],
    ["calls", (n) => `${"a.trim(".repeat(n)}${")".repeat(n)}`],
  ];

  test("S37: 1,024 characters are accepted, and one more is rejected", async () => {
    const fits = `a${"&&a".repeat(85)}`.padEnd(1024, " ");
    expect((await change(setting, space, [page("A", "", { condition: fits })])).status).toBe(200);
    for (const condition of [`${fits} `, "x".repeat(1_000_000)])
      expect(issueIn(await change(setting, space, [page("A", "", { condition })]))).toMatchObject({
        status: 400,
        path: "body.changes.0.condition",
        message: expect.stringContaining("1024"),
      });
  });

  test.each(deep)(
    "S37: nested %s are rejected with the position and have no effect in a text",
    async (_, expression) => {
      for (const n of [40, 120]) {
        const condition = expression(n);
        const issue = issueIn(await change(setting, space, [page("A", "", { condition })]));
        expect(issue).toMatchObject({ status: 400, path: "body.changes.0.condition" });
        expect(issue.message).toMatch(/\(at \d+\)$/);
      }
      const huge = expression(20_000);
      const text = `{% if ${huge} %}\nguarded\n{% endif %}\n\n<code class="expression">${huge}</code>\n`;
      const seen = await evaluated(setting, space, await newPage(setting, space, "A", text));
      expect(seen).not.toContain("guarded");
    },
  );

  test("S37: a condition in front matter that is too long is rejected, and an invalid one is kept and never met", async () => {
    const text = (condition: string) => `---\nif: ${JSON.stringify(condition)}\n---\n# A\n`;
    expect(issueIn(await change(setting, space, [page("A", text("a".repeat(1025)))]))).toMatchObject({
      status: 400,
      path: "body.changes.0.document",
      message: expect.stringContaining("1024"),
    });
    const id = await newPage(setting, space, "A", text("((("));
    expect((await read(setting, space, id)).body.markdown).toBe(text("((("));
  });

  test("S37: three thousand expressions in one text are each bounded", async () => {
    const text =
      `<code class="expression">${"(".repeat(500)}</code> <code class="expression">space.vars.n</code>\n`.repeat(1_500);
    const seen = await evaluated(setting, space, await newPage(setting, space, "A", text));
    expect(seen).not.toContain("((((");
  });
});
