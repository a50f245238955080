// Evaluates Markdown for a visitor: conditions, values and includes.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SourceNode } from "../../../src/content/markdown/nodes";
import { parseMarkdown } from "../../../src/content/markdown/parse";
import { runs } from "../../support/test-length";
import { evaluateMarkdown } from "../at-once";

const scope = {
  space: { vars: { version: "2.1.0", yes: true, name: "A *b* <i>", count: 5, pipe: "x|y" } },
  page: { vars: { plan: "pro" } },
  visitor: { claims: { groups: ["staff"] } },
};
const files: Record<string, string> = {
  "note.md": "---\ntitle: A note\n---\n\nFirst.\n\nSecond.\n",
  "list.md": "- x\n- y\n",
  "empty.md": "---\ntitle: Nothing\n---\n",
  "values.md": 'On {% x %} <code class="expression">page.vars.plan</code>.\n\n{% if space.vars.no %}\nNo.\n{% endif %}',
  "outer.md": 'Outer.\n\n{% include "note.md" %}',
  "itself.md": 'Again:\n\n{% include "itself.md" %}',
};
const expression = (source: string) => `<code class="expression">${source}</code>`;
const evaluated = (text: string) => evaluateMarkdown(text, { scope, getIncludedText: (href) => files[href] }).text;

describe("conditions", () => {
  test.each([
    ["that holds, without its tags", "a\n\n{% if space.vars.yes %}\nb\n{% endif %}\n\nc", "a\n\n\nb\n\n\nc"],
    ["that does not hold, without all of it", "a\n\n{% if space.vars.no %}\nb\n{% endif %}\n\nc", "a\n\n\n\nc"],
    ["that is empty", "{% if %}\nb\n{% endif %}", "\nb\n"],
    ["that fails", "{% if a.b.c %}\nb\n{% endif %}", ""],
    ["that cannot be read", "{% if a = 1 %}\nb\n{% endif %}", ""],
    ["inside another", "{% if true %}\n{% if false %}\na\n{% endif %}\nb\n{% endif %}", "\n\nb\n"],
    ["inside one that does not hold", "{% if false %}\n{% if true %}\na\n{% endif %}\n{% endif %}b", "b"],
    ["on one line, its neighbours apart", "a\n{% if true %}b{% endif %}\nc", "a\n\nb\n\nc"],
    ["on one line, gone", "a\n{% if false %}b{% endif %}\nc", "a\n\nc"],
    ["in a quote", "> a\n> {% if true %}b{% endif %}\n> c", "> a\n> \n> b\n>\n> c"],
    ["in an item", "- {% if true %}\n  b\n  {% endif %}\n- c", "- \n  b\n  \n- c"],
    ["in a tag", "{% hint %}{% if true %}a{% endif %}{% endhint %}", "{% hint %}\na\n{% endhint %}"],
    ["with Windows line endings", "a\r\n{% if true %}b{% endif %}\r\nc", "a\r\n\r\nb\r\n\r\nc"],
    ["of groups", "{% if visitor.claims.groups.includes('staff') %}\na\n{% endif %}", "\na\n"],
    ["that is never closed", "b\n\n{% if false %}\na", "b\n\n"],
    ["that is never closed but empty", "{% if %}\na", "{% if %}\na"],
    ["in a paragraph", "a {% if true %}b{% endif %} c {% if false %}d{% endif %}.", "a b c ."],
    ["in a heading", "## a{% if false %} b{% endif %}", "## a"],
    ["in cells", "| a |\n|---|\n| {% if false || false %}b{% endif %} |", "| a |\n|---|\n|  |"],
    ["in HTML", "<p>a{% if false %}b{% endif %}{% if true %}c{% endif %}</p>", "<p>ac</p>"],
    [
      "in a title",
      '{% tabs %}{% tab title="a{% if false %}b{% endif %}" %}x{% endtab %}{% endtabs %}',
      '{% tabs %}{% tab title="a" %}x{% endtab %}{% endtabs %}',
    ],
    ["in an address", "[a](https://a.org/{% if false %}b{% endif %})", "[a](https://a.org/)"],
    ["with another branch, which nobody sees", "a {% if true %}b{% else %}c{% endif %} d", "a b d"],
    ["over several paragraphs", "a {% if false %}b\n\nc {% endif %}d", "a d"],
    ["that ends in an item", "{% if false %}\na\n\n- b {% endif %}\n- c", "\n- c"],
    ["that closes nothing", "a\n\nb {% endif %} c", " c"],
    ["that spans lines", "a {% if true\n&& true %}b{% endif %} c", "a  c"],
    ["of another language", "a\n{%- if true -%}b{%- endif -%} c", "a\n"],
    ["of an unknown kind", "a\n\n{% unless visitor.claims.b %}\nb\n{% endunless %}\n\nc", "a\n\n"],
    ["of a name that nobody knows", "a {% wenn visitor.claims.b %}b{% endif %} c", "a  c"],
    ["in a member of a tag", '{% hint if="visitor.claims.b" %}\nb\n{% endhint %}', ""],
    ["that goes on behind code", "a {% if false %}b `{% endif %}` c", "a "],
    ["that a stray mark of code hides", "a ` {% if true %}b` c{% endif %} d", "a `  d"],
    ["in code that never ends", "a\n\n```\n{% if false %}b{% endif %}", "a\n\n```\n"],
    ["in indented code", "a\n\n    {% if false %}b{% endif %}", "a\n\n    "],
    ["in a comment", "a\n\n<!-- {% if false %}b{% endif %} -->", "a\n\n<!--  -->"],
    ["behind a backslash, where HTML does not know one", "<p>\\{% if false %}b{% endif %}</p>", "<p>\\</p>"],
    ["behind a backslash", "a \\{% if false %}b\\{% endif %}", "a \\{% if false %}b\\{% endif %}"],
    ["in a code span", "a `{% if false %}` b `{% endif %}` c", "a `{% if false %}` b `{% endif %}` c"],
    ["in a code block", "```\n{% if false %}\na\n{% endif %}\n```", "```\n{% if false %}\na\n{% endif %}\n```"],
    [
      "in details",
      "<details><summary>s</summary>\n\n{% if false %}\na\n{% endif %}\n\n</details>",
      "<details><summary>s</summary>\n\n\n\n</details>",
    ],
  ])("a condition is evaluated: %s", (_, text, expected) => {
    expect(evaluated(text)).toBe(expected);
  });
});

