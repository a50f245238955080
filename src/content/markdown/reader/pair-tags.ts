// Elements among the inlines of a paragraph: opening and closing tags that belong together. As in browsers, an element of
// HTML that nothing closes ends with what it stands in, and an end that closes nothing is skipped. A tag that is none of
// HTML, such as `<your-name>`, is mostly meant to be read: without a partner it stays the text that it is.

import type { Span } from "../nodes";
import { type Element, htmlTag, isComponent, type Phrase, PLAIN, VOID } from "./elements";
import { BLOCKS, CONTAINERS, MARKED } from "./html-names";

/** How many elements may be open inside one another; deeper ones show what they hold. */
const MAX_OPEN = 16;

interface OpenElement {
  element: Element;
  /** The inlines before it. */
  before: Phrase[];
}

/** Makes elements of the tags in a list of inlines. */
export function pairTags(nodes: readonly Phrase[]): Phrase[] {
  if (!nodes.some((node) => node.type === "html")) return [...nodes];
  const open: OpenElement[] = [];
  let current: Phrase[] = [];
  /** How many elements of a name are open beyond the limit. */
  const deeper = new Map<string, number>();
  const end = () => {
    const { element, before } = open.pop()!;
    if (isOfHtml(element.name)) {
      before.push({ ...element, children: current });
      current = before;
    } else {
      before.push(asText(element.opening, element));
      current = before.concat(current);
    }
  };
  for (const node of nodes) {
    const tag = node.type === "html" ? htmlTag(node.value) : undefined;
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
      const isKnown = isOfHtml(name);
      if (VOID.has(name) || (isKnown && value.endsWith("/>"))) current.push(element);
      else if (value.endsWith("/>") || !(isKnown || isComponent(value))) current.push(node);
      else if (open.length < MAX_OPEN) {
        open.push({ element, before: current });
        current = [];
      } else if (isKnown) deeper.set(name, (deeper.get(name) ?? 0) + 1);
      else current.push(asText(value, node));
      continue;
    }
    const left = deeper.get(name) ?? 0;
    if (left > 0) {
      deeper.set(name, left - 1);
      continue;
    }
    if (!open.some(({ element }) => element.name === name)) {
      if (!isOfHtml(name) && !VOID.has(name)) current.push(node);
      continue;
    }
    while (open.at(-1)!.element.name !== name) end();
    const { element, before } = open.pop()!;
    before.push({ ...element, children: current, closing: value, end: behind });
    current = before;
  }
  while (open.length > 0) end();
  return current;
}

/** Whether a name is one of an element of HTML that holds something to read. */
function isOfHtml(name: string): boolean {
  return MARKED.has(name) || PLAIN.has(name) || ((BLOCKS.has(name) || CONTAINERS.has(name)) && !NOT_IN_LINES.has(name));
}

/** Elements that have no meaning in a line, and are words there, as GFM has it; and a name that we use for ourselves. */
const NOT_IN_LINES = new Set(["listing", "iframe", "textarea", "xmp", "#markdown"]);

function asText(value: string, { start }: Span): Phrase {
  return { type: "text", value, start, end: start + value.length };
}
