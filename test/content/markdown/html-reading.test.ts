// HTML, comments and the tags of other generators as a reader sees them. The text keeps every byte, whatever the document
// shows of it.

import { describe, expect, test } from "vitest";
import type { Block, Phrasing } from "../../../src/content/document";
import { checkDocument } from "../../../src/content/document/check-document";
import { readMarkdown } from "../../../src/content/markdown/read";
import { writeMarkdown } from "../../../src/content/markdown/write";
import { replaceLinkTargets } from "../../../src/content/revision/link-targets";

/** What blocks are, in short: their types with what they say. */
function told(blocks: readonly (Block | Phrasing)[]): unknown[] {
  return blocks.flatMap((node): unknown[] => {
    if (node.object === "text") {
      const words = node.leaves.map((leaf) => leaf.text).join("");
      return words === "" ? [] : [words];
    }
    if (node.object === "inline") return [{ [node.type]: node.nodes ? told(node.nodes) : node.data }];
    const inside = [...told(node.nodes ?? []), ...(node.fragments ?? []).map(({ nodes }) => told(nodes))];
    const data = Object.keys(node.data ?? {}).length > 0 && node.type !== "table" ? [node.data] : [];
    return [[node.type, ...data, ...inside]];
  });
}

const read = (markdown: string) => told(readMarkdown(markdown).document.nodes);
const p = (...words: unknown[]) => ["paragraph", ...words];

describe("raw tags of Liquid", () => {
  const code = (line: string) => ["code", ["code-line", line]];

  test.each([
    ["around blocks", "{% raw %}\nOne {{ a }}.\n\n    two\n{% endraw %}", [p("One {{ a }}."), code("two")]],
    ["around code in HTML", "{% raw %}\n<div>\n\n~~~\na\n~~~\n\n</div>\n{% endraw %}", [code("a")]],
    [
      "in a sentence",
      "Use {% raw %}`{{ a }}`{% endraw %} and {% raw %}{{ b }}{% endraw %}.",
      [p("Use {{ a }} and {{ b }}.")],
    ],
    ["as a sentence", "{% raw %}{{ a }}{% endraw %}", [p("{{ a }}")]],
    ["in an item", "* {%- raw -%} a {%- endraw -%}\n", [["list-unordered", ["list-item", p("a")]]]],
    ["as words", "Write {% raw %} before it.", [p("Write {% raw %} before it.")]],
    [
      "in code",
      "```liquid\n{% raw %}\n{{ a }}\n{%- endraw -%}\n```",
      [["code", { syntax: "liquid" }, ["code-line", "{{ a }}"]]],
    ],
    ["in a line of code", "    a {% raw %}{{ b }}{% endraw %} c", [code("a {{ b }} c")]],
    [
      "in code that is about it, but for the first pair",
      "~~~\n{% raw %}{% raw %}a{% endraw %}{% endraw %}\n~~~",
      [code("{% raw %}a{% endraw %}")],
    ],
    ["in code, if one is missing,", "~~~\n{% endraw %} {% raw %}\n~~~", [code("{% endraw %} {% raw %}")]],
  ])("%s is hidden and stays in the text", (_, text, blocks) => {
    expect(read(text)).toEqual(blocks);
    const { document } = readMarkdown(text);
    expect(writeMarkdown(document, { original: text })).toBe(text);
  });

  test("raw tags of Liquid stay around code that changes", () => {
    const text = "~~~\n{% raw %}\none {{ a }}\n{% endraw %}\n~~~\n";
    const { document } = readMarkdown(text);
    const changed = JSON.parse(JSON.stringify(document).replace("one", "two"));
    expect(writeMarkdown(changed, { original: text })).toBe(text.replace("one", "two"));
  });
});