describe("expressions", () => {
  test.each([
    ["in a paragraph", `v${expression("space.vars.version")}!`, "v2.1.0!"],
    ["in a heading", `# On ${expression("page.vars.plan")}`, "# On pro"],
    ["in a cell", `| a |\n|---|\n| ${expression("space.vars.pipe")} |`, "| a |\n|---|\n| x\\|y |"],
    ["in a link's text", `[v${expression("space.vars.version")}](x.md)`, "[v2.1.0](x.md)"],
    ["between marks", `**${expression("page.vars.plan")}**`, "**pro**"],
    ["that looks like Markdown and HTML", expression("space.vars.name"), "A \\*b\\* \\<i\\>"],
    ["that would begin a list", expression("'1. x'"), "1\\. x"],
    ["that would number one", `${expression("space.vars.count")}. x`, "&#53;. x"],
    ["that would be a reference", `&${expression("'lt'")};`, "&&#108;t;"],
    [
      "that would be an address",
      expression("'www.a.org x@y.org https://b.org'"),
      "www\\.a.org x\\@y.org https\\://b.org",
    ],
    ["of several lines", expression("'a\\n\\n# b'"), "a \\# b"],
    ["with spaces around it", `**a${expression("' b '")}**`, "**a&#32;b&#32;**"],
    ["behind the beginning of an address", `https://${expression("'api.org'")}/v1`, "https://api.org/v1"],
    ["that is missing", `a${expression("space.vars.missing")}b`, "ab"],
    ["that fails", `a${expression("x.y.z")}b`, "ab"],
    ["that is an object", `a${expression("space.vars")}b`, "ab"],
    ["with references in its source", expression("space.vars.count &gt; 4 &amp;&amp; 'yes'"), "yes"],
    [
      "in HTML",
      `<table><td>${expression("space.vars.name")}</td></table>`,
      "<table><td>A &#42;b&#42; &#60;i&#62;</td></table>",
    ],
    [
      "in a title of details",
      `<details><summary>${expression("space.vars.count")}</summary>\n\na\n\n</details>`,
      "<details><summary>5</summary>\n\na\n\n</details>",
    ],
  ])("an expression is evaluated: %s", (_, text, expected) => {
    expect(evaluated(text)).toBe(expected);
  });

  test.each([
    ["in code", `\`${expression("space.vars.count")}\``],
    ["in a fence", `\`\`\`\n${expression("space.vars.count")}\n\`\`\``],
    ["in a comment", `<!-- ${expression("space.vars.count")} -->`],
    ["in other braces", "{{ space.vars.count }} {space.vars.count}"],
    ["in front matter", `---\nicon: x\ntitle: ${expression("space.vars.count")}\n---\n`],
    ["that would be the target of a link", `[a](${expression("page.vars.plan")})`],
    ["that would be the target of a definition", `[a]: ${expression("page.vars.plan")}`],
    ["that would be in a tag of HTML", `a <a href="${expression("page.vars.plan")}">b</a>`],
    ["that would be in a tag", `a\n\n{% x ${expression("page.vars.plan")} %}`],
    ["that is not closed", 'a <code class="expression">page.vars.plan'],
  ])("%s stays as written", (_, text) => {
    expect(evaluated(text)).toBe(text);
  });

  test.each([
    ["in the target of a link", (it: string) => `[a](${it})`],
    ["in a tag of HTML", (it: string) => `a <a href="${it}">b</a>`],
    ["in a comment", (it: string) => `<!-- ${it} -->`],
    ["that is not closed", (it: string) => `a ${it.slice(0, -7)}`],
  ])("an expression about the visitor's %s does not reveal what others see", (_, around) => {
    expect(evaluated(around(expression("visitor.claims.vip ? 'secret' : ''")))).toBe(around(expression("visitor")));
  });

  test("an expression about the visitor in code stays an example", () => {
    const text = `\`${expression("visitor.claims.vip ? 'shown' : ''")}\``;
    expect(evaluated(text)).toBe(text);
  });

  test("an expression that contains a condition is evaluated", () => {
    const scope = { space: { vars: { v: "a {% if visitor.claims.vip %}secret{% endif %}" } }, visitor: { claims: {} } };
    expect(evaluateMarkdown(`${expression("space.vars.v")}!`, { scope, getIncludedText: () => undefined }).text).toBe(
      "a!",
    );
  });

  test("an expression that stays keeps only the expressions of its own block", () => {
    const value = expression("page.vars.plan");
    expect(evaluated(`${value}\n\n[a](${value}) ${value}\n\n${value}`)).toBe(`pro\n\n[a](${value}) ${value}\n\npro`);
  });

  /** The parts of a tree that are not words, and the words between them without spaces. */
  function parts(nodes: readonly SourceNode[], value: string): unknown[] {
    const found: unknown[] = [];
    const add = (words: string) => {
      const bare = words.replace(/\s+/g, "");
      if (bare === "") return;
      if (typeof found.at(-1) === "string") found.push(String(found.pop()) + bare);
      else found.push(bare);
    };
    for (const node of nodes) {
      if (node.type === "text") add(node.value);
      else if (node.type === "expression") add(value);
      else if (node.type === "html") found.push(["html"]);
      else if ("children" in node) found.push([node.type, "url" in node && node.url, parts(node.children, value)]);
      else found.push([node.type, "value" in node && node.value, "code" in node && node.code]);
    }
    return found;
  }

  test("S13, S16: the value of an expression and its surroundings are plain text", () => {
    const mark = fc.constantFrom(
      ...[
        "[",
        "]",
        "(",
        ")",
        "<",
        ">",
        "&",
        ";",
        ":",
        "#",
        "-",
        "+",
        ".",
        "1",
        "a",
        " ",
        "\n",
        "`",
        "$",
        "|",
        "{",
        "}",
        "%",
      ],
      ...[
        "!",
        "\\",
        '"',
        "'",
        "=",
        "/",
        "w",
        "^",
        "amp",
        "lt",
        "script",
        "](",
        "]: ",
        "1. ",
        "- ",
        "{% x %}",
        "&#",
        "  \n",
      ],
    );
    const around = fc.array(mark, { maxLength: 6 }).map((it) => it.join(""));
    const hostile = fc.array(fc.oneof(mark, fc.constantFrom("*", "_", "~", "@", "http://", "www.")), { maxLength: 6 });
    let put = 0;
    fc.assert(
      fc.property(around, hostile, around, fc.boolean(), (before, marks, behind, isTwice) => {
        const value = marks.join("");
        fc.pre(value.trim() !== "");
        const one = expression("space.vars.v");
        const source = before + one + behind + (isTwice ? one + behind : "");
        const { text } = evaluateMarkdown(source, {
          scope: { space: { vars: { v: value } } },
          getIncludedText: () => undefined,
        });
        if (text.includes("<code")) return;
        put++;
        expect(parts(parseMarkdown(text).children, "")).toEqual(parts(parseMarkdown(source).children, value));
      }),
      { numRuns: runs(5000) },
    );
    expect(put).toBeGreaterThan(runs(1000));
  });
});

