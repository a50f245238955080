// The documentation of an imaginary product family (`corpus/*.md`), and queries as people type them, each with the page that
// answers it (`queries.tsv`).

import { readFileSync } from "node:fs";
import type { SearchPage } from "../../../src/content/search";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

/** Returns the page of a text that begins with its title, its id and its description. */
function toPage(text: string): SearchPage {
  const [lead, ...headings] = text.trim().split("\n\n## ");
  const [, title, id, description, first] = /^(.+) \{#(.+)\}\n\n> (.+)\n\n(.+)$/.exec(lead!)!;
  const sections = headings.map((section, index) => {
    const [heading, words] = section.split("\n\n");
    return { anchor: `${id}-${index + 1}`, title: heading!, text: words! };
  });
  return { id: id!, title: title!, description: description!, sections: [{ text: first! }, ...sections] };
}

export const corpus = ["store", "relay", "gate", "deploy", "code", "languages"].flatMap((family) =>
  read(`corpus/${family}.md`).split("\n# ").slice(1).map(toPage),
);

/** A query, the page that answers it, and how near to the top it has to be. */
export interface Labelled {
  readonly query: string;
  readonly page: string;
  readonly within: number;
}

function queriesOf(kind: string): readonly Labelled[] {
  const rows = read("queries.tsv").trim().split("\n").slice(1);
  return rows
    .map((row) => row.split("\t") as [string, string, string, string])
    .filter(([of]) => of === kind)
    .map(([, query, page, within]) => ({ query, page, within: Number(within) }));
}

/** Queries that the weights were chosen by. */
export const known = queriesOf("known");
/** Queries that the weights were not chosen by: written down afterwards. */
export const unseen = queriesOf("unseen");
