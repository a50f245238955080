// A document that is posted back with one change: its text differs in that change alone.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Block, ContentRef, Document } from "../../../src/content/document";
import type { SourceNode } from "../../../src/content/markdown/nodes";
import { readMarkdown } from "../../../src/content/markdown/read";
import { readPageBlocksInSteps } from "../../../src/content/markdown/reader/page";
import { writeMarkdown } from "../../../src/content/markdown/write";
import { runStepsSync } from "../../../src/utils/concurrency/steps";
import { runs } from "../../support/test-length";

// Every block in the forms that authors write it in, with attributes that a document has and others that it does not
// have. "word" stands for a word that a document shows.

/** Blocks that stand by themselves. */
const FORMS: readonly string[] = [
  "word _word_ *word* __word__ **word**\nword ~~word~~ ***word*** _**word** word_",
  "word word  \nword\\\nword<br/>word",
  "  word `word` ``word ` x``\n   word",
  'word [word](<a b.md> "title") [word](x.md) and\n[word _word_][ref], <https://a.bc/x>, https://a.bc/y',
  "word &mdash; &copy; \\_word\\_ \\# word &#33; 1\\. word",
  'word <a target="_blank" href="x.md" class="button secondary" data-icon="star" data-x="1">word</a> word',
  '<kbd class="k">word</kbd> <mark title="t" style="color:red;">word</mark> <sub>word</sub> <b id="b">word</b>',
  'word <img data-size="line" class="c" alt="word" src="a b.png" loading="lazy"> word <a class="c" href="y.md">word</a>',
  'word <picture><source media="(prefers-color-scheme: dark)" srcset="../x_dark (1).svg" type="t"><img src="x.svg" alt="word" data-size="original" width="5"></picture> word',
  ':smile: word $$word$$ <code class="expression">word</code> <a class="m" data-mention href="x.md">x</a> <i class="fa-star">:star:</i> word',
  "## word _word_ ##",
  "word word\n---",
  '#### word <a href="#x" id="x"></a>',
  '<h3 class="c" align="center" id="i">word <b>word</b></h3>',
  '<p style="x" align="right">word <b class="b">word</b></p>',
  "- word\n  word\n- word\n    - word\n- __word__",
  "+ word\n\n  word\n\n\n+ word",
  "1) word\n2) word\n   * word\n3) word",
  "7. word\n7. word",
  "*   [ ] word\n*   [X] word\n    word",
  "-   word\n\n    ~~~\n    word\n      word\n    ~~~\n\n    word",
  "> word\n> word _word_\nword\n>\n> 1. word",
  "~~~~ js title=x\nword\n\n  word word\n~~~~",
  "    word\n\n      word",
  '{% code lineNumbers="true" title="word" overflow="wrap" expandable="true" data-x=\'y\' %}\n```js {1}\nword\n  word <a b="c" d="e">\n```\n{% endcode %}',
  "$$$\nword\n$$$",
  "> [!NOTE]\n> word _word_\n>\n> - word",
  'word (<abbr class="a" title="word">word</abbr>) <abbr title="word">word word</abbr>',
  "<table><tr><td><pre>word\n\n  word</pre></td>\n\n    <td>word\n\nword</td></tr></table>",
  "word | word\n:---|--:\nword | word _word_\nword",
  '| word   | word |\n|--------|:----:|\n| word   | [word](x.md "t") \\| `word` |',
  '<table data-x="y" data-view="cards" class="z" data-full-width="true">\n<thead><tr><th data-x width="100">word</th><th data-hidden data-card-cover data-card-cover-dark data-type="files"></th></tr></thead>\n  <tbody>\n    <tr class="r"><td valign="top" data-y="1">word <strong class="s">word</strong></td><td><a title="t" href="a.png">a.png</a></td></tr>\n  </tbody>\n</table>',
  '<table><thead><tr><th valign="top" align="center">word</th><th data-type="number">word</th></tr></thead><tbody><tr><td>word</td><td>5</td></tr></tbody></table>',
  '<table><caption class="c">word <b class="b">word</b></caption><tr><th>word</th></tr><tr><td>word</td></tr></table>',
  '<figure class="f"><picture><source srcset="../x, dark (1).svg 2x" media="(prefers-color-scheme: dark)"><img width="375" src="x.svg" alt="word" data-x="1"></picture><figcaption class="c"><p>word <em>word</em></p></figcaption></figure>',
  '<div data-with-frame="true" align="center" class="d"><figure><img alt="word" src="x.png" border="0"><figcaption><p>word</p></figcaption></figure></div>',
  '<img alt="word" src="x.png" class="center" />',
  '![word](x.png "word")',
  '<details class="c" open>\n\n<summary id="s"><b class="x">word</b> word</summary>\n\nword\n\n* word\n\n</details>',
  "<details><summary>word</summary>word\nword</details>",
  '{% hint icon="x" style="warning" data-x="y" expandable="true" %}\nword\n\n- word\n{% endhint %}',
  '{% tabs fullWidth="true" sync="s" %}\n{% tab icon="i" title="word" %}\nword\n{% endtab %}\n\n{% tab title=\'word\' %}\n_word_\n{% endtab %}\n{% endtabs %}',
  '{% stepper numbered="no" %}\n{% step id="a" %}\n### word\n\nword\n{% endstep %}\n{% endstepper %}',
  '{% columns gap="2" %}\n{% column valign="middle" width="50%" class="c" %}\nword\n{% endcolumn %}\n{% column %}\nword\n{% endcolumn %}\n{% endcolumns %}',
  '{% updates filter="x" format="full" %}\n{% update tags="word,b" date="2025-01-01" author="a" %}\nword\n{% endupdate %}\n{% endupdates %}',
  "{% if visitor.word %}\nword\n{% endif %}",
  "{% raw %}\n\nword {{ word }}\n\n- word\n\n{% endraw %}",
  "word {% raw %}`word`{% endraw %} word",
  '{% prompt icon="x" %}\nword\n\n~~~\nword\n~~~\n{% endprompt %}',
  '{% file data-x="y" src="a (1).pdf" %}\nword _word_\n{% endfile %}',
  '{% embed fullWidth="true" data-x="y" url="https://a.bc/x" %}\nword\n{% endembed %}',
  '{% content-ref data-x="y" url="a.md" %}\n[a](a.md)\n{% endcontent-ref %}\n\nword',
  "{% @acme/card other='x'\n  title=\"word\" %}",
  '{% openapi-operation expanded="true" method="get" path="/word" spec="s" %}\n[x](y)\n{% endopenapi-operation %}',
  "***\n\nword[^note] word\n\n[^note]: word\n    __word__\n\n    - word",
  "<video controls>word</video>",
];

