// HTML to Markdown, with pages in the forms of documentation generators, in our own words.

import { describe, expect, test } from "vitest";
import { decodeHtml } from "../../src/importers/html/decode-html";
import { parseHtml } from "../../src/importers/html/parse-html";
import { readHtmlInSteps } from "../../src/importers/html/read-html";
import { runStepsSync } from "../../src/utils/concurrency/steps";
import { convertHtmlToMarkdown } from "../support/html";

const base = "https://docs.test/guide/install";
const body = (html: string) => convertHtmlToMarkdown(html, { baseUrl: base, isContentOnly: true }).markdown;

describe("extracting the content of a page", () => {
  const said = "This paragraph is what the page says, and it is long enough to be found among everything else here.";

  test("the content of a Docusaurus page is separated from its site", () => {
    const page = convertHtmlToMarkdown(
      `<!doctype html><html lang="en-GB"><head><title>Install it | Acme</title>
      <meta name="description" content="How  it is installed."><link rel="canonical" href="/guide/install/"></head>
      <body><a class="skipToContent_fXgn" href="#main">Skip to main content</a>
      <nav class="navbar"><a href="/">Acme</a><a href="/guide">Docs</a></nav>
      <aside class="theme-doc-sidebar-container"><ul class="menu__list"><li><a href="/guide/a">A</a></li></ul></aside>
      <main><article><nav class="theme-doc-breadcrumbs"><a href="/">Home</a></nav>
      <span class="theme-doc-version-badge">Version: 2</span>
      <div class="tocCollapsible_ETCw theme-doc-toc-mobile">On this page</div>
      <div class="theme-doc-markdown markdown"><header><h1>Install it</h1></header><p>${said}</p>
      <h2 class="anchor anchorWithStickyNavbar_LWe7" id="first-step">First step<a href="#first-step" class="hash-link"
        aria-label="Direct link to First step" title="Direct link to First step">\u200b</a></h2>
      <div class="language-ts codeBlockContainer_Ckt0 theme-code-block"><div class="codeBlockTitle_Ktv7">src/a.ts</div>
      <div class="codeBlockContent_biex"><pre tabindex="0" class="prism-code language-ts"><code class="codeBlockLines_e6Vv"><span
        class="token-line"><span class="token keyword">const</span><span class="token plain"> a </span>= 1;<br></span><span
        class="token-line" style="color:#393A34">  run(a);<br></span></code></pre>
      <div class="buttonGroup__atx"><button type="button">Copy</button></div></div></div></div>
      <footer class="theme-doc-footer"><a class="theme-edit-this-page" href="https://git.test">Edit this page</a></footer></article>
      <nav class="pagination-nav"><a href="/guide/next">Next</a></nav></main>
      <footer class="footer">Copyright</footer></body></html>`,
      { baseUrl: base },
    );
    expect(page).toEqual({
      title: "Install it",
      description: "How it is installed.",
      canonicalUrl: "https://docs.test/guide/install/",
      language: "en-GB",
      links: [],
      images: [],
      markdown: `${said}\n\n## First step\n\n{% code title="src/a.ts" %}\n\`\`\`ts\nconst a = 1;\n  run(a);\n\`\`\`\n{% endcode %}\n`,
    });
  });

  test("the content of an MkDocs page is separated from its site", () => {
    const { title, markdown } = convertHtmlToMarkdown(
      `<body><header class="md-header"><nav><a href="..">Acme</a></nav></header><div class="md-container"><main class="md-main">
      <div class="md-sidebar md-sidebar--primary"><nav class="md-nav"><a href="a">A</a></nav></div>
      <div class="md-content" data-md-component="content"><article class="md-content__inner md-typeset">
      <a href="https://git.test/edit" title="Edit this page" class="md-content__button md-icon"><svg><path d="M0"/></svg></a>
      <h1 id="setup">Setup<a class="headerlink" href="#setup" title="Permanent link">&para;</a></h1><p>${said}</p>
      <div class="admonition warning"><p class="admonition-title">Mind the gap</p><p>It is deep.</p></div>
      <div class="highlight"><span class="filename">run.py</span><table class="highlighttable"><tr><td class="linenos">
      <div class="linenodiv"><pre><span></span>1\n2</pre></div></td><td class="code"><div><pre><span></span><code><a id="__c-0-1"></a><span
      class="k">def</span> run():\n    <span class="k">pass</span>\n</code></pre></div></td></tr></table></div>
      <div class="tabbed-set tabbed-alternate" data-tabs="1:2"><input checked type="radio" id="t1"><input type="radio" id="t2">
      <div class="tabbed-labels"><label for="t1">npm</label><label for="t2">yarn</label></div><div class="tabbed-content">
      <div class="tabbed-block"><p>With npm.</p></div><div class="tabbed-block"><p>With yarn.</p></div></div></div>
      </article></div></main></div></body>`,
      { baseUrl: base },
    );
    expect(title).toBe("Setup");
    expect(markdown).toBe(
      `${[
        `<a id="setup"></a>${said}`,
        '{% hint style="warning" %}\n**Mind the gap**\n\nIt is deep.\n{% endhint %}',
        '{% code title="run.py" %}\n```\ndef run():\n    pass\n```\n{% endcode %}',
        '{% tabs %}\n{% tab title="npm" %}\nWith npm.\n{% endtab %}\n\n{% tab title="yarn" %}\nWith yarn.\n{% endtab %}\n{% endtabs %}',
      ].join("\n\n")}\n`,
    );
  });

  test("the content of a Sphinx page is separated from its site", () => {
    const { title, markdown, links } = convertHtmlToMarkdown(
      `<body class="wy-body-for-nav"><nav class="wy-nav-side"><a href="index.html">Home</a></nav>
      <section class="wy-nav-content-wrap"><div class="rst-content"><div role="navigation"><ul class="wy-breadcrumbs"><li>x</li></ul></div>
      <div role="main" class="document"><div itemprop="articleBody"><section id="quick-start"><h1>Quick start<a class="headerlink"
      href="#quick-start" title="Link to this heading">\uf0c1</a></h1><p>${said}</p>
      <section id="the-api"><h2>API<a class="headerlink" href="#the-api">¶</a></h2>
      <div class="highlight-python notranslate"><div class="highlight"><pre><span></span><span class="kn">import</span> acme
</pre></div></div><dl class="py function"><dt class="sig" id="acme.run"><span>run</span><em>(x)</em><a class="headerlink"
      href="#acme.run">¶</a></dt><dd><p>Runs <a class="reference internal" href="other.html#y"><span>x</span></a>.</p></dd></dl>
      <p>Mass is <span class="math notranslate nohighlight">\\(e = mc^2\\)</span>.</p></section></section></div></div>
      <footer><div class="rst-footer-buttons"><a href="n.html">Next</a></div></footer></div></section></body>`,
      { baseUrl: base },
    );
    expect(title).toBe("Quick start");
    expect(links).toEqual(["https://docs.test/guide/other.html#y"]);
    expect(markdown).toBe(
      `${[
        `<a id="quick-start"></a>${said}`,
        '## API <a href="#the-api" id="the-api"></a>',
        "```python\nimport acme\n```",
        '* <a id="acme.run"></a><strong>run<em>\\(x\\)</em></strong>\n\n  Runs [x](https://docs.test/guide/other.html#y).',
        "Mass is $$e = mc^2$$.",
      ].join("\n\n")}\n`,
    );
  });

  test("the content of a page without marks of its generator is separated from its site", () => {
    const { title, markdown } = convertHtmlToMarkdown(
      `<html><head><title>History - Acme</title></head><body><div id="top"><a href="/">Acme</a> <a href="/a">A</a> <a href="/b">B</a></div>
      <table width="100%"><tr><td><a href="/1">One</a><br><a href="/2">Two</a></td><td><p>${said}</p><p>${said.toUpperCase()}</p></td></tr></table>
      <div id="footer">© Acme</div></body></html>`,
      { baseUrl: base },
    );
    expect(title).toBe("History");
    expect(markdown).toBe(`${said}\n\n${said.toUpperCase()}\n`);
  });

  test("the content of an AsciiDoc manual page includes name, synopsis and ending", () => {
    const { title, markdown } = convertHtmlToMarkdown(
      `<body class="manpage"><div id="header"><h1>run(1)</h1><h2>NAME</h2><div class="sectionbody"><p>run - runs it</p></div></div>
      <div id="content"><div class="sect1"><h2 id="_description">DESCRIPTION</h2><div class="sectionbody"><p>${said}</p></div></div></div>
      <div class="closing"><p>Part of the suite.</p></div><div id="footer"><div>Last updated today</div></div></body>`,
      { baseUrl: base },
    );
    expect(title).toBe("run(1)");
    expect(markdown).toBe(
      `## NAME\n\nrun - runs it\n\n## DESCRIPTION <a href="#_description" id="_description"></a>\n\n${said}\n\nPart of the suite.\n`,
    );
  });

  test("the content of a DocBook chapter includes what precedes and follows its largest section", () => {
    const { title, markdown } = convertHtmlToMarkdown(
      `<html><head><title>Chapter 3. Doors</title></head><body><div class="navheader"><table><tr><td><a accesskey="p" href="a.html">Prev</a></td>
      <th>Part I</th></tr></table><hr></div><div class="chapter" id="DOORS"><h2 class="title">Chapter 3. Doors</h2><p>Short words before.</p>
      <div class="toc"><dl><dt><a href="b.html">3.1. Hinges</a></dt></dl></div>
      <div class="sect1" id="COPY"><h2>Copy</h2><p>${said} ${said} ${said}</p></div><div class="sect1" id="END"><h2>End</h2><p>Last words.</p></div></div>
      <div class="navfooter"><a accesskey="n" href="b.html">Next</a></div></body></html>`,
      { baseUrl: base },
    );
    expect(title).toBe("Chapter 3. Doors");
    expect(markdown).toBe(
      `<a id="DOORS"></a>Short words before.\n\n## Copy <a href="#COPY" id="COPY"></a>\n\n${said} ${said} ${said}\n\n## End <a href="#END" id="END"></a>\n\nLast words.\n`,
    );
  });

  test("a long list of links below the title is content", () => {
    const links = Array.from({ length: 30 }, (_, i) => `<li><a href="d${i}.html">Directive number ${i}</a></li>`).join(
      "",
    );
    const { markdown } = convertHtmlToMarkdown(
      `<body><div class="bar"><a href="/">Home</a> <a href="/docs">Docs</a></div><div class="intro"><h1>Directives</h1><p>${said}</p></div>
      <div class="all"><ul>${links}</ul></div></body>`,
      { baseUrl: base },
    );
    expect(markdown).toContain("[Directive number 29](https://docs.test/guide/d29.html)");
    expect(markdown).not.toContain("Home");
  });

  test("a section whose anchor is a word that sites use elsewhere is content", () => {
    const { markdown } = convertHtmlToMarkdown(
      `<main><h1>T</h1><p>${said}</p><section id="comments"><h2>Comments</h2><p>They begin with a sign.</p></section>
      <dl><dt id="copy">copy</dt><dd>Copies.</dd></dl></main>`,
    );
    expect(markdown).toBe(
      `${said}\n\n## Comments\n\nThey begin with a sign.\n\n* <a id="copy"></a>**copy**\n\n  Copies.\n`,
    );
  });

  test("omitted content is named and counted", () => {
    const html = `<body><nav class="top-menu x"><a href="/">Home</a></nav><main><h1>T</h1><p>${said}</p><div id="cookie-banner">Yes?</div></main>
      <div id="foot">Bye</div><script>run()</script></body>`;
    expect(runStepsSync(readHtmlInSteps(parseHtml(html), {})).omittedParts).toEqual([
      { part: "div#cookie-banner", characters: 4 },
      { part: "nav.top-menu", characters: 4 },
      { part: "div#foot", characters: 3 },
    ]);
  });

  test("cookie banners, share buttons and comments are omitted wherever they are", () => {
    const { markdown } = convertHtmlToMarkdown(
      `<main><h1>T</h1><p>${said}</p><div id="cookie-banner">We use cookies</div><div class="share-buttons">Share</div>
      <div class="was-this-helpful">Yes No</div><div style="display: none">secret</div><p hidden>hidden</p><section class="comments">First!</section></main>`,
    );
    expect(markdown).toBe(`${said}\n`);
  });
});

