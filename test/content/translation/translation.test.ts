// Translating keeps everything that is not language, for every page and whatever the translator does with the words.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SourceNode } from "../../../src/content/markdown/nodes";
import { parseMarkdown } from "../../../src/content/markdown/parse";
import { extractGlossary } from "../../../src/content/translation/glossary";
import { splitPageTexts } from "../../../src/content/translation/page-texts";
import { segmentText } from "../../../src/content/translation/segment-text";
import { translatePage } from "../../../src/content/translation/translate-page";
import type { TranslationRequest, Translator } from "../../../src/content/translation/translator";
import { FAMILIES } from "../../security/hostile-texts";
import { runs, someOf } from "../../support/test-length";
import { corpusPages, packagePages } from "../markdown/markdown-pages";
import { dense, reversed, spiked, turned } from "./translators";

const each =
  (change: (text: string) => string): Translator =>
  async ({ texts }) =>
    texts.map(change);

const how = { from: "en", to: "de" };

/** Everything in a text that is no language, by our parser and by nothing of what translates; inlines in any order. */
function unspoken(text: string): unknown {
  const of = (node: SourceNode): unknown => {
    const { type } = node;
    const inside = "children" in node ? (node.children as SourceNode[]) : [];
    const own = Object.fromEntries(
      Object.entries(node).filter(
        ([name, value]) =>
          !["children", "start", "end", "open", "close", "lines", "definition"].includes(name) && value,
      ),
    );
    if (type === "image") delete own.alt;
    if (type === "image" || type === "link" || type === "definition") delete own.title;
    if (type === "tag") {
      delete own.attributes;
      own.argument = String(own.argument).replace(SPOKEN_ATTRIBUTE, "");
      if (own.source) own.source = String(own.source).replace(SPOKEN_ATTRIBUTE, "");
    }
    if (type === "details") own.summary = tagsIn(String(own.summary));
    if (type === "html") own.value = tagsIn(String(own.value));
    const parts = inside.filter((it) => it.type !== "text").map(of);
    const isSentence = type === "paragraph" || type === "heading" || type === "tableCell" || !("children" in node);
    const isInline = ["emphasis", "strong", "delete", "link"].includes(type);
    if (!isSentence && !isInline) return [own, parts];
    return [own, parts.map((part) => JSON.stringify(part)).sort()];
  };
  return of(parseMarkdown(text));
}

function tagsIn(html: string): string[] {
  return (html.match(/<[^<>]*>/g) ?? []).map((tag) => tag.replace(SPOKEN_ATTRIBUTE, "")).sort();
}

const SPOKEN_ATTRIBUTE = /\b(?:alt|title|summary|description|caption|label)\s*=\s*"(?:[^"\\]|\\.)*"/g;

