// How often a request parses a text: once, whoever wants something of it.

import { memoryStorage } from "octavo/memory";
import { beforeEach, expect, test, vi } from "vitest";
import * as parser from "../../../src/content/markdown/parse";
import { replaceLinkTargets } from "../../../src/content/revision/link-targets";
import { type Setting, seeded, setUp } from "../../support/setting";

const { parseMarkdown: parse, parseMarkdownInSteps: parseInSteps } = parser;
/** The texts that were parsed. */
const parsed: string[] = [];

function note<Result>(run: (text: string) => Result): (text: string) => Result {
  return (text) => {
    parsed.push(text);
    return run(text);
  };
}

let setting: Setting;
let content: string;

beforeEach(async () => {
  vi.spyOn(parser, "parseMarkdown").mockImplementation(note(parse));
  vi.spyOn(parser, "parseMarkdownInSteps").mockImplementation(note(parseInSteps));
  setting = await setUp(memoryStorage());
  const space = (await setting.ask("admin", `POST /v1/orgs/${setting.org}/spaces`, { title: "Docs" })).body.id;
  content = `/v1/spaces/${space}/content`;
});

/** Writes a page with this text, and one that it may refer to as `other`: its id, and how often its text was parsed. */
async function write(markdown: string): Promise<{ id: string; other: string; parses: number }> {
  parsed.length = 0;
  const changes = [
    { operation: "insert_page", title: "Text", document: { markdown } },
    { operation: "insert_page", ref: "other", title: "Other", document: { markdown: "Other.\n" } },
  ];
  const { status, body } = await setting.ask("admin", `POST ${content}`, { changes });
  expect(status).toBe(200);
  const [id, other] = body.changes.map(({ page }: { page: { id: string } }) => page.id);
  return { id, other, parses: timesParsed() };
}
const timesParsed = () => parsed.filter((text) => text.includes("Peculiar")).length;
const textOf = async (id: string) =>
  (await setting.ask("admin", `GET ${content}/page/${id}?format=markdown`)).body.markdown;

test.each([
  ["that refers to nothing of it", "Peculiar [link](https://example.com).\n", (text: string) => text],
  [
    "that refers to another page of it",
    '# Text\n\nPeculiar [one](other), [two](./other.md#part), [![both](other)](other) and <a href="other">three</a>.\n',
    (text: string, other: string) => text.replaceAll(/(?<=[("])(?:\.\/)?other(?:\.md)?/g, `/pages/${other}`),
  ],
])("a batch with refs parses a text once %s", async (_, markdown, expected) => {
  const { id, other, parses } = await write(markdown);
  expect(await textOf(id)).toBe(expected(markdown, other));
  expect(parses).toBe(1);
});

test("text that only resembles a link to a ref stays, and other spellings are found", async () => {
  const markdown = "Peculiar `](other)` and [link](other), [defined].\n\n    [code](other)\n\n[defined]: other\n";
  const { id, other } = await write(markdown);
  expect(await textOf(id)).toBe(
    `Peculiar \`](other)\` and [link](/pages/${other}), [defined].\n\n    [code](other)\n\n[defined]: /pages/${other}\n`,
  );
});

test("links to refs are resolved as if the text had been parsed before", async () => {
  const pieces = [
    "[a](other)",
    '[a](other "](other")',
    "`[a](other)`",
    "![i](other)",
    "[![i](other)](other#x)",
    "[b](<other>)",
    "[a]: other",
    "[a]",
    '<a href="other">c</a>',
    "<a href='other.md'>",
    '{% include "other" %}',
    '{% content-ref url="other" %}\n[o](other)\n{% endcontent-ref %}',
    "[^1]",
    "[^1]: [n](other)",
    "\\[a](other)",
    "[o&#116;her](o&#116;her)",
    "    [a](other)",
    "```\n[a](other)\n```",
    "# [h](other)",
    "[(other)",
    "](other)",
    "\n",
    "\n\n",
    " ",
  ];
  const bytes = seeded(7)(2000);
  const texts = Array.from({ length: 49 }, (_, n) =>
    Array.from({ length: 1 + (n % 12) }, (_, i) => pieces[bytes[n * 12 + i]! % pieces.length]).join(n % 2 ? "" : "\n"),
  );
  const changes = [
    { operation: "insert_page", ref: "other", title: "Other", document: {} },
    ...texts.map((markdown, n) => ({ operation: "insert_page", title: `Page ${n}`, document: { markdown } })),
  ];
  const { body } = await setting.ask("admin", `POST ${content}`, { changes });
  const [other, ...ids] = body.changes.map(({ page }: { page: { id: string } }) => page.id);
  const targetFor = (href: string) => {
    const found = /^other(?:\.md)?(#.*)?$/.exec(href);
    return found ? `/pages/${other}${found[1] ?? ""}` : undefined;
  };
  for (const [n, id] of ids.entries())
    expect(await textOf(id), texts[n]).toBe(replaceLinkTargets(texts[n]!, targetFor));
});

test.each(["", "&evaluated=true"])("a page as a document is parsed once%s", async (more) => {
  const { id } = await write('{% hint style="info" %}\nPeculiar [link](other).\n{% endhint %}\n');
  parsed.length = 0;
  const { body } = await setting.ask("admin", `GET ${content}/page/${id}?format=document${more}`);
  expect(body.document.nodes[0].type).toBe("hint");
  expect(timesParsed()).toBe(1);
});

test.each([
  ["without front matter", ""],
  ["with front matter", "---\ndescription: Told.\n---\n\n"],
])("a published page is parsed once as a document, %s", async (_, before) => {
  const { id } = await write(`${before}{% hint style="info" %}\nPeculiar [link](other).\n{% endhint %}\n`);
  const sites = `/v1/orgs/${setting.org}/sites`;
  const spaces = [content.split("/")[3]];
  const site = (await setting.ask("admin", `POST ${sites}`, { title: "Docs", spaces })).body.id;
  await setting.ask("admin", `POST ${sites}/${site}/publish`);
  const [siteSpace] = (await setting.ask("admin", `GET ${sites}/${site}/site-spaces`)).body.items;
  parsed.length = 0;
  const page = `GET ${sites}/${site}/site-spaces/${siteSpace.id}/page/${id}`;
  const { body } = await setting.ask(null, `${page}?format=document`);
  expect(body.document.nodes[0].type).toBe("hint");
  expect(timesParsed()).toBe(1);
  const { markdown } = (await setting.ask(null, `${page}?format=markdown`)).body;
  expect(markdown).toMatch(/^\n?\{% hint/);
});