/** Forms of older texts whose parts are no blocks of their own: a change of their blocks writes them in our form. */
const FORMER: readonly string[] = [
  '{% api-method method="get" host="https://x.example" path="/a" %}\n{% api-method-summary %}\nword\n{% endapi-method-summary %}\n\n{% api-method-description %}\nword _word_\n{% endapi-method-description %}\n\n{% api-method-spec %}\n{% api-method-request %}\n{% api-method-path-parameters %}\n{% api-method-parameter name="id" required=true %}\nword\n{% endapi-method-parameter %}\n{% endapi-method-path-parameters %}\n{% endapi-method-request %}\n{% endapi-method-spec %}\n{% endapi-method %}',
  '{% swagger method="post" path="/b" summary="word" data-x="y" %}\n{% swagger-description %}\nword\n{% endswagger-description %}\n\n{% swagger-parameter in="body" name="a" %}\n__word__\n{% endswagger-parameter %}\n{% swagger-response status="200: OK" description="word" %}\n~~~\nword\n~~~\n{% endswagger-response %}\n{% endswagger %}',
];

/** What blocks may stand in. */
const WRAPPERS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replace(/^(?=.)/gm, "> ").replace(/^$/gm, ">"),
  (text) => `-   ${indented(text, 4)}\n-   word`,
  (text) => `9. word\n\n   ${indented(text, 3)}`,
  (text) => `{% hint icon="x" style="info" %}\n${text}\n{% endhint %}`,
  (text) => `{% tabs %}\n{% tab icon="y" title="word" %}\n${text}\n{% endtab %}\n{% endtabs %}`,
  (text) => `<details open>\n\n<summary>word</summary>\n\n${text}\n\n</details>`,
  (text) => `{% foo bar="word" %}\n\n${text}\n\n{% endfoo %}`,
];

