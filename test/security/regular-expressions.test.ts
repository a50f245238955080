// S39: slow regular expressions. scslre analyses every one of the source for backtracking, and each is tried on texts
// that are made of its own parts.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AST } from "@eslint-community/regexpp";
import { analyse } from "scslre";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { findHighlightLanguage } from "../../src/site/highlighting/languages";

// The regular expressions of the source, and texts that are made to have one of them take long.

/** A regular expression where it stands. */
interface Placed {
  readonly file: string;
  readonly line: number;
  readonly source: string;
  readonly flags: string;
}

/** A regular expression that is put together when the program runs. */
interface Built {
  readonly file: string;
  readonly line: number;
  /** How it is written. */
  readonly text: string;
}

/** All that is written in some folders. */
function expressionsIn(folders: readonly string[]): { readonly literals: Placed[]; readonly built: Built[] } {
  const literals: Placed[] = [];
  const built: Built[] = [];
  for (const file of folders.flatMap(sourcesIn)) collect(file, readFileSync(file, "utf8"), literals, built);
  return { literals, built };
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|js)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The regular expressions of one text in TypeScript. */
function collect(file: string, text: string, literals: Placed[], built: Built[]): void {
  const parsed = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false);
  const lineOf = (node: ts.Node) => parsed.getLineAndCharacterOfPosition(node.getStart(parsed)).line + 1;
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      literals.push({ file, line: lineOf(node), source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    } else if (isConstruction(node, parsed)) built.push({ file, line: lineOf(node), text: node.getText(parsed) });
    ts.forEachChild(node, visit);
  };
  visit(parsed);
}

function isConstruction(node: ts.Node, parsed: ts.SourceFile): boolean {
  return (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText(parsed) === "RegExp";
}

/** Characters that parts of expressions are tried with. */
const TRIED = [..."a0 \t\n\r_-./\\<>\"'`#:;=,!?&|@~^$%*+()[]{}AZz9é日\u0301\u2028\u00a0\0"];
/** How many of them stand for one part. */
const MOST_SAMPLES = 4;

/** Texts of a size for which an expression may take long: its parts again and again, and then something that does not fit. */
function* hostileTexts(pattern: AST.Pattern, flags: string, size: number): Generator<string> {
  const sampler = new Sampler(flags);
  const made = new Set<string>();
  for (const { before, quantifier } of repeatedIn(pattern)) {
    const start = before.map((node) => sampler.one(node)).join("");
    for (const piece of sampler.all(quantifier.element)) {
      for (const [head, unit] of [
        [start, piece],
        ["", piece],
        ["", start + piece],
        ["", start],
      ] as const) {
        if (unit === "" || made.has(`${head}\0${unit}`)) continue;
        made.add(`${head}\0${unit}`);
        const body = head + unit.repeat(Math.ceil(size / unit.length));
        for (const tail of ["", "\0", "\n\0", `\u2028${head}`]) yield body + tail;
      }
    }
  }
}

interface Repeated {
  readonly quantifier: AST.Quantifier;
  /** What an expression reads before it comes there. */
  readonly before: readonly AST.Node[];
}

/** What may be repeated without an end that matters. */
function* repeatedIn(node: AST.Node, before: readonly AST.Node[] = []): Generator<Repeated> {
  switch (node.type) {
    case "Alternative":
      for (const [at, element] of node.elements.entries())
        yield* repeatedIn(element, [...before, ...node.elements.slice(0, at)]);
      break;
    case "Pattern":
    case "Group":
    case "CapturingGroup":
      for (const alternative of node.alternatives) yield* repeatedIn(alternative, before);
      break;
    case "Assertion":
      if (node.kind === "lookahead" || node.kind === "lookbehind")
        for (const alternative of node.alternatives) yield* repeatedIn(alternative, before);
      break;
    case "Quantifier":
      if (node.max > 100) yield { quantifier: node, before };
      yield* repeatedIn(node.element, before);
  }
}

/** Finds texts that parts of an expression match. */
class Sampler {
  readonly #known = new Map<string, string[]>();

  constructor(readonly flags: string) {}

  one(node: AST.Node): string {
    return this.all(node)[0] ?? "";
  }

  all(node: AST.Node): string[] {
    switch (node.type) {
      case "Character":
      case "CharacterSet":
      case "CharacterClass":
        return this.#characters(node.raw);
      case "Alternative":
        return this.#sequences(node.elements);
      case "Group":
      case "CapturingGroup":
        return node.alternatives.flatMap((alternative) => this.all(alternative)).slice(0, 2 * MOST_SAMPLES);
      case "Quantifier":
        return this.all(node.element).map((it) => it.repeat(Math.min(Math.max(node.min, 1), 100)));
      default:
        return [""];
    }
  }

  /** Each with a part that varies, and the others as they are. */
  #sequences(nodes: readonly AST.Node[]): string[] {
    const samples = nodes.map((node) => this.all(node));
    const most = samples.reduce((found, { length }) => Math.max(found, length), 1);
    return Array.from({ length: Math.min(most, MOST_SAMPLES) }, (_, n) =>
      samples.map((of) => of[n % Math.max(of.length, 1)] ?? "").join(""),
    );
  }

  #characters(raw: string): string[] {
    const known = this.#known.get(raw);
    if (known) return known;
    const expression = new RegExp(`^(?:${raw})$`, this.flags.replace(/[gy]/g, ""));
    const found = TRIED.filter((character) => expression.test(character)).slice(0, MOST_SAMPLES);
    const own = /^[^\\[]$/u.test(raw) && found.length === 0 ? [raw] : found;
    this.#known.set(raw, own);
    return own;
  }
}

