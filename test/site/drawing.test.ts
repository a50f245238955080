// What pages are drawn with: marked code, icons, formulas, frames of embeds, fonts. All of it is fed with what authors write, so
// every test of a family has hostile texts as well.

import { cpuUsage } from "node:process";
import { describe, expect, test } from "vitest";
import { renderFontRules } from "../../src/site/appearance/theme";
import { findEmbedUrl } from "../../src/site/blocks/embed-frames";
import { loadHighlighter } from "../../src/site/highlighting/highlight";
import { highlightLines } from "../../src/site/highlighting/highlight-lines";
import { languageNames } from "../../src/site/highlighting/languages";
import { loadIconRenderer } from "../../src/site/icons/icons";
import { detectPageFeatures, loadFormulaRenderer } from "../../src/site/pages/page-features";
import type { SiteCustomization } from "../../src/site/request/request-context";

const HOSTILE = [
  ...[
    "(",
    "[",
    "{",
    "<",
    '"',
    "'",
    "`",
    "/",
    "/*",
    "*",
    "\\",
    "=",
    "a ",
    "a.",
    "a: ",
    "1.",
    "-",
    "#",
    "@",
    "$(",
    "${",
    "<a ",
  ],
  ...[
    "<!--",
    "{{",
    "{%",
    "&a",
    "|",
    "a(",
    "=/[",
    '"""',
    "'''",
    'r#"',
    "![",
    "[](",
    "**",
    "<<",
    "\n- ",
    "\na: ",
    "--[[",
    "(*",
  ],
];

const marked = (code: string, syntax: string) => highlightLines(code.split("\n"), syntax)!.map(({ text }) => text);

