// S39: slow parsers. Twice the text takes at most two and a half times the processor time, for every text and every
// parser.

import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { extractLocalHrefs } from "../../src/content/book/local-hrefs";
import { readBook } from "../../src/content/book/read-book";
import { findSchemaIssue } from "../../src/content/claims/schema";
import { parseExpression } from "../../src/content/expressions/parse";
import { describeFile } from "../../src/content/files";
import { readMarkdown } from "../../src/content/markdown/read";
import { writeMarkdown } from "../../src/content/markdown/write";
import { parsePageSource, updatePageSource } from "../../src/content/page-source";
import { replaceLinkTargets } from "../../src/content/revision/link-targets";
import { revertBlocks } from "../../src/content/revision/revert-blocks";
import { createSearchIndex } from "../../src/content/search";
import { parseQuery } from "../../src/content/search/query";
import { createSlug } from "../../src/content/slugs";
import { splitPageTexts } from "../../src/content/translation/page-texts";
import { readConfluence } from "../../src/importers/confluence/import-confluence";
import { readDocx } from "../../src/importers/docx/import-docx";
import { parseOEmbed, readPageMetadata, sanitizeFrame } from "../../src/importers/embeds/describe-embed";
import { convertWikiLinks, readSidebar } from "../../src/importers/github-wiki/import-github-wiki";
import { normalizeDocument } from "../../src/importers/google-docs/normalize-document";
import { decodeHtml } from "../../src/importers/html/decode-html";
import { parseHtml } from "../../src/importers/html/parse-html";
import { mapUrls } from "../../src/importers/markdown/map-urls";
import { readDatabase } from "../../src/importers/notion/database";
import { readNotionHtml } from "../../src/importers/notion/notion-html";
import { convertCallouts, convertProperties } from "../../src/importers/notion/notion-markdown";
import { parseRobots } from "../../src/importers/website/robots";
import { parseXml } from "../../src/importers/xml/parse-xml";
import { parseInSteps as parseSpecification } from "../../src/openapi/specifications";
import { pdfPrinter } from "../../src/pdf";
import { replaceTerms } from "../../src/translators/glossary";
import { runStepsSync } from "../../src/utils/concurrency/steps";
import { evaluateMarkdown, mergeTexts, parseSummary } from "../content/at-once";
import { docx, p } from "../importers/docx-fixture";
import { job, page } from "../pdf/writing";
import { convertHtmlToMarkdown } from "../support/html";
import { isLongRun } from "../support/test-length";
import { FAMILIES, filled, HARMLESS, numbered } from "./hostile-texts";

// Everything here that reads a text of users, as functions of one text, and the texts that each is tried with.

/** A text of a size, made to take long. */
type Family = readonly [name: string, text: (size: number) => string];

/** Something that reads texts, and what it is tried with. */
interface Parser {
  readonly name: string;
  readonly read: (text: string) => unknown;
  readonly families: readonly Family[];
}

const of = (name: string, unit: string, head = "", tail = ""): Family => [
  name,
  (size) => head + filled(unit, size) + tail,
];

/** Runs of everything that means something somewhere, alone and in pairs that do not close. */
const RUNS: readonly Family[] = [
  ..." \t\n\r\u2028\u00a0#*_~`-+=|<>[](){}!&:;.,/\\\"'$%@^?0a日\u0301",
  ...[
    "\r\n",
    "a\n",
    "\n\n",
    " \n",
    "\t\n",
    "a\u2028",
    "a\t",
    "日\u3000",
    "*a_ ",
    "[a]",
    "![",
    "](",
    "[^a]",
    "<a ",
    "</a>",
    "<!",
    "<?",
  ],
  ...[
    "a=",
    "a='",
    'a="b" ',
    "&#",
    "&amp",
    "{%",
    "%}",
    "{{",
    "}}",
    "{% if",
    "\\[",
    "\\`",
    "``",
    "~~",
    "$$",
    "||",
    "- ",
    "a: ",
    "? ",
  ],
  ...["'a", '"a', "//", "../", "a/", "@a", "a@b", "http://", "www.", "]]>", "-->", "<![CDATA["],
].map((unit) => of(`runs of ${JSON.stringify(unit)}`, unit, "a"));