function indented(text: string, width: number): string {
  return text.replace(/\n(?=[^\n])/g, `\n${" ".repeat(width)}`);
}

/** What a page ends with: definitions that its links use. */
const END = "\n\n[ref]: <z.md> 'word'\n";

type Json = Record<string, unknown>;

/** A document as a client has it. */
const documentIn = (text: string, resolve?: (href: string) => ContentRef): Document =>
  JSON.parse(JSON.stringify(readMarkdown(text, resolve).document));

const said = ({ nodes }: Document) =>
  JSON.stringify(nodes, (name, value) => (name === "key" || name === "meta" ? undefined : value));

/** Where strings of a document have a word that it shows. */
function placesOf(value: unknown): [holder: Json, name: string][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inside]): [Json, string][] => {
    if (/^(?:key|meta|type|kind|object|id|url|ref|source)$/.test(name)) return [];
    if (typeof inside === "string") return inside.includes("word") ? [[value as Json, name]] : [];
    return placesOf(inside);
  });
}

/** Changes the n-th word of a document. */
function changeWord(document: Document, n: number): boolean {
  const words = placesOf(document.nodes).flatMap(([holder, name]) =>
    Array.from((holder[name] as string).matchAll(/word\d*/g), ({ 0: word, index }) => ({ holder, name, word, index })),
  );
  const chosen = words[n];
  if (!chosen) return false;
  const { holder, name, word, index } = chosen;
  const text = holder[name] as string;
  holder[name] = `${text.slice(0, index)}changed${text.slice(index + word.length)}`;
  return true;
}

/** A text with numbers behind its words, so that each is another one. */
const numbered = (text: string): string => {
  let n = 0;
  return text.replace(/word/g, () => `word${++n}`);
};

const changed = (original: string, edit: (document: Document) => void): string => {
  const document = documentIn(original);
  edit(document);
  return writeMarkdown(document, { original });
};

/** Fails if a text with another word differs from the original in anything but that word. */
function expectOneWord(original: string, n: number): boolean {
  const document = documentIn(original);
  if (!changeWord(document, n)) return false;
  const written = writeMarkdown(document, { original });
  const [before, after, ...more] = written.split("changed");
  const word = original.slice(before?.length).match(/^word\d*/)?.[0];
  expect({ more, text: `${before}${word}${after}` }).toEqual({ more: [], text: original });
  expect(said(documentIn(written))).toBe(said(document));
  return true;
}

describe("changing one word", () => {
  test.each([...FORMS, ...FORMER])("changing one word of a document changes one word of its text: %s", (form) => {
    const text = numbered(form + END);
    let n = 0;
    while (expectOneWord(n % 2 === 0 ? text : text.replaceAll("\n", "\r\n"), n)) n++;
    expect(n).toBeGreaterThan(0);
  });

  const form = fc.constantFrom(...FORMS);
  const wrapped = fc.tuple(form, fc.constantFrom(...WRAPPERS), fc.constantFrom(...WRAPPERS));
  const pages = fc.array(wrapped, { minLength: 1, maxLength: 3 }).map((blocks) => {
    const texts = blocks.map(([text, inner, outer], i) => outer(inner(text)).replaceAll("[^note]", `[^note${i}]`));
    return texts.join("\n\n") + END;
  });

  test("changing one word works inside and beside any construct", () => {
    fc.assert(
      fc.property(pages, fc.nat(40), fc.boolean(), (text, n, isNumbered) => {
        const page = isNumbered ? numbered(text) : text;
        const words = placesOf(documentIn(page).nodes).length;
        expectOneWord(page, n % Math.max(1, words));
      }),
      { numRuns: runs(400) },
    );
  });

  test("inserting, removing or moving a block leaves all others unchanged byte for byte", () => {
    const edits = fc.tuple(fc.nat(), fc.nat(), fc.constantFrom("insert", "remove", "move"));
    fc.assert(
      fc.property(pages, edits, (text, [where, at, edit]) => {
        const original = numbered(text);
        const sources = sourcesIn(original);
        const document = documentIn(original);
        const lists = holdersIn(document.nodes);
        const list = lists[where % lists.length]!;
        const place = at % list.length;
        const [taken] = edit === "insert" ? [] : list.splice(place, 1);
        if (edit === "insert") list.splice(place, 0, JSON.parse(JSON.stringify(added(list[0]!))));
        if (edit === "move") list.splice((place * 7 + 1) % (list.length + 1), 0, taken!);
        fc.pre(list.length > 0 && lists.every((blocks) => !haveNeighbours(blocks)));
        const written = writeMarkdown(document, { original });
        expect(said(documentIn(written))).toBe(said(normal(document)));
        const moved = new Set(edit === "insert" ? [] : keysIn(taken));
        let from = 0;
        for (const [key, source] of sources) {
          if (moved.has(key)) continue;
          const found = written.indexOf(source, from);
          expect({ source, written: found < 0 && written }).toEqual({ source, written: false });
          from = found;
        }
      }),
      { numRuns: runs(400) },
    );
  });
});

