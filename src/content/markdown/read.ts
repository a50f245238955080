// Markdown as what the rest of the system wants of it, in one reading: the JSON document, the headings with their anchors,
// the links with their places, the text for search, and the number of words.

import { runStepsSync, type Steps } from "../../utils/concurrency/steps";
import type { Document } from "../document";
import type { FencedBlocks } from "./fences";
import type { Root } from "./nodes";
import { parseInSteps } from "./parse";
import { anchorsByRules } from "./reader/anchor-rules";
import { idsIn } from "./reader/anchors";
import { readPageInSteps } from "./reader/page";
import { asWritten, type HeadingUse, type LinkUse, type Resolve } from "./reader/reading";
import { type Section, sectionsOf } from "./reader/sections";
import { wordsIn } from "./reader/words";

export type { FencedBlocks } from "./fences";
export { parseInSteps } from "./parse";
export { replaceTagsInSteps } from "./plain-tags";
export type { HeadingUse, LinkPurpose, LinkUse, Resolve } from "./reader/reading";
export type { Section } from "./reader/sections";

/** What a text holds. */
export interface PageContent {
  document: Document;
  headings: HeadingUse[];
  /** The anchors that links may name: those of headings, and those that stand in the text. */
  anchors: string[];
  /** Further anchors that generators give to the headings, each with the anchor that its heading has; "" for the title. */
  aliases: () => Steps<ReadonlyMap<string, string>>;
  links: LinkUse[];
  /** The text in plain words, cut at its headings. */
  sections: Section[];
  words: number;
}

/** Reads a page's text; `resolve` finds out what addresses lead to. Front matter and the leading title are not part of it. */
export function readMarkdown(text: string, resolve: Resolve = asWritten): PageContent {
  return runStepsSync(readInSteps(text, resolve));
}

/** Reads a page's text step by step; `root` is what it was parsed to, if somebody has parsed it. */
export function* readInSteps(text: string, resolve: Resolve = asWritten, root?: Root): Steps<PageContent> {
  const read = yield* readDocumentInSteps(text, root ?? (yield* parseInSteps(text)), resolve);
  const sections = yield* sectionsOf(read.document.nodes);
  let words = 0;
  for (const { title = "", text } of sections) {
    words += (yield* wordsIn(title)) + (yield* wordsIn(text));
    yield;
  }
  return { ...read, sections, words };
}

/** The document of a text alone, step by step; `root` as above. */
export function* documentInSteps(text: string, root?: Root): Steps<Document> {
  return (yield* readDocumentInSteps(text, root ?? (yield* parseInSteps(text)))).document;
}

/** The text of a page in plain words, cut at its headings, step by step; `root` as above. */
export function* sectionsInSteps(text: string, root?: Root): Steps<Section[]> {
  return yield* sectionsOf((yield* documentInSteps(text, root)).nodes);
}

/**
 * Reads what a document needs of a page's text that was parsed, step by step. `fences` are the languages of fenced code
 * that are blocks of integrations.
 */
export function* readDocumentInSteps(
  text: string,
  root: Root,
  resolve: Resolve = asWritten,
  fences?: FencedBlocks,
): Steps<Omit<PageContent, "sections" | "words">> {
  const { parts, title, headings, ruled, reading } = yield* readPageInSteps(text, root, resolve, fences);
  const nodes = parts.map(({ block }) => block);
  const own = headings.map(({ anchor }) => anchor);
  const anchors = [...new Set([...own, ...reading.anchors, ...(yield* idsIn(text, root))])];
  function* aliases(): Steps<ReadonlyMap<string, string>> {
    const all = title ? ["", ...own] : own;
    const found = [...(yield* anchorsByRules(ruled, new Set(anchors)))];
    return new Map(found.map(([anchor, i]) => [anchor, all[i]!]));
  }
  return {
    document: { object: "document", data: { schemaVersion: 1 }, nodes },
    headings,
    anchors,
    aliases,
    links: reading.links,
  };
}