const MARKDOWN: readonly Family[] = [
  ...FAMILIES,
  ...RUNS,
  of("a key of tabs", "\t", "---\na", "\n---\nx"),
  of("a quoted key of tabs", "\t", '---\n"a"', "\n---\nx"),
  ["one long definition", (n) => `${filled("[a]", n / 5)}\n\n[a]: /${filled("b", (4 * n) / 5)}\n`],
  ["one long title", (n) => `${filled("![a]", n / 2)}\n\n[a]: b "${filled("b", n / 2)}"\n`],
  ["one definition of many lines", (n) => `${filled("[a]", n / 2)}\n\n[a]: b\n"${filled("b\n", n / 2)}"\n`],
  ["long labels", (n) => filled(`[${"a".repeat(900)}] `, n)],
  ["links of entities", (n) => filled("[a](&#120;)", n)],
  ["bullets of tabs", (n) => filled(`*${"\t".repeat(4_000)}\u2028\n`, n)],
  of("anchors in a heading", "<a ", "## "),
  of("a word of slashes", "/", "a", "."),
  of("notes in lines", "a[^b] ", "[^b]: c\n\n"),
  of("summaries", "<details><summary>"),
  of("cells in HTML", "<td>", "<table><tr>"),
  of("rows over blank lines", "<td>a</td>\n\n    <td>b</td>\n\n", "<table><tr>\n", "</tr></table>"),
  of("code over blank lines in cells", "<td><pre>a\n\nb</pre></td>\n", "<table><tr>\n", "</tr></table>"),
  of("code that never ends in cells", "<td><pre>a\n\n> b\n\n", "<table><tr>\n"),
  of("tags in a paragraph of a table", "<td><pre>a</pre> b </td>", "<table><tr>\n\na", "</tr></table>"),
  of("words between cells", "a\n\n<td>b\n\n", "<table><tr>\n", "</tr></table>"),
  of("ends of tables in paragraphs", "a</td></table>\n\n<table><tr><td>b\n\n"),
  of("elements that nothing closes in a line", "<b>a<i>", "a"),
  of("ends that close nothing in a line", "</b>", "a"),
  of("alerts", "> [!NOTE]\n> > "),
  of("abbreviations", '<abbr title="a">b</abbr> '),
  of("formatted titles of columns", "|**a**", "", "|\n|-|\n|b|"),
  [
    "a wide table of formatted titles",
    (n) => `${filled("|*a*", n / 3)}|\n${filled("|-", n / 3)}|\n${filled("|x", n / 3)}|\n`,
  ],
  of("includes in lines", 'a {% include "b" %} '),
  of("conditions in lines", "{% if a %}b{% endif %} "),
  of("tags over lines in values", '{% a b="\n'),
  of("tags over lines in values of two kinds", "{% a b='\n{% a c=\"\n"),
  of("tags over lines that end in a value", `{% a b="' c='"\n`),
  of("tags over lines without a value", "{% a\nb\n"),
  of("tags over lines without an end", "{% a\n", "", 'b="c'),
  of("lines of attributes", "b=c\n", "{% a\n"),
  of("tags over lines in quotes", '> {% a b="\n> c\n'),
  of("values", '<code class="expression">space.vars.a</code> '),
  of("escaped pipes", "\\|", "|a|\n|-|\n|"),
  of("cells of code", "`|`", "|a|\n|-|\n|"),
];

/** Of those that are all about what a page says of itself. */
const FRONT = MARKDOWN.filter(([name]) => /front matter|key|runs of/.test(name));
/** Of those without that. */
const BODY = MARKDOWN.filter(([name]) => !/front matter|key/.test(name));

/** For what works on a text that the reader has read: the reader itself has every text, so these have every third one, in turn.
 * With a seed they have all. */
