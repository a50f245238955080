// Conditions fail closed: wherever a tag is, and however it is broken, guarded text reaches nobody who does not meet
// the condition.

import fc from "fast-check";
import { expect, test } from "vitest";
import { readMarkdown } from "../../src/content/markdown/read";
import { createSlug } from "../../src/content/slugs";
import { splitPageTexts } from "../../src/content/translation/page-texts";
import { segmentText } from "../../src/content/translation/segment-text";
import { evaluateMarkdown } from "../content/at-once";
import { printed } from "../resources/content/printed";
import { inSeconds, openSite, sign } from "../resources/sites/site-stage";
import { runs } from "../support/test-length";

const CONDITION = "visitor.claims.isBeta";
const guarded = (words: string) => `{% if ${CONDITION} %}${words}{% endif %}`;

/** Places for something guarded on one line; whoever meets the condition finds it there. */
const places: Readonly<Record<string, (it: string) => string>> = {
  "a paragraph": (it) => `Before ${it} behind.`,
  "a line of its own": (it) => it,
  "a second line": (it) => `Before,\nthen ${it}\nbehind.`,
  "a heading": (it) => `## About ${it}`,
  "an underlined heading": (it) => `About ${it}\n=====`,
  "an item": (it) => `- one ${it}\n- two`,
  "a task": (it) => `- [x] one ${it}`,
  "a numbered item": (it) => `1. one ${it}`,
  "a quote": (it) => `> one ${it}\n> two`,
  "a cell": (it) => `| a | b |\n|---|---|\n| x ${it} | y |`,
  "the head of a table": (it) => `| a ${it} | b |\n|---|---|\n| x | y |`,
  "a cell of HTML": (it) => `<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>x ${it}</td></tr></tbody></table>`,
  "a block of HTML": (it) => `<div>\n<p>${it}</p>\n</div>`,
  "HTML in a paragraph": (it) => `Some <b>${it}</b> text.`,
  "an attribute of HTML": (it) => `Some <a href="https://a.example/" title="${it}">text</a>.`,
  "a comment": (it) => `Text <!-- ${it} --> text.\n\n<!-- ${it} -->`,
  "a title of details": (it) => `<details><summary>Say ${it}</summary>\n\nBody.\n\n</details>`,
  "details on one line": (it) => `<details><summary>Say</summary>${it}</details>`,
  "the body of details": (it) => `<details>\n<summary>Say</summary>\n\nBody ${it}.\n\n</details>`,
  "a hint": (it) => `{% hint style="info" %}\nTake ${it} care.\n{% endhint %}`,
  "the title of a tab": (it) => `{% tabs %}\n{% tab title="One ${it}" %}\nText.\n{% endtab %}\n{% endtabs %}`,
  "a tab": (it) => `{% tabs %}\n{% tab title="One" %}\nText ${it}.\n{% endtab %}\n{% endtabs %}`,
  "the title of code": (it) => `{% code title="${it}" %}\n\`\`\`\ncode\n\`\`\`\n{% endcode %}`,
  "a tag that nobody knows": (it) => `{% unheard %}\nText ${it}\n{% endunheard %}`,
  "the text of a link": (it) => `See [here ${it}](https://a.example/).`,
  "the target of a link": (it) => `See [here](<https://a.example/?${it}>).`,
  "the title of a link": (it) => `See [here](https://a.example/ '${it}').`,
  "a definition": (it) => `See [here][a].\n\n[a]: https://a.example/ '${it}'`,
  "the text of an image": (it) => `![Text ${it}](https://a.example/a.png)`,
  "the caption of a figure": (it) =>
    `<figure><img src="https://a.example/a.png" alt=""><figcaption><p>${it}</p></figcaption></figure>`,
  emphasis: (it) => `Some **bold ${it}** text.`,
  "a footnote": (it) => `Text[^1].\n\n[^1]: Note ${it}`,
  "a formula": (it) => `$$\na ${it}\n$$`,
  "a mail address": (it) => `<mailto:a@a.example?${it}>`,
  "indented code": (it) => `Text.\n\n    ${it}`,
};

