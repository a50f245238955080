// HTML to Markdown: the content of a page, without the site around it. Linear in the size of the page, bounded in
// depth, and safe: nothing that a browser would run comes through.

import type { Block, Document, Phrasing } from "../../content/document";
import { MAX_TEXT_LENGTH } from "../../content/markdown/limits";
import { Anchors } from "../../content/markdown/reader/anchors";
import { saidBy } from "../../content/markdown/reader/words";
import { runStepsSync, type Steps } from "../../content/markdown/steps";
import { writeInSteps } from "../../content/markdown/write";
import { omitUndefined } from "../../utils/objects";
import { tryParseUrl } from "../../utils/url";
import { PageTooLong } from "../refused";
import { Addresses, type AddressOptions } from "./addresses";
import { PageAnchors } from "./anchors";
import { BlockReader } from "./blocks";
import { baseOf, type Head, headOf } from "./head";
import { headingsIn, titleOf } from "./headings";
import { type LeftOutPart, leftOutOf } from "./left-out";
import { walkInSteps } from "./looking";
import { mainContentOf } from "./main";
import { anchorLine } from "./reading-blocks";
import { type Element, MAX_ELEMENTS, parseInSteps } from "./tree";

export { decodeHtml } from "./bytes";

/** How HTML is read. */
export interface HtmlOptions extends AddressOptions {
  /** All of it is content, there is no site around it. Default: false, the main content is looked for. */
  readonly whole?: boolean;
}

/** What a page says. */
export interface HtmlContent {
  readonly title?: string;
  readonly description?: string;
  /** The body without the title. */
  readonly markdown: string;
  /** Where links of the content lead, resolved, before they were mapped. */
  readonly links: string[];
  /** Images of the content, likewise. */
  readonly images: string[];
  readonly canonical?: string;
  readonly language?: string;
}

/** Reads a page, or a part of one, into Markdown. */
export function htmlToMarkdown(html: string, options: HtmlOptions = {}): HtmlContent {
  return runStepsSync(markdownInSteps(html, options));
}

/** The same, step by step. */
export function* markdownInSteps(html: string, options: HtmlOptions = {}): Steps<HtmlContent> {
  const {
    document,
    head: _,
    titleAnchors: __,
    headTitle: ___,
    leftOut: ____,
    ...rest
  } = yield* readHtml(yield* parseInSteps(html), options);
  return { ...rest, markdown: yield* writeInSteps(document) };
}

/** What a page says, as a document. */
export interface HtmlDocument extends Omit<HtmlContent, "markdown"> {
  readonly document: Document;
  readonly head: Head;
  /** Anchors that lead to the title. The first line carries them. */
  readonly titleAnchors: readonly string[];
  /** What was left out as the site around the page. */
  readonly leftOut: readonly LeftOutPart[];
  /** What the head calls the page, whole, if nothing else gives it a title. */
  readonly headTitle?: string;
}

/** Reads a tree of HTML into a document, step by step. */
export function* readHtml(root: Element, options: HtmlOptions): Steps<HtmlDocument> {
  yield* checkElements(root);
  const head = headOf(root);
  const base = baseOf(head, options.base);
  const { element, content } = options.whole ? { element: root, content: root } : yield* mainContentOf(root);
  const { heading, title, isOfHead } = yield* titleOf(root, content, head, options.whole === true);
  const addresses = new Addresses({ ...options, ...omitUndefined({ base }) });
  const canonical = head.canonical ? tryParseUrl(head.canonical, options.base) : undefined;
  const anchors = new PageAnchors();
  const reader = new BlockReader(addresses, yield* headingsIn(content, heading), anchors);
  anchors.meet(content);
  yield;
  const read = yield* reader.read(content.children, { depth: 0, marks: [], around: [content] });
  const nodes = read.length > 0 ? [...read, ...anchorLine(anchors)] : read;
  const shown = yield* withoutUsualAnchors(withoutRules(nodes));
  yield* checkLength(shown);
  return {
    ...omitUndefined({
      title: title ? title.slice(0, 500) : undefined,
      description: head.description && head.description !== head.title ? head.description : undefined,
    }),
    document: { object: "document", data: { schemaVersion: 1 }, nodes: shown },
    links: [...addresses.links],
    images: [...addresses.images],
    titleAnchors: anchors.title,
    leftOut: options.whole ? [] : yield* leftOutOf(root, element, content),
    ...omitUndefined({
      headTitle: isOfHead && head.title !== undefined ? head.title : undefined,
      canonical: canonical?.href,
      language: head.language ? head.language : undefined,
    }),
    head,
  };
}

/** Rules at the beginning and the end divide nothing. */
function withoutRules(blocks: readonly Block[]): Block[] {
  let [start, end] = [0, blocks.length];
  while (start < end && blocks[start]!.type === "divider") start++;
  while (end > start && blocks[end - 1]!.type === "divider") end--;
  return blocks.slice(start, end);
}

/** Headings keep an anchor only if it differs from the one that their words give, or is one of several. */
function* withoutUsualAnchors(blocks: readonly Block[]): Steps<Block[]> {
  const anchors = new Anchors([]);
  const shown: Block[] = [];
  for (const block of blocks) {
    if (block.type !== "heading-1" && block.type !== "heading-2" && block.type !== "heading-3") shown.push(block);
    else {
      const hasOthers = block.nodes?.some((node) => node.object === "inline" && node.type === "anchor");
      const usual = anchors.anchorFor(saidBy((block.nodes ?? []) as Phrasing[]).replaceAll("\n", " "));
      shown.push(block.data?.id === usual && !hasOthers ? { ...block, data: {} } : block);
      yield;
    }
  }
  return shown;
}

/** Refuses a tree with too many elements, before any of them is looked at twice. */
function* checkElements(root: Element): Steps<void> {
  let count = 0;
  yield* walkInSteps(root, () => {
    if (++count > MAX_ELEMENTS) throw new PageTooLong(`The page has more than ${MAX_ELEMENTS} elements.`);
    return true;
  });
}

/** Refuses a document whose words alone are longer than a page, before it is written as Markdown. */
function* checkLength(blocks: readonly Block[]): Steps<void> {
  const waiting: unknown[] = [...blocks];
  let length = 0;
  for (let seen = 1; waiting.length > 0; seen++) {
    const { text, nodes, leaves, fragments } = waiting.pop() as {
      readonly text?: string;
      readonly nodes?: readonly object[];
      readonly leaves?: readonly object[];
      readonly fragments?: readonly object[];
    };
    length += text?.length ?? 0;
    if (length > MAX_TEXT_LENGTH) throw new PageTooLong(`The page is longer than ${MAX_TEXT_LENGTH} characters.`);
    for (const list of [nodes, leaves, fragments]) for (const inner of list ?? []) waiting.push(inner);
    if (seen % CHECKED_A_STEP === 0) yield;
  }
}

/** How many nodes are checked in one step. */
const CHECKED_A_STEP = 1_000;
