// Tables of contents as tools and people write them, and the pages that they become.

import { describe, expect, test } from "vitest";
import type { Chapter } from "../../../src/content/book/book";
import { extractLocalHrefs } from "../../../src/content/book/local-hrefs";
import { readBook } from "../../../src/content/book/read-book";
import { runs } from "../../support/test-length";
import { Repository, Space } from "./books/trees";

const pages = Object.fromEntries("abcdef".split("").map((name) => [`${name}.md`, `# Page ${name}\n`]));

/** The chapters of a table of contents, one line each. */
async function outline(summary: string, more: Record<string, string> = {}): Promise<string[]> {
  const { chapters } = await readBook(new Repository({ ...pages, "SUMMARY.md": summary, ...more }));
  const lines = (all: readonly Chapter[], indentation: string): string[] =>
    all.flatMap((it) => [
      indentation +
        (it.kind === "page"
          ? `${it.isDraft ? "draft " : ""}${it.path}${it.title ? ` ${it.title}` : ""}`
          : it.kind === "link"
            ? `link ${it.href} ${it.title}`
            : it.kind === "group"
              ? `group ${it.title}${it.slug ? ` #${it.slug}` : ""}`
              : `computed ${JSON.stringify(it.yaml)}`),
      ...("chapters" in it ? lines(it.chapters, `${indentation}  `) : []),
    ]);
  return lines(chapters, "");
}

describe("the table of contents", () => {
  test.each([
    ["two spaces", "* [A](a.md)\n  * [B](b.md)\n    * [C](c.md)\n  * [D](d.md)\n"],
    ["four spaces", "- [A](a.md)\n    - [B](b.md)\n        - [C](c.md)\n    - [D](d.md)\n"],
    ["tabs", "+ [A](a.md)\n\t+ [B](b.md)\n\t\t+ [C](c.md)\n\t+ [D](d.md)\n"],
    ["numbers", "1. [A](a.md)\n   1. [B](b.md)\n      1. [C](c.md)\n   2. [D](d.md)\n"],
    ["carriage returns", "* [A](a.md)\r\n  * [B](b.md)\r\n    * [C](c.md)\r\n  * [D](d.md)"],
    ["dots before paths", "* [A](./a.md)\n  * [B](/b.md)\n    * [C](x/../c.md)\n  * [D](d)\n"],
    [
      "what does not matter",
      "<!--\n* [E](e.md)\n-->\n* **[A](a.md)**\nText.\n  * [B](b.md) about it\n```\n* [F](f.md)\n```\n    * [C](c.md)\n\n  * [D](d.md)\n",
    ],
  ])("a table of contents is nested by any consistent indentation: %s", async (_, summary) => {
    expect(await outline(summary)).toEqual(["a.md A", "  b.md B", "    c.md C", "  d.md D"]);
  });

  test("a table of contents has groups, which end at a rule or the end of the text", async () => {
    const summary =
      '# Title\n\n* [A](a.md)\n\n## One <a href="#first" id="first"></a>\n\n* [B](b.md)\n\nTwo\n---\n\n* [C](c.md)\n\n***\n\n* [D](d.md)\n';
    expect(await outline(summary)).toEqual([
      "a.md A",
      "group One #first",
      "  b.md B",
      "group Two",
      "  c.md C",
      "d.md D",
    ]);
  });

  test("a file is listed once, and repeated or missing entries are skipped with a reason", async () => {
    const summary = "* [A](a.md)\n* [Again](a.md)\n  * [B](b.md)\n* [Gone](gone.md)\n  * [C](c.md)\n* [](d.md)\n";
    expect(await outline(summary)).toEqual(["a.md A", "b.md B", "c.md C", "d.md"]);
    const { skipped } = await readBook(new Repository({ ...pages, "SUMMARY.md": summary }));
    expect(skipped).toEqual([
      { resource: "a.md", reason: "It is listed more than once." },
      { resource: "gone.md", reason: "It is listed, but the file doesn't exist." },
    ]);
  });

  test("chapters below a skipped entry keep their own lines when the table of contents is written again", async () => {
    const summary = '* [A](a.md)\n* [Gone](gone.md)\n  * [C](c.md "Called C")\n* [B](b.md)\n';
    const repository = new Repository({ ...pages, "SUMMARY.md": summary });
    const space = new Space();
    await space.import(repository);
    const { id } = (await space.page("b.md"))!;
    await space.apply({ operation: "move_page", page: id, into: null, at: 0 });
    const there = await space.export(repository);
    expect(there.text("SUMMARY.md")).toContain('* [C](c.md "Called C")\n');
  });

  test("a table of contents may link to URLs, anchors and files, and may have entries without a text", async () => {
    const summary =
      "* [A](a.md)\n* [Web](https://x.org/a_b)\n  * [B](b.md)\n* [Part](a.md#part)\n* [Notes](notes.pdf)\n* [Soon]()\n  * [C](c.md)\n* Later\n* [Broken](broken-reference)\n";
    expect(await outline(summary, { "notes.pdf": "%PDF-" })).toEqual([
      "a.md A",
      "link https://x.org/a_b Web",
      "b.md B",
      "link a.md#part Part",
      "link notes.pdf Notes",
      "draft soon.md Soon",
      "  c.md C",
      "draft later.md Later",
      "link broken-reference Broken",
    ]);
  });

  test("a table of contents may have computed pages with their YAML preserved", async () => {
    const summary =
      "* [A](a.md)\n  * ```yaml\n    type: builtin:openapi\n    props:\n      models: true\n    ```\n* [B](b.md)\n";
    expect(await outline(summary)).toEqual([
      "a.md A",
      '  computed "type: builtin:openapi\\nprops:\\n  models: true\\n"',
      "b.md B",
    ]);
  });
});