/** Whether lists of one kind stand beside each other: one of them gets another marker. */
function haveNeighbours(blocks: readonly Block[]): boolean {
  return blocks.some(
    ({ type }, i) => i > 0 && /^list-(?!item)/.test(type) && /^list-(?!item)/.test(blocks[i - 1]!.type),
  );
}

/** The document that a text with those blocks has: numbers of lists may be other ones. */
function normal(document: Document): Document {
  return documentIn(writeMarkdown(document));
}

/** A new block, as it may stand beside another one. */
function added(beside: Block): Block {
  const [list] = documentIn("- new *text*").nodes as [Block];
  const item = (list.nodes as Block[])[0]!;
  const data = "checked" in (beside.data ?? {}) ? { checked: false } : {};
  return beside.type === "list-item" ? ({ ...item, data } as Block) : (item.nodes as Block[])[0]!;
}

/** The lists of blocks in blocks that may hold any block, or any item. */
function holdersIn(nodes: Block[]): Block[][] {
  const inside = nodes.flatMap((block) => {
    const lists = [
      ...(/^(?:list-|hint|tabs-item|blockquote|stepper-step|column$)/.test(block.type) ? [block.nodes as Block[]] : []),
      ...(["tabs", "stepper", "columns"].includes(block.type)
        ? (block.nodes as Block[]).map(({ nodes }) => nodes as Block[])
        : []),
      ...(block.fragments ?? []).filter(({ type }) => type === "expandable-body").map(({ nodes }) => nodes),
    ];
    return lists
      .filter((list) => list.length > 0)
      .flatMap((list) => (list[0]!.type.startsWith("tabs-") ? [] : holdersIn(list)));
  });
  return [nodes, ...inside];
}

/** The keys of blocks, and of everything in them. */
function keysIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inside]) => (name === "key" ? [inside as string] : keysIn(inside)));
}

/** The sources of all blocks that hold no others, by key, in their order. */
function sourcesIn(text: string): [key: string, source: string][] {
  const origins = new Map<Block, SourceNode>();
  runStepsSync(readPageBlocksInSteps(text, { origins }));
  return [...origins]
    .filter(([{ type }]) => /^(?:paragraph|heading|code|table|images|math|file|embed|integration)/.test(type))
    .sort(([, a], [, b]) => a.start - b.start)
    .map(([{ key }, { start, end }]) => [key!, text.slice(start, end).replace(/^\[[ xX]\]\s+/, "")]);
}