/** Guards that are broken, or written as other languages do; nobody is shown what they were meant for. */
const breaks: Readonly<Record<string, (words: string) => string>> = {
  "never closed": (it) => `Text {% if ${CONDITION} %}${it}.`,
  "never closed, over blocks": (it) => `Text {% if ${CONDITION} %}\n\n- a\n\n> ${it}`,
  "never opened": (it) => `{ % if ${CONDITION} % }\n\n${it}\n\n{% endif %}\n\nText.`,
  "without an end of its tag": (it) => `{% if ${CONDITION} }${it}{% endif %}`,
  "without an end of its closing tag": (it) => `{% if ${CONDITION} %}${it}{% endif }`,
  "over lines": (it) => `Text {% if visitor.claims\n.isBeta %}${it}{% endif %}`,
  "with a line before its name": (it) => `Text {%\nif ${CONDITION} %}${it}{% endif %}`,
  "with an open quote": (it) => `Text {% if visitor.claims.plan == "pro %}${it}{% endif %} "text".`,
  "that does not parse": (it) => `Text {% if visitor.claims.plan = 1 %}${it}{% endif %}.`,
  "in capitals": (it) => `Text {% IF ${CONDITION} %}${it}{% ENDIF %}.`,
  "with other marks": (it) => `Text {%- if ${CONDITION} -%}${it}{%- endif -%}.`,
  "without spaces": (it) => `Text {%if(${CONDITION})%}${it}{%endIf%}.`,
  "of another kind": (it) => `{% unless visitor.claims.plan %}\n${it}\n{% endunless %}`,
  "as a choice": (it) => `{% case visitor.claims.plan %}\n{% when "pro" %}\n${it}\n{% endcase %}`,
  "the other branch": (it) => `{% if !visitor.claims.isBeta %}Text{% else %}${it}{% endif %}`,
  "a third branch": (it) => `{% if visitor.claims.plan %}\nText\n{% elsif ${CONDITION} %}\n${it}\n{% endif %}`,
  "a branch of nothing": (it) => `Text\n\n{% else %}\n${it}\n{% endif %}`,
  "as a member": (it) => `{% hint style="info" if="${CONDITION}" %}\n${it}\n{% endhint %}`,
  "over cells": (it) => `| a | b |\n|---|---|\n| {% if ${CONDITION} %}x | ${it} |\n\nText.`,
  "out of an item": (it) => `- {% if ${CONDITION} %}\n- ${it}\n\nText.`,
  "into a tag": (it) => `{% if ${CONDITION} %}\n{% hint %}\n{% endif %}\n${it}\n{% endhint %}\n{% endif %}`,
  "around a stray mark of code": (it) => `A \` mark {% if ${CONDITION} %}${it} \` text{% endif %}.`,
  "closed in code": (it) => `{% if ${CONDITION} %}\n${it} \`{% endif %}\``,
  "in code that never ends": (it) => `\`\`\`\ncode\n\n{% if ${CONDITION} %}\n${it}\n{% endif %}`,
  "with characters that nobody sees": (it) => `Text {%\u200b if ${CONDITION} %}${it}{% endif %}`,
  "without an end at all": (it) => `{ % if ${CONDITION} %}${it}{% end }`,
  "brought together": (it) => `{{% if true %}{% endif %}% if ${CONDITION} %}${it}{% endif %}`,
};

const read = (text: string, claims: object) => {
  const scope = { space: { vars: { plain: "value" } }, visitor: { claims: { unsigned: {}, ...claims } } };
  const markdown = evaluateMarkdown(text, { scope, getIncludedText: () => undefined }).text;
  const { document, sections } = readMarkdown(markdown);
  return JSON.stringify([markdown, document, sections]);
};

test.each(Object.entries(places))("a condition in %s is evaluated", (_, place) => {
  const text = `First.\n\n${place(guarded("qqsecret"))}\n\nLast.`;
  expect(read(text, {})).not.toContain("qqsecret");
  expect(read(text, {})).toContain("First");
  expect(read(text, {})).toContain("Last");
  expect(read(text, {})).not.toContain("{%  ");
  expect(read(text, { isBeta: true })).toContain("qqsecret");
});

test.each(Object.entries(breaks))("an invalid condition hides its content: %s", (_, broken) => {
  for (const claims of [{}, { plan: "pro" }])
    expect(read(`First.\n\n${broken("qqsecret")}`, claims)).not.toContain("qqsecret");
});

