// The search engines that are compared, each behind the same function: the ids of the pages that it finds, the best first.

import { create, insertMultiple, search as searchOrama } from "@orama/orama";
import flexsearch from "flexsearch";
import MiniSearch from "minisearch";
import { createSearchIndex, type SearchPage } from "../../../src/content/search";

/** Finds pages among those that an engine was given. */
export type Find = (query: string) => readonly string[];

/** Makes an engine of some pages. */
export type Engine = (pages: readonly SearchPage[]) => Find;

const LIMIT = 20;

function octavo(pages: readonly SearchPage[]): Find {
  const index = createSearchIndex();
  for (const page of pages) index.put(page);
  return (query) => index.search(query, LIMIT).hits.map(({ id }) => id);
}

/** A page as plain fields. The name of its file is given to all engines alike. */
function toFields({ id, title, description = "", sections }: SearchPage) {
  return {
    id,
    title,
    slug: id.slice(id.indexOf("/") + 1),
    description,
    headings: sections.map((section) => section.title ?? "").join("\n"),
    text: sections.map((section) => section.text).join("\n"),
  };
}

const BOOSTS = { title: 5, slug: 3, description: 1.6, headings: 2.5, text: 1 };
const FIELDS = ["title", "slug", "description", "headings", "text"] as const;

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/** The words of a text in any language, folded. */
function segment(text: string): string[] {
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(text)) if (isWordLike) words.push(segment.toLowerCase());
  return words;
}

function miniSearch(pages: readonly SearchPage[]): Find {
  const index = new MiniSearch({
    fields: [...FIELDS],
    tokenize: segment,
    searchOptions: { boost: BOOSTS, prefix: (term) => term.length > 2, fuzzy: 0.2, tokenize: segment },
  });
  index.addAll(pages.map(toFields));
  return (query) =>
    index
      .search(query)
      .slice(0, LIMIT)
      .map(({ id }) => id as string);
}

function orama(pages: readonly SearchPage[]): Find {
  const schema = {
    id: "string",
    title: "string",
    slug: "string",
    description: "string",
    headings: "string",
    text: "string",
  } as const;
  const components = {
    tokenizer: {
      language: "english",
      normalizationCache: new Map(),
      tokenize: (raw: string) => [...new Set(segment(raw))],
    },
  };
  const index = create({ schema, components });
  void insertMultiple(index, pages.map(toFields), pages.length);
  return (query) => {
    const found = searchOrama(index, { term: query, limit: LIMIT, properties: [...FIELDS], boost: BOOSTS });
    return (found as Awaited<typeof found>).hits.map(({ document }) => document.id);
  };
}

function flexSearch(pages: readonly SearchPage[]): Find {
  const index = new flexsearch.Document({
    tokenize: "forward",
    encode: segment,
    document: { id: "id", index: [...FIELDS] },
  });
  for (const page of pages) index.add(toFields(page));
  return (query) => {
    // FlexSearch answers for each field: a page counts with the place that it has in each, weighed as for the others.
    const scores = new Map<string, number>();
    for (const { field, result } of index.search(query, { limit: 100, suggest: true }))
      result.forEach((id, place) => {
        const boost = BOOSTS[field as (typeof FIELDS)[number]];
        scores.set(id as string, (scores.get(id as string) ?? 0) + boost / (place + 1));
      });
    return [...scores]
      .sort((a, b) => b[1] - a[1])
      .slice(0, LIMIT)
      .map(([id]) => id);
  };
}

/** All engines by name. */
export const engines: Readonly<Record<string, Engine>> = {
  octavo,
  MiniSearch: miniSearch,
  Orama: orama,
  FlexSearch: flexSearch,
};
