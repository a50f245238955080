import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import type { Chapter } from "../../src/content/book/book";
import { importConfluence, readConfluence } from "../../src/importers/confluence/import-confluence";
import { ImportError } from "../../src/importers/errors";
import { PIXEL } from "./docx-fixture";
import { served } from "./served";

const pack = (files: Record<string, string | Uint8Array>) =>
  zipSync(
    Object.fromEntries(Object.entries(files).map(([path, it]) => [path, typeof it === "string" ? strToU8(it) : it])),
  );

const text = (name: string, value: string) => `<property name="${name}"><![CDATA[${value}]]></property>`;
const refer = (name: string, kind: string, id: number | string) =>
  `<property name="${name}" class="${kind}" package="com.atlassian.confluence"><id name="id">${id}</id></property>`;
const object = (kind: string, id: number | string, ...inside: string[]) =>
  `<object class="${kind}" package="com.atlassian.confluence"><id name="id">${id}</id>${inside.join("")}</object>`;

let bodies = 1000;
/** A page and its body. Sections of characters inside bodies end as exports end them. */
function page(id: number, title: string, body: string, ...more: string[]): string {
  const nested = body.replaceAll("]]>", "]] >");
  return (
    object("Page", id, text("title", title), ...(more.length > 0 ? more : [text("contentStatus", "current")])) +
    object("BodyContent", ++bodies, text("body", nested), refer("content", "Page", id), text("bodyType", "2"))
  );
}

const attachment = (id: number, on: number, name: string, version = "1", ...more: string[]) =>
  object(
    "Attachment",
    id,
    text("title", name),
    refer("containerContent", "Page", on),
    text("version", version),
    ...more,
  );