describe("includes", () => {
  test.each([
    ["between paragraphs", 'a\n\n{% include "note.md" %}\n\nb', "a\n\nFirst.\n\nSecond.\n\nb"],
    ["close to its neighbours", 'a\n{% include "note.md" %}\nb', "a\n\nFirst.\n\nSecond.\n\nb"],
    ["in a quote and an item", '> - {% include "note.md" %}\n> - z', "> - First.\n>\n>   Second.\n> - z"],
    ["in a tag", '{% hint %}{% include "list.md" %}{% endhint %}', "{% hint %}\n- x\n- y\n{% endhint %}"],
    ["with Windows line endings", 'a\r\n{% include "note.md" %}', "a\r\n\r\nFirst.\r\n\r\nSecond."],
    ["of a file without a body", 'a\n\n{% include "empty.md" %}\n\nb', "a\n\n\n\nb"],
    ["whose text has values and conditions", '{% include "values.md" %}', "On {% x %} pro."],
    ["in an include", '{% include "outer.md" %}', "Outer.\n\nFirst.\n\nSecond."],
    ["in a condition that holds", '{% if true %}\n{% include "list.md" %}\n{% endif %}', "\n- x\n- y\n"],
  ])("an include is evaluated: %s", (_, text, expected) => {
    expect(evaluated(text)).toBe(expected);
  });

  test.each([
    ["that is unknown", '{% include "missing.md" %}'],
    ["without an address", "{% include %}"],
    ["without quotes", "{% include note.md %}"],
    ["in a paragraph", 'a {% include "note.md" %} b'],
    ["in a code block", '    {% include "note.md" %}'],
  ])("the include %s stays as written", (_, text) => {
    expect(evaluated(text)).toBe(text);
  });

  test("the includes that were filled are reported once each with their positions", () => {
    const asked: (string | undefined)[][] = [];
    const { includes } = evaluateMarkdown(
      '{% include "outer.md" %}\n\n{% include "note.md" %}\n\n{% include "missing.md" %}\n\n{% if false %}\n{% include "list.md" %}\n{% endif %}',
      {
        scope,
        getIncludedText: (href, from) => {
          asked.push([href, from]);
          return files[href];
        },
      },
    );
    expect(includes.toSorted()).toEqual(["note.md", "outer.md"]);
    expect(asked).toEqual([
      ["outer.md", undefined],
      ["note.md", "outer.md"],
      ["note.md", undefined],
      ["missing.md", undefined],
    ]);
  });

  test("an include of itself stays where it would recur", () => {
    expect(evaluated('{% include "itself.md" %}')).toBe('Again:\n\n{% include "itself.md" %}');
  });

  test("includes nest at most eight levels", () => {
    const { text, includes } = evaluateMarkdown('{% include "0" %}', {
      scope,
      getIncludedText: (href) => `${href}\n\n{% include "${Number(href) + 1}" %}`,
    });
    expect(includes).toEqual(["7", "6", "5", "4", "3", "2", "1", "0"]);
    expect(text).toBe('0\n\n1\n\n2\n\n3\n\n4\n\n5\n\n6\n\n7\n\n{% include "8" %}');
  });

  test("S40: includes that multiply end at one mebibyte", () => {
    for (const word of ["", "word ".repeat(1000)]) {
      const { text } = evaluateMarkdown('{% include "0" %}', {
        scope,
        getIncludedText: (href) => word + `\n\n{% include "${Number(href) + 1}" %}`.repeat(50),
      });
      expect(text.length).toBeLessThanOrEqual(1 << 20);
      expect(text).toContain("{% include");
    }
  });

  test("S40: values that multiply end at one mebibyte", () => {
    const source = `${expression("space.vars.long")}\n\n`.repeat(5000);
    const long = "a".repeat(9000);
    const { text } = evaluateMarkdown(source, {
      scope: { space: { vars: { long } } },
      getIncludedText: () => undefined,
    });
    expect(text.length).toBeLessThanOrEqual(1 << 20);
    expect(text.startsWith(`${long}\n\n${long}\n\n`)).toBe(true);
    expect(text.endsWith(`${expression("space.vars.long")}\n\n`)).toBe(true);
  });
});

