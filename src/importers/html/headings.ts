// Headings: their levels, their anchors, and which of them is the title of the page.

import type { Block } from "../../content/document";
import { isEmpty } from "../../content/markdown/reader/leaves";
import type { Steps } from "../../content/markdown/steps";
import { omitUndefined } from "../../utils/objects";
import { anchorInline } from "./anchors";
import { type Head, titleParts } from "./head";
import { attribute, find, walkInSteps } from "./looking";
import { isNoise } from "./noise";
import { LineReader, plainLine } from "./phrasing";
import type { Headings, ReadsBlocks } from "./reading-blocks";
import type { Element } from "./tree";

/** The headings of a page: the highest level that it has besides its title becomes the first one. */
export function* headingsIn(content: Element, title: Element | undefined): Steps<Headings> {
  let top = 6;
  yield* walkInSteps(content, (element) => {
    if (element !== title && LEVEL.test(element.name)) top = Math.min(top, Number(element.name[1]));
    return top > 1;
  });
  return { ...omitUndefined({ title }), top };
}

/** The heading that is the title of a page, and what it is called. */
export interface Titled {
  /** The heading, when it stands in the content. */
  readonly heading: Element | undefined;
  readonly title: string | undefined;
  /** Whether only the head of the page says so. */
  readonly isOfHead?: true;
}

/**
 * Finds the title of a page: the heading of the first level in its content; else the first heading there, or one outside of
 * it, if the head of the page calls the page so; else what the head says; else the first heading there.
 */
export function* titleOf(root: Element, content: Element, head: Head, isWhole: boolean): Steps<Titled> {
  const isLeftOut = (element: Element) => element !== content && isNoise(element);
  const own = yield* firstHeading(content, /^h1$/, isLeftOut);
  if (own) return { heading: own, title: plainLine(own.children) };
  const parts = titleParts(head);
  const first = yield* firstHeading(content, LEVEL, isLeftOut);
  if (first && parts.includes(plainLine(first.children))) return { heading: first, title: plainLine(first.children) };
  const outside = isWhole ? undefined : yield* firstHeading(root, /^h1$/, isNoise);
  const said = outside && plainLine(outside.children);
  if (!isWhole && !said && parts.length === 0 && first) return { heading: first, title: plainLine(first.children) };
  if (said && (parts.length === 0 || parts.includes(said))) return { heading: undefined, title: said };
  return { heading: undefined, title: parts[0], ...omitUndefined({ isOfHead: parts.length > 0 ? true : undefined }) };
}

const LEVEL = /^h[1-6]$/;

function* firstHeading(
  root: Element,
  level: RegExp,
  isLeftOut: (element: Element) => boolean,
): Steps<Element | undefined> {
  let heading: Element | undefined;
  yield* walkInSteps(root, (element) => {
    if (heading || isLeftOut(element)) return false;
    if (level.test(element.name) && plainLine(element.children) !== "") heading = element;
    return heading === undefined;
  });
  return heading;
}

/** A heading as a block, with the anchors that lead to it; the title of the page is none. */
export function headingOf(reader: ReadsBlocks, element: Element): Block[] {
  const { anchors } = reader;
  const line = new LineReader(reader.addresses, anchors, true);
  for (const node of element.children) line.add(node);
  const nodes = line.take();
  const isTitle = element === reader.headings.title;
  if (isTitle) anchors.meetTitle();
  if (isTitle || isEmpty(nodes)) return [];
  const level = Math.min(3, Math.max(1, Number(element.name[1]) - reader.headings.top + 1));
  const names = anchors.take();
  const id = ownAnchor(element, names);
  const others = names.filter((name) => name !== id).map(anchorInline);
  const type = `heading-${level}` as "heading-1" | "heading-2" | "heading-3";
  return [{ object: "block", type, isVoid: false, data: id === undefined ? {} : { id }, nodes: [...others, ...nodes] }];
}

/** Which of the names that lead to a heading is its anchor: its own, that of something in it, or that of its section. */
function ownAnchor(heading: Element, names: readonly string[]): string | undefined {
  const own = attribute(heading, "id");
  if (names.includes(own)) return own;
  const inside = find(heading, (each) => names.includes(attribute(each, "id") || attribute(each, "name")));
  return inside ? attribute(inside, "id") || attribute(inside, "name") : names.at(-1);
}