describe("spelled-out operations", () => {
  const tag = (name: string, attributes: string, ...inside: string[]) =>
    [`{% ${name}${attributes} %}`, ...inside, `{% end${name} %}`].join("\n");

  test.each([
    [
      tag(
        "swagger",
        ' method="post" path="/pets" baseUrl="https://x.example" summary="Add a pet"',
        tag("swagger-description", "", "See [it](it.md)."),
        tag("swagger-parameter", ' in="body" name="name" type="string" required="true"', "How it is called"),
        tag("swagger-parameter", ' in="body" name="age"', ""),
        tag("swagger-response", ' status="200: OK" description="Added"', "```js\n{}\n```"),
      ),
      "POST https://x.example/pets",
      ["Add a pet", "See it.", "Body", "name (string, required)", "How it is called", "age", "200: OK Added", "{}"],
    ],
    [
      tag(
        "api-method",
        ' method="get" host="https://x.example" path="/pets/:id"',
        tag("api-method-summary", "", "Get *a* pet"),
        tag("api-method-description", "", "One of them."),
        tag(
          "api-method-spec",
          "",
          tag(
            "api-method-request",
            "",
            tag(
              "api-method-query-parameters",
              "",
              tag("api-method-parameter", ' name="q" type="string" required=false', "A word"),
            ),
          ),
          tag("api-method-response", "", tag("api-method-response-example", " httpCode=404", "Not found.")),
        ),
      ),
      "GET https://x.example/pets/:id",
      ["Get a pet", "One of them.", "Query parameters", "q (string)", "A word", "404", "Not found."],
    ],
  ])("a spelled-out operation becomes an expandable: %s", (text, title, says) => {
    const { document, sections } = readMarkdown(text);
    const words = (node: unknown): string => {
      const {
        leaves,
        nodes = [],
        fragments = [],
      } = node as { leaves?: { text: string }[]; nodes?: unknown[]; fragments?: unknown[] };
      return leaves ? leaves.map((leaf) => leaf.text).join("") : [...nodes, ...fragments].map(words).join("");
    };
    expect(document.nodes.map(({ type }) => type)).toEqual(["expandable"]);
    expect(words(document.nodes[0]!.fragments![0])).toBe(title);
    for (const said of says) expect(sections[0]!.text.split("\n")).toContain(said);
    expect(checkDocument(document)).toEqual([]);
    expect(writeMarkdown(document, { original: text })).toBe(text);
  });

  test("an operation without a method stays unknown, and one of a specification is an operation block", () => {
    expect(read(tag("swagger", ' path="/a"', "Words."))).toEqual([["unknown", expect.anything(), p("Words.")]]);
    expect(read('{% swagger src="a.yaml" path="/a" method="get" %}\n[a.yaml](a.yaml)\n{% endswagger %}')).toEqual([
      ["swagger", expect.objectContaining({ path: "/a" })],
    ]);
  });
});