describe("a page with every kind of block", () => {
  const page = `---
description: How it works
icon: gear
---

# Getting started

Install \`npm i x\` from [the *registry*](https://x.example/a_b "Tip") for {{ product.name }} and {% user %} now.

{% hint style="info" %}
A **bold** word, ![a picture](../img/a.png "T"), <mark style="color:red">marked words</mark>, <kbd>Ctrl</kbd>.
{% endhint %}

{% tabs %}
{% tab title="First" %}
> Quoted line one
> line two with \`code\`  
> and a break
{% endtab %}
{% endtabs %}

* [ ] A task
* [x] Another :smile: https://a.example/b.

| Name | Value |
| --- | --- |
| A \\| B | **c** |

<details>
<summary>More of <b>this</b></summary>

Hidden words[^1]

</details>

<figure><img src="a.png" alt="An image"><figcaption>The caption</figcaption></figure>

\`\`\`js
const words = "never translated";
\`\`\`

{% content-ref url="page.md" %}
[page.md](page.md)
{% endcontent-ref %}

$$ x^2 $$

See [other] and <code class="expression">space.vars.x</code>.

[^1]: The note

[other]: https://o.example "Other"
`;

  test("a page with every kind of block is split into sentences", () => {
    const { texts } = splitPageTexts({ title: "Getting started", description: "How it works", text: page });
    expect([...texts.values()]).toEqual([
      "How it works",
      "Getting started",
      'Install <x id="1"></x> from <g id="2">the <g id="3">registry</g></g> for <x id="4"></x> and <x id="5"></x> now.',
      'A <g id="1">bold</g> word, <g id="2">a picture</g>, <g id="3">marked words</g>, <x id="4"></x>.',
      'Quoted line one line two with <x id="1"></x><x id="2"></x>and a break',
      "A task",
      'Another <x id="1"></x> <x id="2"></x>.',
      "Name",
      "Value",
      "A | B",
      '<g id="1">c</g>',
      'More of <g id="1">this</g>',
      'Hidden words<x id="1"></x>',
      "The caption",
      'See <g id="1">other</g> and <x id="2"></x>.',
      "The note",
      "Tip",
      "T",
      "First",
      "An image",
      "Other",
    ]);
  });

  test("a translated page has other words and is otherwise unchanged", async () => {
    const {
      texts: sheet,
      untranslatedCount: kept,
      wordCount: words,
    } = await translatePage(each(reversed), { title: "Getting started", text: page }, how);
    expect(kept).toBe(0);
    expect(words).toBe(51);
    expect(sheet.title).toBe("gnitteGq detratsq");
    for (const part of [
      "# gnitteGq detratsq",
      "description: How it works\nicon: gear",
      'llatsnIq `npm i x` morfq [ehtq *yrtsigerq*](https://x.example/a_b "piTq") rofq {{ product.name }} dnaq {% user %} wonq.',
      '![aq erutcipq](../img/a.png "Tq"), <mark style="color:red">dekramq sdrowq</mark>, <kbd>Ctrl</kbd>.',
      '{% tab title="tsriFq" %}\n> detouQq enilq enoq enilq owtq htiwq `code`  \n> dnaq aq kaerbq\n{% endtab %}',
      "* [x] rehtonAq :smile: https://a.example/b.",
      "| Aq \\| Bq | **cq** |",
      "<summary>eroMq foq <b>sihtq</b></summary>",
      '<img src="a.png" alt="nAq egamiq"><figcaption>ehTq noitpacq</figcaption>',
      'const words = "never translated";',
      "[page.md](page.md)",
      "[rehtoq][other]",
      '[^1]: ehTq etonq\n\n[other]: https://o.example "rehtOq"',
    ])
      expect(sheet.text).toContain(part);
  });

  test("a page states its title and its description where they were", async () => {
    const sheet = { title: "Getting started", description: "How it works", text: page };
    const { texts: translated } = await translatePage(each(reversed), sheet, how);
    expect(translated.description).toBe("woHq tiq skrowq");
    expect(translated.text).toContain("---\ndescription: woHq tiq skrowq\nicon: gear\n---\n\n# gnitteGq detratsq\n");
  });
});

