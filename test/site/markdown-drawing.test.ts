// What readers see of Markdown: notes, tables with code and blank lines in them, titles of columns, pictures that are not
// there, and elements of HTML within a line.

import { describe, expect, test } from "vitest";
import { readMarkdown } from "../../src/content/markdown/read";
import { writeMarkdown } from "../../src/content/markdown/write";
import { drawPage, normalizeHtml, readBlocks } from "../content/markdown/reader-html";

const draw = (markdown: string) => drawPage(readBlocks(markdown));

/** Draws a text, whose document is written back as the same bytes. */
async function read(markdown: string): Promise<string> {
  expect(writeMarkdown(readMarkdown(markdown).document, { original: markdown })).toBe(markdown);
  return normalizeHtml(await draw(markdown));
}

const table = (...cells: string[]) =>
  normalizeHtml(`<table><tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr></table>`);

describe("footnotes", () => {
  test.each([
    ["a space", "A claim [^1] is made."],
    ["code", "A claim in `code`[^1]."],
    ["a link", "A [link](https://example.com)[^1]."],
    ["an image", "An ![image](https://example.com/a.png)[^1]."],
  ])("a footnote after %s is its number and has a name", async (_, text) => {
    const drawn = await draw(`${text}\n\n[^1]: The source.`);
    expect(drawn).toContain('popovertarget="--note-1" aria-label="Note 1"><sup>1</sup></button>');
    expect(drawn).not.toMatch(/<button[^>]*><\/button>/);
  });

  test("a footnote after a word opens from the word", async () => {
    const drawn = await draw("A claim[^1].\n\n[^1]: The source.");
    expect(drawn).toContain('<button type="button" class="note" popovertarget="--note-1">claim</button>.');
  });

  test("a footnote referenced twice is printed once", async () => {
    const drawn = await draw("One[^a] [^a] two[^b].\n\n[^a]: The source.\n[^b]: Another one.");
    expect(drawn.match(/The source\./g)).toHaveLength(1);
    expect(drawn.match(/class="note-body"/g)).toHaveLength(2);
    expect(drawn.match(/popovertarget="--note-1"/g)).toHaveLength(2);
    expect(drawn).toContain("<sup>1</sup>");
    expect(drawn).toContain('popovertarget="--note-2">two<');
  });

  test("an unreferenced footnote is not shown, and one referenced only by a footnote is", async () => {
    expect(await draw("Text\n\n[^1]: Nobody.")).toBe("<p>Text</p>");
    expect(await draw("Text[^1]\n\n[^1]: See [^2].\n[^2]: Here.\n[^3]: Nobody.")).toMatch(
      /\[\^2\]: Here\.(?!.*Nobody)/s,
    );
  });
});

