// Pages of HTML with very many elements, or very long ones, in every way in which pages are imported. They are refused before
// they are converted, and other pages beside them are imported.

import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { MAX_TEXT_LENGTH } from "../../src/content/markdown/limits";
import { ChunkedFile } from "../../src/importers/archive/chunked-file";
import { readZip } from "../../src/importers/archive/import-zip";
import { readConfluence } from "../../src/importers/confluence/import-confluence";
import { PageTooLongError } from "../../src/importers/errors";
import { MAX_ELEMENTS } from "../../src/importers/html/parse-html";
import { convertHtmlInSteps } from "../../src/importers/html/read-html";
import { readNotion } from "../../src/importers/notion/import-notion";
import { importWebsite } from "../../src/importers/website/import-website";
import { openSite } from "../importers/website-site";
import { convertHtmlToMarkdown } from "../support/html";

const MANY = "<dl><dt>a<dd>b".repeat(MAX_ELEMENTS / 2);
const LONG = `<p>${Array.from({ length: MAX_TEXT_LENGTH / 8 }, (_, at) => `word ${at * 7919}`).join(" ")}</p>`;

test.each([
  ["terms in one another", MANY],
  ["lists in one another", "<ul><li>x".repeat(390_000)],
  ["elements that close nothing", "<b>".repeat(1_000_000)],
])("too many %s are rejected while they are counted", (_, html) => {
  const steps = convertHtmlInSteps(html);
  let count = 0;
  const run = () => {
    while (!steps.next().done) count++;
  };
  expect(run).toThrow(PageTooLongError);
  // Each step reads 16,000 characters; converting an element takes several steps for each thousand.
  expect(count).toBeLessThanOrEqual(Math.ceil((MAX_ELEMENTS * 10) / 16_000));
});

test("a text that is too long is rejected before it is written", () => {
  expect(() => convertHtmlToMarkdown(LONG)).toThrow(`The page is longer than ${MAX_TEXT_LENGTH} characters.`);
  // Scripts are not part of the text.
  expect(convertHtmlToMarkdown(`<script>${"x".repeat(2 * MAX_TEXT_LENGTH)}</script><p>Text`).markdown).toBe("Text\n");
});

test("blocks are not copied at every level of nesting", () => {
  const { push } = Array.prototype;
  const countOf = (html: string) => {
    let count = 0;
    Array.prototype.push = function (...items) {
      count++;
      return push.apply(this, items);
    };
    try {
      convertHtmlToMarkdown(html, { isContentOnly: true });
    } finally {
      Array.prototype.push = push;
    }
    return count;
  };
  const blocks = "<p>x</p>".repeat(2_000);
  const flat = countOf(blocks);
  expect(countOf("<div>".repeat(150) + blocks)).toBeLessThan(2 * flat);
  expect(countOf("<dl><dd>".repeat(75) + blocks)).toBeLessThan(2 * flat);
});

test.each([
  ["elements", MANY, "elements"],
  ["characters", LONG, "characters"],
])("a page with too many %s is skipped, and others are imported", async (_, body, reason) => {
  const site = await openSite({
    "/": '<main><h1>Home</h1><p>Welcome to all of it. <a href="/long">Long</a> <a href="/other">Other</a></p></main>',
    "/long": `<main><h1>Long</h1>${body}</main>`,
    "/other": "<main><h1>Other</h1><p>Words of another page.</p></main>",
  });
  const crawled = await importWebsite({ url: `${site.origin}/`, fetch: site.fetch });
  expect(crawled.book.texts.size).toBe(2);
  expect(crawled.book.skipped).toMatchObject([{ reason: expect.stringContaining(reason) }]);

  const zip = zipSync({ "README.md": strToU8("# Home\n\n[Other](other.md)\n"), "long.html": strToU8(body) });
  const pieces = new ChunkedFile(undefined);
  await pieces.add(zip);
  const unpacked = await readZip(pieces);
  expect([...unpacked.book.texts.keys()]).toEqual(["README.md"]);
  expect(unpacked.book.skipped).toMatchObject([{ reason: expect.stringContaining(reason) }]);

  const page = (name: string, html: string) => ({
    [`${name} ${"a".repeat(31)}${name.length}.html`]: strToU8(
      `<html><body><article class="page"><h1 class="page-title">${name}</h1><div class="page-body">${html}</div></article></body></html>`,
    ),
  });
  const notion = await readNotion(zipSync({ ...page("Long", body), ...page("Other", "<p>Words.</p>") }));
  expect(notion.book.texts.size).toBe(1);
  expect(notion.book.chapters).toMatchObject([{ title: "Other" }]);
  expect(notion.book.skipped).toMatchObject([{ reason: expect.stringContaining(reason) }]);
});

test("a Confluence page that is too long is skipped", async () => {
  const property = (name: string, value: string) => `<property name="${name}"><![CDATA[${value}]]></property>`;
  const page = (id: number, body: string) =>
    `<object class="Page"><id name="id">${id}</id>${property("title", `Page ${id}`)}${property("contentStatus", "current")}</object>` +
    `<object class="BodyContent"><id name="id">${100 + id}</id>${property("body", body)}<property name="content" class="Page"><id name="id">${id}</id></property>${property("bodyType", "2")}</object>`;
  const entities = `<?xml version="1.0"?><hibernate-generic>${page(1, "<p>Words.</p>")}${page(2, "<b>x</b>".repeat(MAX_ELEMENTS + 1))}</hibernate-generic>`;
  const { book } = await readConfluence(zipSync({ "entities.xml": strToU8(entities) }));
  expect([...book.texts.keys()]).toEqual(["page-1.md"]);
  expect(book.skipped).toMatchObject([{ resource: "page-2.md", reason: expect.stringContaining("elements") }]);
});
