// `<details>`: HTML to CommonMark, a block with a summary here. Its body is Markdown, with or without blank lines between
// it and the tags.

import type { Steps } from "../../../utils/concurrency/steps";
import type { BlockNode, DetailsNode, HtmlBlockNode } from "../nodes";
import { createOffsetMap } from "./offset-map";

/** Parses the part of an HTML block between two offsets of its value as Markdown. */
export type ReadFragment = (html: HtmlBlockNode, from: number, to: number) => Steps<BlockNode[]>;

const DETAILS_START = /^\s*<details[\s>]/i;
const OPENING_TAGS = /<details[\s>]/gi;
const CLOSING_TAGS = /<\/details\s*>/gi;

/** Returns how many `<details>` HTML leaves open that begins with one; undefined for other HTML. */
export function countOpenDetails(value: string): number | undefined {
  if (!DETAILS_START.test(value)) return undefined;
  return (value.match(OPENING_TAGS)?.length ?? 0) - (value.match(CLOSING_TAGS)?.length ?? 0);
}

/** Parses an HTML block that opens and closes `<details>`; undefined for any other. */
export function* parseWholeDetails(html: HtmlBlockNode, read: ReadFragment): Steps<DetailsNode | undefined> {
  const { value } = html;
  const closing = /<\/details\s*>\s*$/i.exec(value.slice(-64));
  if (!closing || countOpenDetails(value) !== 0) return undefined;
  const to = Math.max(0, value.length - 64) + closing.index;
  const head = parseDetailsHead(value);
  if (!head || head.end > to) return undefined;
  const children = yield* read(html, head.end, to);
  return { type: "details", summary: head.summary ?? "", children, start: html.start, end: html.end };
}

/** Returns the details block between two HTML blocks, followed by the blocks after its closing tag. */
export function* joinDetails(
  opening: HtmlBlockNode,
  inside: BlockNode[],
  closing: HtmlBlockNode,
  read: ReadFragment,
): Steps<BlockNode[]> {
  const head = parseDetailsHead(opening.value) ?? { summary: undefined, end: opening.value.length };
  const children = [...(yield* read(opening, head.end, opening.value.length)), ...inside];
  let { summary } = head;
  const first = children[0];
  if (summary === undefined && first?.type === "html") {
    const html = first.value.trim();
    if (/^<summary[\s>]/i.test(html) && /<\/summary\s*>$/i.test(html.slice(-32))) {
      summary = html.slice(html.indexOf(">") + 1, html.lastIndexOf("<"));
      children.shift();
    }
  }
  const end = /^\s*<\/details\s*>/i.exec(closing.value)![0].length;
  const details: DetailsNode = {
    type: "details",
    summary: summary ?? "",
    children,
    start: opening.start,
    end: createOffsetMap(closing)(end - 1) + 1,
  };
  return [details, ...(yield* read(closing, end, closing.value.length))];
}

/** Parses the opening tag and the `<summary>` that follows it; `end` is the offset after both. */
function parseDetailsHead(value: string): { summary: string | undefined; end: number } | undefined {
  const opening = /^\s*<details[^>]*>\s*/i.exec(value)?.[0];
  if (opening === undefined) return undefined;
  if (!/^<summary[\s>]/i.test(value.slice(opening.length, opening.length + 9))) {
    return { summary: undefined, end: opening.length };
  }
  const start = value.indexOf(">", opening.length) + 1;
  const end = start === 0 ? -1 : value.slice(start).search(/<\/summary\s*>/i);
  if (end === -1) return { summary: undefined, end: opening.length };
  return { summary: value.slice(start, start + end), end: value.indexOf(">", start + end) + 1 };
}
