// The names of HTML elements: blocks, containers, inline elements, and elements that are equivalent to a tag.

import type { TagNode } from "../nodes";
import { getExplicitAnchor } from "./anchors";
import { type Element, isComponent, type Phrase } from "./elements";
import { HINTS } from "./hints";

/** Elements that are blocks of a document. */
export const BLOCKS: ReadonlySet<string> = new Set(
  (
    "p h1 h2 h3 h4 h5 h6 ul ol dl menu dir table pre textarea xmp blockquote details figure hr iframe video audio object embed listing " +
    "#markdown"
  ).split(" "),
);

/** Inline elements. */
export const MARKED: ReadonlySet<string> = new Set(
  "a b strong i em del s strike code kbd sub sup mark picture img br source cite dfn var q samp tt".split(" "),
);

/** Elements that never show anything. */
export const NEVER_SHOWN: ReadonlySet<string> = new Set(
  "script style template noscript title link meta base colgroup col track noembed noframes".split(" "),
);

/** Elements that only contain others. */
export const CONTAINERS: ReadonlySet<string> = new Set(
  (
    "div section article main header footer nav aside center address body html fieldset hgroup search dialog figcaption " +
    "summary legend head li dt dd thead tbody tfoot tr td th caption form colgroup"
  ).split(" "),
);

/** Returns true for an element that only contains others: those of HTML, and components. */
export function isContainer(name: string, opening: string): boolean {
  return CONTAINERS.has(name) || isComponent(opening);
}

/** Returns the tag that an element is equivalent to: a hint, or tabs. */
export function getEquivalentTag(
  name: string,
  attributes: Readonly<Record<string, string>>,
): Pick<TagNode, "name" | "attributes"> | undefined {
  if (name === "tabs") return { name: "tabs", attributes: Object.create(null) };
  if (name === "tabitem" || name === "tab") {
    const title = attributes.label ?? attributes.title ?? attributes.name ?? attributes.value ?? "";
    return { name: "tab", attributes: Object.assign(Object.create(null), { title }) };
  }
  const { class: names = "", type = "" } = attributes;
  let style: string | undefined;
  if (/^(?:callout|admonition|alert|aside)$/.test(name))
    style = HINTS.get(type.toLowerCase()) ?? (name === "aside" ? undefined : "info");
  else if (/^(?:note|tip|info|warning|caution|danger|important)$/.test(name)) style = HINTS.get(name);
  else if (name === "div" || name === "p") {
    const classes = names.toLowerCase().split(/\s+/);
    const isHint = classes.some((each) => /^(?:admonition|alert|callout|hint|note|custom-block)$/.test(each));
    if (classes.length === 1) style = HINTS.get(classes[0]!);
    else if (isHint)
      style = classes.map((each) => HINTS.get(each.replace(/^alert-/, ""))).find((each) => each !== undefined);
  }
  return style === undefined ? undefined : { name: "hint", attributes: Object.assign(Object.create(null), { style }) };
}

const PHRASING = new Set("a b strong i em del s code kbd sub sup mark picture span img br source p".split(" "));

/** Returns true for an element that is known inside a paragraph, with all of its content. */
export function isKnownInline({ name, attributes, children }: Element): boolean {
  if (!PHRASING.has(name) || name === "span" || name === "p" || name === "source") return false;
  if (name === "a" && attributes.href === undefined && getExplicitAnchor(attributes) === undefined) return false;
  return name === "picture" || children.every((child) => child.type !== "element" || isKnownInline(child));
}

/** Returns true for phrases that a paragraph can contain. */
export function isPhrasing(nodes: readonly Phrase[]): boolean {
  return nodes.every((node) => node.type !== "element" || (PHRASING.has(node.name) && isPhrasing(node.children)));
}
