// The text of a page in two parts: the head, with front matter and the heading that is its title, and the body that people
// write. Put together again they are the same bytes.

import { diff3Merge } from "node-diff3";

export interface Parts {
  readonly head: string;
  readonly body: string;
}

const FRONT = /^(?:---[ \t]*\r?\n[\s\S]*?\r?\n---|\+\+\+[ \t]*\r?\n[\s\S]*?\r?\n\+\+\+)[ \t]*(?:\r?\n|$)/;
const TITLE = /^(?:[ \t]*\r?\n)*# [^\n]*(?:\n|$)(?:[ \t]*\r?\n)*/;

/** The parts of a text. The first heading belongs to the head only if it is the title. */
export function partsOf(markdown: string, title: string): Parts {
  const front = FRONT.exec(markdown)?.[0] ?? "";
  const rest = markdown.slice(front.length);
  const heading = TITLE.exec(rest)?.[0] ?? "";
  const isTitle = heading !== "" && plain(heading) === plain(`# ${title}`);
  const head = isTitle ? front + heading : front;
  return { head, body: markdown.slice(head.length) };
}

/** A heading without what only marks it up. */
function plain(heading: string): string {
  const words = heading
    .replace(/[*_`\\]/g, "")
    .split(/\s+/)
    .filter((word) => word !== "");
  return (/^#+$/.test(words.at(-1) ?? "") ? words.slice(1, -1) : words.slice(1)).join(" ");
}

export type Merged =
  | { readonly isClean: true; readonly text: string }
  /** Both have changed the same lines. */
  | { readonly isClean: false };

/** Puts two changes of one text together, line by line. */
export function mergeTexts(base: string, ours: string, theirs: string): Merged {
  const lines = (text: string) => text.split(/(?<=\n)/);
  const regions = diff3Merge(lines(ours), lines(base), lines(theirs));
  if (regions.some((region) => region.conflict)) return { isClean: false };
  return { isClean: true, text: regions.flatMap((region) => region.ok ?? []).join("") };
}