const some = (families: readonly Family[], from: 0 | 1 | 2) => families.filter((_, i) => isLongRun || i % 3 === from);

const HTML: readonly Family[] = [
  ...RUNS,
  ...FAMILIES.filter(([name]) => /HTML|element|comment|declaration|details|tables|angles|entit/.test(name)),
  ...[
    "p",
    "ul",
    "li",
    "table",
    "tr",
    "td",
    "b",
    "a href=b",
    "span",
    "h1",
    "pre",
    "code",
    "figure",
    "blockquote",
    "dl",
    "dd",
    "svg",
  ].map((tag) => of(`<${tag}> in itself`, `<${tag}>`)),
  ...[
    "admonition note",
    "admonitionblock note",
    "tabs",
    "tab-content",
    "codeblock title",
    "hint",
    "content",
    "highlight",
    "note toc",
  ].map((name) => of(`${name} in itself`, `<div class="${name}">`)),
  of("hints with a title", '<div class="admonition note"><p class="title">Note</p>'),
  of("hints beside each other", '<div class="admonition note"></div>'),
  of("cells of hints", '<table><tr><td><div class="admonition note"></td><td>a</td></tr></table>'),
  of("sets of tabs", '<div class="tabs"><div role="tablist"><a role="tab">a</a></div><div role="tabpanel">'),
  of("lists in lists with words", "<ul><li>a"),
  of("lists between items", "<ul><li>a</li><ul>"),
  of("terms", "<dl><dt>a<dd><dl>"),
  of("code in figures", "<figure><figcaption>a</figcaption><pre>b"),
  of("headings in sections", '<section id="a"><h2>a</h2>'),
  of("formulas in formulas", '<span class="math">\\('),
  of("attributes", 'a="b" ', "<p "),
  of("classes", "a_b ", '<p class="', '">'),
  of("styles", "display:", '<p style="', '">'),
  of("a title of spaces", " ", "<title>a", "b</title><p>a"),
  of("a title of parts", "a | ", "<title>", "</title><p>a"),
  of("sources", "a 1x, ", '<picture><source srcset="', '"><img src="a"></picture>'),
  ["different tags", (n) => numbered(n, (i) => `<x${i}>`)],
  ["cells that span", (n) => `<table>${filled('<tr><td rowspan="9" colspan="9">a</td></tr>', n)}`],
];

const XML: readonly Family[] = [
  ...RUNS,
  of("elements in elements", "<a>", "<a>"),
  of("elements that are empty", "<a/>", "<a>", "</a>"),
  of("ends without beginnings", "</b>", "<a>"),
  of("attributes", ' a="b"', "<a", "/>"),
  of("names", "a", "<", "/>"),
  of("sections of characters", "<![CDATA[a]]>", "<a>", "</a>"),
  of("references", "&lt;", "<a>", "</a>"),
  of("spaces in a tag", " ", "<a", "/>"),
  ["different names", (n) => `<a>${numbered(n, (i) => `<b${i}/>`)}</a>`],
  ["namespaces", (n) => `<a${numbered(n, (i) => ` xmlns:b${i}="c"`)}/>`],
];

const YAML: readonly Family[] = [
  ...RUNS.filter(([name]) => !name.includes("日")),
  of("keys", "a: b\n"),
  ["different keys", (n) => numbered(n, (i) => `a${i}: b\n`)],
  of("lists on a line", "[", "a: "),
  of("maps on a line", "{a: ", "a: "),
  of("items", "- a\n"),
  of("items in items", "- ", "", "a"),
  ["a staircase", (n) => numbered(n, (i) => `${" ".repeat(Math.min(i, 200))}a${i}:\n`)],
  of("quoted lines", "a\n ", 'a: "', '"'),
  of("folded lines", "  a\n", "a: >\n"),
  of("comments", "# a\n"),
  ["anchors", (n) => numbered(n, (i) => `a${i}: &a${i} b\n`)],
  of("aliases", "- *a\n", "a: &a b\nb:\n"),
];