/** Why an expression takes more time than its text is long; undefined when no way was found to have it do so. */
function weaknessOf({ source, flags }: Pick<Placed, "source" | "flags">): string | undefined {
  const { reports, parsed } = analyse({ source, flags });
  const [report] = reports;
  if (report) return `${report.type} of ${JSON.stringify(report.character.pick)}`;
  const expression = new RegExp(source, flags);
  for (const size of [SHORT, LONG]) {
    let number = 0;
    for (const text of hostileTexts(parsed.pattern, flags, size)) {
      if (isSuspicious(expression, text, size === SHORT ? undefined : nth(parsed.pattern, flags, 4 * size, number)))
        return `slow for ${JSON.stringify(`${text.slice(0, 30)}…${text.slice(-3)}`)}`;
      number++;
    }
  }
  return undefined;
}

/** What takes time by two to the power of the length is seen in a short text, what does by its square in a long one. */
const SHORT = 26;
const LONG = 4_000;
/** What takes less is not looked at again. */
const LEAST_MS = 1;
/** What takes more is slow, even if it takes the same for each character: a text of a megabyte holds a process for seconds. */
const MOST_MS = 10;

/** Whether a text takes very long, or long, and one of four times its length more than twice as much for each character. */
function isSuspicious(expression: RegExp, text: string, longer: (() => string) | undefined): boolean {
  if (costOf(expression, text) < LEAST_MS) return false;
  const cost = Math.min(...Array.from({ length: 3 }, () => costOf(expression, text)));
  if (cost < LEAST_MS) return false;
  if (cost > MOST_MS && !takesAtMost(expression, text, MOST_MS)) return true;
  return longer === undefined || !takesAtMost(expression, longer(), 8 * cost);
}

function nth(pattern: AST.Pattern, flags: string, size: number, number: number): () => string {
  return () => {
    let at = 0;
    for (const text of hostileTexts(pattern, flags, size)) if (at++ === number) return text;
    return "";
  };
}

/** Whether one of several uses takes no longer. */
function takesAtMost(expression: RegExp, text: string, milliseconds: number): boolean {
  for (let n = 0; n < 5; n++) if (costOf(expression, text) <= milliseconds) return true;
  return false;
}

/** The processor time of one use, in milliseconds. */
function costOf(expression: RegExp, text: string): number {
  expression.lastIndex = 0;
  const before = process.cpuUsage();
  if (expression.global) text.replace(expression, "");
  else expression.test(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

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
    "src/resources/content/translations/glossary.ts",
    'new RegExp(`^(?:{languages.join("|")})`)',
    [/^(?:en|de|pt-br|zh-hant)$/],
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
    "src/resources/content/revisions/views.ts",
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
