// Reads Markdown as the content of a page: the JSON document, the headings with their anchors, the links with their places,
// the text for search, and the number of words.

import { runStepsSync, type Steps } from "../../utils/concurrency/steps";
import type { Document } from "../document";
import type { FencedBlocks } from "./fences";
import { resolveAsWritten } from "./hrefs";
import type { RootNode } from "./nodes";
import { computeRuleAnchors } from "./reader/anchor-rules";
import { collectElementIds } from "./reader/anchors";
import { readPageBlocksInSteps } from "./reader/page";
import type { HeadingUse, HrefResolver, LinkUse } from "./reader/reading";
import { type Section, toSections } from "./reader/sections";
import { countWords } from "./reader/words";

export type { FencedBlocks } from "./fences";
export { parseMarkdownInSteps } from "./parse";
export { replaceTagsInSteps } from "./plain-tags";
export { readPageBlocksInSteps } from "./reader/page";
export type { HeadingUse, HrefResolver, LinkPurpose, LinkUse } from "./reader/reading";
export type { Section } from "./reader/sections";

export interface PageContent {
  document: Document;
  headings: HeadingUse[];
  /** The anchors that links can refer to: those of headings, and explicit ones. */
  anchors: string[];
  /** Anchors that other generators give to the headings, each with the anchor of its heading; "" for the title. */
  aliases: () => Steps<ReadonlyMap<string, string>>;
  links: LinkUse[];
  /** The plain text, divided at its headings. */
  sections: Section[];
  words: number;
}

/** Reads a page's text. `resolve` resolves URLs. The document has neither the front matter nor the leading title. */
export function readMarkdown(text: string, resolve: HrefResolver = resolveAsWritten): PageContent {
  return runStepsSync(readInSteps(text, resolve));
}

/** Reads a page's text step by step. `root` is its parsed tree, if there is one already. */
export function* readInSteps(
  text: string,
  resolve: HrefResolver = resolveAsWritten,
  root?: RootNode,
): Steps<PageContent> {
  const read = yield* readDocumentInSteps(text, root, resolve);
  const sections = yield* toSections(read.document.nodes);
  let words = 0;
  for (const { title = "", text } of sections) {
    words += (yield* countWords(title)) + (yield* countWords(text));
    yield;
  }
  return { ...read, sections, words };
}

/** Reads the plain text of a page, divided at its headings, step by step. */
export function* readSectionsInSteps(text: string, root?: RootNode): Steps<Section[]> {
  const { document } = yield* readDocumentInSteps(text, root);
  return yield* toSections(document.nodes);
}

/**
 * Reads the document, headings, anchors and links of a text, step by step. `parsed` is its parsed tree, if there is one already.
 * `fences` are the languages of fenced code that are blocks of integrations.
 */
export function* readDocumentInSteps(
  text: string,
  parsed?: RootNode,
  resolve: HrefResolver = resolveAsWritten,
  fences?: FencedBlocks,
): Steps<Omit<PageContent, "sections" | "words">> {
  const page = yield* readPageBlocksInSteps(text, { root: parsed, resolve, fences });
  const { root, parts, title, headings, ruled, reading } = page;
  const nodes = parts.map(({ block }) => block);
  const headingAnchors = headings.map(({ anchor }) => anchor);
  const anchors = [...new Set([...headingAnchors, ...reading.anchors, ...(yield* collectElementIds(text, root))])];
  const ownAnchors = title ? ["", ...headingAnchors] : headingAnchors;
  return {
    document: { object: "document", data: { schemaVersion: 1 }, nodes },
    headings,
    anchors,
    aliases: () => computeRuleAnchors(ruled, ownAnchors, new Set(anchors)),
    links: reading.links,
  };
}