describe("HTML with blank lines", () => {
  test.each([
    [
      "code in a cell",
      "<table><tr><td><pre>one\n\ntwo</pre></td><td>next</td></tr></table>",
      table("<pre>one\n\ntwo</pre>", "next"),
    ],
    [
      "cells that are indented",
      "<table>\n<tr>\n<td>One</td>\n\n    <td>Two</td>\n</tr>\n</table>",
      table("One", "Two"),
    ],
    [
      "the rest of a table that is indented",
      "<table>\n    <tr>\n        <td>One</td>\n\n        <td>Two</td>\n    </tr>\n    </table>\n\nafter",
      `${table("One", "Two")}\n<p> after`,
    ],
    [
      "cells that end in paragraphs",
      "<table><tr><td>\n\n**a**</td><td>b *c*\n\nd</td></tr></table>",
      table("<b>a</b>", "b <i>c</i><p>d</p>"),
    ],
    [
      "code of many lines in a quote",
      "> <table><tr><td><pre>one\n>\n>   * two\n>\n> three</pre></td><td>**x**</td></tr></table>",
      normalizeHtml(
        "<blockquote><table><tr><td><pre>one\n\n  * two\n\nthree</pre></td><td><b>x</b></td></tr></table></blockquote>",
      ),
    ],
    [
      "code in something to expand",
      "<details><summary>Log</summary><pre>a\n\nb</pre></details>\n\nafter",
      normalizeHtml("<details><summary>Log</summary><div><pre>a\n\nb</pre></div></details><p>after</p>"),
    ],
    ["code in a container", "<div><pre>a\n\n  b</pre></div>", normalizeHtml("<pre>a\n\n  b</pre>")],
    [
      "lists in lists that are indented",
      "<ul>\n<li>a\n\n    <ul>\n        <li>b</li>\n\n        <li>c</li>\n    </ul>\n</li>\n</ul>",
      normalizeHtml("<ul><li>a<ul><li>b</li><li>c</li></ul></li></ul>"),
    ],
    ["words that are in no cell", "<table><tr><td>a</td>\n\nb\n\n<td>c</td></tr></table>", table("a", "b", "c")],
    [
      "Markdown in the title of a column",
      "<table><tr><th>\n\n**A**\n\n</th></tr><tr><td>b</td></tr></table>",
      normalizeHtml("<table><tr><th><b>A</b></th></tr><tr><td>b</td></tr></table>"),
    ],
    [
      "a field of text in a cell",
      "<table><tr><td><textarea>a\n\nb</textarea></td>\n<td>\n\nc\n\n</td></tr></table>",
      table("<pre>a\n\nb</pre>", "c"),
    ],
    [
      "a heading in the title of something to expand",
      "<details>\n<summary>\n\n### Click *me*\n\n</summary>\n\nbody\n\n</details>\n\nafter",
      normalizeHtml("<details><summary>Click <i>me</i></summary><div><p>body</p></div></details><p>after</p>"),
    ],
    [
      "several blocks in the title of something to expand, and text behind it",
      "<details><summary>One\n\n- two\n- three\n</summary>\nfour <b>five</b>\n\nsix\n\n</details>",
      normalizeHtml("<details><summary>One two three</summary><div><p>four <b>five</b></p><p>six</p></div></details>"),
    ],
    [
      "the title of something to expand that ends in a paragraph, in a list",
      "- a\n  <details>\n\n  <summary>\n\n  Title</summary>\n\n  body\n\n  </details>",
      normalizeHtml("<ul><li>a<details><summary>Title</summary><div><p>body</p></div></details></li></ul>"),
    ],
    [
      "something to expand in something to expand",
      "<details><summary>\n\nA\n\n</summary>\n\n<details><summary>\n\nB\n\n</summary>\n\nc\n\n</details>\n\nd\n\n</details>",
      normalizeHtml(
        "<details><summary>A</summary><div><details><summary>B</summary><div>c</div></details><p>d</p></div></details>",
      ),
    ],
    [
      "a title of something to expand that never ends",
      "<details>\n<summary>\n\na\n\nb\n\n</details>",
      normalizeHtml("<details><div><p>a</p><p>b</p></div></details>"),
    ],
    [
      "the caption of a table",
      "<table>\n<caption>\n\n**Cap** words\n\n</caption>\n<tr><td>a</td></tr></table>",
      normalizeHtml("<table><caption><b>Cap</b> words</caption><tr><td>a</td></tr></table>"),
    ],
    [
      "a field of text, in a form",
      "<form>\n<textarea rows=3>\na &amp; <b>b</b>\n\n  c\n</textarea>\n</form>",
      normalizeHtml("<pre>a &amp; &lt;b>b&lt;/b>\n\n  c</pre>"),
    ],
    [
      "text that is shown as it is written",
      "<xmp>\n<b>a</b> &amp;\n\nb\n</xmp>",
      normalizeHtml("<pre>&lt;b>a&lt;/b> &amp;amp;\n\nb</pre>"),
    ],
  ])("HTML with blank lines is read: %s", async (_, markdown, drawn) => {
    expect(await read(markdown)).toBe(drawn);
    expect(JSON.stringify(readMarkdown(markdown).document)).not.toContain("\\u0000");
  });

  test("U+0000 in a text is U+FFFD in its document", () => {
    const text = "a\0b\n\n<table><tr><td><pre>c\n\n\0</pre></td></tr></table>\n\n[^\0]: d\n\n<svg>\n\0</svg>";
    const said = JSON.stringify(readMarkdown(text).document);
    expect(said).not.toContain("\\u0000");
    expect(said).toContain("a\uFFFDb");
  });
});

