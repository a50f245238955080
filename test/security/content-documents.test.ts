// Whatever a text says, what is read back as a document has no address that runs and no markup that a renderer would take for
// its own.

import { memoryStorage } from "octavo/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { type Setting, setUp } from "../support/setting";
import { change, changed, issueIn, newPage, newSpace, page, read } from "./contents";
import { ADDRESSES, AT, block, documentOf, expectHarmless, inline, membersOf, post, runs, textNode } from "./documents";

let setting: Setting;
let space: string;

beforeEach(async () => {
  setting = await setUp(memoryStorage());
  space = await newSpace(setting);
});

/** An address in every place of a text that takes one. */
const placed = (address: string) => [
  `[a](${address})`,
  `[a](<${address}>)`,
  `[a][b]\n\n[b]: <${address}>`,
  `![a](<${address}>)`,
  `<${address}>`,
  `<a href="${address}">a</a>`,
  `<a class="button primary" href="${address}">a</a>`,
  `<a data-mention href="${address}">a</a>`,
  `<img src="${address}">`,
  `<figure><img src="${address}"><figcaption>a</figcaption></figure>`,
  `<picture><source media="(prefers-color-scheme: dark)" srcset="${address}"><img src="${address}"></picture>`,
  `{% embed url="${address}" %}`,
  `{% content-ref url="${address}" %}\n[a](<${address}>)\n{% endcontent-ref %}`,
  `{% file src="${address}" %}`,
  `{% include "${address}" %}`,
  `{% openapi-operation spec="${address}" path="/a" method="get" %}\n{% endopenapi-operation %}`,
  `{% swagger src="${address}" path="/a" method="get" %}\n{% endswagger %}`,
  `{% @integration/block url="${address}" %}`,
  `<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="files"></th></tr></thead><tbody><tr><td>a</td><td><a href="${address}">a</a></td><td><a href="${address}">a</a></td></tr></tbody></table>`,
  `| a |\n| - |\n| [a](<${address}>) |`,
  `[^1]\n\n[^1]: [a](<${address}>)`,
  `<details><summary><a href="${address}">a</a></summary>\n\n[a](<${address}>)\n\n</details>`,
  `{% tabs %}\n{% tab title="[a](${address})" %}\n[a](<${address}>)\n{% endtab %}\n{% endtabs %}`,
];

