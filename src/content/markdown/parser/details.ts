// `<details>`: HTML to CommonMark, a block with a title to us. Its body is Markdown, whether blank lines set it apart
// from the tags or not.

import type { Steps } from "../../../utils/concurrency/steps";
import type { Block, Details, Html } from "../nodes";
import { placesOf } from "./places";

/** Reads the part of a block of HTML between two offsets of its value as Markdown. */
export type ReadFragment = (html: Html, from: number, to: number) => Steps<Block[]>;

/** Whether a block opens `<details>` and leaves it open. */
export function opensDetails({ value }: Html): boolean {
  return (
    /^\s*<details[\s>]/i.test(value) && countOf(value, /<details[\s>]/gi) === countOf(value, /<\/details\s*>/gi) + 1
  );
}

/** Whether a block begins with `</details>`. */
export function closesDetails({ value }: Html): boolean {
  return /^\s*<\/details\s*>/i.test(value);
}

/** What a block that opens and closes `<details>` holds. */
export function* wholeDetails(html: Html, read: ReadFragment): Steps<Details | undefined> {
  const { value } = html;
  const closing = /<\/details\s*>\s*$/i.exec(value.slice(-64));
  if (!closing || !/^\s*<details[\s>]/i.test(value)) return undefined;
  if (countOf(value, /<details[\s>]/gi) !== countOf(value, /<\/details\s*>/gi)) return undefined;
  const to = Math.max(0, value.length - 64) + closing.index;
  const head = headOf(value);
  if (!head || head.end > to) return undefined;
  const children = yield* read(html, head.end, to);
  return { type: "details", summary: head.summary ?? "", children, start: html.start, end: html.end };
}

/** The block between two pieces of HTML, and what stands behind its end. */
export function* asDetails(opening: Html, inside: Block[], closing: Html, read: ReadFragment): Steps<Block[]> {
  const head = headOf(opening.value) ?? { summary: undefined, end: opening.value.length };
  const children = [...(yield* read(opening, head.end, opening.value.length)), ...inside];
  let { summary } = head;
  const first = children[0];
  if (summary === undefined && first?.type === "html") {
    summary = summaryOf(first.value);
    if (summary !== undefined) children.shift();
  }
  const end = /^\s*<\/details\s*>/i.exec(closing.value)![0].length;
  const details: Details = {
    type: "details",
    summary: summary ?? "",
    children,
    start: opening.start,
    end: placesOf(closing)(end - 1) + 1,
  };
  return [details, ...(yield* read(closing, end, closing.value.length))];
}

/** The opening tag and the title behind it. */
function headOf(value: string): { summary: string | undefined; end: number } | undefined {
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

/** The title that a block of HTML consists of. */
function summaryOf(value: string): string | undefined {
  const trimmed = value.trim();
  if (!/^<summary[\s>]/i.test(trimmed) || !/<\/summary\s*>$/i.test(trimmed.slice(-32))) return undefined;
  return trimmed.slice(trimmed.indexOf(">") + 1, trimmed.lastIndexOf("<"));
}

function countOf(value: string, pattern: RegExp): number {
  return value.match(pattern)?.length ?? 0;
}