describe("titles and captions", () => {
  test.each([
    [
      "the caption of a table",
      "<table><caption>Words</caption><tr><td>a</td></tr></table>",
      "<table><caption><p>Words</p></caption>",
    ],
    [
      "the caption behind the rows",
      "<table><tr><td>a</td></tr><caption>Words</caption></table>",
      "<table><caption><p>Words</p></caption>",
    ],
    [
      "the caption of cards",
      '<table data-view="cards"><caption>Words</caption><tr><th>A</th></tr><tr><td>a</td></tr></table>',
      '<div class="caption"><p>Words</p></div><ul class="cards',
    ],
    [
      "blocks in a caption, whose words stay apart",
      "<table><caption><h4>A</h4><ul><li>b</li><li>c</li></ul>d</caption><tr><td>a</td></tr></table>",
      "<caption><p>A b c d</p></caption>",
    ],
    ["blocks in a title", "<details><summary><h3>A</h3><div>b</div></summary>c</details>", "<summary>A b</summary>"],
  ])("an inline element is rendered: %s", async (_, markdown, drawn) => {
    expect(await draw(markdown)).toContain(drawn);
  });

  test("a summary without text gets its title from the browser", async () => {
    expect(await draw("<details>\n\nbody\n\n</details>")).toBe("<details><div><p>body</p></div></details>");
  });
});

describe("column titles", () => {
  const HEAD =
    "| **a** | [b](/u) | ![c](/c.png) | `d` :smile: | plain |\n|---|---|---|---|---|\n| 1 | 2 | 3 | 4 | 5 |\n";

  test("column titles keep their marks, links and images", async () => {
    const drawn = await draw(HEAD);
    expect(drawn).toContain('<th scope="col"><strong>a</strong></th><th scope="col"><a href="/u">b</a></th>');
    expect(drawn).toContain('<img src="/c.png" alt="c"');
    expect(drawn).toContain('<th scope="col"><code>d</code> 😄</th><th scope="col">plain</th>');
  });

  test("column titles are plain text for simple consumers, and once for search", () => {
    const { document, sections } = readMarkdown(HEAD);
    const { definition } = (document.nodes[0] as { data: { definition: Record<string, { title: string }> } }).data;
    expect(Object.values(definition).map(({ title }) => title)).toEqual(["a", "b", "c", "d :smile:", "plain"]);
    expect(sections[0]!.text.match(/plain/g)).toHaveLength(1);
    expect(sections[0]!.text).toMatch(/^a b c d/);
  });

  test.each([HEAD, "<table><tr><th><b>a</b></th><th>c</th></tr><tr><td><ul><li>d</li></ul></td></tr></table>"])(
    "column titles are written back unchanged",
    (text) => {
      const { document } = readMarkdown(text);
      const said = (value: unknown) => JSON.stringify(value, (name, it) => (name === "key" ? undefined : it));
      expect(said(readMarkdown(writeMarkdown(document)).document)).toBe(said(document));
    },
  );

  test("a changed column title is what its plain text says", () => {
    const { document } = readMarkdown(HEAD);
    const changed = JSON.parse(JSON.stringify(document).replace('"title":"a"', '"title":"changed"'));
    expect(writeMarkdown(changed, { original: HEAD })).toBe(HEAD.replace("**a**", "changed"));
  });
});

describe("images and files", () => {
  test.each(["missing.png", "./missing.png", "../missing.png", "?missing", "#missing"])(
    "an image at %s is its alternative text, and no other page is requested",
    async (address) => {
      const drawn = await draw(`![words](${address}) and ![](https://example.com/a.png)\n\n![words](${address})`);
      expect(drawn.match(/<img /g)).toHaveLength(1);
      expect(drawn.match(/<span class="gone">words<\/span>/g)).toHaveLength(2);
    },
  );

  test.each(["https://example.com/a.png", "/a.png", "data:image/png;base64,AAAA"])(
    "an image at %s is shown",
    async (src) => {
      expect(await draw(`![words](${src})`)).toContain(`<img src="${src}" alt="words"`);
    },
  );

  test("a missing file has its name and its caption", async () => {
    expect(await draw('<video src="a.mp4"></video>')).toBe(
      '<figure class="file"><span class="gone">a.mp4</span></figure>',
    );
    expect(await draw('{% file src="a.pdf" %}\nThe *caption*\n{% endfile %}')).toContain("The <em>caption</em>");
  });

  test("a backslash in an address is not a slash", async () => {
    expect(await draw("[a](/\\evil.example) [b](https://example.com/a\\b)")).toBe(
      '<p><a href="/%5Cevil.example">a</a> <a href="https://example.com/a%5Cb">b</a></p>',
    );
  });
});

