// Pairs the opening and closing tags among the inlines of a paragraph. As in browsers, an unclosed HTML element ends with its
// parent, and an unmatched closing tag is skipped. A tag that is not HTML, such as `<your-name>`, is usually meant as text: it
// stays text if it is unpaired.

import { createTextPhrase } from "./block-phrases";
import { type Element, isComponent, type Phrase, PLAIN, parseHtmlTag, VOID } from "./elements";
import { BLOCKS, CONTAINERS, MARKED } from "./html-names";

/** The maximum depth of elements; of deeper ones only the content is shown. */
const MAX_OPEN = 16;

/** Elements that are text in a line, as GFM defines it; and the name of a placeholder. */
const NOT_IN_LINES = new Set(["listing", "iframe", "textarea", "xmp", "#markdown"]);

/** The names of HTML elements that can have content in a line. */
const IN_LINES: ReadonlySet<string> = new Set([
  ...MARKED,
  ...PLAIN,
  ...[...BLOCKS, ...CONTAINERS].filter((name) => !NOT_IN_LINES.has(name)),
]);

interface UnclosedElement {
  element: Element;
  /** The inlines before it. */
  before: Phrase[];
}

/** Converts the tags in a list of inlines to elements. */
export function matchTags(nodes: readonly Phrase[]): Phrase[] {
  if (!nodes.some((node) => node.type === "html")) return [...nodes];
  const open: UnclosedElement[] = [];
  let current: Phrase[] = [];
  /** The number of open elements beyond the maximum depth, by their names. */
  const deeper = new Map<string, number>();
  const closeUnmatched = () => {
    const { element, before } = open.pop()!;
    if (IN_LINES.has(element.name)) {
      before.push({ ...element, children: current });
      current = before;
    } else {
      const { start, opening } = element;
      before.push(createTextPhrase(opening, { start, end: start + opening.length }));
      current = before.concat(current);
    }
  };
  for (const node of nodes) {
    const tag = node.type === "html" ? parseHtmlTag(node.value) : undefined;
    if (!tag || node.type !== "html") {
      current.push(node);
      continue;
    }
    const { start, end: behind, value } = node;
    const { name, attributes, isClosing } = tag;
    if (!isClosing) {
      const place = { start, end: behind };
      const element: Element = {
        type: "element",
        name,
        attributes,
        children: [],
        opening: value,
        closing: "",
        ...place,
      };
      const isKnown = IN_LINES.has(name);
      if (VOID.has(name) || (isKnown && value.endsWith("/>"))) current.push(element);
      else if (value.endsWith("/>") || !(isKnown || isComponent(value))) current.push(node);
      else if (open.length < MAX_OPEN) {
        open.push({ element, before: current });
        current = [];
      } else if (isKnown) deeper.set(name, (deeper.get(name) ?? 0) + 1);
      else current.push(createTextPhrase(value, { start, end: start + value.length }));
      continue;
    }
    const left = deeper.get(name) ?? 0;
    if (left > 0) {
      deeper.set(name, left - 1);
      continue;
    }
    if (!open.some(({ element }) => element.name === name)) {
      if (!IN_LINES.has(name) && !VOID.has(name)) current.push(node);
      continue;
    }
    while (open.at(-1)!.element.name !== name) closeUnmatched();
    const { element, before } = open.pop()!;
    before.push({ ...element, children: current, closing: value, end: behind });
    current = before;
  }
  while (open.length > 0) closeUnmatched();
  return current;
}