/** A megabyte with a seed. */
const LARGE = runs(1_000_000);

test("a large text of anything that looks like a link is parsed in linear time", () => {
  for (const piece of [
    "](",
    "](<",
    "]: ",
    "[a](b(",
    'href="',
    "href='",
    "{% include ",
    "](a ",
    "]:<",
    "](a(b)",
    "\\](",
  ])
    extractLocalHrefs(piece.repeat(Math.ceil(LARGE / piece.length)));
});

test("a large text of anything that looks like a table of contents is parsed in linear time", async () => {
  for (const piece of [
    "# ",
    "* ",
    "- ```\n",
    "[a](",
    "* [\n",
    "<!--",
    " \n*",
    "#".repeat(7),
    "* [a](b ",
    "\t",
    "=\n",
    "* # #  ",
  ]) {
    const summary = piece.repeat(Math.ceil(LARGE / piece.length)).slice(0, LARGE);
    await readBook(new Repository({ "SUMMARY.md": summary, ".gitbook/includes/a.md": "A\n" })).catch(() => undefined);
  }
});

test("thousands of pages that disappear at once leave nothing behind", async () => {
  const names = Array.from({ length: 1500 }, (_, i) => `p${i}.md`);
  const texts = names.map((name, i) => [name, `# P\n\n[next](${names[(i + 1) % 1500]}#x) [home](README.md)\n`]);
  const repository = new Repository({ "README.md": "# Home\n\n[p](p7.md)\n", ...Object.fromEntries(texts) });
  const space = new Space();
  await space.import(repository);
  for (const name of names) repository.files.delete(name);
  const { pages } = await space.import(repository);
  expect(pages).toEqual({ created: 0, updated: 0, deleted: 1500 });
  const { id } = (await space.page("README.md"))!;
  expect([...(await space.entries()).keys()].map((key) => key.replace(id, "HOME"))).toEqual([
    "c/-/a0",
    "g/README.md",
    "h/HOME",
    "i/n:p7/HOME/000000",
    "o/HOME/000000",
    "p/HOME",
    "s/-/home",
    "t/n:p7",
  ]);
});