const entities = (...objects: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<hibernate-generic datetime="2026-01-01 00:00:00">${objects.join("\n")}</hibernate-generic>`;

const macro = (name: string, parameters: Record<string, string>, body: string) =>
  `<ac:structured-macro ac:name="${name}">${Object.entries(parameters)
    .map(([it, value]) => `<ac:parameter ac:name="${it}">${value}</ac:parameter>`)
    .join("")}${body}</ac:structured-macro>`;
const rich = (body: string) => `<ac:rich-text-body>${body}</ac:rich-text-body>`;
const plain = (body: string) =>
  `<ac:plain-text-body><![CDATA[${body.replaceAll("]]>", "]]]]><![CDATA[>")}]]></ac:plain-text-body>`;
const pageLink = (title: string, body = "") => `<ac:link><ri:page ri:content-title="${title}"/>${body}</ac:link>`;

/** The Markdown of a body on the only page. */
async function bodyOf(body: string, ...others: string[]): Promise<string> {
  const { book } = await readConfluence(pack({ "entities.xml": entities(page(1, "Only", body), ...others) }));
  const whole = book.texts.get("only.md")!.text;
  expect(whole.startsWith("# Only\n\n")).toBe(true);
  return whole.slice("# Only\n\n".length);
}

describe("XML exports", () => {
  const old = refer("originalVersion", "Page", 2);
  const bytes = pack({
    "entities.xml": entities(
      object("Space", 9, text("name", "Team"), text("key", "T"), refer("homePage", "Page", 1)),
      page(
        3,
        "Zeta",
        `<p>${pageLink("Setup", "<ac:plain-text-link-body><![CDATA[set up]]></ac:plain-text-link-body>")}</p>`,
        refer("parent", "Page", 1),
        text("position", "0"),
      ),
      page(
        2,
        "Setup",
        '<p><ac:image ac:alt="A pixel"><ri:attachment ri:filename="p.png"/></ac:image></p>',
        refer("parent", "Page", 1),
        text("position", "1"),
      ),
      page(1, "Home", `<p>Welcome.</p>${macro("children", {}, "")}`),
      page(4, "Deeper", `<p>${pageLink("Home")} ${pageLink("Nowhere")}</p>`, refer("parent", "Page", 2)),
      page(5, "Setup", "<p>Old.</p>", old),
      page(6, "Draft", "<p>Draft.</p>", text("contentStatus", "draft")),
      object("BlogPost", 7, text("title", "News")) +
        object("BodyContent", 70, text("body", "<p>New!</p>"), refer("content", "BlogPost", 7)),
      attachment(20, 2, "p.png", "3"),
      attachment(21, 2, "notes.pdf"),
      attachment(22, 2, "p.png", "2", refer("originalVersion", "Attachment", 20)),
      attachment(23, 6, "of-draft.png"),
    ),
    "attachments/2/20/3": PIXEL,
    "attachments/2/22/2": strToU8("old"),
    "exportDescriptor.properties": "exportType=space",
  });

  test("an XML export keeps the page tree without drafts and older versions", async () => {
    const { book, foundCount: total } = await readConfluence(bytes);
    const at = (path: string, title: string, chapters: unknown[] = []) => ({ kind: "page", path, title, chapters });
    expect(book.chapters).toEqual([
      at("README.md", "Home"),
      at("zeta.md", "Zeta"),
      at("setup.md", "Setup", [at("setup/deeper.md", "Deeper")]),
      { kind: "group", title: "Blog", chapters: [at("news.md", "News")] },
    ]);
    expect([...book.files]).toEqual([[".gitbook/assets/p.png", { bytes: PIXEL, contentType: "image/png" }]]);
    expect(book.skipped).toEqual([
      { resource: "attachments/2/21/1", reason: 'The export doesn\'t contain the file "notes.pdf".' },
    ]);
    expect(total).toBe(7);
  });

  test("an XML export keeps links between pages, images, and lists of child pages", async () => {
    const texts = Object.fromEntries(
      Array.from((await readConfluence(bytes)).book.texts, ([path, it]) => [path, it.text]),
    );
    expect(texts["README.md"]).toBe("# Home\n\nWelcome.\n\n* [Zeta](zeta.md)\n* [Setup](setup.md)\n");
    expect(texts["zeta.md"]).toBe("# Zeta\n\n[set up](setup.md)\n");
    expect(texts["setup.md"]).toBe("# Setup\n\n![A pixel](.gitbook/assets/p.png)\n");
    expect(texts["setup/deeper.md"]).toBe("# Deeper\n\n[Home](../README.md) Nowhere\n");
  });

  test("an XML export can be imported from a URL", async () => {
    const { fetch } = served({ "/space.zip": bytes });
    expect((await importConfluence({ url: "https://host.example/space.zip", fetch })).foundCount).toBe(7);
  });
});

describe("the storage format", () => {
  test.each([
    [
      "code with its language and title",
      macro("code", { language: "js", title: "a.js" }, plain("if (a < b) {\n  c[d[0]]>1;\n}")),
      '{% code title="a.js" %}\n```js\nif (a < b) {\n  c[d[0]]>1;\n}\n```\n{% endcode %}\n',
    ],
    ["code without a language", macro("noformat", {}, plain("  x")), "```\n  x\n```\n"],
    ["information", macro("info", {}, rich("<p>Know.</p>")), '{% hint style="info" %}\nKnow.\n{% endhint %}\n'],
    [
      "a note",
      macro("note", { title: "Mind" }, rich("<p>Step.</p>")),
      '{% hint style="warning" %}\n**Mind**\n\nStep.\n{% endhint %}\n',
    ],
    ["a warning", macro("warning", {}, rich("<p>Stop.</p>")), '{% hint style="danger" %}\nStop.\n{% endhint %}\n'],
    ["a tip", macro("tip", {}, rich("<p>Try.</p>")), '{% hint style="success" %}\nTry.\n{% endhint %}\n'],
    [
      "a panel",
      macro("panel", { title: "Facts" }, rich("<p>One.</p>")),
      '{% hint style="info" %}\n**Facts**\n\nOne.\n{% endhint %}\n',
    ],
    [
      "what expands",
      macro("expand", { title: "More" }, rich("<p>Inside.</p>")),
      "<details>\n\n<summary>More</summary>\n\nInside.\n\n</details>\n",
    ],
    ["a table of contents, which is left out", `${macro("toc", {}, "")}<p>x</p>`, "x\n"],
    ["what nobody knows, by what is inside", macro("fancy-box", {}, rich("<p>Kept.</p>")), "Kept.\n"],
    [
      "tasks",
      "<ac:task-list><ac:task><ac:task-status>complete</ac:task-status><ac:task-body>done</ac:task-body></ac:task><ac:task><ac:task-status>incomplete</ac:task-status><ac:task-body><span>open</span></ac:task-body></ac:task></ac:task-list>",
      "* [x] done\n* [ ] open\n",
    ],
    [
      "names of people",
      '<p><ac:link><ri:user ri:userkey="k1"/></ac:link> and <ac:link><ri:user ri:userkey="k2"/></ac:link></p>',
      "@jane and @unknown\n",
    ],
    [
      "pictures of moods",
      '<p><ac:emoticon ac:name="tick"/> <ac:emoticon ac:name="x" ac:emoji-fallback="🚀"/></p>',
      "✅ 🚀\n",
    ],
    [
      "images from elsewhere",
      '<p><ac:image><ri:url ri:value="https://x.example/a.png"/></ac:image></p>',
      "![](https://x.example/a.png)\n",
    ],
    [
      "headings, of which the first level is not the page's title",
      "<h1>Part</h1><h2>Section</h2>",
      "## Part\n\n### Section\n",
    ],
    [
      "layouts, dates and characters with names",
      '<ac:layout><ac:layout-section><ac:layout-cell><p>a&nbsp;b &rarr; <time datetime="2026-01-02"/></p></ac:layout-cell></ac:layout-section></ac:layout>',
      "a b → 2026-01-02\n",
    ],
    [
      "tables",
      "<table><tbody><tr><th>A</th><th>B</th></tr><tr><td>1</td><td><p>2</p></td></tr></tbody></table>",
      "| A | B |\n| --- | --- |\n| 1 | 2 |\n",
    ],
    [
      "links out, and to places on the page",
      '<p><a href="https://x.example/">x</a> <ac:link ac:anchor="Some Part"><ac:link-body>there</ac:link-body></ac:link></p>',
      "[x](https://x.example/) [there](#some-part)\n",
    ],
    ["no address that would run something", '<p><a href="javascript:alert(1)">x</a></p>', "x\n"],
  ])("the storage format is converted: %s", async (_, body, expected) => {
    expect(await bodyOf(body, object("ConfluenceUserImpl", "k1", text("name", "jane")))).toBe(expected);
  });

  test("S40: a macro that is used again and again lists pages once", async () => {
    const many = Array.from({ length: 200 }, (_, i) => page(i + 2, `Child ${i}`, "", refer("parent", "Page", 1)));
    const markdown = await bodyOf(macro("children", {}, "").repeat(500), ...many);
    expect(markdown.split("\n").length).toBe(201);
  });

  test("S39: content that is not well-formed or too deep is read or rejected", async () => {
    expect(await bodyOf("<p>open <b>bold")).toBe("open **bold**\n");
    await expect(bodyOf("<div>".repeat(5000))).rejects.toThrow(ImportError);
  });
});

describe("HTML exports", () => {
  const html = (title: string, body: string) =>
    `<!DOCTYPE html><html><head><title>Team : ${title}</title></head><body><div id="page"><div id="main"><div id="main-header"><h1 id="title-heading"><span id="title-text"> Team : ${title} </span></h1></div><div id="content" class="view"><div class="page-metadata">Created by Jane</div><div id="main-content" class="wiki-content group">${body}</div><div class="pageSection group"><h2 id="attachments">Attachments:</h2></div></div></div></div></body></html>`;
  const bytes = pack({
    "T/index.html":
      '<html><body><h2>Available Pages:</h2><ul><li><a href="Home_1.html">Home</a><ul><li><a href="2.html">Setup</a><ul><li><a href="Deep_3.html">Deep</a></li></ul></li></ul></li></ul></body></html>',
    "T/Home_1.html": html(
      "Home",
      '<p>See <a href="2.html#x">setup</a> and <a class="confluence-userlink user-mention" href="/u/j">Jane</a>.</p><div class="toc-macro">contents</div>',
    ),
    "T/2.html": html(
      "Setup",
      '<div class="confluence-information-macro confluence-information-macro-warning"><p class="title">Mind</p><span class="aui-icon"></span><div class="confluence-information-macro-body"><p>Hot.</p></div></div><div class="code panel pdl"><div class="codeContent panelContent pdl"><pre class="syntaxhighlighter-pre" data-syntaxhighlighter-params="brush: java; gutter: false">int a;</pre></div></div><p><span class="confluence-embedded-file-wrapper"><img class="confluence-embedded-image" src="attachments/2/9.png" data-linked-resource-default-alias="p.png"/></span></p><div class="expand-container"><div class="expand-control"><span class="expand-control-text">More</span></div><div class="expand-content"><p>Inside.</p></div></div>',
    ),
    "T/Deep_3.html": html("Deep", '<p><a href="Home_1.html">Up</a> <a href="gone.html">gone</a></p>'),
    "T/attachments/2/9.png": PIXEL,
    "T/styles/site.css": "p {}",
  });

  test("an HTML export keeps the tree of its index, and the content of pages without the site around it", async () => {
    const { book, foundCount: total } = await readConfluence(bytes);
    const at = (path: string, title: string, chapters: unknown[] = []) => ({ kind: "page", path, title, chapters });
    expect(book.chapters).toEqual([at("README.md", "Home"), at("setup.md", "Setup", [at("setup/deep.md", "Deep")])]);
    const texts = Object.fromEntries(Array.from(book.texts, ([path, it]) => [path, it.text]));
    expect(texts["README.md"]).toBe("# Home\n\nSee [setup](setup.md#x) and @Jane.\n");
    expect(texts["setup.md"]).toBe(
      [
        "# Setup",
        '{% hint style="danger" %}\n**Mind**\n\nHot.\n{% endhint %}',
        "```java\nint a;\n```",
        "![p.png](.gitbook/assets/9.png)",
        "<details>\n\n<summary>More</summary>\n\nInside.\n\n</details>\n",
      ].join("\n\n"),
    );
    expect(texts["setup/deep.md"]).toBe("# Deep\n\n[Up](../README.md) [gone](gone.html)\n");
    expect(total).toBe(4);
  });
});

describe("hostile exports", () => {
  test("S40: an export that declares entities is rejected", async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${entities(page(1, "Only", "&b;")).replace(/^<\?xml.*\n/, "")}`;
    await expect(readConfluence(pack({ "entities.xml": bomb }))).rejects.toThrow(ImportError);
  });

  test("pages that are each other's parents are all imported", async () => {
    const circle = entities(page(1, "A", "", refer("parent", "Page", 2)), page(2, "B", "", refer("parent", "Page", 1)));
    const { book } = await readConfluence(pack({ "entities.xml": circle }));
    expect(book.texts.size).toBe(2);
    expect(JSON.stringify(book.chapters).match(/"path"/g)?.length).toBe(2);
  });

  test("an endless chain of pages is nested no deeper than pages may be", async () => {
    const chain = Array.from({ length: 3000 }, (_, i) => page(i + 1, `P${i}`, "", refer("parent", "Page", i)));
    const { book, foundCount: total } = await readConfluence(pack({ "entities.xml": entities(...chain) }));
    const depthOf = (chapters: readonly Chapter[]): number =>
      chapters.length === 0
        ? 0
        : 1 + Math.max(...chapters.map((it) => (it.kind === "page" ? depthOf(it.chapters) : 0)));
    expect([total, depthOf(book.chapters)]).toEqual([3000, 32]);
    expect([...book.texts.keys()].every((path) => path.length < 1024)).toBe(true);
  });

  test("S9: versions and ids of attachments cannot lead to other paths", async () => {
    const files = {
      "entities.xml": entities(page(1, "Only", ""), attachment(2, 1, "../../x.png", "../../../etc/passwd")),
    };
    expect((await readConfluence(pack(files))).book.files.size).toBe(0);
  });

  test("S7: names with a meaning in JavaScript are ordinary names", async () => {
    const files = {
      "entities.xml": entities(
        page(1, "Only", pageLink("constructor") + pageLink("__proto__")),
        page(2, "constructor", ""),
      ),
    };
    expect((await readConfluence(pack(files))).book.texts.get("only.md")?.text).toBe(
      "# Only\n\n[constructor](constructor.md)\\_\\_proto\\_\\_\n",
    );
  });

  test("a file that is not an export is rejected", async () => {
    await expect(readConfluence(pack({ "a.md": "# A" }))).rejects.toThrow("not the export");
    await expect(readConfluence(pack({ "entities.xml": entities() }))).rejects.toThrow(ImportError);
    await expect(readConfluence(strToU8("no"))).rejects.toThrow(ImportError);
  });
});
