// Elements of HTML: what they are, and how one tag is taken apart.

import type { Block, Inline, Span } from "../nodes";
import { decodeReferences } from "../parser/references";

/** An element that means something to us. */
export interface Element extends Span {
  type: "element";
  name: string;
  /** Lower-case names, without references; it has no prototype. */
  attributes: Record<string, string>;
  children: Phrase[];
  /** The tags as they were written; the closing one is empty for `<img>` and `<br>`. */
  opening: string;
  closing: string;
  /** Where its tags stand in the block of HTML that it comes from. */
  place?: TagPlace;
  /** What stands inside `<pre>`, `<textarea>` or `<xmp>`, as it is written. */
  raw?: string;
  /** Markdown between the tags of HTML that goes over several blocks: the element is its place, and has no tags. */
  blocks?: readonly Block[];
}

/** Offsets in the value of a block of HTML: of the opening tag, of what stands inside, and behind the closing tag. */
export interface TagPlace {
  from: number;
  inside: number;
  behind: number;
  to: number;
}

/** Something inside a paragraph, its HTML made elements. */
export type Phrase = Inline | Element;

/** Elements that say nothing about what they hold: it is shown without them. */
export const PLAIN = new Set(
  "span small big u ins font abbr acronym time bdi bdo data label nobr button output wbr ruby rb rp rt".split(" "),
);
/** Elements that hold nothing. */
export const VOID: ReadonlySet<string> = new Set(
  "img br source hr col input wbr embed track area link meta base param".split(" "),
);

/** Whether a tag is one of a component: its name begins with a capital letter or holds a hyphen. */
export function isComponent(opening: string): boolean {
  return /^<(?:[A-Z][A-Za-z0-9]*[a-z]|[A-Za-z][A-Za-z0-9]*-)/.test(opening) && !/^<Listing[\s>]/.test(opening);
}

/** A tag taken apart. */
export interface HtmlTag {
  name: string;
  isClosing: boolean;
  attributes: Record<string, string>;
}

/** Takes a tag apart; comments and the like are none. */
export function htmlTag(value: string): HtmlTag | undefined {
  const head = /^<(\/?)([A-Za-z][A-Za-z0-9-]*)/.exec(value);
  if (!head) return undefined;
  const attributes: Record<string, string> = Object.create(null);
  const pattern = /([A-Za-z_:][A-Za-z0-9_.:-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;
  for (const [, key, double, single, bare] of value.slice(head[0].length).matchAll(pattern)) {
    const name = key!.toLowerCase();
    if (!(name in attributes)) attributes[name] = decodeReferences(double ?? single ?? bare ?? "");
  }
  return { name: head[2]!.toLowerCase(), isClosing: head[1] === "/", attributes };
}

/** The address that `<video>`, `<iframe>` and the like show. */
export function findMediaUrl({ attributes: { src, data }, children }: Element): string | undefined {
  const source = children.find((child): child is Element => child.type === "element" && child.name === "source");
  return src ?? data ?? source?.attributes.src;
}
