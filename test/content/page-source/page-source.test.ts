// Page files with front matter: reading, composing and changing them.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addFrontMatterFields } from "../../../src/content/book/page-text";
import { readMarkdown } from "../../../src/content/markdown/read";
import {
  composePageSource,
  type PageSourceChanges,
  parsePageSource,
  updatePageSource,
} from "../../../src/content/page-source";
import { parseAliases } from "../../../src/content/page-source/aliases";
import { runs } from "../../support/test-length";

const bodyOf = (text: string) => text.slice(parsePageSource(text).bodyStart);
const messages = (text: string) => parsePageSource(text).issues.map(({ message }) => message);

describe("TOML front matter", () => {
  const toml = [
    "+++",
    "# A comment",
    'title = "How to \\"begin\\"" # said first',
    "description = 'Step by step'",
    "date = 2024-05-06",
    "draft = false",
    "tags = [",
    '  "start",',
    '  "two words",',
    "]",
    'aliases = ["/old", "older"]',
    "[vars]",
    'plan = "pro"',
    "seats = 5",
    "+++",
    "",
    "# How to begin",
    "",
    "Text.",
    "",
  ].join("\n");

  test("TOML front matter provides fields, the title, old paths and the body", () => {
    expect(parsePageSource(toml)).toMatchObject({
      title: 'How to "begin"',
      fields: { description: "Step by step", tags: ["start", "two words"], vars: { plan: "pro", seats: 5 } },
      issues: [],
    });
    expect(bodyOf(toml)).toBe("Text.\n");
    expect(parseAliases(toml)).toEqual([
      { path: "/old", isRelative: false },
      { path: "older", isRelative: true },
    ]);
    expect(readMarkdown(toml).document.nodes.map(({ type }) => type)).toEqual(["paragraph"]);
  });

  test("TOML front matter changes only where a value is", () => {
    const changed = updatePageSource(toml, { title: "New", tags: ["one"], description: null });
    expect(changed).toBe(
      toml
        .replace('"How to \\"begin\\""', '"New"')
        .replace("# How to begin", "# New")
        .replace("description = 'Step by step'\n", "")
        .replace('[\n  "start",\n  "two words",\n]', '["one"]'),
    );
    expect(updatePageSource(toml, { vars: { plan: "free" } })).toBe(toml);
    expect(updatePageSource(toml.replaceAll("\n", "\r\n"), { title: "New" })).toBe(
      toml.replace('"How to \\"begin\\""', '"New"').replace("# How to begin", "# New").replaceAll("\n", "\r\n"),
    );
  });

  test("new fields are added to TOML front matter before its tables", () => {
    const text = '+++\ntitle = "A"\n[vars]\nplan = "pro"\n+++\n\nText.\n';
    expect(addFrontMatterFields(text, { hidden: true }, undefined)).toBe(
      text.replace("[vars]", "hidden = true\n[vars]"),
    );
  });

  test.each([
    ["+++\nprose and more of it\n+++\n", 0],
    ["+++\ntitle = \n+++\n", 1],
    ["+++\n[[a]]\n[a]\n+++\n", 1],
    [`+++\na = ${"[".repeat(8000)}\n+++\n`, 1],
    ['+++\n"__proto__" = { title = "x" }\n+++\n', 0],
  ])("invalid TOML front matter states nothing and does no harm: %j", (text, issues) => {
    expect(parsePageSource(text)).toMatchObject({ fields: {} });
    expect(parsePageSource(text).title).toBeUndefined();
    expect(messages(text)).toHaveLength(issues);
    expect(updatePageSource(text, { title: "x" })).toBe(text);
  });
});

