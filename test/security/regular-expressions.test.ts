// S39: slow regular expressions. scslre analyses every one of the source for backtracking, and each is tried on texts
// that are made of its own parts.

import { describe, expect, test } from "vitest";
import { findHighlightLanguage } from "../../src/site/highlighting/languages";
import { type Built, collect, expressionsIn, type Placed, weaknessOf } from "./regular-expressions";

const { literals, built } = expressionsIn(["src", "adapters"]);

/** Where texts of users do not come, or not in any length. */
const NOT_OF_USERS: readonly (readonly [where: RegExp, why: string])[] = [
  [/^src\/sandbox\/(?:world|built)\//, "runs inside the sandbox, where every step of the engine is counted"],
];

/** What is put together when the program runs, written without `$`, and what may come of it. */
const BUILT: readonly (readonly [file: string, text: string, examples: readonly RegExp[]])[] = [
  [
    "src/content/evaluate/conditions.ts",
    'new RegExp(`\\\\{%[-+~=]?{GAP}(?:if|unless|else|elif|elsif|fi|end(?:if|unless|[-_]|\\\\b))`, "i")',
    [/\{%[-+~=]?[\s\u00ad\u200b-\u200f\u2060]*(?:if|unless|else|elif|elsif|fi|end(?:if|unless|[-_]|\b))/i],
  ],
  [
    "src/content/evaluate/conditions.ts",
    'new RegExp(`\\\\{%[-+~=]?{GAP}([A-Za-z][\\\\w-]*)`, "y")',
    [/\{%[-+~=]?[\s\u00ad\u200b-\u200f\u2060]*([A-Za-z][\w-]*)/y],
  ],
  [
    "src/content/markdown/parser/leaf-blocks.ts",
    'new RegExp(`[\\\\r\\\\n][ \\\\t>]*{closing}`, "g")',
    [
      /[\r\n][ \t>]*\${2,}[ \t]*(?=[\r\n]|$)/g,
      /[\r\n][ \t>]*\${8,}[ \t]*(?=[\r\n]|$)/g,
      /[\r\n][ \t>]*\{\{[<%][ \t]*\/[ \t]*note[ \t]*[>%]\}\}/g,
      /[\r\n][ \t>]*\{%-?[ \t]*endhighlight[ \t]*-?%\}/g,
    ],
  ],
  [
    "src/content/markdown/parser/shortcodes.ts",
    "new RegExp(`^{getClosingPattern(name)}[ \\\\t]*`)",
    [/^\{\{[<%][ \t]*\/[ \t]*note[ \t]*[>%]\}\}[ \t]*$/, /^\{%-?[ \t]*endhighlight[ \t]*-?%\}[ \t]*$/],
  ],
  ["src/content/markdown/reader/blocks.ts", 'new RegExp(`</{opening[1]}\\\\s*>`, "i")', [/<\/script\s*>/i]],
  ["src/content/markdown/reader/html-tree.ts", 'new RegExp(`</{element.name}\\\\s*>`, "gi")', [/<\/style\s*>/gi]],
  [
    "src/content/mdbook/expand.ts",
    "new RegExp(`^[ \\\\t>]*{fence[0]}{{fence.length},}[ \\\\t\\\\r]*`)",
    [/^[ \t>]*`{3,}[ \t\r]*$/, /^[ \t>]*~{9,}[ \t\r]*$/],
  ],
  [
    "src/content/markdown/reader/join-html.ts",
    'new RegExp(`<!--|-->|{TAG}`, "gi")',
    [/<!--|-->|<(\/?)(table|td|tr|details|summary)(?=[\s>])/gi],
  ],
  [
    "src/content/markdown/reader/join-html.ts",
    'new RegExp(`^{TAG}`, "i")',
    [/^<(\/?)(table|td|tr|details|summary)(?=[\s>])/i],
  ],
  [
    "src/resources/content/revisions/document-ids.ts",
    "new RegExp(`^doc_((?:{reusablePrefix})?)([0-9a-z]{1,32})_[0-9a-f]{{HASH_CHARACTERS}}`)",
    [/^doc_((?:reu_)?)([0-9a-z]{1,32})_[0-9a-f]{24}$/],
  ],
  [
    "src/importers/docx/runs.ts",
    'new RegExp(`^(?:{FIXED_WIDTH_FONTS.join("|")})\\\\b`, "i")',
    [/^(?:courier|courier new|fira (?:code|mono)|noto (?:sans )?mono)\b/i],
  ],
  [
    "src/importers/docx/styles.ts",
    'new RegExp(`^(?:{CODE_STYLES.join("|")})`)',
    [/^(?:(?:source|inline|html)?code(?:block|char|text|snippet|listing)?|verbatim(?:char)?|macrotext|macro)$/],
  ],
  [
    "src/importers/html/embeds.ts",
    'new RegExp(`(?:^|\\\\.)(?:{EMBEDDED_HOSTS.join("|")})`)',
    [/(?:^|\.)(?:youtube\.com|youtube-nocookie\.com|wistia\.(?:com|net)|docs\.google\.com)$/],
  ],
  [
    "src/content/markdown/writer/attribute-order.ts",
    'new RegExp(`{HTML_TAG.source}|{TEMPLATE_TAG.source}`, "g")',
    [
      /<([A-Za-z][A-Za-z0-9-]*)((?:\s+[A-Za-z_:][\w.:-]*(?:="[^"]*"|='[^']*'|=[^\s"'=<>`]+)?)+)|\{%\s*([@\w./-]+)((?:\s+[A-Za-z_][\w-]*=(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s"'%]+))+)/g,
    ],
  ],
  ["src/content/slugs.ts", 'new RegExp([...SPELLED_LETTERS.keys()].join("|"), "g")', [/ß|æ|ø|đ/g]],
  [
    "src/site/highlighting/languages.ts",
    'new RegExp(allRules.map(([, pattern]) => `({pattern})`).join("|"), "gm")',
    // In some others a rule looks behind a word that the next one takes: test/site/drawing.test.ts reads hostile texts in all.
    ["ts", "go", "python", "yaml", "markdown", "sql"].map((name) => findHighlightLanguage(name)!.tokens),
  ],
  [
    "src/translators/glossary.ts",
    'new RegExp(`<[^<>]*>|(?<![\\\\p{L}\\\\p{N}])(?:{longestFirst.join("|")})(?![\\\\p{L}\\\\p{N}])`, "gu")',
    [/<[^<>]*>|(?<![\p{L}\p{N}])(?:aaaa|aa|b b b)(?![\p{L}\p{N}])/gu],
  ],
];

const isOfUsers = ({ file }: { readonly file: string }) => !NOT_OF_USERS.some(([where]) => where.test(file));
const weaknesses = (placed: readonly Placed[]) => {
  const different = new Map(placed.map((it) => [`/${it.source}/${it.flags}`, it]));
  return [...different].flatMap(([written, it]) => {
    const weakness = weaknessOf(it);
    return weakness === undefined ? [] : [`${it.file}:${it.line} ${written}: ${weakness}`];
  });
};
const asPlaced = ({ source, flags }: RegExp): Placed => ({ file: "", line: 0, source, flags });

describe("S39: slow regular expressions", () => {
  test("S39: every regular expression takes linear time", () => {
    expect(literals.length).toBeGreaterThan(500);
    expect(weaknesses(literals.filter(isOfUsers))).toEqual([]);
  });

  test("S39: every composed regular expression is listed and takes linear time", () => {
    const found = built.filter(isOfUsers).map(({ file, text }) => `${file} ${text.replaceAll("$", "")}`);
    expect(found.sort()).toEqual(BUILT.map(([file, text]) => `${file} ${text}`).sort());
    expect(weaknesses(BUILT.flatMap(([, , examples]) => examples.map(asPlaced)))).toEqual([]);
  });

  test("S39: every exception is still needed", () => {
    for (const [where] of NOT_OF_USERS) expect(literals.some(({ file }) => where.test(file))).toBe(true);
  });

  test("control: expressions that were slow are detected", () => {
    const slow = [
      /(a+)+$/,
      /^(([a-z])+.)+[A-Z]([a-z])+$/,
      /\s+$/,
      /[^\S\n]+\n/,
      /\/+$/,
      /a+b/,
      /^a*a*$/,
      /<meta\s[^>]*charset/i,
      /<a\b[^>]*\bid\s*=\s*["']([^"'\n]+)["']/i,
      /<!--[\s\S]*?-->/g,
      /~[^"]*(?="$)/,
      /[ \t]*(?=[\r\n])/g,
      /^([ \t]*)(?:[*+-]|\d{1,9}[.)])(?:([ \t]+)(.*)|[ \t]*)$/,
      /^[^\s]*[./\\_@][^\s]*[^\s.!?…。]$/u,
      /[ \t]*\?[ \t]|[ \t]*(?:[^\s#:"'{}[\]%>|`@][^:\n]*|"[^"\n]*"|'[^'\n]*')[ \t]*:(?:\s|$)/y,
      /_+[A-Za-z0-9-]{4,8}$/,
      /(\\)?\{\{[ \t]*#([A-Za-z_]{1,32})[ \t]+([^{}\n]{1,2048})\}\}/g,
      /charset\s*=\s*["']?\s*([\w.:-]{1,40})/i,
    ];
    expect(slow.filter((it) => weaknessOf(it) === undefined)).toEqual([]);
  });

  test("control: fast expressions are not reported", () => {
    const quick = [/\s+/g, /[ \t]*(?=[\r\n])/y, /^\s*x/, /(?<!\/)\/+$/, /[^,()]{1,30} \(/g, /<[^<>]*>/g, /a|b|c/g];
    expect(weaknesses(quick.map(asPlaced))).toEqual([]);
  });

  test("control: expressions are found wherever they are", () => {
    const found: [Placed[], Built[]] = [[], []];
    collect(
      "a.ts",
      "const a = [/b+/g, x ? /c\\/d/ : 1 / 2 / 3];\nf(/e/u.source, new RegExp(a), RegExp('g'));",
      ...found,
    );
    expect(found[0].map(({ line, source, flags }) => [line, source, flags])).toEqual([
      [1, "b+", "g"],
      [1, "c\\/d", ""],
      [2, "e", "u"],
    ]);
    expect(found[1].map(({ text }) => text)).toEqual(["new RegExp(a)", "RegExp('g')"]);
  });
});