test("whatever surrounds a condition, only those who meet it see its content", () => {
  const secrets = fc.constantFrom(...Object.values(places).map((place) => place(guarded("qqsecret"))));
  const broken = fc.constantFrom(...Object.values(breaks).map((it) => it("qqsecret")));
  const plain = fc.constantFrom(
    ...Object.values(places).map((place) => place("plain")),
    ...["`code`", "```\ncode\n```", "<p>\n", "</p>", "{% hint %}", "{% endhint %}", "- a\n", "> ", "  ", "|", "**"],
    ...["{% if true %}yes{% endif %}", "{% if %}a{% endif %}", "`{% if x %}` to `{% endif %}`", "$$", "<!--", "-->"],
    ...[
      '<code class="expression">space.vars.plain</code>',
      "[a](",
      ")",
      '"',
      "'",
      "<details>",
      "</details>",
      "\\{% if",
    ],
  );
  const ending = fc.constantFrom("", " ", "\n", "\n\n");
  const parts = fc.array(fc.tuple(fc.oneof({ weight: 3, arbitrary: plain }, secrets, broken), ending), {
    maxLength: 6,
  });
  let hidden = 0;
  fc.assert(
    fc.property(parts, secrets, parts, (before, secret, behind) => {
      const text = [...before.flat(), secret, "\n\n", ...behind.flat()].join("");
      // A stray mark of code makes an example of what lies between it and the next one: then it says so to its author, too.
      fc.pre(!isExample(text));
      hidden++;
      expect(read(text, {})).not.toContain("qqsecret");
    }),
    { numRuns: runs(1500) },
  );
  expect(hidden).toBeGreaterThan(runs(700));
});

/** Whether a text shows the secret as code, to those who write it as well. */
function isExample(text: string): boolean {
  const isCode = (node: unknown): boolean => {
    if (typeof node !== "object" || node === null) return false;
    const { type, text, marks } = node as { type?: string; text?: string; marks?: { type: string }[] };
    if (type === "code") return JSON.stringify(node).includes("qqsecret");
    if (text?.includes("qqsecret") && marks?.some((mark) => mark.type === "code")) return true;
    return Object.values(node).some(isCode);
  };
  return isCode(readMarkdown(text).document);
}

test("a condition in fenced code and code spans is an example", () => {
  const text =
    "Write `{% if visitor.claims.x %}a{% endif %}`, or:\n\n```\n{% if visitor.claims.x %}\nb\n{% endif %}\n```\n\n> ~~~ liquid\n> {% if visitor.claims.x %}\n> ~~~";
  expect(evaluateMarkdown(text, { scope: {}, getIncludedText: () => undefined }).text).toBe(text);
});

test("a slug reveals nothing that a condition protects", () => {
  expect(createSlug(`Plans ${guarded("Secret name")}`)).toBe("plans");
  expect(createSlug("Plans {% if visitor.claims.x %}Secret")).toBe("plans");
});

test("a translator does not see text beside a condition and cannot move words out of it", () => {
  const { units } = segmentText(`One ${guarded("two")} three.\n\nFour.\n\n<p>${guarded("five")}</p>`);
  expect(units.map(({ pieces }) => pieces)).toEqual([[{ kind: "words", text: "Four." }]]);
});

test("a translator sees no condition in titles or descriptions and cannot end one in a text", () => {
  const text = `{% if ${CONDITION} %}\nOne here.\n\nTwo here.\n{% endif %}`;
  const sheet = splitPageTexts({ title: `Plans ${guarded("secret")}`, description: guarded("secret"), text });
  expect([...sheet.texts.values()]).toEqual(["One here.", "Two here."]);
  const [one, two] = [...sheet.texts.keys()];
  for (const hostile of ["Eins {% endif %} hier.", "Eins {% else %} hier.", "{% endif %} Eins hier.", "Eins {% if"]) {
    const made = sheet.insertTranslations(
      new Map([
        [one!, hostile],
        [two!, "Zwei hier."],
      ]),
    ).texts;
    expect(read(made.text!, {}), hostile).not.toContain("hier");
    expect(read(made.text!, { isBeta: true }), hostile).toContain("Zwei hier.");
  }
});

/** A word that no other resembles. */
const wordFor = (number: number) =>
  `quux${[...String(number).padStart(3, "0")].map((digit) => "bcdfghjklm"[Number(digit)]!.repeat(3)).join("")}`;