describe("inline elements", () => {
  test.each([
    ["an element that holds nothing but its id", '<div id="x">\n</div>', '<p><a id="x"></a></p>'],
    ["a place for a line to break", "a<wbr>b", "<p>a<wbr>b</p>"],
    ["a mark", "a <mark>b</mark>", "<p>a <mark>b</mark></p>"],
    ["a mark in a style that nobody knows", '<mark style="x">a</mark>', "<p><mark>a</mark></p>"],
    ["keys", "<kbd><kbd>Ctrl</kbd>+<kbd>C</kbd></kbd>", "<p><kbd>Ctrl+C</kbd></p>"],
    ["metadata", "a<meta charset=utf-8>b", "<p>ab</p>"],
    [
      "a film",
      'a <video src="https://a.b/c.mp4"></video>',
      '<p>a <a href="https://a.b/c.mp4">https://a.b/c.mp4</a></p>',
    ],
    [
      "a film with a title",
      '<b>a</b> <video src="/c.mp4" title="C"></video>',
      '<p><strong>a</strong> <a href="/c.mp4">C</a></p>',
    ],
    ["a film that is not there", 'a <video src="c.mp4"></video>', "<p>a c.mp4</p>"],
    ["a link that leads nowhere", "a [b](c.md)", "<p>a b</p>"],
    ["an element that nothing closes", "a <b>b *c*", "<p>a <strong>b </strong><em><strong>c</strong></em></p>"],
    ["an end that closes nothing", "a </div> b</b>", "<p>a  b</p>"],
    ["instructions and declarations", "a <?php echo 1; ?><!DOCTYPE a> b", "<p>a  b</p>"],
    ["a placeholder", "a <your-name> b <x>", "<p>a &lt;your-name&gt; b &lt;x&gt;</p>"],
  ])("%s", async (_, markdown, drawn) => {
    expect(normalizeHtml(await draw(markdown))).toBe(normalizeHtml(drawn));
    expect(await read(markdown)).toBe(normalizeHtml(drawn));
  });

  test("an abbreviation has its expansion and is written back", async () => {
    const text = 'The (<abbr title="Hyper Text">HT</abbr>) of the <abbr title="World Wide Web">w w w</abbr>';
    const drawn = await draw(text);
    expect(drawn).toContain('(<button type="button" class="note" popovertarget="--note-1">HT</button>)');
    expect(drawn).toContain("<p>World Wide Web</p>");
    expect(writeMarkdown(readMarkdown(text).document)).toBe(`${text}\n`);
  });
});

describe("alerts", () => {
  test.each([
    ["NOTE", "info"],
    ["TIP", "success"],
    ["IMPORTANT", "info"],
    ["WARNING", "warning"],
    ["CAUTION", "danger"],
  ])("a quote that starts with [!%s] is a hint", async (word, style) => {
    const text = `> [!${word}]\n> Some *words*\n>\n> - and more\n`;
    const drawn = await draw(text);
    expect(drawn).toContain(`<aside class="hint ${style}"`);
    expect(drawn).toContain("<p>Some <em>words</em></p><ul><li><p>and more</p></li></ul>");
    const { document } = readMarkdown(text);
    const changed = JSON.parse(JSON.stringify(document).replace("Some ", "Other ").replace("and more", "and less"));
    expect(writeMarkdown(changed, { original: text })).toBe(text.replace("Some", "Other").replace("more", "less"));
  });

  test.each(["> [!NOTE]", "> [!OTHER]\n> a", "> \\[!NOTE]\n> a", "> `[!NOTE]`\n> a", "> [!NOTE]\n\n[!NOTE]: /u"])(
    "%j is a quote",
    async (text) => {
      expect(await draw(text)).toMatch(/^<blockquote>/);
    },
  );
});
