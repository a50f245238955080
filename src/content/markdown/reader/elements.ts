// HTML elements among the inlines of a paragraph: opening and closing tags that belong together, for the elements that
// mean something to us. Whatever finds no partner stays the text that it is.

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
  /** What stands inside `<pre>`, as it is written. */
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
/** Elements that hold something. */
const PAIRED = new Set(
  ["a b strong i em del s strike code kbd sub sup mark picture cite dfn var q samp tt".split(" "), [...PLAIN]].flat(),
);
/** Elements that do not. */
const VOID = new Set(["img", "br", "source"]);
/** How many elements may be open inside one another. */
const MAX_OPEN = 16;

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

interface OpenElement {
  element: Element;
  /** What stood before it. */
  before: Phrase[];
}

/** Makes elements of the tags in a list of inlines. */
export function withElements(nodes: readonly Phrase[]): Phrase[] {
  if (!nodes.some((node) => node.type === "html")) return [...nodes];
  const open: OpenElement[] = [];
  let current: Phrase[] = [];
  const dissolve = () => {
    const { element, before } = open.pop()!;
    before.push(asText(element.opening, element));
    current = before.concat(current);
  };
  for (const node of nodes) {
    const tag = node.type === "html" ? htmlTag(node.value) : undefined;
    if (!tag || node.type !== "html") {
      current.push(node);
      continue;
    }
    const { start, end, value } = node;
    if (!tag.isClosing) {
      const { name, attributes } = tag;
      const element: Element = {
        type: "element",
        name,
        attributes,
        children: [],
        opening: value,
        closing: "",
        start,
        end,
      };
      if (VOID.has(tag.name)) current.push(element);
      else if (!(PAIRED.has(tag.name) || isComponent(value)) || value.endsWith("/>") || open.length >= MAX_OPEN)
        current.push(node);
      else {
        open.push({ element, before: current });
        current = [];
      }
      continue;
    }
    if (!open.some(({ element }) => element.name === tag.name)) {
      current.push(node);
      continue;
    }
    while (open.at(-1)!.element.name !== tag.name) dissolve();
    const { element, before } = open.pop()!;
    before.push({ ...element, children: current, closing: value, end });
    current = before;
  }
  while (open.length > 0) dissolve();
  return current;
}

function asText(value: string, { start }: Span): Phrase {
  return { type: "text", value, start, end: start + value.length };
}