describe("reading a page file", () => {
  test("a page file provides the fields, the title and the body", () => {
    const text = `---
description: >-
  How to begin,
  step by step
icon: bolt # a comment
emoji: 1f600
cover: ../.gitbook/assets/cover.png
coverY: -12.5
hidden: true
noIndex: false
noRobotsIndex: true
if: visitor.claims.beta
tags: [start, "two words"]
vars:
  plan: pro
  seats: 5
  trial: false
layout:
  width: wide
  cover:
    visible: true
    size: full
  title: { visible: false }
  outline:
    visible: true
    unknown: 1
unknown: kept
---

# Getting *started*

The body.
`;
    expect(parsePageSource(text)).toEqual({
      fields: {
        description: "How to begin, step by step",
        icon: "bolt",
        emoji: "1f600",
        cover: "../.gitbook/assets/cover.png",
        coverY: -12.5,
        hidden: true,
        noIndex: false,
        noRobotsIndex: true,
        if: "visitor.claims.beta",
        tags: ["start", "two words"],
        vars: { plan: "pro", seats: 5, trial: false },
        layout: {
          width: "wide",
          cover: { visible: true, size: "full" },
          title: { visible: false },
          outline: { visible: true },
        },
      },
      title: "Getting started",
      bodyStart: text.indexOf("The body."),
      issues: [],
    });
  });

  test.each([
    ["nothing", "", {}, undefined, ""],
    ["a body alone", "Just text.\n", {}, undefined, "Just text.\n"],
    ["a title alone", "# Title", {}, "Title", ""],
    ["a byte order mark", "\ufeff---\nicon: bolt\n---\n# T\nx", { icon: "bolt" }, "T", "x"],
    ["Windows line endings", "---\r\nicon: bolt\r\n---\r\n\r\n# T\r\n\r\nx\r\n", { icon: "bolt" }, "T", "x\r\n"],
    ["spaces behind the fences", "---  \nicon: bolt\n---\t\nx", { icon: "bolt" }, undefined, "x"],
    ["empty front matter", "---\n---\nx", {}, undefined, "x"],
    ["comments alone in front matter", "---\n# no\n\n---\nx", {}, undefined, "x"],
    ["front matter at the very end", "---\nicon: bolt\n---", { icon: "bolt" }, undefined, ""],
    ["front matter that never closes", "---\nicon: bolt\n", {}, undefined, "---\nicon: bolt\n"],
    ["rules around prose", "---\n\nProse.\n\n---\n", {}, undefined, "---\n\nProse.\n\n---\n"],
    ["rules around a tag", "---\n{% hint %}\n---\n", {}, undefined, "---\n{% hint %}\n---\n"],
    ["a fence that is longer", "----\nicon: bolt\n----\n", {}, undefined, "----\nicon: bolt\n----\n"],
    ["a title in front matter and a heading", "---\ntitle: Front\n---\n# Head\nx", {}, "Front", "x"],
    ["an empty title in front matter", "---\ntitle: ''\n---\n# Head\nx", {}, "Head", "x"],
    ["values that look like numbers where text belongs", "---\ntitle: 1.10\nicon: 7\n---\n", { icon: "7" }, "1.10", ""],
    ["names without values", "---\nicon:\nlayout:\ntags: ~\n---\nx", {}, undefined, "x"],
    ["indented code after the title", "# T\n\n    code", {}, "T", "    code"],
  ])("a page file is parsed: %s", (_, text, fields, title, body) => {
    const page = parsePageSource(text);
    expect([page.fields, page.title, bodyOf(text)]).toEqual([fields, title, body]);
    expect(page.issues).toEqual([]);
  });

  test.each([
    ["# Plain", "Plain"],
    ["   # Indented   #", "Indented"],
    ["#\tTab", "Tab"],
    ["# C#", "C#"],
    ["# `code` and **bold _both_**", "code and bold both"],
    ["# [A link](x.md) ![An image](y.png)", "A link An image"],
    ["# AT&amp;T \\*literally\\*", "AT&T *literally*"],
    ['# Anchored <a href="#a" id="a"></a>', "Anchored"],
    ["Underlined\n===", "Underlined"],
    ["Two\nlines\n=\nx", "Two lines"],
    ["\n\n \n# After empty lines", "After empty lines"],
  ])("the title of %j is %j", (text, title) => {
    expect(parsePageSource(text).title).toBe(title);
  });

  test.each([
    "#",
    "# ",
    "#No space",
    "## Second level",
    "    # Code",
    "\\# Escaped",
    "- Item\n===",
    "> Quote\n===",
    "Under\n---",
    "A paragraph.\n\n# Later",
    "```\n# In a fence\n```",
    "{% hint %}\n===",
    "===",
  ])("%j has no title", (text) => {
    expect(parsePageSource(text)).toMatchObject({ fields: {}, issues: [] });
    expect(parsePageSource(text).title).toBeUndefined();
  });

  test("values of the wrong type are ignored and reported", () => {
    const text = `---
description: [a]
hidden: yes
coverY: high
icon: {a: 1}
tags: start
vars: {good: 1, bad: [1]}
layout: {width: wide, cover: true, outline: {visible: "no"}}
---
`;
    expect(parsePageSource(text).fields).toEqual({ vars: { good: 1 }, layout: { width: "wide", outline: {} } });
    expect(messages(text).sort()).toEqual([
      "coverY is not a number, and is ignored.",
      "description is not a text, and is ignored.",
      "hidden is not true or false, and is ignored.",
      "icon is not a text, and is ignored.",
      "layout.cover is not a map, and is ignored.",
      "layout.outline.visible is not true or false, and is ignored.",
      "tags is not a list of texts, and is ignored.",
      "vars.bad is not a text, a number, true or false, and is ignored.",
    ]);
  });

  test("front matter that is invalid as a whole is reported", () => {
    expect(messages("---\na: 'b\n---\n")).toEqual([expect.stringContaining("The front matter is not YAML")]);
    expect(messages("---\nicon: a\nicon: b\n---\n")).toEqual(["icon is stated twice; the first counts."]);
    expect(parsePageSource("---\nicon: a\nicon: b\n---\n").fields).toEqual({ icon: "a" });
    expect(messages(`---\na: ${"b".repeat(20_000)}\n---\n`)).toEqual([
      "The front matter has more than 16384 characters, and is ignored.",
    ]);
    expect(bodyOf("---\na: 'b\n---\nx")).toBe("x");
  });

  test("S7: names that lead to prototypes are harmless", () => {
    const text = `---
__proto__: {icon: polluted}
constructor: {prototype: {icon: polluted}}
vars:
  __proto__: {polluted: 1}
  constructor: polluted
  fine: 1
layout:
  __proto__: {width: polluted}
<<: {description: merged}
---
`;
    const { fields } = parsePageSource(text);
    expect(fields).toEqual({ vars: { fine: 1 }, layout: {} });
    expect(Object.keys(fields.vars!)).toEqual(["fine"]);
    expect(fields.icon).toBeUndefined();
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(updatePageSource(text, { vars: { fine: 2 } })).toContain("fine: 2");
  });

  test("S40: aliases are resolved but do not multiply", () => {
    expect(parsePageSource("---\ntitle: &t Ti\ndescription: *t\n---\n")).toMatchObject({
      title: "Ti",
      fields: { description: "Ti" },
    });
    const levels = Array.from({ length: 40 }, (_, i) => `l${i + 1}: &l${i + 1} [${`*l${i},`.repeat(9)}]`);
    const bomb = `---\nl0: &l0 [x]\n${levels.join("\n")}\ntags: *l40\nlayout: *l40\nvars: {a: *l40}\ndescription: d\n---\n`;
    expect(parsePageSource(bomb).fields).toEqual({ description: "d", vars: {} });
    const many = `---\na: &a x\nvars:\n${Array.from({ length: 1000 }, (_, i) => `  v${i}: *a\n`).join("")}---\n`;
    expect(Object.keys(parsePageSource(many).fields.vars!)).toHaveLength(16);
    expect(parsePageSource("---\nlayout: &l\n  cover: *l\n---\n").fields).toEqual({ layout: { cover: {} } });
  });

  test("S40: hostile front matter is read in time", () => {
    const size = 15_000;
    const hostile = ["[", "{a: ", "- ", "? ", "a: ", "a: ]\n", "!a ", "&a *a ", "'", '"\\', "|\n", "\t", "\n", "# \n"];
    for (const piece of hostile)
      for (const start of ["a: ", "a:\n ", "a: b\n"]) {
        const page = parsePageSource(`---\n${start}${piece.repeat(size / piece.length)}\n---\nx`);
        expect(page.bodyStart).toBeGreaterThanOrEqual(0);
      }
  });

  test("S39: a large text is read in time", () => {
    const size = runs(1_000_000);
    for (const piece of [
      "---\n",
      "--- \n",
      "\n",
      " ",
      "\t\n",
      "#",
      "# ",
      "=\n",
      "*",
      "[",
      "<",
      "a: b\n",
      "\r",
      "`",
      "&#",
      "_a",
    ])
      for (const start of ["", "---\n", "# ", "a\n", "---\na: b\n"])
        parsePageSource(start + piece.repeat(size / piece.length));
  });
});

