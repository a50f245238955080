// Headings: their levels, their anchors, and which of them is the title of the page.

import type { Block } from "../../content/document";
import { isEmpty } from "../../content/markdown/reader/leaves";
import type { BlockReader, Place } from "./blocks";
import { attribute, elementsIn, find, walk } from "./looking";
import type { Element } from "./tree";

/** What is known of the headings of a page before they are read. */
export interface Headings {
  /** The heading that is the title, and so not part of the body. */
  readonly title?: Element;
  /** The level that becomes the first one of the body. */
  readonly top: number;
}

/** The headings of a page, by what it holds besides its title. */
export function headingsIn(content: Element, title: Element | undefined): Headings {
  let hasFirst = false;
  walk(content, (element) => {
    if (element.name === "h1" && element !== title) hasFirst = true;
    return !hasFirst;
  });
  return { ...(title ? { title } : {}), top: hasFirst ? 1 : 2 };
}

/** A heading as a block; the title of the page is none. */
export function headingOf(reader: BlockReader, element: Element, place: Place): Block[] {
  if (element === reader.headings.title) return [];
  const nodes = reader.line(element.children, [], true);
  if (isEmpty(nodes)) return [];
  const level = Math.min(3, Math.max(1, Number(element.name[1]) - reader.headings.top + 1));
  const id = anchorOf(element, place.around[0]);
  const type = `heading-${level}` as "heading-1" | "heading-2" | "heading-3";
  return [{ object: "block", type, isVoid: false, data: id === undefined ? {} : { id }, nodes }];
}

/** The anchor that links to a heading name: its own, that of an empty anchor in it, or that of the section it opens. */
function anchorOf(heading: Element, parent: Element | undefined): string | undefined {
  const inside = find(
    heading,
    (each) => attribute(each, "id") !== "" || (each.name === "a" && attribute(each, "name") !== ""),
  );
  const section = parent && opens(parent, heading) ? attribute(parent, "id") : "";
  const ids = [attribute(heading, "id"), inside ? attribute(inside, "id") || attribute(inside, "name") : "", section];
  return ids.find((id) => /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}\p{Pc}:.-]{0,127}$/u.test(id));
}

function opens(section: Element, heading: Element): boolean {
  if (section.name !== "section" && section.name !== "div") return false;
  return elementsIn(section.children.slice(0, 6)).find(({ name }) => name !== "span" && name !== "a") === heading;
}