describe("converting content to Markdown", () => {
  test("adjacent code spans are one", () => {
    const names = '<code class="prename">os.</code><code class="name">walk</code>(<em>top</em>)';
    const quoted = "<code>c`</code><code>`d</code>";
    const { markdown } = convertHtmlToMarkdown(`<p>${names} <tt>a</tt><code>b</code> ${quoted}</p>`);
    expect(markdown).toBe("`os.walk`(*top*) `ab` `c``d`\n");
  });

  test.each([
    ["<p>a <b>b</b> <em>c</em> <del>d</del> <code>e</code></p>", "a **b** *c* ~~d~~ `e`\n"],
    [
      "<p>H<sub>2</sub>O, x<sup>2</sup>, <kbd>Ctrl</kbd>, <mark>m</mark></p>",
      "H<sub>2</sub>O, x<sup>2</sup>, <kbd>Ctrl</kbd>, <mark>m</mark>\n",
    ],
    ["<p>  one\n  two&nbsp;three<br>four </p>", "one two three\\\nfour\n"],
    ["<p><b>a </b>b<i> c</i></p>", "**a** b *c*\n"],
    ["<h2>A</h2><h3>B</h3><h4>C</h4><h6>D</h6>", "## A\n\n### B\n\n#### C\n\n#### D\n"],
    ["<ul><li>a<ul><li>b</ul><li>c</ul>", "* a\n  * b\n* c\n"],
    ["<ul><li>a</li><ul><li>b</li></ul></ul>", "* a\n  * b\n"],
    ["<ol start=4><li>a<li>b</ol>", "4. a\n5. b\n"],
    ['<ul><li><input type=checkbox checked> a<li><label><input type="checkbox"> b</label></ul>', "* [x] a\n* [ ] b\n"],
    ["<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b\n"],
    [
      "<details><summary>S <b>t</b></summary><p>a</p></details>",
      "<details>\n\n<summary>S <strong>t</strong></summary>\n\na\n\n</details>\n",
    ],
    ["<p><code><span>a</span> <span>b</span></code> <code>c</code></p>", "`a b` `c`\n"],
    ['<h2 id="x"><a name="y"></a>Z</h2>', '## <a href="#x" id="x"></a> <a id="y"></a>Z\n'],
    [
      '<p>a <span id="b">c</span> <a name="d" href="/e">f</a></p>',
      'a <a id="b"></a>c <a id="d"></a>[f](https://docs.test/e)\n',
    ],
    ['<ul><li id="a">b</li></ul><pre id="c">d</pre>', '* <a id="a"></a>b\n\n<a id="c"></a>\n\n```\nd\n```\n'],
    [
      '<table id="a"><tr><th>A<th>B<tr id="b"><td>c<td id="d">e</table>',
      '<a id="a"></a>\n\n| A | B |\n| --- | --- |\n| <a id="b"></a>c | <a id="d"></a>e |\n',
    ],
    [
      '<figure id="a"><img src="/a.png" alt="A"></figure><p id="b"></p>',
      '<a id="a"></a>\n\n![A](https://docs.test/a.png)\n\n<a id="b"></a>\n',
    ],
    ["a<hr>b", "a\n\n---\n\nb\n"],
    ["<hr><p>a</p><hr>", "a\n"],
    ["<dl><dt>a<dd>b<dd>c<dt>d<dd>e</dl>", "* **a**\n\n  b\n\n  c\n\n* **d**\n\n  e\n"],
    ['<pre class="brush: sql; gutter: false">select 1</pre>', "```sql\nselect 1\n```\n"],
    ['<div class="highlight highlight-source-shell"><pre>ls</pre></div>', "```shell\nls\n```\n"],
    ['<pre data-lang="go"><code>a\n\n  b\n</code></pre>', "```go\na\n\n  b\n```\n"],
    ['<pre><code class="hljs"><div class="line">a</div><div class="line">b</div></code></pre>', "```\na\nb\n```\n"],
    [
      '<pre class="shiki"><code><span class="line">a</span>\n<span class="line">b</span></code></pre>',
      "```\na\nb\n```\n",
    ],
    [
      "<table><tr><th>A<th align=right>B<tr><td>1|2<td><b>x</b></table>",
      "| A | B |\n| --- | ---: |\n| 1\\|2 | **x** |\n",
    ],
    [
      "<table><tr><th>A<th>B<tr><td rowspan=2>x<td>y<tr><td>z<tr><td colspan=2>w</table>",
      "| A | B |\n| --- | --- |\n| x | y |\n|  | z |\n| w |\n",
    ],
    [
      '<figure><img src="a.png" alt="A"><figcaption>Seen</figcaption></figure>',
      '![A](https://docs.test/guide/a.png "Seen")\n',
    ],
    [
      '<p><img src="/a.png" alt="A"> and <img class=emoji alt=":)" src="e.png"></p>',
      "![A](https://docs.test/a.png) and :)\n",
    ],
    ['<img src="data:image/gif;base64,R0lGOD" data-src="late.png" alt="">', "![](https://docs.test/guide/late.png)\n"],
    ['<p>a<img src="https://count.test/p" width=1 height=1></p>', "a\n"],
    [
      '<iframe src="https://www.youtube-nocookie.com/embed/abc?x=1"></iframe>',
      '{% embed url="https://www.youtube.com/watch?v=abc" %}\n',
    ],
    ['<iframe src="https://other.test/x" title="Other"></iframe>', "[Other](https://other.test/x)\n"],
    ['<iframe src="https://www.googletagmanager.com/ns.html?id=1"></iframe>', ""],
    [
      '<span class="katex"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math></span>',
      "$$x^2$$\n",
    ],
    ['<p>a</p><script type="math/tex; mode=display">\\sum</script>', "a\n\n$$\n\\sum\n$$\n"],
    [
      '<div class="markdown-alert markdown-alert-tip"><p class="markdown-alert-title">Tip</p><p>a</p></div>',
      '{% hint style="success" %}\na\n{% endhint %}\n',
    ],
    [
      '<div class="custom-block danger"><p class="custom-block-title">DANGER</p><p>a</p></div>',
      '{% hint style="danger" %}\na\n{% endhint %}\n',
    ],
    ['<div class="alert alert-info" role="alert">a</div>', '{% hint style="info" %}\na\n{% endhint %}\n'],
    ['<a href="/x"><h3>Card</h3><p>Words</p></a>', "[Card Words](https://docs.test/x)\n"],
    [
      '<p><a href="#there">there</a> <a href="mailto:a@b.test">mail</a></p>',
      "[there](#there) [mail](mailto:a@b.test)\n",
    ],
    ["<p>*a* _b_ {% hint %} &lt;b&gt; [c](d) # e</p>", "\\*a\\* \\_b\\_ \\{% hint %} \\<b> \\[c](d) # e\n"],
  ])("HTML becomes Markdown: %s", (html, markdown) => {
    expect(body(html)).toBe(markdown);
  });

  test("additional first-level headings move everything down one level", () => {
    const page = convertHtmlToMarkdown("<h1>Title</h1><p>a</p><h1>Part</h1><h2>Piece</h2>", { isContentOnly: true });
    expect(page).toMatchObject({ title: "Title", markdown: "a\n\n## Part\n\n### Piece\n" });
  });

  test("a title outside the content is found, and the name of the site is removed from it", () => {
    const text = "Words ".repeat(50);
    const page = (head: string, rest: string) =>
      convertHtmlToMarkdown(`<head>${head}</head><body>${rest}<main><p>${text}</p></main>`).title;
    expect(page("<title>Site | Outside</title>", "<div><h1>Outside</h1></div>")).toBe("Outside");
    expect(page("<title>A page – Site</title>", "<header><p>x</p></header>")).toBe("A page");
    expect(page('<meta property="og:site_name" content="Site"><title>Site | A page</title>', "")).toBe("A page");
  });

  test("a heading equal to the document title is the title, and the highest remaining level becomes the first", () => {
    const page = convertHtmlToMarkdown(
      '<head><title>Path | Acme v1</title></head><body><header><h1>Acme v1</h1></header><main><h2>Path<span><a class="mark" href="#path">#</a></span></h2><p>Words.</p><h3>Next</h3><h5>Deep</h5></main>',
    );
    expect(page).toMatchObject({ title: "Path", markdown: "Words.\n\n## Next\n\n#### Deep\n" });
  });

  test("links and images are mapped by the caller and listed as they were", () => {
    const page = convertHtmlToMarkdown(
      '<p><a href="b.html#c">b</a> <img src="i.png" alt="i"> <img src="gone.png"></p>',
      {
        baseUrl: base,
        isContentOnly: true,
        mapLink: (href) => href.replace("https://docs.test/guide/b.html", "b.md"),
        mapImage: (src) => (src.endsWith("i.png") ? "assets/i.png" : undefined),
      },
    );
    expect(page.markdown).toBe("[b](b.md#c) ![i](assets/i.png)\n");
    expect(page.links).toEqual(["https://docs.test/guide/b.html#c"]);
    expect(page.images).toEqual(["https://docs.test/guide/i.png", "https://docs.test/guide/gone.png"]);
  });

  test("without a base, addresses stay relative, and a <base> element is respected", () => {
    expect(convertHtmlToMarkdown('<a href="../b">b</a>', { isContentOnly: true }).markdown).toBe("[b](../b)\n");
    expect(
      convertHtmlToMarkdown('<base href="/v2/"><a href="b">b</a>', { baseUrl: base, isContentOnly: true }).markdown,
    ).toBe("[b](https://docs.test/v2/b)\n");
  });
});

describe("decoding bytes", () => {
  const latin = Uint8Array.from([0x63, 0x61, 0x66, 0xe9]);
  test.each([
    ["the sender", latin, "text/html; charset=ISO-8859-1", "café"],
    [
      "a byte order mark, against the sender",
      Uint8Array.from([0xef, 0xbb, 0xbf, 0xc3, 0xa9]),
      "text/html; charset=latin1",
      "é",
    ],
    ["UTF-16 by its mark", Uint8Array.from([0xff, 0xfe, 0xe9, 0x00]), "", "é"],
    ["nobody, as UTF-8", new TextEncoder().encode("é"), "text/html; charset=no-such-thing", "é"],
  ])("bytes are decoded with the known encoding: %s", (_, bytes, type, text) => {
    expect(decodeHtml(bytes, type)).toBe(text);
  });

  test("bytes are decoded with the encoding that the page declares", () => {
    const page = new TextEncoder().encode(
      '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251"><p>',
    );
    expect(decodeHtml(Uint8Array.from([...page, 0xcf]))).toMatch(/П$/);
  });
});