describe("changing a page file", () => {
  const text = `---
# The top.
description: >-
  hello
  world

icon:   bolt   # why
emoji:
cover: # none yet
tags:   # words
  # first
  - a   # x
  - b
# after tags
layout:
    cover:
        visible: true   # shown

    # inner
    title: {visible: false}
    other: {x: 1}
vars: {a: 1, b: two} # small
unknown:   [12,  13]
---

# Old *title* <a id="old"></a>

Body  with   spaces.
`;

  test.each<[string, PageSourceChanges, string, string]>([
    ["a block of text", { description: "a: b" }, ">-\n  hello\n  world\n", '"a: b"\n'],
    ["a plain text, its comment kept", { icon: "rocket" }, "bolt ", "rocket "],
    ["a value that was empty", { emoji: "1f600" }, "emoji:", "emoji: 1f600"],
    ["a value that was a comment", { cover: "x.png" }, "cover: #", "cover: x.png #"],
    ["a list in lines", { tags: ["c, d", "e"] }, "- a   # x\n  - b", "- c, d\n  - e"],
    ["a list to an empty one", { tags: [] }, "   # words\n  # first\n  - a   # x\n  - b", " []"],
    ["a map on one line", { vars: { a: 1, c: true } }, "{a: 1, b: two}", "{ a: 1, c: true }"],
    ["the title", { title: "New [one]" }, "Old *title*", "New \\[one]"],
    ["what is stated, to what it is", { icon: "bolt", tags: ["a", "b"], vars: { b: "two", a: 1 } }, "", ""],
    ["what is not stated", { hidden: true, if: "x", coverY: 1 }, "", ""],
    ["removal", { icon: null }, "icon:   bolt   # why\n", ""],
    ["removal of a block", { description: null }, "description: >-\n  hello\n  world\n", ""],
    ["removal of an empty value", { emoji: null }, "emoji:\n", ""],
    ["removal of a map", { vars: null }, "vars: {a: 1, b: two} # small\n", ""],
    ["removal of the title", { title: null }, '# Old *title* <a id="old"></a>\n\n', ""],
    ["an empty title", { title: " \n" }, '# Old *title* <a id="old"></a>\n\n', ""],
    [
      "a part of a map, its neighbours kept",
      { layout: { cover: { visible: false, size: "full" }, title: { visible: false } } },
      "cover:\n        visible: true   # shown\n\n    # inner\n    title: {visible: false}\n    other: {x: 1}",
      "cover:\n      visible: false # shown\n      size: full\n\n    # inner\n    title: { visible: false }\n    other: { x: 1 }",
    ],
  ])("a page file is changed in place: %s", (_, changes, from, to) => {
    expect(text.split(from || text)).toHaveLength(2);
    const expected = from === "" ? text : text.replace(from, () => to);
    expect(updatePageSource(text, changes)).toBe(expected);
    const windows = (unix: string) => `\ufeff${unix.replaceAll("\n", "\r\n")}`;
    expect(updatePageSource(windows(text), changes)).toBe(windows(expected));
  });

  test("both statements of a title change", () => {
    expect(updatePageSource("---\ntitle: A\n---\n# B\nx", { title: "C" })).toBe("---\ntitle: C\n---\n# C\nx");
    expect(updatePageSource("---\ntitle: A\n---\n# B\nx", { title: null })).toBe("---\n---\nx");
  });

  test("an underlined title becomes a heading on one line", () => {
    expect(updatePageSource("Old\ntitle\n===\n\nx", { title: "- New" })).toBe("# - New\n\nx");
  });

  test("a heading without text gets one", () => {
    expect(updatePageSource("#\nx", { title: "New" })).toBe("# New\nx");
    expect(updatePageSource("# <a id='x'></a>\nx", { title: "New" })).toBe("# New\nx");
  });

  test("a key that is stated twice is removed twice", () => {
    expect(updatePageSource("---\nicon: a\nhidden: true\nicon: b\n---\n", { icon: null })).toBe(
      "---\nhidden: true\n---\n",
    );
  });

  test("a value with an alias stays if removing it would break the alias", () => {
    const referred = "---\ndescription: &d text\nunknown: *d\n---\n";
    expect(updatePageSource(referred, { description: null })).toBe(referred);
    expect(updatePageSource(referred, { description: "new" })).toBe(referred.replace("text", "new"));
    const inside = "---\nx: &x 1\nvars:\n  a: *x\n  b: 2\n---\n";
    expect(updatePageSource(inside, { vars: { a: 1, b: 3 } })).toBe(inside);
  });

  test("invalid front matter stays", () => {
    const broken = "---\nicon: 'a\n---\n# T\n";
    expect(updatePageSource(broken, { icon: "b", title: "U" })).toBe("---\nicon: 'a\n---\n# U\n");
  });
});