test("no response to a visitor contains what they may not see: pages, documents, search, trees, profile and PDF", async () => {
  const stage = await openSite("public");
  const { ask, at, space, siteSpace, org } = stage;
  const words: { readonly word: string; readonly isSound: boolean }[] = [];
  const secret = (isSound: boolean) => {
    words.push({ word: wordFor(words.length), isSound });
    return words.at(-1)!.word;
  };
  const changes: object[] = [
    ...Object.values(places).map((place) => place(guarded(secret(true)))),
    ...Object.values(breaks).map((broken) => broken(secret(false))),
    `---\ndescription: About ${guarded(secret(true))} it\n---\n\n# Named ${guarded(secret(true))}\n\nText.`,
    `Value <code class="expression">space.vars.guarded</code>.`,
    `{% include "/reusable-contents/REUSED" %}`,
  ].map((markdown, i) => ({ operation: "insert_page", title: `Page ${i}`, document: { markdown: `${markdown}\n` } }));
  changes.push({
    operation: "insert_page",
    title: `Titled ${guarded(secret(true))}`,
    description: `Told ${guarded(secret(true))}`,
    document: {},
  });
  const reused = await ask("admin", `POST /v1/spaces/${space}/content`, {
    changes: [
      {
        operation: "insert_reusable_content",
        title: "Reused",
        document: { markdown: `Reused ${guarded(secret(true))}.` },
      },
      { operation: "set_variables", variables: { guarded: `Value ${guarded(secret(true))}` } },
    ],
  });
  expect(reused.status, JSON.stringify(reused.body)).toBe(200);
  const listed = await ask("admin", `GET /v1/spaces/${space}/content`);
  const id = JSON.stringify(
    listed.body.reusableContents ?? (await ask("admin", `GET /v1/spaces/${space}/content/reusable-contents`)).body,
  ).match(/"id":"(rsc_?[^"]+|[a-z]+_[^"]+)"/)?.[1];
  for (let from = 0; from < changes.length; from += 40) {
    const batch = JSON.parse(JSON.stringify(changes.slice(from, from + 40)).replace("REUSED", id ?? "none"));
    const answer = await ask("admin", `POST /v1/spaces/${space}/content`, { changes: batch });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  }
  const retitled = await ask("admin", `PATCH ${at}`, { title: `Docs ${guarded(secret(true))}` });
  expect(retitled.status, JSON.stringify(retitled.body)).toBe(200);
  const more = await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "More" });
  await ask("admin", `PATCH /v1/spaces/${more.body.id}`, {
    title: `{% if ${CONDITION} %}${secret(false)}`,
  });
  const section = await ask("admin", `POST ${at}/sections`, {
    spaceId: more.body.id,
    title: `Section ${guarded(secret(true))}`,
  });
  expect(section.status, JSON.stringify(section.body)).toBe(201);
  await ask("admin", `PATCH ${at}/sections/${section.body.id}`, { description: `About ${guarded(secret(true))}` });

  const look = async (query: string) => {
    const texts: string[] = [];
    const get = async (route: string, send?: unknown) => {
      const answer = await ask(null, route, send);
      expect(answer.status, route).toBe(200);
      texts.push(JSON.stringify(answer.body));
      return answer.body;
    };
    await get(`GET ${at}/published?${query}`);
    await get(`GET ${at}/site-spaces?${query}`);
    await get(`GET ${at}/sections?${query}`);
    const tree = await get(`GET ${at}/site-spaces/${siteSpace}/pages?${query}`);
    for (const { id } of tree.pages) {
      await get(`GET ${at}/site-spaces/${siteSpace}/page/${id}?${query}`);
      await get(`GET ${at}/site-spaces/${siteSpace}/page/${id}?format=document&${query}`);
    }
    return texts.join("\n");
  };
  const stranger = await look("");
  const jwt = await sign(stage, { isBeta: true }, { exp: inSeconds(stage, 60_000) });
  const insider = await look(`visitorToken=${jwt}`);
  const paper = JSON.stringify(await printed(stage, `${space}/pdf`, "admin"));
  expect(paper).toContain("Page 1");
  for (const { word, isSound } of words) {
    expect([word, stranger.includes(word), paper.includes(word)]).toEqual([word, false, false]);
    if (isSound) expect([word, insider.includes(word)]).toEqual([word, true]);
    const found = await ask(null, `POST ${at}/search`, { query: word });
    expect(found.body, word).toMatchObject({ items: [], count: 0 });
  }
  // Whoever writes reads the source.
  const sources = JSON.stringify((await ask("edit", `GET /v1/spaces/${space}/content/pages`)).body);
  expect(sources).toContain("{% if visitor.claims.isBeta %}");
});