/** What a reader sees of markup that has no elements but marks. */
function seen(lines: readonly string[]): string {
  const signs: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"', "&#39;": "'" };
  return lines
    .join("\n")
    .replace(/<\/?span(?: class="t-[ksncf]")?>/g, "")
    .replace(/&(?:lt|gt|amp|quot|#39);/g, (sign) => signs[sign]!);
}

describe("code highlighting", () => {
  test("words, strings, numbers, comments and names of code have their classes", () => {
    expect(marked('const a = f("<b>", 42); // done', "ts")).toEqual([
      '<span class="t-k">const</span> a = <span class="t-f">f</span>(<span class="t-s">&quot;&lt;b&gt;&quot;</span>, <span class="t-n">42</span>); <span class="t-c">// done</span>',
    ]);
    expect(marked("$ npm install octavo --save", "sh")).toEqual([
      '$ <span class="t-f">npm</span> install octavo <span class="t-n">--save</span>',
    ]);
    expect(marked("name: x # c\non: true", "YAML")).toEqual([
      '<span class="t-f">name</span>: x <span class="t-c"># c</span>',
      '<span class="t-f">on</span>: <span class="t-n">true</span>',
    ]);
    expect(marked('{"a": "b"}', "json")).toEqual([
      '{<span class="t-f">&quot;a&quot;</span>: <span class="t-s">&quot;b&quot;</span>}',
    ]);
    expect(marked("SELECT 1 from t", "sql")).toEqual([
      '<span class="t-k">SELECT</span> <span class="t-n">1</span> <span class="t-k">from</span> t',
    ]);
    expect(marked("+new\n-old\n same", "diff")).toEqual([
      '<span class="t-s">+new</span>',
      '<span class="t-k">-old</span>',
      " same",
    ]);
  });

  test("a comment over several lines is highlighted on each line", () => {
    expect(marked("/* a\nb */ c", "js")).toEqual(['<span class="t-c">/* a</span>', '<span class="t-c">b */</span> c']);
  });

  test("code in an unknown language, without a language or very long is not highlighted", async () => {
    const highlight = await loadHighlighter();
    expect(highlight(["<if>"], "klingon").map(({ text }) => text)).toEqual(["&lt;if&gt;"]);
    expect(highlight(["if"], undefined).map(({ text }) => text)).toEqual(["if"]);
    expect(highlight(["if"], "constructor").map(({ text }) => text)).toEqual(["if"]);
    expect(highlight([`if ${"x".repeat(300_000)}`], "js")[0]!.text.startsWith("if x")).toBe(true);
    expect(highlight(["if"], "js")).toBe(highlight(["if"], "js"));
  });

  test("highlighting never loses text or creates markup, whatever the language", () => {
    const code = HOSTILE.map((bit) => `${bit.repeat(20)}<img src=x onerror=alert(1)>`).join("\n");
    for (const name of languageNames) expect(seen(marked(code, name)), name).toBe(code);
  });

  test("highlighting four times the code takes about four times as long", () => {
    const cost = (code: string, name: string) => {
      const before = cpuUsage();
      highlightLines(code.split("\n"), name);
      const { user, system } = cpuUsage(before);
      return (user + system) / 1000;
    };
    for (const name of ["ts", "css", "yaml", "markdown", "html", "sh"])
      for (const bit of HOSTILE) {
        const once = cost(bit.repeat(500), name);
        expect(cost(bit.repeat(2000), name), `${name} ${bit}`).toBeLessThan(12 * once + 100);
      }
  });
});

test("icons are drawn by their Font Awesome names in a free style", async () => {
  const regular = await loadIconRenderer("regular");
  const solid = await loadIconRenderer("solid");
  expect(regular("circle-info")!.text).toMatch(
    /^<svg class="icon" aria-hidden="true" viewBox="0 0 512 512"><path d="M[^"]+"\/><\/svg>$/,
  );
  expect(regular("home")!.text).toBe(regular("fa-house")!.text);
  expect(regular("github")).toBeDefined();
  expect(regular("bell")!.text).not.toBe(solid("bell")!.text);
  expect((await loadIconRenderer("thin"))("bell")!.text).toBe(regular("bell")!.text);
  for (const name of ["", "no-such-icon", '"><script>', "constructor", "bell solid"])
    expect(regular(name), name).toBeUndefined();
});

describe("formulas", () => {
  test("formulas become MathML without inline styles", async () => {
    const draw = await loadFormulaRenderer();
    expect(draw("a^2", "inline").text).toBe("<math><msup><mi>a</mi><mn>2</mn></msup></math>");
    expect(draw("\\frac{1}{2}", "block").text).toContain('<math display="block"');
    const colored = draw("\\textcolor{#123456}{x} \\colorbox{yellow}{y}", "block").text;
    expect(colored).toContain('mathcolor="#123456"');
    expect(colored).not.toContain("style=");
  });

  test("an invalid formula, or more than one, is shown as its source", async () => {
    const draw = await loadFormulaRenderer();
    const written = [
      "\\unknown",
      "\\href{javascript:alert(1)}{x}",
      '\\class{x" onclick="y}{z}',
      "\\includegraphics{http://example.com/x}",
      "\\def\\a{\\a\\a}\\a",
      `${"\\sqrt{".repeat(600)}x${"}".repeat(600)}`,
      "{".repeat(2400),
      `\\def\\x#1{#1#1}${"\\x{".repeat(60)}a${"}".repeat(60)}`,
      "a".repeat(6000),
    ];
    for (const formula of written)
      expect(draw(formula, "block").text.startsWith("<code>"), formula.slice(0, 40)).toBe(true);
    expect(draw("\\text{<img src=x onerror=alert(1)>}", "block").text).not.toContain("<img");
  });
});

test("a page loads only what its blocks need, in tabs and footnotes too", () => {
  const code = (syntax?: string) => ({ object: "block", type: "code", data: syntax === undefined ? {} : { syntax } });
  const needs = (...nodes: unknown[]) => detectPageFeatures(nodes as never);
  expect(needs(code())).toEqual({ hasCode: false, hasFormulas: false, hasDiagrams: false });
  expect(needs({ type: "tabs", nodes: [{ type: "tabs-item", nodes: [code("js")] }] }).hasCode).toBe(true);
  expect(needs(code("mermaid"))).toEqual({ hasCode: false, hasFormulas: false, hasDiagrams: true });
  expect(needs({ type: "paragraph", fragments: [{ nodes: [{ type: "inline-math" }] }] }).hasFormulas).toBe(true);
});

test("embeds of known hosts have a frame, and all others stay links", () => {
  expect(findEmbedUrl("https://www.youtube.com/watch?v=abc-_1&t=3")).toBe(
    "https://www.youtube-nocookie.com/embed/abc-_1",
  );
  expect(findEmbedUrl("https://youtu.be/abc")).toBe("https://www.youtube-nocookie.com/embed/abc");
  expect(findEmbedUrl("https://vimeo.com/123")).toBe("https://player.vimeo.com/video/123?dnt=1");
  expect(findEmbedUrl("https://www.figma.com/file/x/y?a=b&c")).toBe(
    "https://www.figma.com/embed?embed_host=share&url=https%3A%2F%2Fwww.figma.com%2Ffile%2Fx%2Fy%3Fa%3Db%26c",
  );
  for (const address of [
    ...["https://example.com/", "http://youtu.be/abc", "javascript:alert(1)", "https://youtu.be.evil.example/abc", "x"],
    ...["https://www.youtube.com/watch?v=%22%3E", "https://www.youtube.com/", "data:text/html,x"],
  ])
    expect(findEmbedUrl(address), address).toBeUndefined();
});

test("fonts are those of the device or of the organization, and a name cannot break out of its string", () => {
  const look = (font: unknown) => ({ styling: { font, monospaceFont: "IBMPlexMono" } }) as unknown as SiteCustomization;
  expect(renderFontRules(look("SourceSansPro"))).toContain('--font:"Source Sans Pro","SourceSansPro",system-ui');
  expect(renderFontRules(look("Inter"))).toContain('--mono:"IBM Plex Mono","IBMPlexMono",ui-monospace');
  const source = { url: 'https://example.com/a".woff2</style>', format: "woff2" };
  const own = renderFontRules(
    look({ custom: true, fontFamily: "Own", fontFaces: [{ weight: 400, style: "normal", sources: [source] }] }),
  );
  expect(own).toContain('@font-face{font-family:"Own";font-weight:400;');
  expect(own).toContain('url("https://example.com/a\\22 .woff2\\3c /style\\3e ") format("woff2")');
});
