// Links, headings and source paths in the documents are valid. ARCHITECTURE.md can be read in twenty minutes.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const notes = readdirSync(join(root, "docs/decisions"))
  .filter((name) => name !== "README.md")
  .sort();
const documents = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "adapters/README.md",
  "adapters/s3/DESIGN.md",
  ...readdirSync(join(root, "docs"), { recursive: true })
    .map((name) => `docs/${name}`)
    .filter((name) => name.endsWith(".md")),
];

/** A document without its blocks of code. */
const prose = (text: string) => text.replace(/^ *(`{3,})[^\n]*\n[\s\S]*?^ *\1 *$/gm, "");

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(text: string): string[] {
  return [...prose(text).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replace(/ /g, "-"),
  );
}

/** What a document links to that is not there. */
function brokenLinks(document: string, text: string): string[] {
  return [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, href]) => href!)
    .filter((href) => !/^https?:/.test(href))
    .filter((href) => {
      const [path, anchor] = href.split("#");
      const target = path ? join(dirname(document), path) : document;
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && !anchorsOf(read(target)).includes(anchor);
    });
}

/** Paths from the root that a document names as code, and that are not there. */
function missingPaths(text: string): string[] {
  return [...prose(text).matchAll(/`((?:src|test|adapters|scripts|examples|docs)\/[\w./-]*)`/g)]
    .map(([, path]) => path!)
    .filter((path) => !existsSync(join(root, path)));
}

describe("links and paths", () => {
  test.each(documents)("every link and path in %s leads somewhere", (document) => {
    const text = read(document);
    expect(brokenLinks(document, text)).toEqual([]);
    expect(missingPaths(text)).toEqual([]);
  });

  test("a broken link in a document is detected", () => {
    const text = "[a](none.md) [b](docs/README.md#none) [c](docs/README.md#guides) `src/none.ts` `src/storage`";
    expect(brokenLinks("README.md", text)).toEqual(["none.md", "docs/README.md#none"]);
    expect(missingPaths(text)).toEqual(["src/none.ts"]);
  });
});

test("the security table covers every class of mistakes, and every test that it names exists", () => {
  const rows = read("docs/internals/security.md").match(/^\| (?:S\d|–).*$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(50);
  const classes = new Set(rows.flatMap((row) => row.split(" | ")[0]!.match(/S\d+/g) ?? []));
  for (let number = 1; number <= 46; number++) expect(classes).toContain(`S${number}`);
  for (const row of rows) {
    const named = [
      ...row
        .split(" | ")
        .at(-1)!
        .matchAll(/`([\w./-]+\.test\.ts)`/g),
    ].map(([, name]) => name!);
    expect(named, row).not.toEqual([]);
    for (const name of named) {
      const path = name.includes("/") ? name : `test/security/${name}`;
      expect(existsSync(join(root, path)), path).toBe(true);
    }
  }
});

test("decisions are numbered without gaps, have a date and a status, and the tables of contents list every decision and page", () => {
  notes.forEach((name, i) => {
    const number = i + 1;
    expect(name).toMatch(new RegExp(`^${String(number).padStart(4, "0")}-`));
    expect(read(`docs/decisions/${name}`)).toMatch(
      new RegExp(
        `^# ${number}\\. .+\\n\\n\\d{4}-\\d\\d-\\d\\d · (Accepted|Superseded by \\[|Rejected).*\\n\\n\\*\\*Question\\.\\*\\* [^]+\\*\\*Decision\\.\\*\\* `,
      ),
    );
  });
  const decisions = read("docs/decisions/README.md");
  for (const name of notes) expect(decisions).toContain(`(${name})`);
  const contents = read("docs/README.md");
  for (const folder of ["guides", "reference", "internals"])
    for (const name of readdirSync(join(root, "docs", folder))) expect(contents).toContain(`(${folder}/${name})`);
});

test("ARCHITECTURE.md has at most 4,500 words and no long paragraph", () => {
  const text = read("ARCHITECTURE.md");
  expect(text.split(/\s+/).length).toBeLessThanOrEqual(4500);
  const paragraphs = prose(text)
    .split("\n")
    .filter((line) => !line.startsWith("|"));
  for (const line of paragraphs) expect(line.length, line).toBeLessThanOrEqual(700);
});