const DOCX: readonly Family[] = [
  of("words", "word "),
  of("spaces", " "),
  of("marks", "*_`[<&amp;"),
  of("tabs", "<w:r><w:tab/></w:r>"),
];

const always = () => "/elsewhere";
const scope = { space: { vars: { a: "*b*" } }, page: { vars: {} }, visitor: { claims: {} } };
const printer = pdfPrinter();

/** The paragraphs of a Word document. */
const inWord = (text: string) => readDocx(docx(p(text)));
/** A page of Confluence. */
const inConfluence = (body: string) => {
  const property = (name: string, value: string) => `<property name="${name}"><![CDATA[${value}]]></property>`;
  const entry = (kind: string, id: number, inside: string) =>
    `<object class="${kind}" package="com.atlassian.confluence"><id name="id">${id}</id>${inside}</object>`;
  const of = '<property name="content" class="Page" package="com.atlassian.confluence"><id name="id">1</id></property>';
  const written = `<hibernate-generic>${entry("Page", 1, property("title", "A") + property("contentStatus", "current"))}${entry("BodyContent", 2, property("body", body.replaceAll("]]>", "]] >")) + of + property("bodyType", "2"))}</hibernate-generic>`;
  return readConfluence(zipSync({ "entities.xml": strToU8(written) }));
};

/** A folder of a repository that holds one text twice: in its contents, and as a page. */
const inRepository = (text: string) => {
  const files = new Map([
    ["SUMMARY.md", `${text}\n\n* [A](a.md)\n`],
    ["a.md", text],
  ]);
  return readBook({
    list: async () => [...files.keys()].map((path) => ({ path, oid: path, size: text.length, mode: "100644" })),
    read: async (oid: string) => strToU8(files.get(oid)!),
  } as unknown as Parameters<typeof readBook>[0]);
};

