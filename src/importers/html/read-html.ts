// Converts HTML to Markdown: the content of a page, without the site around it. This takes time linear in the size of the page,
// is bounded in depth, and is safe: nothing that a browser would run comes through.

import type { Document, Phrasing } from "../../content/document";
import { Anchors, getPhrasingText } from "../../content/markdown/document-parts";
import { MAX_TEXT_LENGTH } from "../../content/markdown/limits";
import { writeInSteps } from "../../content/markdown/write";
import type { Steps } from "../../utils/concurrency/steps";
import { omitUndefined } from "../../utils/objects";
import { tryParseUrl } from "../../utils/url";
import { PageTooLongError } from "../errors";
import { PageAnchors } from "./anchors";
import { takeAnchorParagraph } from "./block-context";
import { BlockReader } from "./blocks";
import { walkElements } from "./elements";
import { type HtmlHead, readHead, resolveBaseUrl } from "./head";
import { findTitleInSteps, HEADING } from "./headings";
import { findMainContentInSteps } from "./main-content";
import { listOmittedPartsInSteps, type OmittedHtmlPart } from "./omitted-parts";
import { type PageUrlOptions, PageUrls } from "./page-urls";
import { type HtmlElement, MAX_ELEMENTS, parseHtmlInSteps } from "./parse-html";

export interface HtmlOptions extends PageUrlOptions {
  /** Everything is content, there is no site around it. Default: false, the main content is looked for. */
  readonly isContentOnly?: boolean;
}

export interface HtmlContent {
  readonly title?: string;
  readonly description?: string;
  /** The body without the title. */
  readonly markdown: string;
  /** The targets of links in the content, resolved, before they were mapped. */
  readonly links: string[];
  /** The URLs of images in the content, resolved, before they were mapped. */
  readonly images: string[];
  readonly canonicalUrl?: string;
  readonly language?: string;
}

export interface HtmlDocument extends Omit<HtmlContent, "markdown"> {
  readonly document: Document;
  readonly head: HtmlHead;
  /** Anchors that lead to the title. The first line has them. */
  readonly titleAnchors: readonly string[];
  /** Parts that were left out as the site around the page. */
  readonly omittedParts: readonly OmittedHtmlPart[];
  /** The entire title in the head, if nothing else states a title. */
  readonly headTitle?: string;
}

/** The number of nodes between two yields to the event loop. */
const NODES_PER_YIELD = 1_000;

/** Converts a page, or a part of one, to Markdown, in steps. */
export function* convertHtmlInSteps(html: string, options: HtmlOptions = {}): Steps<HtmlContent> {
  const {
    document,
    head: _,
    titleAnchors: __,
    headTitle: ___,
    omittedParts: ____,
    ...rest
  } = yield* readHtmlInSteps(yield* parseHtmlInSteps(html), options);
  return { ...rest, markdown: yield* writeInSteps(document) };
}

/** Reads a tree of HTML into a document. Throws `PageTooLongError` if it is too large. */
export function* readHtmlInSteps(root: HtmlElement, options: HtmlOptions): Steps<HtmlDocument> {
  // The elements are counted before any of them is read twice.
  let elementCount = 0;
  walkElements(root, () => {
    if (++elementCount > MAX_ELEMENTS) throw new PageTooLongError(`The page has more than ${MAX_ELEMENTS} elements.`);
    return true;
  });

  const { isContentOnly = false } = options;
  const head = readHead(root);
  const { element, content } = isContentOnly ? { element: root, content: root } : yield* findMainContentInSteps(root);
  const { heading, title, isFromHead } = yield* findTitleInSteps(root, content, head, isContentOnly);
  const urls = new PageUrls({ ...options, ...omitUndefined({ baseUrl: resolveBaseUrl(head, options.baseUrl) }) });
  const canonicalUrl = head.canonicalHref ? tryParseUrl(head.canonicalHref, options.baseUrl)?.href : undefined;
  const anchors = new PageAnchors();
  // The highest level of the headings besides the title becomes the first level of the body.
  let topLevel = 6;
  walkElements(content, (element) => {
    if (element !== heading && HEADING.test(element.name)) topLevel = Math.min(topLevel, Number(element.name[1]));
    return topLevel > 1;
  });
  const reader = new BlockReader(urls, omitUndefined({ titleElement: heading, topLevel }), anchors);
  anchors.collect(content);
  yield;

  let nodes = yield* reader.read(content.children, { depth: 0, marks: [], ancestors: [content] });
  if (nodes.length > 0) nodes.push(...takeAnchorParagraph(anchors));
  // Dividers at the beginning and the end divide nothing.
  let [start, end] = [0, nodes.length];
  while (start < end && nodes[start]!.type === "divider") start++;
  while (end > start && nodes[end - 1]!.type === "divider") end--;

  // Remove the anchor of a heading if it is the one that its words give, and the heading has no other.
  const defaultAnchors = new Anchors([]);
  const read = nodes.slice(start, end);
  nodes = [];
  for (const block of read) {
    if (block.type !== "heading-1" && block.type !== "heading-2" && block.type !== "heading-3") {
      nodes.push(block);
      continue;
    }
    const phrasing = (block.nodes ?? []) as Phrasing[];
    const hasOthers = phrasing.some((node) => node.object === "inline" && node.type === "anchor");
    const defaultAnchor = defaultAnchors.createAnchor(getPhrasingText(phrasing).replaceAll("\n", " "));
    nodes.push(block.data?.id === defaultAnchor && !hasOthers ? { ...block, data: {} } : block);
    yield;
  }

  // Check that the text of the document alone isn't longer than a page, before it is written as Markdown.
  const stack: unknown[] = [...nodes];
  let length = 0;
  for (let seenCount = 1; stack.length > 0; seenCount++) {
    const { text, nodes, leaves, fragments } = stack.pop() as {
      readonly text?: string;
      readonly nodes?: readonly object[];
      readonly leaves?: readonly object[];
      readonly fragments?: readonly object[];
    };
    length += text?.length ?? 0;
    if (length > MAX_TEXT_LENGTH) throw new PageTooLongError(`The page is longer than ${MAX_TEXT_LENGTH} characters.`);
    for (const list of [nodes, leaves, fragments]) for (const child of list ?? []) stack.push(child);
    if (seenCount % NODES_PER_YIELD === 0) yield;
  }

  return {
    ...omitUndefined({
      title: title ? title.slice(0, 500) : undefined,
      description: head.description && head.description !== head.title ? head.description : undefined,
    }),
    document: { object: "document", data: { schemaVersion: 1 }, nodes },
    links: [...urls.links],
    images: [...urls.images],
    titleAnchors: anchors.titleAnchors,
    omittedParts: isContentOnly ? [] : yield* listOmittedPartsInSteps(root, element, content),
    ...omitUndefined({
      headTitle: isFromHead ? head.title : undefined,
      canonicalUrl,
      language: head.language ? head.language : undefined,
    }),
    head,
  };
}