describe("translatable text", () => {
  // A form of each block, with what the translator is given, in order. What is in capitals is for people, and nothing else is.
  test.each<[string, string, string[]]>([
    ["a heading", "## ONE `two` {#three}", ['ONE <x id="1"></x> <x id="2"></x>']],
    ["a heading with an anchor", '## ONE <a href="#two" id="two"></a>', ['ONE <g id="1"></g>']],
    ["a link", '[ONE](two.md "THREE")', ['<g id="1">ONE</g>', "THREE"]],
    ["an image", '![ONE](two.png "THREE")', ['<g id="1">ONE</g>', "THREE"]],
    ["a definition", '[ONE][two]\n\n[two]: three.md "FOUR"', ['<g id="1">ONE</g>', "FOUR"]],
    [
      "an image in HTML",
      '<figure><img src="one.png" alt="TWO" data-x="y"><figcaption><p>THREE <b>FOUR</b></p></figcaption></figure>',
      ['THREE <g id="1">FOUR</g>', "TWO"],
    ],
    ["an image in a sentence", 'ONE <img src="two.png" alt="THREE" data-size="line">', ['ONE <x id="1"></x>', "THREE"]],
    [
      "tabs",
      '{% tabs %}\n{% tab title="ONE \\"TWO\\"" icon="rocket" %}\nTHREE\n{% endtab %}\n{% endtabs %}',
      ["THREE", 'ONE "TWO"'],
    ],
    ["code", '{% code title="ONE TWO" overflow="wrap" %}\n```js\nlet x;\n```\n{% endcode %}', ["ONE TWO"]],
    ["code of a file", '{% code title="src/index.js" %}\n```js\nlet x;\n```\n{% endcode %}', []],
    [
      "a hint",
      '{% hint style="info" icon="gear" %}\nONE :smile: `two` {{ three }}\n{% endhint %}',
      ['ONE <x id="1"></x> <x id="2"></x> <x id="3"></x>'],
    ],
    [
      "what mdBook includes",
      "ONE {{#include ../_parts_/a*b*.md:two}} THREE {{#include c_d.md}}\n\n{{#include *e*/f.md}}",
      ['ONE <x id="1"></x> THREE <x id="2"></x>'],
    ],
    [
      "what is no variable by a backslash",
      "ONE \\{{#include two.md}} \\:three: \\\\{{ four }}",
      ['ONE <x id="1"></x> <x id="2"></x> \\<x id="3"></x>'],
    ],
    ["steps", "{% stepper %}\n{% step %}\n### ONE\nTWO\n{% endstep %}\n{% endstepper %}", ["ONE", "TWO"]],
    ["columns", '{% columns %}\n{% column width="50%" %}\nONE\n{% endcolumn %}\n{% endcolumns %}', ["ONE"]],
    [
      "an expandable",
      "<details>\n<summary>ONE <b>TWO</b></summary>\n\nTHREE\n\n</details>",
      ['ONE <g id="1">TWO</g>', "THREE"],
    ],
    [
      "a button",
      '<a href="https://x.example" class="button primary" data-icon="rocket">ONE TWO</a>',
      ['<g id="1">ONE TWO</g>'],
    ],
    ["an icon", '<i class="fa-gear">:gear:</i> ONE', ['<x id="1"></x> ONE']],
    ["an expression", 'ONE <code class="expression">space.vars.x</code>', ['ONE <x id="1"></x>']],
    ["a formula", "ONE $$x^2$$\n\n$$\ny\n$$", ['ONE <x id="1"></x>']],
    ["a file", '{% file src="one.pdf" %}\nTWO\n{% endfile %}', ["TWO"]],
    ["an embed", '{% embed url="https://x.example" %}\nONE\n{% endembed %}', ["ONE"]],
    ["a reference to a page", '{% content-ref url="one.md" %}\n[one.md](one.md)\n{% endcontent-ref %}', []],
    ["an include", '{% include "../one.md" %}', []],
    ["a block of an integration", '{% @one/two title="Three" content="four" %}', []],
    [
      "an operation",
      '{% openapi-operation spec="one" path="/two" method="get" %}\n[one](https://x.example/a.yaml)\n{% endopenapi-operation %}',
      ['<g id="1">one</g>'],
    ],
    ["tasks", "* [ ] ONE **TWO**\n* [x] THREE", ['ONE <g id="1">TWO</g>', "THREE"]],
    ["a quote", "> ONE\n> TWO", ["ONE TWO"]],
    [
      "a table",
      "| ONE `two` | THREE **FOUR** |\n| --- | --- |\n| FIVE [SIX](seven.md) | 8 |",
      ['ONE <x id="1"></x>', 'THREE <g id="1">FOUR</g>', 'FIVE <g id="1">SIX</g>'],
    ],
    [
      "a table in HTML",
      '<table data-view="cards"><thead><tr><th>ONE</th><th data-type="content-ref"></th></tr></thead><tbody><tr><td>TWO <strong>THREE</strong>,<br>FOUR &amp; <a href="five.md">SIX</a>.</td><td><a href="seven.md">seven.md</a></td></tr></tbody></table>',
      ["ONE", 'TWO <g id="1">THREE</g>,<x id="2"></x>FOUR &amp; <g id="3">SIX</g>.'],
    ],
    [
      "a list in a cell",
      "<table><tr><td><ul><li>ONE <em>TWO</em></li><li>THREE</li></ul></td></tr></table>",
      ['ONE <g id="1">TWO</g>', "THREE"],
    ],
    ["HTML in a quote", "> <p>ONE\n> TWO</p>", ["ONE", "TWO"]],
    ["a note", "ONE[^1]\n\n[^1]: TWO", ['ONE<x id="1"></x>', "TWO"]],
    [
      "updates",
      '{% updates format="full" %}\n{% update date="2025-01-01" tags="a,b" %}\n## ONE\n{% endupdate %}\n{% endupdates %}',
      ["ONE"],
    ],
  ])("only what people read is translated: %s", async (_, text, wanted) => {
    expect([...splitPageTexts({ title: "1", text }).texts.values()]).toEqual(wanted);
    const { texts: sheet, untranslatedCount: kept } = await translatePage(
      each((it) => it.replace(/[A-Z]{3,}/g, (word) => `${word}É`)),
      { title: "1", text },
      how,
    );
    expect(kept).toBe(0);
    expect(sheet.text).toBe(
      text
        .replace("> ONE\n> TWO", text.startsWith("> ONE") ? "> ONE TWO" : "> ONE\n> TWO")
        .replace(/[A-Z]{3,}/g, (word) => `${word}É`),
    );
  });

  test("titles may contain marks that would end them, and are remembered", async () => {
    const before = {
      title: "1",
      text: '[See](it.md "One")\n\n{% tab title="Two" %}\nThree\n{% endtab %}\n\n<img src="a.png" alt="Four">',
    };
    const said = (it: string) => `${it} "quoted" \\ &amp; 'more'`;
    const { texts: sheet, untranslatedCount: kept } = await translatePage(each(said), before, how);
    expect(kept).toBe(0);
    expect(sheet.text).toContain('(it.md "One \\"quoted\\" \\\\ \\& \'more\'")');
    expect(sheet.text).toContain('title="Two \\"quoted\\" \\\\ & \'more\'"');
    expect(sheet.text).toContain("alt=\"Four &quot;quoted&quot; \\ &amp; 'more'\"");
    const asked: string[] = [];
    const translator: Translator = async ({ texts }) => {
      asked.push(...texts);
      return texts.map(said);
    };
    const after = { ...before, text: before.text.replace("Three", "Five") };
    await translatePage(translator, after, { ...how, earlier: { source: before, translated: sheet } });
    expect(asked).toEqual(["Five"]);
  });
});

