// Headings: their levels, their anchors, and the one that is the title of the page.

import type { Block } from "../../content/document";
import { isEmpty } from "../../content/markdown/document-parts";
import type { Steps } from "../../utils/concurrency/steps";
import { omitUndefined } from "../../utils/objects";
import { createAnchor } from "./anchors";
import type { ElementReader } from "./block-context";
import { findElement, getAttribute, walkElementsInSteps } from "./elements";
import { type HtmlHead, splitTitle } from "./head";
import { LineReader, readPlainLine } from "./lines";
import { isNoise } from "./noise";
import type { HtmlElement } from "./parse-html";

export const HEADING = /^h[1-6]$/;

/** The title of a page, and the heading that it comes from. */
export interface FoundTitle {
  readonly heading: HtmlElement | undefined;
  readonly title: string | undefined;
  /** Only the head of the page states the title. */
  readonly isFromHead?: true;
}

/**
 * Finds the title of a page: the heading of the first level in its content; else the first heading there, or one outside of
 * it, if the head of the page states the same title; else the title of the head; else the first heading there.
 */
export function* findTitleInSteps(
  root: HtmlElement,
  content: HtmlElement,
  head: HtmlHead,
  isContentOnly: boolean,
): Steps<FoundTitle> {
  const isLeftOut = (element: HtmlElement) => element !== content && isNoise(element);
  const top = yield* findFirstHeading(content, /^h1$/, isLeftOut);
  if (top) return { heading: top, title: readPlainLine(top.children) };

  const parts = splitTitle(head);
  const first = yield* findFirstHeading(content, HEADING, isLeftOut);
  if (first && parts.includes(readPlainLine(first.children)))
    return { heading: first, title: readPlainLine(first.children) };

  const outside = isContentOnly ? undefined : yield* findFirstHeading(root, /^h1$/, isNoise);
  const outsideTitle = outside && readPlainLine(outside.children);
  if (!isContentOnly && !outsideTitle && parts.length === 0 && first)
    return { heading: first, title: readPlainLine(first.children) };
  if (outsideTitle && (parts.length === 0 || parts.includes(outsideTitle)))
    return { heading: undefined, title: outsideTitle };
  return {
    heading: undefined,
    title: parts[0],
    ...omitUndefined({ isFromHead: parts.length > 0 ? (true as const) : undefined }),
  };
}

function* findFirstHeading(
  root: HtmlElement,
  level: RegExp,
  isLeftOut: (element: HtmlElement) => boolean,
): Steps<HtmlElement | undefined> {
  let heading: HtmlElement | undefined;
  yield* walkElementsInSteps(root, (element) => {
    if (heading || isLeftOut(element)) return false;
    if (level.test(element.name) && readPlainLine(element.children) !== "") heading = element;
    return heading === undefined;
  });
  return heading;
}

/** Reads a heading with the anchors that lead to it. The title of the page becomes no block. */
export function readHeading(reader: ElementReader, element: HtmlElement): Block[] {
  const { anchors, headings } = reader;
  const line = new LineReader(reader.urls, anchors, true);
  for (const node of element.children) line.add(node);
  const nodes = line.take();
  const isTitle = element === headings.titleElement;
  if (isTitle) anchors.assignToTitle();
  if (isTitle || isEmpty(nodes)) return [];

  // The anchor of a heading is its own, that of an element in it, or that of its section, in this order.
  const names = anchors.takePending();
  let id: string | undefined = getAttribute(element, "id");
  if (!names.includes(id)) {
    const getName = (each: HtmlElement) => getAttribute(each, "id") || getAttribute(each, "name");
    const named = findElement(element, (each) => names.includes(getName(each)));
    id = named ? getName(named) : names.at(-1);
  }
  const others = names.filter((name) => name !== id).map(createAnchor);
  const level = Math.min(3, Math.max(1, Number(element.name[1]) - headings.topLevel + 1));
  const type = `heading-${level}` as "heading-1" | "heading-2" | "heading-3";
  return [{ object: "block", type, isVoid: false, data: omitUndefined({ id }), nodes: [...others, ...nodes] }];
}
