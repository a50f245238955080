// What the names of HTML elements mean: which are blocks, which only hold others, and which are one of our tags.

import type { Tag } from "../nodes";
import { statedAnchor } from "./anchors";
import { type Element, isComponent, type Phrase } from "./elements";
import { HINTS } from "./hints";

const words = (text: string) => new Set(text.split(" "));

/** Elements that are blocks of a document. */
export const BLOCKS: ReadonlySet<string> = words(
  "p h1 h2 h3 h4 h5 h6 ul ol dl menu dir table pre textarea xmp blockquote details figure hr iframe video audio object embed listing " +
    "#markdown",
);

/** Elements that mark what stands in a line, or are part of it. */
export const MARKED: ReadonlySet<string> = words(
  "a b strong i em del s strike code kbd sub sup mark picture img br source cite dfn var q samp tt",
);

/** Elements that show nothing, whatever stands in them. */
export const NEVER_SHOWN: ReadonlySet<string> = words(
  "script style template noscript title link meta base colgroup col track noembed noframes",
);

/** Elements that only hold others. */
export const CONTAINERS: ReadonlySet<string> = words(
  "div section article main header footer nav aside center address body html fieldset hgroup search dialog figcaption " +
    "summary legend head li dt dd thead tbody tfoot tr td th caption form colgroup",
);

/** Whether an element only holds others: those of HTML, and all that have a name of their own, as components do. */
export function isContainer(name: string, opening: string): boolean {
  return CONTAINERS.has(name) || isComponent(opening);
}

/** The tag of ours that an element is written for: a hint, or tabs. */
export function tagFor(
  name: string,
  attributes: Readonly<Record<string, string>>,
): Pick<Tag, "name" | "attributes"> | undefined {
  if (name === "tabs") return { name: "tabs", attributes: Object.create(null) };
  if (name === "tabitem" || name === "tab") {
    const title = attributes.label ?? attributes.title ?? attributes.name ?? attributes.value ?? "";
    return { name: "tab", attributes: Object.assign(Object.create(null), { title }) };
  }
  const style = hintStyle(name, attributes);
  return style === undefined ? undefined : { name: "hint", attributes: Object.assign(Object.create(null), { style }) };
}

/** The style of the hint that an element is. */
function hintStyle(
  name: string,
  { class: names = "", type = "" }: Readonly<Record<string, string>>,
): string | undefined {
  if (/^(?:callout|admonition|alert|aside)$/.test(name))
    return HINTS.get(type.toLowerCase()) ?? (name === "aside" ? undefined : "info");
  if (/^(?:note|tip|info|warning|caution|danger|important)$/.test(name)) return HINTS.get(name);
  if (name !== "div" && name !== "p") return undefined;
  const classes = names.toLowerCase().split(/\s+/);
  if (classes.length === 1) return HINTS.get(classes[0]!);
  const isHint = classes.some((each) => /^(?:admonition|alert|callout|hint|note|custom-block)$/.test(each));
  return isHint
    ? classes.map((each) => HINTS.get(each.replace(/^alert-/, ""))).find((style) => style !== undefined)
    : undefined;
}

const PHRASING = words("a b strong i em del s code kbd sub sup mark picture span img br source p");

/** Whether an element and everything in it means something inside a paragraph. */
export function isUnderstood({ name, attributes, children }: Element): boolean {
  if (!PHRASING.has(name) || name === "span" || name === "p" || name === "source") return false;
  if (name === "a" && attributes.href === undefined && statedAnchor(attributes) === undefined) return false;
  return name === "picture" || children.every((child) => child.type !== "element" || isUnderstood(child));
}

/** Whether phrases are nothing that a paragraph could not hold. */
export function isPhrasing(nodes: readonly Phrase[]): boolean {
  return nodes.every((node) => node.type !== "element" || (PHRASING.has(node.name) && isPhrasing(node.children)));
}