describe("source details that a document does not represent", () => {
  const replace =
    (from: string, to: string) =>
    (document: Document): void => {
      const [holder, name] = placesOf(document.nodes).find(([holder, name]) => String(holder[name]).includes(from))!;
      holder[name] = String(holder[name]).replace(from, to);
    };

  test.each([
    ["the icon of a tab", '{% tabs %}\n{% tab title="A word" icon="star" %}\na\n{% endtab %}\n{% endtabs %}\n'],
    ["an open expandable", "<details open>\n\n<summary>a word</summary>\n\nb\n\n</details>\n"],
    ["code that can be expanded", '{% code title="a word" expandable="true" %}\n```\nb\n```\n{% endcode %}\n'],
    ["a frame", '<div data-with-frame="true"><figure><img src="a.png" alt="a word"></figure></div>\n'],
    ["the alignment of a cell", table('<th valign="top">a</th>', '<td valign="bottom">a word</td>')],
    ["a cover for dark mode", table("<th data-card-cover-dark>a</th>", "<td>a word</td>")],
    ["line breaks of the source", "a\nword\nof _this_ and __that__\n"],
    ["the marker of a list", "+ a word\n+ b\n\n1) c\n"],
  ])("what a document does not represent stays in the text: %s", (_, original) => {
    expect(changed(original, replace("word", "sign"))).toBe(original.replace("word", "sign"));
  });

  test("a link that names its target by its text gets a label", () => {
    const end = "\n\n[a word]: b.md\n";
    expect(changed(`See [a word] or [a word][].${end}`, replace("word", "sign"))).toBe(
      `See [a sign][a word] or [a word][].${end}`,
    );
  });

  test("addresses stay as written while they lead to the same page", () => {
    const refs: Record<string, ContentRef> = { "../a/./b.md": { kind: "page", page: "pag_1" } };
    const resolve = (href: string): ContentRef => refs[href] ?? { kind: "url", url: href };
    const original = "- _A_ word\n  and [b](../a/./b.md).\n";
    const document = documentIn(original, resolve);
    replace("word", "sign")(document);
    const href = () => "/pages/pag_1";
    expect(writeMarkdown(document, { original, resolve, href })).toBe(original.replace("word", "sign"));
  });

  test("ticking a box and inserting or removing an item changes only that place", () => {
    const itemsOf = ({ nodes }: Document) => (nodes[0] as { nodes: Block[] }).nodes;
    expect(changed("-  [ ] _a_\n-  [x] b\n", (it) => Object.assign(itemsOf(it)[0]!.data!, { checked: true }))).toBe(
      "-  [x] _a_\n-  [x] b\n",
    );
    expect(changed("1) _a_\n2) b\n", (it) => itemsOf(it).splice(1, 0, itemsOf(documentIn("- n"))[0]!))).toBe(
      "1) _a_\n2) n\n2) b\n",
    );
    expect(changed("1) a\n2) _b_\n3) __c__\n", (it) => itemsOf(it).shift())).toBe("1) _b_\n3) __c__\n");
  });

  test("a word of a footnote is changed in the footnote", () => {
    const original = "a _b_[^x]\nc\n\n[^x]: the\n    word\n\nlast\n";
    expect(changed(original, replace("word", "sign"))).toBe(original.replace("word", "sign"));
  });
});

describe("the image for dark mode", () => {
  test.each([
    ["../x_dark (1).svg", "../x_dark (1).svg"],
    [" a, b,c.svg ", "a, b,c.svg"],
    ["x dark.png 2x", "x dark.png"],
    ["x,dark.png 1.5x", "x,dark.png"],
    ["a.png 1x, b.png 2x", "a.png"],
    ["a.png, b.png 2x", "a.png"],
    ["a.png 300w , b.png 600w", "a.png"],
  ])("the image for dark mode with srcset=%j is %j", (srcset, url) => {
    const text = `<figure><picture><source srcset="${srcset}" media="(prefers-color-scheme: dark)"><img src="x.svg" alt="a word"></picture></figure>\n`;
    const document = documentIn(text);
    expect(document.nodes[0]).toMatchObject({ nodes: [{ data: { refDark: { kind: "url", url } } }] });
    expectOneWord(text, 0);
    const [written] = documentIn(writeMarkdown(document)).nodes;
    expect(written).toMatchObject({ nodes: [{ data: { refDark: { kind: "url", url } } }] });
  });

  test("the image for dark mode is found among the files, whatever its name", () => {
    const file: ContentRef = { kind: "file", file: "fil_1" };
    const resolve = (href: string): ContentRef => (href === "../x, dark (1).svg" ? file : { kind: "url", url: href });
    const text =
      '<picture><source srcset="../x, dark (1).svg" media="(prefers-color-scheme: dark)"><img src="x.svg"></picture>';
    expect(readMarkdown(text, resolve).document.nodes[0]).toMatchObject({ nodes: [{ data: { refDark: file } }] });
  });
});

function table(head: string, cell: string): string {
  return `<table data-view="cards"><thead><tr>${head}</tr></thead><tbody><tr>${cell}</tr></tbody></table>\n`;
}
