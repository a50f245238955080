// HTML elements, and the parsing of a single tag.

import type { BlockNode, InlineNode, SourceSpan } from "../nodes";
import { decodeReferences } from "../parser/character-references";

export interface Element extends SourceSpan {
  type: "element";
  name: string;
  /** Names in lower case, values without character references. It has no prototype. */
  attributes: Record<string, string>;
  children: Phrase[];
  /** The source of its tags; the closing one is empty for `<img>` and `<br>`. */
  opening: string;
  closing: string;
  /** The place of its tags in the HTML block. */
  place?: TagPlace;
  /** The content of `<pre>`, `<textarea>` or `<xmp>`, verbatim. */
  raw?: string;
  /** The Markdown between the tags of HTML of several blocks: the element is a placeholder for it, without tags. */
  blocks?: readonly BlockNode[];
}

/** Offsets of an element in the value of an HTML block: of its opening tag, its content, its closing tag, and its end. */
export interface TagPlace {
  from: number;
  inside: number;
  behind: number;
  to: number;
}

export type Phrase = InlineNode | Element;

/** Elements that are ignored: their content is shown without them. */
export const PLAIN = new Set(
  "span small big u ins font abbr acronym time bdi bdo data label nobr button output wbr ruby rb rp rt".split(" "),
);
export const VOID: ReadonlySet<string> = new Set(
  "img br source hr col input wbr embed track area link meta base param".split(" "),
);

/** Returns true for the tag of a component: its name begins with a capital letter or contains a hyphen. */
export function isComponent(opening: string): boolean {
  return /^<(?:[A-Z][A-Za-z0-9]*[a-z]|[A-Za-z][A-Za-z0-9]*-)/.test(opening) && !/^<Listing[\s>]/.test(opening);
}

/** Parses a tag; undefined for comments and the like. */
export function parseHtmlTag(value: string) {
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

/** Returns the URL that `<video>`, `<iframe>` and the like show. */
export function findMediaUrl({ attributes: { src, data }, children }: Element): string | undefined {
  const source = children.find((child): child is Element => child.type === "element" && child.name === "source");
  return src ?? data ?? source?.attributes.src;
}