describe("hidden content", () => {
  test.each([
    "<!-- a comment -->",
    "<!-- a comment\n\nwith a blank line -->",
    "<!-- one --><!-- two -->",
    '<div class="row">',
    "</div>",
    "<div></div>",
    "<br>",
    "<p></p>",
    "<script>a()</script>",
    "<style>\n\na {}\n</style>",
    "<!DOCTYPE html>",
    "<Wrapper>",
    "</Wrapper>",
  ])("%j is not a block and stays when the document is written", (hidden) => {
    const text = `One.\n\n${hidden}\n\nTwo.\n`;
    const { document, sections } = readMarkdown(text);
    expect(told(document.nodes)).toEqual([p("One."), p("Two.")]);
    expect(sections).toEqual([{ text: "One.\nTwo." }]);
    expect(writeMarkdown(document, { original: text })).toBe(text);
    const [one, two] = document.nodes as [Block, Block];
    const changed = { ...document, nodes: [one, { ...two, nodes: [{ ...two.nodes![0], leaves: [] } as never] }] };
    const added = { ...document, nodes: [one, ...readMarkdown("New.").document.nodes, two] };
    expect(writeMarkdown(changed, { original: text })).toContain(hidden);
    expect(writeMarkdown(added, { original: text })).toContain(hidden);
  });

  test("the caption of a table is a fragment and is written again", () => {
    const text =
      "<table><caption>One</caption><thead><tr><th>A</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>\n";
    const { document, sections } = readMarkdown(text);
    const [table] = document.nodes as [Block];
    expect(checkDocument(document)).toEqual([]);
    expect(table.fragments!.map(({ type }) => type)).toEqual(["cell", "caption"]);
    expect(sections[0]!.text).toContain("One");
    expect(writeMarkdown(document)).toBe(
      '<table data-view="grid"><caption>One</caption><thead><tr><th>A</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>\n',
    );
    const plain = { ...document, nodes: [{ ...table, fragments: table.fragments!.slice(0, 1) }] };
    expect(writeMarkdown(plain)).toBe("| A |\n| --- |\n| b |\n");
  });

  test("a document with a comment as an unknown block keeps its text", () => {
    const text = "One.\n\n<!-- a -->\n\nTwo.\n";
    const { document } = readMarkdown(text);
    const comment: Block = { object: "block", type: "unknown", isVoid: true, data: { source: "<!-- a -->" } };
    const nodes = [document.nodes[0]!, comment, document.nodes[1]!];
    expect(writeMarkdown({ ...document, nodes }, { original: text })).toBe(text);
    expect(writeMarkdown({ ...document, nodes })).toBe(text);
  });

  test("comments between tabs, items and words are omitted", () => {
    expect(read('{% tabs %}\n<!-- a -->\n{% tab title="A" %}\nx\n{% endtab %}\n{% endtabs %}')).toEqual([
      ["tabs", ["tabs-item", { title: "A" }, p("x")]],
    ]);
    expect(read("* a\n\n  <!-- b -->\n* c <!-- d --> e")).toEqual([
      ["list-unordered", ["list-item", p("a")], ["list-item", p("c  e")]],
    ]);
  });
});