describe("any text", () => {
  test("a text without anything to evaluate stays byte for byte", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
        expect(evaluated(text)).toBe(text);
      }),
    );
  });

  test("any text is evaluated without an exception and leaves nothing to evaluate", () => {
    const piece = fc.constantFrom(
      ...["{% if true %}", "{% if false %}", "{% endif %}", '{% include "note.md" %}', '{% include "values.md" %}'],
      ...[
        "{% hint %}",
        "{% endhint %}",
        "> ",
        "- ",
        "1. ",
        "    ",
        "\n",
        "\n\n",
        "\r\n",
        "text",
        "<details>",
        "</details>",
      ],
      ...["```\n", "| a |\n|---|\n", expression("page.vars.plan"), expression("'*'"), "<p>", "[^1]: ", "# ", "---\n"],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const once = evaluated(pieces.join(""));
        expect(allTags(parseMarkdown(once).children)).not.toContain("closed if");
      }),
      { numRuns: runs(1000) },
    );
  });

  function allTags(nodes: readonly SourceNode[]): string[] {
    return nodes.flatMap((node) => [
      ...(node.type === "tag" ? [node.close ? `closed ${node.name}` : node.name] : []),
      ...("children" in node ? allTags(node.children) : []),
    ]);
  }

  test("S39: a large text crafted to be slow is evaluated in time", () => {
    const pieces = [
      ...["{% if true %}", "{% if true %}a{% endif %}", '{% include "empty.md" %}', "{% if true %}\n", "{% endif %}"],
      ...[
        expression("1"),
        '<code class="expression">',
        "</code>",
        `[${expression("1")}`,
        `[a](${expression("1")})\n\n`,
      ],
      ...[
        `<p>${expression("1")}\n`,
        '<p><code class="expression">\n',
        `:${expression("1")}:`,
        `> ${expression("1")}\n`,
      ],
    ];
    for (const piece of pieces) {
      const text = piece.repeat(Math.floor(runs(1_000_000) / piece.length));
      expect(evaluated(text).length).toBeLessThanOrEqual(1 << 20);
    }
  });
});