const PARSERS: readonly Parser[] = [
  { name: "Markdown", read: (text) => readMarkdown(text), families: MARKDOWN },
  {
    name: "Markdown that is written again",
    read: (text) => writeMarkdown(readMarkdown(text).document),
    families: some(BODY, 0),
  },
  {
    name: "Markdown that a change is written into",
    read: (text) => writeMarkdown(readMarkdown(`${text}\n\nMore.`).document, { original: text }),
    families: some(BODY, 1),
  },
  {
    name: "values and conditions",
    read: (text) => evaluateMarkdown(text, { scope, getIncludedText: () => "b" }),
    families: BODY,
  },
  { name: "a page's file", read: parsePageSource, families: FRONT },
  {
    name: "a page's file that is changed",
    read: (text) => updatePageSource(text, { title: "B", description: null }),
    families: FRONT,
  },
  { name: "targets of links", read: (text) => replaceLinkTargets(text, always), families: some(BODY, 2) },
  {
    name: "blocks that go back",
    read: (text) => revertBlocks(text, `${text}\n\nMore.`, ["a"]),
    families: some(BODY, 0),
  },
  {
    name: "a merge",
    read: (text) => mergeTexts(text, `Ours.\n\n${text}`, `${text}\n\nTheirs.`),
    families: some(MARKDOWN, 1),
  },
  { name: "a merge of what is different", read: (text) => mergeTexts("", text, `a${text}`), families: some(BODY, 0) },
  {
    name: "a translation",
    read: (text) => {
      const sheet = splitPageTexts({ title: "A", text });
      return sheet.insertTranslations(new Map([...sheet.texts].map(([number, words]) => [number, `${words} b`])));
    },
    families: some(MARKDOWN, 2),
  },
  {
    name: "terms of a glossary",
    read: (text) => replaceTerms(text, [{ term: "a a", translation: "b" }]),
    families: RUNS,
  },
  {
    name: "a search index",
    read: (text) =>
      createSearchIndex().put({ id: "a", title: text.slice(0, 200), sections: readMarkdown(text).sections } as never),
    families: some(BODY, 1),
  },
  { name: "a question to search", read: parseQuery, families: RUNS },
  { name: "a slug", read: createSlug, families: RUNS },
  { name: "an expression", read: (text) => parseExpression(text.slice(0, 1024)), families: RUNS },
  {
    name: "claims",
    read: (text) =>
      findSchemaIssue({
        type: "object",
        properties: { [text]: { type: "string", enum: [text] } },
        additionalProperties: false,
      }),
    families: RUNS,
  },
  { name: "a table of contents", read: (text) => parseSummary(text, "mdbook"), families: BODY },
  { name: "a repository", read: inRepository, families: BODY },
  { name: "addresses in a file", read: extractLocalHrefs, families: BODY },
  { name: "addresses that are mapped", read: (text) => mapUrls(text, always), families: BODY },
  { name: "links of a wiki", read: convertWikiLinks, families: BODY },
  { name: "the sidebar of a wiki", read: (text) => readSidebar(text, () => undefined), families: BODY },
  { name: "hints of Notion", read: (text) => convertCallouts(convertProperties(text)), families: FRONT },
  { name: "a database of Notion", read: (text) => readDatabase(text, always, always), families: RUNS },
  { name: "a page of Notion", read: readNotionHtml, families: HTML },
  { name: "HTML", read: (text) => convertHtmlToMarkdown(text), families: HTML },
  {
    name: "a whole page of HTML",
    read: (text) => convertHtmlToMarkdown(`<html><body>${text}`, { isContentOnly: true }),
    families: some(HTML, 0),
  },
  { name: "the bytes of HTML", read: (text) => decodeHtml(strToU8(text), text), families: HTML },
  { name: "the head of a page", read: (text) => readPageMetadata(text, "https://a.example/"), families: HTML },
  { name: "the frame of an embed", read: (text) => sanitizeFrame(text.slice(0, 64 * 1024), "A"), families: HTML },
  { name: "an oEmbed answer", read: (text) => parseOEmbed(JSON.stringify({ title: text })), families: RUNS },
  { name: "a document of Google", read: (text) => normalizeDocument(parseHtml(`<body>${text}`)), families: HTML },
  {
    name: "a style sheet of Google",
    read: (text) => normalizeDocument(parseHtml(`<style>.c1{${text}}</style><body>`)),
    families: RUNS,
  },
  { name: "XML", read: (text) => parseXml(text), families: XML },
  { name: "a page of Confluence", read: inConfluence, families: [...XML, ...some(HTML, 1)] },
  { name: "a Word document", read: inWord, families: DOCX },
  { name: "robots.txt", read: parseRobots, families: [...RUNS, of("rules", "disallow: /*a*b\n", "user-agent: *\n")] },
  { name: "a specification", read: (text) => runStepsSync(parseSpecification(text, "a")), families: YAML },
  { name: "a file", read: (text) => describeFile(strToU8(text), { name: text }), families: RUNS },
  {
    name: "a printed page",
    read: (text) => printer.print(job([page("A", 0, ...(readMarkdown(text).document.nodes as []))])),
    // Printing takes long even where it is linear, and the reader has every text already: a sixth of them.
    families: BODY.filter((_, i) => isLongRun || i % 6 === 0),
  },
];

/** The size that texts begin with, in characters. */
const SIZE = 2_000;
/** What takes less is not compared: what is quadratic takes more. */
const LEAST_MS = 2.5;
/** The most that twice the text may take. */
const MOST = 2.5;
/** What half the text takes, this many times, is no sign of anything: a part that grows with the square would show at twice
 * the text no sooner. */
const SURELY = 2.2;
/** How often a text is doubled before it counts: memory and compilers make steps, but not twice in a row. */
const DOUBLINGS = 5;

/** What was doubled three times and takes this long need not be doubled again. */
const LONG_MS = 100;