describe("HTML with blocks", () => {
  test.each<[string, string, unknown[]]>([
    [
      "a list",
      '<ul>\n<li>a <b>b</b></li>\n<li>c<ol start="2"><li>d</ol>\n</ul>',
      [
        [
          "list-unordered",
          ["list-item", p("a b")],
          ["list-item", p("c"), ["list-ordered", { start: 2 }, ["list-item", p("d")]]],
        ],
      ],
    ],
    [
      "tasks",
      '<ul><li><input type="checkbox" checked> a</li><li><input type="checkbox"> b</li></ul>',
      [["list-tasks", ["list-item", { checked: true }, p("a")], ["list-item", { checked: false }, p("b")]]],
    ],
    [
      "terms",
      "<dl><dt>a</dt><dd>b</dd><dd><p>c</p><p>d</p></dd><dt>e</dl>",
      [["list-unordered", ["list-item", p("a"), p("b"), p("c"), p("d")], ["list-item", p("e")]]],
    ],
    [
      "code",
      '<pre><code class="language-js">a &lt; b\n\n  <span class="hl">c</span>\n</code></pre>',
      [["code", { syntax: "js" }, ["code-line", "a < b"], ["code-line"], ["code-line", "  c"]]],
    ],
    [
      "code with its language and title on the outside",
      '<pre class="language-sh" title="run.sh"><code>a</code></pre>',
      [["code", { syntax: "sh", title: "run.sh" }, ["code-line", "a"]]],
    ],
    ["code without a language", "<pre>\na\n b\n</pre>", [["code", ["code-line", "a"], ["code-line", " b"]]]],
    ["a button", '<button onclick="x()">Press <b>me</b></button>', [p("Press me")]],
    ["anchors", '<a id="x"></a>', [p({ anchor: { id: "x" } })]],
    ["an anchor that is left open", '<a name="x">', [p({ anchor: { id: "x" } })]],
    [
      "anchors on other elements",
      '<i id="x"></i><i id="y"></i>',
      [p({ anchor: { id: "x" } }, { anchor: { id: "y" } })],
    ],
    ["a container with an id", '<div id="x">a</div>', [p({ anchor: { id: "x" } }), p("a")]],
    [
      "what follows each other",
      "<h2>a</h2>\n<p>b</p>\n<hr>\nc <em>d</em>\n<blockquote>e</blockquote>",
      [["heading-1", "a"], p("b"), ["divider"], p("c d"), ["blockquote", p("e")]],
    ],
    [
      "containers inside one another",
      "<section>\n<div>a<p>b</p></div>\n<center>c</center>\n</section>",
      [p("a"), p("b"), p("c")],
    ],
    ["Markdown in a container", "<div>\n\n* a\n\n</div>", [["list-unordered", ["list-item", p("a")]]]],
    ["a hint", '<div class="warning">\n\na\n\n**b**\n\n</div>', [["hint", { style: "warning" }, p("a"), p("b")]]],
    ["a hint in one piece", '<div class="alert alert-danger"><p>a</p></div>', [["hint", { style: "danger" }, p("a")]]],
    ["a component that is a hint", '<Callout type="tip">\n\na\n\n</Callout>', [["hint", { style: "success" }, p("a")]]],
    [
      "components that are tabs",
      '<Tabs>\n<TabItem value="a" label="A">\n\nx\n\n</TabItem>\n</Tabs>',
      [["tabs", ["tabs-item", { title: "A" }, p("x")]]],
    ],
    [
      "a frame",
      '<iframe width="1" src="https://example.com/a"></iframe>',
      [["embed", { url: "https://example.com/a" }]],
    ],
    [
      "a film",
      '<video controls><source src="https://example.com/a.mp4"></video>',
      [["embed", { url: "https://example.com/a.mp4" }]],
    ],
    ["a film of the text", '<video src="a.mp4"></video>', [["file", { ref: { kind: "url", url: "a.mp4" } }]]],
    [
      "a figure with code",
      "<figure><figcaption>a</figcaption><pre>b</pre></figure>",
      [p("a"), ["code", ["code-line", "b"]]],
    ],
    [
      "a listing",
      '<Listing number="1-2" file-name="src/main.rs" caption="Says `hi`">\n\n```rust\nhi\n```\n\n</Listing>',
      [p("src/main.rs – Listing 1-2: Says hi"), ["code", { syntax: "rust" }, ["code-line", "hi"]]],
    ],
    ["names in a line", '<span class="filename">Filename: a.rs</span>', [p("Filename: a.rs")]],
    ["elements without a meaning in a line", "a <small>b</small> <samp>c</samp> <q>d</q>", [p("a b c “d”")]],
    [
      "a table with a caption",
      "<table>\n<caption>The <b>numbers</b></caption>\n<tr><td>a</td></tr></table>",
      [["table", [p("a")], [p("The numbers")]]],
    ],
    ["a table with an empty caption", "<table><caption> </caption><tr><td>a</td></tr></table>", [["table", [p("a")]]]],
    ["what is not balanced", "<table><tr><td>a</th><td>b</th></tr></table>", [["table", [p("a")], [p("b")]]]],
  ])("HTML is read as blocks: %s", (_, html, blocks) => {
    expect(read(html)).toEqual(blocks);
    expect(checkDocument(readMarkdown(html).document)).toEqual([]);
    const { document } = readMarkdown(html);
    expect(writeMarkdown(document, { original: html })).toBe(html);
    expect(told(readMarkdown(writeMarkdown(document)).document.nodes)).toEqual(blocks);
  });

  test("a meaningful component and an element without meaning are unknown blocks", () => {
    for (const html of ["<Widget />", "<Widget></Widget>", "<div><Widget/></div>", "<svg>\n<path/>\n</svg>"])
      expect(JSON.stringify(read(html))).toContain('"unknown"');
  });

  test("neighbors keep their keys and bytes when one HTML block changes", () => {
    const text = "<section>\n<h2>a</h2>\n<p>b</p>\n</section>\n\nc\n";
    const { document } = readMarkdown(text);
    const [heading, , last] = document.nodes;
    const nodes = [heading!, ...readMarkdown("new").document.nodes, last!];
    const written = writeMarkdown({ ...document, nodes }, { original: text });
    expect(written).toContain("<section>\n<h2>a</h2>");
    expect(written).toContain("</section>");
    const again = readMarkdown(written).document.nodes;
    expect(told(again)).toEqual([["heading-1", "a"], p("new"), p("c")]);
    expect([again[0]!.key, again[2]!.key]).toEqual([heading!.key, last!.key]);
  });
});

