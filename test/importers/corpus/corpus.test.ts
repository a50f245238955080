// The command that measures what comes through: on a small site and a small book whose losses are known.

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { anchorsIn } from "../../../scripts/corpus/anchor-rules";
import { measure } from "../../../scripts/corpus/measure";
import { tableOf } from "../../../scripts/corpus/table";
import { lossesOf } from "../../../scripts/corpus/trigrams";

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "octavo-corpus-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

const html = (title: string, body: string) =>
  `<html><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`;

test("an HTML folder is crawled, and broken links, false alarms and lost words are counted", async () => {
  const folder = await folderWith({
    "index.html": html("Home", '<p>To <a href="a.html#there">a</a> and <a href="a.html#gone">nowhere</a>.</p>'),
    "a.html": html(
      "Page a",
      '<p id="there">These words come through whole.</p><div class="cookie-banner">one two three four five six seven eight</div>',
    ),
  });
  const found = await measure(folder);
  expect(found).toMatchObject({ pages: 2, bytesEqual: undefined, unknown: 0, links: 2, broken: 1, falseAlarms: 0 });
  const lost = Object.fromEntries(found.losses.map(({ name, lost }) => [name, lost > 0]));
  expect(lost).toEqual({ home: false, a: true });
  const table = tableOf([found]);
  expect(table).toContain("| pages |");
  expect(table).toMatch(/^ {2}a: \d/m);
});

test("a Markdown folder round-trips byte for byte as a book, and anchors of other tools work", async () => {
  const folder = await folderWith({
    "README.md": "# Home\n\nTo [b](b.md#pinned), [c](b.md#a-b-c) and [d](b.md#gone).\n",
    "b.md": '# B\n\n## A. B/C\n\n<a id="pinned"></a>Words.\n',
    "SUMMARY.md": "# Summary\n\n* [Home](README.md)\n* [B](b.md)\n",
  });
  expect(await measure(folder)).toMatchObject({ pages: 2, bytesEqual: 2, broken: 1, falseAlarms: 0 });
});

test("text counts as lost when three consecutive words are missing, except words that many pages share", () => {
  const pages = Array.from({ length: 12 }, (_, i) => ({
    name: `${i}`,
    source: `around all of it, own${i} x${i} y${i} z${i}`,
    ours: `own${i} x${i} y${i}`,
  }));
  const [first] = lossesOf(pages);
  expect(first).toEqual({ name: "0", runs: 4, lost: 3, some: ["of it own0", "it own0 x0", "x0 y0 z0"] });
});

test("anchors of any tool and anchors stated in the text are found", () => {
  const anchors = anchorsIn(
    '# A. B/C\n\n## Über uns {#about}\n\n```\n# no\n```\n\nSet\n---\n\n## Set\n\n<a name="here"></a>',
  );
  for (const anchor of ["a-bc", "a-b-c", "über-uns", "uber-uns", "about", "set", "set-1", "here"])
    expect([...anchors], anchor).toContain(anchor);
  expect(anchors.has("no")).toBe(false);
});