describe("S18: dangerous addresses", () => {
  test("S18: no link, image, button, card, embed or file of a text leads to an address that runs", async () => {
    for (const address of ADDRESSES) {
      const id = await newPage(setting, space, "A", placed(address).join("\n\n"));
      expectHarmless(await documentOf(setting, space, id), address);
    }
  });

  test("S18: a harmless address in the same places is found", async () => {
    const id = await newPage(setting, space, "A", placed("https://example.com/x").join("\n\n"));
    const document = await documentOf(setting, space, id);
    const found = [...membersOf(document)].filter(([, value]) => value === "https://example.com/x");
    expect(found.length).toBeGreaterThan(18);
    expect(() => expectHarmless({ url: "javascript:alert(1)" }, "")).toThrow();
    expect(() => expectHarmless([{ object: "block", type: "script" }], "")).toThrow();
  });

  test("S18: lists of links contain no address that runs", async () => {
    const text = ADDRESSES.flatMap(placed).join("\n\n");
    const id = await newPage(setting, space, "A", text);
    for (const list of ["links", `content/page/${id}/links`]) {
      const { status, body } = await setting.ask("read", `GET /v1/spaces/${space}/${list}?limit=1000`);
      expect(status).toBe(200);
      for (const { targetReference } of body.items)
        if (targetReference.kind === "url")
          expect([targetReference.url, runs(targetReference.url, true)]).toEqual([targetReference.url, false]);
    }
  });

  test("S18: a link page leads to no address that runs", async () => {
    for (const url of ADDRESSES.filter((it) => runs(it, false))) {
      const answer = await change(setting, space, [
        { operation: "insert_link", title: "A", target: { kind: "url", url } },
      ]);
      expect(issueIn(answer), url).toMatchObject({
        status: 400,
        path: expect.stringMatching(/^body\.changes\.0\.target/),
      });
    }
  });

  test("S18: a cover has no address that runs", async () => {
    for (const url of ADDRESSES.filter((it) => runs(it, true))) {
      const ref = { kind: "url", url };
      const good = { kind: "url", url: "https://example.com/a.png" };
      for (const cover of [{ ref }, { ref: good, refDark: ref }])
        expect(issueIn(await change(setting, space, [page("A", "", { cover })])), url).toMatchObject({
          status: 400,
          path: expect.stringMatching(/^body\.changes\.0\.cover/),
        });
    }
  });

  test("S18: a cover in front matter has no address that runs", async () => {
    for (const url of ADDRESSES.filter((it) => runs(it, true))) {
      const text = `---\ncover: ${JSON.stringify(url)}\n---\n# A\n`;
      const answer = await change(setting, space, [page("A", text)]);
      if (answer.status !== 200) continue;
      const { body } = await read(setting, space, answer.body.changes[0].page.id);
      const shown = body.cover?.ref.url ?? "";
      expect([body.markdown, shown, runs(shown, true)]).toEqual([text, shown, false]);
    }
  });

  test("S18: no posted document contains an address that runs", async () => {
    const link = (url: string) => inline("link", { ref: { kind: "url", url } }, [textNode("a")]);
    const holders: ((url: string) => object)[] = [
      (url) => block("paragraph", { nodes: [link(url)] }),
      (url) =>
        block("paragraph", { nodes: [inline("button", { label: "a", kind: "primary", ref: { kind: "url", url } })] }),
      (url) => block("paragraph", { nodes: [inline("mention", { ref: { kind: "url", url } })] }),
      (url) => block("embed", { isVoid: true, data: { url } }),
      (url) => block("file", { isVoid: true, data: { ref: { kind: "url", url } } }),
      (url) => block("content-ref", { isVoid: true, data: { ref: { kind: "url", url } } }),
      (url) => block("integration", { isVoid: true, data: { integration: "a", block: "b", props: {}, url } }),
    ];
    const images: ((url: string) => object)[] = [
      (url) => block("images", { nodes: [block("image", { isVoid: true, data: { ref: { kind: "url", url } } })] }),
      (url) => block("paragraph", { nodes: [inline("inline-image", { ref: { kind: "url", url } })] }),
    ];
    for (const url of ADDRESSES.filter((it) => runs(it, true)))
      for (const holder of [...holders, ...images])
        expect(issueIn(await post(setting, space, [holder(url)])), url).toMatchObject({
          status: 400,
          path: expect.stringMatching(AT),
        });
    for (const holder of [...holders, ...images])
      expect((await post(setting, space, [holder("https://example.com/")])).body.error).toBeUndefined();
  });

  test("titles, descriptions, emoji, icons and names are data and read back unchanged", async () => {
    const text = '"><script>alert(1)</script>';
    const made = await changed(setting, space, [
      page(text, `## ${text}\n`, { description: text, emoji: text, icon: text, variables: { a: text } }),
    ]);
    const { body, headers } = await read(setting, space, made.changes[0].page.id);
    expect(body).toMatchObject({ title: text, description: text, emoji: text, icon: text, variables: { a: text } });
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(body.urls.app).not.toMatch(/[<>"]/);
    const found = await setting.ask("read", `GET /v1/spaces/${space}/search?query=script`);
    expect(found.body.items[0].title).toBe(text);
    expect(JSON.stringify(found.body.items.map((it: { urls: unknown }) => it.urls))).not.toMatch(/[<>]/);
  });
});

describe("S16: active markup", () => {
  const MARKUP = [
    "<script>alert(1)</script>",
    "<SCRIPT SRC=//evil.test/x.js></SCRIPT>",
    "<img src=x onerror=alert(1)>",
    '<img src="https://example.com/a.png" onerror="alert(1)" style="position:fixed">',
    '<a href="https://example.com" onclick="alert(1)" target=_top>a</a>',
    "<svg onload=alert(1)><a xlink:href=javascript:alert(1)>x</a></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    '<object data="javascript:alert(1)"></object><embed src="javascript:alert(1)">',
    '<form action="javascript:alert(1)"><button formaction="javascript:alert(1)">x</button></form>',
    '<base href="javascript:alert(1)//"><meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
    '<div style="background:url(javascript:alert(1))" onmouseover=alert(1)>x</div>',
    "<details open ontoggle=alert(1)><summary onclick=alert(1)>a</summary>\n\nx\n\n</details>",
    '<table data-view="cards" onclick="alert(1)"><tbody><tr><td><script>alert(1)</script></td></tr></tbody></table>',
    '<mark style="color:red;background:url(javascript:alert(1))">x</mark>',
    '<mark style="color:expression(alert(1))">x</mark>',
    '<i class="fa-x" onclick="alert(1)">x</i>',
    "<!--><script>alert(1)</script>-->",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<?xml-stylesheet href='javascript:alert(1)'?>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<template><script>alert(1)</script></template>",
    '```mermaid\n%%{init: {"themeCSS": "<img src=x onerror=alert(1)>"}}%%\ngraph TD; A["<img src=x onerror=alert(1)>"]\n```',
    "$$\n\\href{javascript:alert(1)}{x} \\htmlData{a=1}{x}\n$$",
    '{% hint style="info\\" onclick=\\"alert(1)" %}\nx\n{% endhint %}',
    '{% hint style="info" icon="<script>" %}\nx\n{% endhint %}',
    '{% code title="<script>alert(1)</script>" %}\n```\nx\n```\n{% endcode %}',
    '{% columns %}\n{% column width="50%;background:url(javascript:alert(1))" %}\nx\n{% endcolumn %}\n{% endcolumns %}',
    '{% @x/y __proto__="a" constructor="b" x="<script>" %}',
    "{% unknown onload=alert(1) %}",
    "{% raw %}<script>alert(1)</script>{% endraw %}",
  ];

  test("S16: no node of a text has a handler, a style or an unknown type", async () => {
    for (const markup of MARKUP) {
      const id = await newPage(
        setting,
        space,
        "A",
        `Before ${markup} after\n\n${markup}\n\n> ${markup.replaceAll("\n", "\n> ")}\n`,
      );
      const document = await documentOf(setting, space, id);
      expectHarmless(document, markup);
      for (const [name, value] of membersOf(document))
        if (/^(color|background|width|align)$/.test(name) && typeof value === "string")
          expect(value, markup).toMatch(/^[#\w.%-]*$/);
      expect((await read(setting, space, id)).body.markdown).toContain(markup);
    }
  });

  test("S16: a script is not part of a document, and a frame is what it leads to", async () => {
    const frames = "<iframe src=x></iframe>\n\n<iframe src=javascript:alert(2)></iframe>\n";
    const id = await newPage(setting, space, "A", `<script>alert(1)</script>\n\n${frames}`);
    const { nodes } = await documentOf(setting, space, id);
    expect(nodes[0]).toMatchObject({ type: "file", data: { ref: { kind: "url", url: "x" } } });
    expect(JSON.stringify(nodes)).not.toMatch(/alert\(1\)|"url":"javascript/);
    expect((await read(setting, space, id)).body.markdown).toContain("<script>alert(1)</script>");
  });

  test("S16: template expressions of other languages are text, in code and elsewhere", async () => {
    const templates =
      "{{constructor.constructor('alert(1)')()}} {{{a}}} <%= 7*7 %> #{7*7} @(7*7) *{7*7} [[7*7]] {%raw%}";
    const id = await newPage(setting, space, "A", `${"```"}\n${templates}\n${"```"}\n\n\`${templates}\`\n`);
    const text = JSON.stringify(await documentOf(setting, space, id));
    expect(text.split("{{constructor.constructor('alert(1)')()}} {{{a}}} <%= 7*7 %>")).toHaveLength(3);
    expect(await read(setting, space, id, "?evaluated=true").then(({ body }) => body.markdown)).toContain(templates);
  });
});