describe("preserving the structure", () => {
  const pages = [...corpusPages(), ...packagePages(20_000).slice(0, 80)];

  // Each of them has every fourth page, and another one first; all pages where a seed is given.
  const changes = Object.entries({ reversed, dense, turned, spiked });
  test.each(changes.map(([name, change], at) => [name, change, someOf(pages, at)] as const))(
    "the structure survives a translation that is %s",
    async (_, change, some) => {
      let [units, left] = [0, 0];
      for (const { text } of some) {
        const { texts: sheet, untranslatedCount: kept } = await translatePage(each(change), { title: "T", text }, how);
        expect(unspoken(sheet.text!)).toEqual(unspoken(text));
        units += segmentText(text).units.length;
        left += kept;
      }
      // Nearly all of them can be put back: a check that keeps every source would hold, too. How many depends on the pages
      // of the packages that are installed.
      expect(left / units).toBeLessThan(0.05);
    },
  );

  test("the structure of any text survives any translation", async () => {
    const markdown = fc.array(
      fc.constantFrom(
        ..."a|b c|\n|\n\n|  \n|*|**|_|`|~~|[|](u)|][r]|![|<b>|</b>|<kbd>|</kbd>|&amp;|\\|# |- |1. |> || |{{ v }}|{% t %}|{% endt %}|:a:|$$|\n---\n|```\n|[r]: /x\n|[^1]|https://e.x|    |<!--|-->|{%".split(
          "|",
        ),
      ),
      { maxLength: 40 },
    );
    const said = fc.array(
      fc.constantFrom(..."x y . * _ ` [ ] ( ) < > & # - + 1. | { } % ~ ! : \\ \n 文 。 é $".split(" ")),
      {
        minLength: 1,
        maxLength: 6,
      },
    );
    await fc.assert(
      fc.asyncProperty(markdown, said, async (parts, words) => {
        const text = parts.join("");
        const change = (it: string) =>
          it.replace(/<[^<>]*>|&[a-z]+;|[^<&]+/g, (found) =>
            /^[<&]/.test(found) ? found : words.join(" ").replaceAll("&", "&amp;").replaceAll("<", "&lt;"),
          );
        const { texts: sheet } = await translatePage(each(change), { title: "T", text }, how);
        expect(unspoken(sheet.text!)).toEqual(unspoken(text));
      }),
      { numRuns: runs(1000) },
    );
  });

  test("a translation that says the same leaves the text byte for byte, except for line endings in sentences", async () => {
    for (const { text } of corpusPages()) {
      const { texts: sheet } = await translatePage(
        each((it) => it),
        { title: "T", text },
        how,
      );
      expect(unspoken(sheet.text!)).toEqual(unspoken(text));
    }
  });

  test("the check fails where a link is lost", () => {
    expect(unspoken("A [b](c) d.")).not.toEqual(unspoken("A b d."));
    expect(unspoken("A `b` d.")).not.toEqual(unspoken("A `B` d."));
    expect(unspoken("# A\n\n- b")).not.toEqual(unspoken("# A\n\nb"));
  });
});