describe("HTML tables", () => {
  const cards =
    '<table data-view="cards"><thead><tr><th></th><th></th><th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="image"></th></tr></thead><tbody>' +
    '<tr><td><h3><i class="fa-leaf">:leaf:</i> Start</h3></td><td><p>One</p><p><a href="b.md" class="button primary">Go</a></p><ul><li><a href="c.md">c</a></li></ul></td><td><a href="a.md">a.md</a></td><td data-object-fit="contain"><a href="x.png">x.png</a></td></tr>' +
    "</tbody></table>";

  test("cards contain headings, lists, buttons and paragraphs, and their links are links of the page", () => {
    const { document, links, headings, sections } = readMarkdown(`## Before\n\n${cards}\n`);
    expect(told(document.nodes.slice(1))).toEqual([
      [
        "table",
        [["heading-2", { icon: { icon: "leaf" } }, " Start"]],
        [
          p("One"),
          p({ button: { label: "Go", kind: "primary", ref: { kind: "url", url: "b.md" } } }),
          ["list-unordered", ["list-item", p({ link: ["c"] })]],
        ],
      ],
    ]);
    expect(links.map(({ href, as }) => [href, as])).toEqual([
      ["b.md", "button"],
      ["c.md", "link"],
      ["a.md", "content-ref"],
      ["x.png", "image"],
    ]);
    expect(new Set(links.map(({ block }) => block))).toEqual(new Set([document.nodes[1]!.key]));
    expect(headings.map(({ text }) => text)).toEqual(["Before"]);
    expect(sections).toEqual([{ anchor: "before", title: "Before", text: "Start\nOne\nGo\nc" }]);
  });

  test("addresses in cells are rewritten in place", () => {
    const moved = replaceLinkTargets(cards, (href) => `moved/${href}`);
    for (const href of ["a.md", "b.md", "c.md", "x.png"]) expect(moved).toContain(`href="moved/${href}"`);
    expect(moved.replaceAll("moved/", "")).toBe(cards);
  });

  test("a table stays one table despite blank lines and Markdown in its cells", () => {
    const text =
      "<table>\n<thead><tr><th>A</th><th>B</th></tr></thead>\n\n<tr>\n<td>\n\n```js\na\n```\n\n</td>\n\n<td>\n\n* [b](b.md)\n\n</td>\n</tr>\n\n</table>\n\nafter\n";
    const { document, links } = readMarkdown(text);
    expect(told(document.nodes)).toEqual([
      [
        "table",
        [["code", { syntax: "js" }, ["code-line", "a"]]],
        [["list-unordered", ["list-item", p({ link: ["b"] })]]],
      ],
      p("after"),
    ]);
    expect(links).toMatchObject([{ href: "b.md", start: text.indexOf("[b]") }]);
    expect(writeMarkdown(document, { original: text })).toBe(text);
  });

  test("a table without a header has none, and cells that span several places leave them empty", () => {
    const [table] = readMarkdown('<table><tr><td colspan="2">a</td></tr><tr><td>b</td><td>c</td></tr></table>').document
      .nodes;
    expect(table!.data).toMatchObject({
      view: { type: "grid", columns: ["c1", "c2"], hideHeader: true },
      records: { r1: { values: { c1: "r1c1" } }, r2: { values: { c1: "r2c1", c2: "r2c2" } } },
    });
  });

  test("cells of options are values even if the header does not say so", () => {
    const [table] = readMarkdown(
      '<table><thead><tr><th>A</th></tr></thead><tbody><tr><td><span data-option="x">X, </span><span data-option="y">Y</span></td></tr><tr><td></td></tr></tbody></table>',
    ).document.nodes;
    expect(table!.data).toMatchObject({
      records: { r1: { values: { c1: ["x", "y"] } }, r2: { values: {} } },
      definition: {
        c1: {
          type: "select",
          options: [
            { value: "x", label: "X" },
            { value: "y", label: "Y" },
          ],
        },
      },
    });
  });
});

