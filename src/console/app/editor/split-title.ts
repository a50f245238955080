// Splits the Markdown of a page into its head, which is the front matter and the title heading, and the body that users edit.
// Together they are the original text.

import { diff3Merge } from "node-diff3";

export interface MarkdownParts {
  readonly head: string;
  readonly body: string;
}

const FRONT = /^(?:---[ \t]*\r?\n[\s\S]*?\r?\n---|\+\+\+[ \t]*\r?\n[\s\S]*?\r?\n\+\+\+)[ \t]*(?:\r?\n|$)/;
const TITLE = /^(?:[ \t]*\r?\n)*# [^\n]*(?:\n|$)(?:[ \t]*\r?\n)*/;

/** Splits a text. The first heading belongs to the head only if it is the title. */
export function splitTitle(markdown: string, title: string): MarkdownParts {
  const front = FRONT.exec(markdown)?.[0] ?? "";
  const rest = markdown.slice(front.length);
  const heading = TITLE.exec(rest)?.[0] ?? "";
  const isTitle = heading !== "" && getHeadingText(heading) === getHeadingText(`# ${title}`);
  const head = isTitle ? front + heading : front;
  return { head, body: markdown.slice(head.length) };
}

/** Returns the text of a heading without its Markdown. */
function getHeadingText(heading: string): string {
  const words = heading
    .replace(/[*_`\\]/g, "")
    .split(/\s+/)
    .filter((word) => word !== "");
  return (/^#+$/.test(words.at(-1) ?? "") ? words.slice(1, -1) : words.slice(1)).join(" ");
}

export type TextMerge =
  | { readonly isClean: true; readonly text: string }
  /** Both sides changed the same lines. */
  | { readonly isClean: false };

/** Merges two changes of one text, line by line. */
export function mergeTexts(base: string, ours: string, theirs: string): TextMerge {
  const lines = (text: string) => text.split(/(?<=\n)/);
  const regions = diff3Merge(lines(ours), lines(base), lines(theirs));
  if (regions.some((region) => region.conflict)) return { isClean: false };
  return { isClean: true, text: regions.flatMap((region) => region.ok ?? []).join("") };
}