describe("any page file", () => {
  const word = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("a: b", "- x", "#", "true", "12", "a\nb", "---", "~"),
  );
  const flag = fc.boolean();
  const shown = fc.record({ visible: flag });
  const name = fc.stringMatching(/^[a-z]{1,5}$/);
  const values = {
    description: word,
    icon: word,
    cover: word,
    if: word,
    coverY: fc.integer(),
    hidden: flag,
    noIndex: flag,
    tags: fc.array(word, { maxLength: 3 }),
    vars: fc.dictionary(name, fc.oneof(word, fc.integer(), flag), { maxKeys: 3, noNullPrototype: true }),
    layout: fc.record(
      { width: word, cover: fc.record({ visible: flag, size: word }), title: shown },
      { requiredKeys: [] },
    ),
  } as const;
  const changes = fc.record(values, { requiredKeys: [] }) as fc.Arbitrary<PageSourceChanges>;

  /** One way in which somebody may have written each field. */
  const written: Record<keyof typeof values, readonly string[]> = {
    description: [
      "description: short",
      "description: >-\n  two\n  lines\n",
      "description: |\n  kept",
      'description: "a\n  b" # c',
    ],
    icon: ["icon: bolt", "icon:", "icon: 'q' # why", "icon: [wrong]"],
    cover: ["cover: a.png", '"cover": x', "? cover\n: y"],
    if: ["if: a && b", "if: # nothing"],
    coverY: ["coverY: 0", "coverY: 0x10", "coverY: wrong"],
    hidden: ["hidden: true", "hidden: !!bool true", "hidden: &h false"],
    noIndex: ["noIndex: false"],
    tags: ["tags: [a, b]", "tags:\n  - a # x\n  - b", "tags:\n- a\n\n- b\n", "tags: [\n  a, b ]", "tags:"],
    vars: [
      "vars:\n  a: 1 # one\n\n  b: x\n  # tail",
      "vars: {a: 1}",
      "vars: &v\n    c: |\n      text",
      "vars: {}",
      "vars:",
    ],
    layout: [
      "layout:\n  cover:\n    visible: true # v\n    # in cover\n  unknown: 1",
      "layout: {title: {visible: false}, unknown: [1]}",
      "layout:\n    # lead\n    title: { visible: true }\n\n    width: wide",
    ],
  };
  const piece = fc.constantFrom(
    ...[
      "# a comment",
      "",
      "unknown: {a: [1,  2]}",
      "other:  x   # c",
      "block: |\n  text\n\n  more",
      "list:\n  - a\n  -   b",
    ],
  );
  const names = Object.keys(values) as (keyof typeof values)[];
  const pieces = fc
    .shuffledSubarray(names)
    .chain((chosen) =>
      fc.tuple(
        fc.tuple(...chosen.map((field) => fc.tuple(fc.constant(field), fc.constantFrom(...written[field])))),
        fc.array(piece, { minLength: chosen.length + 1, maxLength: chosen.length + 1 }),
        fc.constantFrom("\n", "\r\n"),
        fc.constantFrom("", "# Title\n\n", "Under\n==\n", "# *A* b #\n"),
        fc.constantFrom("Body.\n", "", "* list\n\n\ttext"),
      ),
    );

  test("in any page file, a changed field reads as changed and every other byte stays", () => {
    fc.assert(
      fc.property(pieces, changes, ([stated, others, newline, heading, body], wanted) => {
        const windows = (unix: string) => unix.replaceAll("\n", newline);
        const segments = stated.flatMap(([, source], i) => [`${others[i]}\n`, `${source}\n`]);
        segments.push(`${others.at(-1)}\n`);
        fc.pre(others.some((it) => it.includes(":")) || stated.length > 0);
        const rest = windows(`---\n${heading}${body}`);
        const join = (some: readonly string[]) => windows(some.join(""));
        const text = `${windows("---\n")}${join(segments)}${rest}`;
        const before = parsePageSource(text);
        for (const [i, [field]] of stated.entries()) {
          const value = wanted[field];
          if (value === undefined) continue;
          const changed = updatePageSource(text, { [field]: value });
          const [ahead, behind] = [join(segments.slice(0, 2 * i + 1)), join(segments.slice(2 * i + 2)) + rest];
          expect(changed.startsWith(windows("---\n") + ahead)).toBe(true);
          expect(changed.endsWith(behind)).toBe(true);
          const after = parsePageSource(changed);
          expect(after.fields).toEqual({ ...before.fields, [field]: value });
          expect([after.title, bodyOf(changed)]).toEqual([before.title, bodyOf(text)]);
          const without = updatePageSource(text, { [field]: null });
          expect(without.startsWith(windows("---\n") + ahead)).toBe(true);
          expect(without.endsWith(behind)).toBe(true);
          expect(parsePageSource(without).fields[field]).toBeUndefined();
        }
      }),
      { numRuns: runs(100) },
    );
  });

  const title = fc
    .oneof(fc.string({ unit: "binary" }), fc.string({ unit: fc.constantFrom(..."#_*[]<>&;!`~\\a b1") }))
    .map((it) => it.replace(/\p{Cc}+/gu, " ").trim())
    .filter((it) => it !== "");

  test("in any page file, a changed title reads as changed", () => {
    fc.assert(
      fc.property(title, fc.constantFrom("# T\nx", "T\n=\nx", "---\ntitle: a\n---\nx", "# *T* #\nx"), (it, text) => {
        const changed = updatePageSource(text, { title: it });
        expect(parsePageSource(changed).title).toBe(it);
        expect(bodyOf(changed)).toBe("x");
      }),
      { numRuns: runs(2000) },
    );
  });

  test("a composed page file reads as the parts it was composed of", () => {
    fc.assert(
      fc.property(changes, fc.option(title, { nil: undefined }), (fields, it) => {
        const text = composePageSource({ ...(fields as object), ...(it !== undefined && { title: it }) }, "Body.\n");
        const page = parsePageSource(text);
        expect(page).toEqual({
          fields,
          ...(it !== undefined && { title: it }),
          bodyStart: expect.any(Number),
          issues: [],
        });
        expect(bodyOf(text)).toBe("Body.\n");
      }),
      { numRuns: runs(1000) },
    );
  });

  test("no text makes reading or changing throw", () => {
    const yaml = fc.string({
      unit: fc.constantFrom(..."ab:-?#[]{},&*!|>'\"%@` \n\t\\~", "\r\n", "icon: ", "vars:\n "),
    });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          yaml.map((it) => `---\nicon: x\n${it}\n---\n# T`),
        ),
        changes,
        (text, wanted) => {
          const { bodyStart } = parsePageSource(text);
          expect(bodyStart).toBeLessThanOrEqual(text.length);
          const changed = updatePageSource(text, { ...wanted, title: "New" });
          if (changed !== text && wanted.icon !== undefined && parsePageSource(text).fields.icon !== undefined)
            expect(parsePageSource(changed).fields.icon).toBe(wanted.icon);
        },
      ),
      { numRuns: runs(2000) },
    );
  });
});
