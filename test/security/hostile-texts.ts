// Texts that are made to cost much, by families and sizes.

/** A text of a size, made of one piece over and over. */
export const filled = (unit: string, size: number) => unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
/** A text of about a size, made of pieces that differ. */
export const numbered = (size: number, unit: (n: number) => string) => {
  const parts: string[] = [];
  for (let n = 0, length = 0; length < size; n++) {
    parts.push(unit(n));
    length += parts.at(-1)!.length;
  }
  return parts.join("");
};

/** A piece of a harmless text. */
export const HARMLESS =
  "Some words of a text that means well, with a [link](page.md) and **weight**, line by line.\n\n";

/** Families of texts, by size. */
export const FAMILIES: readonly (readonly [name: string, text: (size: number) => string])[] = [
  ["quotes in quotes", (n) => filled("> ", n)],
  ["lists in lists", (n) => filled("* ", n)],
  ["numbers in numbers", (n) => filled("1. ", n)],
  ["a staircase of lists", (n) => numbered(n, (i) => `${" ".repeat(i)}* a\n`)],
  ["opening brackets", (n) => filled("[", n)],
  ["brackets that close late", (n) => filled("[", n / 2) + filled("]", n / 2)],
  ["links that never close", (n) => filled("[a](", n)],
  ["images that never close", (n) => filled("![a](<b", n)],
  ["stars", (n) => filled("*a **b ", n)],
  ["underscores", (n) => filled("_a__b", n)],
  ["strikes", (n) => filled("~a~~b", n)],
  ["backticks", (n) => filled("`a", n)],
  ["runs of backticks of every length", (n) => numbered(n, (i) => `${"`".repeat(i)} a `)],
  ["fences", (n) => filled("```\n", n)],
  ["tags that never close", (n) => filled('{% a b="', n)],
  ["conditions in conditions", (n) => filled("{% if x %}\n", n)],
  ["hints in hints", (n) => filled("{% hint %}\n", n)],
  ["tabs in tabs", (n) => filled("{% tabs %}{% tab %}\n", n)],
  ["closing tags", (n) => filled("{% endif %}\n", n)],
  ["entities", (n) => filled("&amp;", n)],
  ["entities that never end", (n) => filled("&a", n)],
  ["a long table", (n) => `|a|b|\n|-|-|\n${filled("|x|y|\n", n)}`],
  ["a wide table", (n) => `${filled("|a", n / 3)}|\n${filled("|-", n / 3)}|\n${filled("|x", n / 3)}|\n`],
  ["a wide and long table", (n) => `${filled("|a", n / 4)}|\n${filled("|-", n / 4)}|\n${filled("|\n", n / 2)}`],
  ["a wide table of short rows", (n) => `${filled("|a", n / 4)}|\n${filled("|-", n / 4)}|\n${filled("x\n", n / 2)}`],
  ["rows that may be a table", (n) => filled("a|b\n", n)],
  ["a table in HTML", (n) => `<table><tbody>${filled("<tr><td>a", n)}`],
  ["tables in tables", (n) => filled("<table><tr><td>", n)],
  ["one long line", (n) => filled("a", n)],
  ["one long line of spaces", (n) => `a${filled(" ", n)}a`],
  ["footnotes", (n) => numbered(n / 2, (i) => `[^${i}]: x\n`) + numbered(n / 2, (i) => `a[^${i}] `)],
  ["one footnote, everywhere", (n) => `${filled("[^a]", n)}\n\n[^a]: ${filled("x ", 1_000)}\n`],
  ["footnotes in footnotes", (n) => `[^0]\n\n${numbered(n, (i) => `[^${i}]: see[^${i + 1}]\n\n`)}`],
  ["definitions", (n) => numbered(n, (i) => `[a${i}]: b\n`)],
  ["definitions that are used", (n) => `[a]: ${filled("b", 1_000)}\n\n${filled("[a] ", n)}`],
  ["anchors in HTML", (n) => filled("<a href='", n)],
  ["comments that never close", (n) => filled("<!--", n)],
  ["declarations that never close", (n) => filled("<![CDATA[", n)],
  ["elements that never close", (n) => filled("<b>", n)],
  ["details in details", (n) => filled("<details><summary>a</summary>\n\n", n)],
  ["angles", (n) => filled("<", n)],
  ["formulas", (n) => filled("$$a", n)],
  ["addresses", (n) => filled("www.a.b ", n)],
  ["half addresses", (n) => filled("http://a", n)],
  ["half mail addresses", (n) => filled("a@", n)],
  ["dots and dashes", (n) => filled("a.b-c_d+", n)],
  ["headings", (n) => filled("## a\n", n)],
  ["underlined headings", (n) => filled("a\n-\n", n)],
  ["hashes", (n) => filled("#", n)],
  ["carriage returns", (n) => filled("a\r", n)],
  ["tabs", (n) => filled("\t", n)],
  ["backslashes", (n) => filled("\\", n)],
  ["nothing but NUL", (n) => filled("\0", n)],
  ["halves of characters", (n) => filled("\ud800", n)],
  ["marks on marks", (n) => `a${filled("\u0301", n)}`],
  ["marks of direction", (n) => filled("\u202e", n)],
  ["emojis", (n) => filled(":a", n)],
  ["expressions", (n) => filled('<code class="expression">a</code>', n)],
  ["expressions that never close", (n) => filled('<code class="expression">', n)],
  ["includes", (n) => filled('{% include "a" %}\n', n)],
  ["links", (n) => filled("[a](b) ", n)],
  ["different links", (n) => numbered(n, (i) => `[a](b${i}) `)],
  ["one link with a long path", (n) => `[a](${filled("a/", n)})`],
  ["one link with many dots", (n) => `[a](${filled("../", n)})`],
  ["front matter of one key", (n) => `---\n${filled("a: b\n", n)}---\nx\n`],
  ["front matter of many keys", (n) => `---\n${numbered(n, (i) => `a${i}: b\n`)}---\nx\n`],
  ["front matter of brackets", (n) => `---\na: ${filled("[", n)}\n---\n`],
  ["front matter of braces", (n) => `---\na: ${filled("{a: ", n)}\n---\n`],
  ["a staircase of front matter", (n) => `---\n${numbered(n, (i) => `${" ".repeat(i)}a:\n`)}---\n`],
  ["front matter that never ends", (n) => `---\n${filled("a: b\n", n)}`],
  ["front matter of quotes", (n) => `---\na: "${filled("\\", n)}\n---\n`],
  ["front matter of anchors", (n) => `---\n${numbered(n, (i) => `a${i}: &a${i} b\n`)}---\n`],
  ["front matter of variables", (n) => `---\nvars:\n${numbered(n, (i) => `  a${i}: b\n`)}---\n`],
];

/** Those of which a megabyte takes no longer than a megabyte of anything. */
export const QUICK = new Set([
  "lists in lists",
  "runs of backticks of every length",
  "tags that never close",
  "entities that never end",
  "a table in HTML",
  "tables in tables",
  "one long line",
  "one long line of spaces",
  "comments that never close",
  "declarations that never close",
  "half addresses",
  "hashes",
  "tabs",
  "marks on marks",
  "one link with a long path",
  "one link with many dots",
  "front matter of one key",
  "front matter of brackets",
  "front matter of braces",
  "a staircase of front matter",
  "front matter of quotes",
]);