describe("marks", () => {
  const text = "Use `a` and [b](c).";
  const counting = (answer: (text: string, call: number) => string) => {
    const calls: TranslationRequest[] = [];
    const translator: Translator = async (request) => {
      calls.push(request);
      return request.texts.map((it) => answer(it, calls.length));
    };
    return { calls, translator };
  };

  test.each([
    ["are lost", (it: string) => it.replace(/<x[^>]*><\/x>/, "")],
    ["come twice", (it: string) => `${it} <x id="1"></x>`],
    ["are not known", (it: string) => it.replace('id="1"', 'id="7"')],
    ["change places with each other", (it: string) => it.replace('<g id="2">b</g>', '<g id="2">b <x id="1"></x></g>')],
    ["are not closed", (it: string) => it.replace("</g>", "")],
    ["lose their words", (it: string) => it.replace(">b<", "><")],
    ["are of another kind", (it: string) => it.replaceAll("<g", "<b").replaceAll("</g", "</b")],
  ])("units that %s are requested again, and then the source is kept and counted", async (_, broken) => {
    const { calls, translator } = counting((it) => broken(it.replace("Use", "Benutze")));
    const { texts: sheet, untranslatedCount: kept } = await translatePage(translator, { title: "1", text }, how);
    expect(calls.length).toBe(2);
    expect(kept).toBe(1);
    expect(sheet.text).toBe(text);
  });

  test("marks that return on the second request are accepted", async () => {
    const { calls, translator } = counting((it, call) => (call === 1 ? "nothing" : it.replace("Use", "Benutze")));
    const { texts: sheet, untranslatedCount: kept } = await translatePage(translator, { title: "1", text }, how);
    expect(calls.length).toBe(2);
    expect(kept).toBe(0);
    expect(sheet.text).toBe("Benutze `a` and [b](c).");
  });

  test("marks may move within the sentence and be written in any XML form", async () => {
    const { translator } = counting(() => "<g id=\"2\">B</g> und <X ID='1' /> benutzen &amp; mehr &lt; 3.");
    const { texts: sheet } = await translatePage(translator, { title: "1", text }, how);
    expect(sheet.text).toBe("[B](c) und `a` benutzen & mehr < 3.");
  });

  test("a translator that returns too few units is asked again", async () => {
    const translator: Translator = async () => [];
    const { untranslatedCount: kept } = await translatePage(translator, { title: "1", text }, how);
    expect(kept).toBe(1);
  });
});

describe("known translations", () => {
  test("a known translation is not requested again, even if sentences were reordered", async () => {
    const asked: string[] = [];
    const translator: Translator = async ({ texts }) => {
      asked.push(...texts);
      return texts.map(turned);
    };
    const before = { title: "One", text: "See `a`, then [b](c).\n\nStay\n\nGo" };
    const first = await translatePage(translator, before, how);
    asked.length = 0;
    const after = { title: "One", text: "See `a`, then [b](c).\n\nNew words\n\nStay" };
    const second = await translatePage(translator, after, {
      ...how,
      earlier: { source: before, translated: first.texts },
    });
    expect(asked).toEqual(["New words"]);
    expect(second.wordCount).toBe(2);
    expect(second.texts.text!.split("\n\n")[0]).toBe(first.texts.text!.split("\n\n")[0]);
  });

  test("a known translation applies only to the same marks", async () => {
    const before = { title: "1", text: "See [it](a)." };
    const { texts: sheet } = await translatePage(each(reversed), before, how);
    const earlier = { source: before, translated: sheet };
    const again = await translatePage(each(reversed), { title: "1", text: "See [it](b)." }, { ...how, earlier });
    expect(again.texts.text).toBe("eeSq [tiq](b).");
    expect(again.wordCount).toBe(2);
  });
});

test("a translator receives bounded batches", async () => {
  const sizes: number[] = [];
  const translator: Translator = async ({ texts }) => {
    sizes.push(texts.length);
    return texts;
  };
  const text = Array.from({ length: 250 }, (_, i) => `Paragraph number ${i}`).join("\n\n");
  await translatePage(translator, { title: "1", text }, how);
  expect(sizes).toEqual([100, 100, 50]);
  sizes.length = 0;
  await translatePage(translator, { title: "1", text: `${"long ".repeat(6000)}\n\nshort\n\nother` }, how);
  expect(sizes).toEqual([1, 2]);
});

test.each(FAMILIES)("S39: %s are split and joined in linear time", async (_, family) => {
  const { texts: sheet } = await translatePage(each(reversed), { title: "T", text: family(20_000) }, how);
  expect(sheet.text!.length).toBeGreaterThan(0);
});

test("tables in the instructions form a glossary", () => {
  const instructions =
    "Be kind.\n\n| Term | German |\n|---|---|\n| `space` | Bereich |\n| page | **Seite** |\n| x |  |";
  expect(extractGlossary(instructions)).toEqual([
    { term: "space", translation: "Bereich" },
    { term: "page", translation: "Seite" },
  ]);
  expect(extractGlossary("| a | b | c |\n|---|---|---|\n| d | e | f |")).toEqual([]);
});
