// Bytes that every target knows what to do with, for a fuzzer to begin with; and what one has found before.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { readMarkdown } from "../../../src/content/markdown/read";
import { cell, docx, item, p, row, run, style, table } from "../../importers/docx-fixture";
import { BOOKS_2, BOOKS_30, BOOKS_31 } from "../../openapi/specifications/written";

const PAGES = "test/content/markdown/corpus";
const FOUND = "test/stress/fuzz/found";

/** Bytes by names, for a target. */
export function seedsOf(target: string): ReadonlyMap<string, Uint8Array> {
  return new Map([...Object.entries(written()[target] ?? {}), ...foundBy(target)]);
}

function written(): Record<string, Record<string, Uint8Array>> {
  const pages = filesIn(PAGES);
  const text = (values: readonly string[]) => Object.fromEntries(values.map((it, at) => [`seed-${at}`, strToU8(it)]));
  return {
    markdown: pages,
    page: pages,
    document: text(
      Object.values(pages).map((it) => JSON.stringify(readMarkdown(new TextDecoder().decode(it)).document)),
    ),
    expression: text([
      "visitor.claims.groups.includes('beta') && space.vars.beta",
      "space.vars.none?.deep.deeper ?? 'none'",
      "'v' + space.vars.major + '.' + (1 + 2) * 3 - 1 > 4 ? page.vars.regions[0] : visitor.claims['address'].city",
    ]),
    archive: { small: zipSync({ "a.md": strToU8("# A\n"), "b/c.png": new Uint8Array(300) }) },
    word: {
      small: docx(
        p(run("Title"), style("Heading1")) +
          p(run("One"), item(1, 0)) +
          table(row(cell(p(run("a"))), cell(p(run("b"))))),
      ),
    },
    website: text([
      "<!DOCTYPE html><html><head><title>T</title></head><body><main><h1>T</h1><p>One <b>two</b></p></main></body></html>",
      "<table><tr><td rowspan=2><ul><li>a<li>b</ul><td><pre><code class=language-js>x</code></pre></table>",
    ]),
    specification: text([BOOKS_2, BOOKS_30, BOOKS_31]),
  };
}

/** What made a target fail once. */
function foundBy(target: string): [string, Uint8Array][] {
  return readdirSync(FOUND, { withFileTypes: true })
    .filter((it) => it.isDirectory() && it.name === target)
    .flatMap(() => Object.entries(filesIn(join(FOUND, target))));
}

function filesIn(folder: string): Record<string, Uint8Array> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, new Uint8Array(readFileSync(join(folder, name)))]),
  );
}