describe("tags of other generators", () => {
  test.each<[string, string, unknown[]]>([
    [
      "code",
      '{{< code file="a.html" >}}\n<p>\n\n* a\n{{< /code >}}\n\nb',
      [["code", { title: "a.html" }, ["code-line", "<p>"], ["code-line"], ["code-line", "* a"]], p("b")],
    ],
    [
      "highlighted code",
      "{{< highlight go >}}\na\n{{< /highlight >}}",
      [["code", { syntax: "go" }, ["code-line", "a"]]],
    ],
    [
      "highlighted code of Jekyll",
      "{% highlight ruby linenos %}\n# a\n{% endhighlight %}",
      [["code", { syntax: "ruby" }, ["code-line", "# a"]]],
    ],
    [
      "code in an item",
      "* a\n\n  {{< code >}}\n  b\n  {{< /code >}}\n",
      [["list-unordered", ["list-item", p("a"), ["code", ["code-line", "b"]]]]],
    ],
    ["a note", "{{% note %}}\na\n{{% /note %}}", [["hint", { style: "info" }, p("a")]]],
    [
      "a note with a title",
      '{{% warning "b" %}}\na\n{{% /warning %}}',
      [["hint", { style: "warning" }, p("b"), p("a")]],
    ],
    ["a film", "{{< youtube abc_1 >}}", [["embed", { url: "https://www.youtube.com/watch?v=abc_1" }]]],
    ["what nobody knows", '{{< gallery "a" >}}', [p('{{< gallery "a" >}}')]],
    ["code that nothing closes", "{{< code >}}\n\na", [p("{{< code >}}"), p("a")]],
    ["two on a line", "{{< youtube a >}} {{< youtube b >}}", [p("{{< youtube a >}} {{< youtube b >}}")]],
    [
      "a prompt",
      '{% prompt description="Do it" icon="x" %}\n```markdown\na\n```\n{% endprompt %}',
      [["code", { syntax: "markdown", title: "Do it" }, ["code-line", "a"]]],
    ],
    [
      "a prompt in words",
      '{% prompt description="Do it" %}\na\n{% endprompt %}',
      [["hint", { style: "info" }, p("Do it"), p("a")]],
    ],
    [
      "old tabs of code",
      '{% code-tabs %}\n{% code-tabs-item title="A" %}\n```\na\n```\n{% endcode-tabs-item %}\n{% endcode-tabs %}',
      [["tabs", ["tabs-item", { title: "A" }, ["code", ["code-line", "a"]]]]],
    ],
  ])("tags of other generators are read: %s", (_, text, blocks) => {
    expect(read(text)).toEqual(blocks);
    const { document } = readMarkdown(text);
    expect(checkDocument(document)).toEqual([]);
    expect(writeMarkdown(document, { original: text })).toBe(text);
  });

  test("raw tags of other generators stay around code that changes", () => {
    const text = "~~~\n{% raw %}\none {{ a }}\n{% endraw %}\n~~~\n";
    const { document } = readMarkdown(text);
    const changed = JSON.parse(JSON.stringify(document).replace("one", "two"));
    expect(writeMarkdown(changed, { original: text })).toBe(text.replace("one", "two"));
  });
});