/** The processor time of one reading, in milliseconds; a refusal is a reading, too. */
async function costOf(read: Parser["read"], text: string): Promise<number> {
  const before = process.cpuUsage();
  try {
    await read(text);
  } catch (error) {
    if (error instanceof RangeError) throw error;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The least of several readings; what takes long is read once, and varies little. */
async function leastCost(times: number, read: Parser["read"], text: string): Promise<number> {
  let least = await costOf(read, text);
  for (let n = 1; n < times && least < LONG_MS; n++) least = Math.min(least, await costOf(read, text));
  return least;
}

/**
 * How the cost grows, when it keeps growing by more than the text; undefined when it does not. What costs less than `least`
 * is not compared.
 */
async function growthOf(
  read: Parser["read"],
  text: (size: number) => string,
  least: number,
): Promise<string | undefined> {
  const first = await costOf(read, text(SIZE));
  if (first < least || first <= SURELY * (await costOf(read, text(SIZE / 2)))) return undefined;
  const once = await costOf(read, text(SIZE));
  if (once < least || (await costOf(read, text(2 * SIZE))) <= MOST * once) return undefined;
  const costs = [await leastCost(3, read, text(SIZE))];
  const harmless = [await leastCost(3, read, filled(HARMLESS, SIZE))];
  for (let doubling = 1; doubling <= DOUBLINGS; doubling++) {
    costs.push(await leastCost(3, read, text(SIZE * 2 ** doubling)));
    harmless.push(await leastCost(3, read, filled(HARMLESS, SIZE * 2 ** doubling)));
    const [before, after] = costs.slice(-2) as [number, number];
    const [harmlessBefore, harmlessAfter] = harmless.slice(-2) as [number, number];
    // On a machine whose caches and memory others use as well, a harmless text takes more than twice the time, too: what it
    // takes more, at the same moment and for the same reader, is no sign. One that is too short to be measured tells nothing.
    const slowed = harmlessBefore < least ? 1 : Math.max(1, harmlessAfter / harmlessBefore / 2);
    if (after <= MOST * slowed * before) return undefined;
    if (doubling >= 3 && after > LONG_MS) break;
  }
  return costs.map((cost) => `${Math.round(cost)} ms`).join(", ");
}

async function growths({ read, families }: Parser): Promise<string[]> {
  const found: string[] = [];
  // A reader may need its time for no text at all; that does not grow.
  const least = LEAST_MS + (await leastCost(10, read, ""));
  for (const [name, text] of families) {
    const growth = await growthOf(read, text, least);
    if (growth !== undefined) found.push(`${name}: ${growth}`);
  }
  return found;
}

// Processor time is the subject, not the clock: a busy machine may take its time.
describe("S39: linear parsers", () => {
  test.each(PARSERS.map((parser) => [parser.name, parser] as const))(
    "S39: twice the text for %s takes twice the time",
    async (_, parser) => {
      expect(await growths(parser)).toEqual([]);
    },
  );

  test.each(PARSERS.map(({ name, read }) => [name, read] as const))("S39: %s is accepted at all", async (_, read) => {
    await expect((async () => read("a: b\n"))()).resolves.not.toBeNull();
  });

  test("control: quadratic cost, and nothing else, is detected", async () => {
    const families: Family[] = [["letters", (size) => filled("a", size)]];
    /** A reader that takes a text so many times that it is long enough to be compared on this machine. */
    const comparable = async (read: (text: string, times: number) => unknown): Promise<Parser["read"]> => {
      let times = 1;
      while ((await leastCost(3, (text) => read(text, times), filled("a", SIZE))) < 2 * LEAST_MS) times *= 2;
      return (text) => read(text, times);
    };
    const quadratic = await comparable((text, times) => {
      for (let n = 0; n < times; n++) /a*b/.test(text);
    });
    const linear = await comparable((text, times) => [...text.repeat(times)].sort());
    // A pause at the wrong moment hides a growth, but not again and again.
    const seen: string[] = [];
    for (let tries = 0; tries < 5 && seen.length === 0; tries++)
      seen.push(...(await growths({ name: "", read: quadratic, families })));
    expect(seen).toHaveLength(1);
    expect(await growths({ name: "", read: linear, families })).toEqual([]);
  });
});
