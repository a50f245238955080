// The parts of a page that an import leaves out: navigation, headers, footers, sidebars. Each part is named, so that users can
// see whether it should have been left out.

import type { Steps } from "../../utils/concurrency/steps";
import { filterElements, findElementsInSteps, findPath, getAttribute, getClasses, walkElements } from "./elements";
import { isNoise } from "./noise";
import type { HtmlElement } from "./parse-html";

/** A part of a page that is left out. */
export interface OmittedHtmlPart {
  /** Its element with its first class or its id, such as `div#footer`. */
  readonly part: string;
  readonly characters: number;
}

/** Elements that show no words. */
const SILENT = /^(?:head|script|style|template|noscript|svg|button|select|textarea|input|link|meta|title|base)$/;
const MAX_PARTS = 500;
const MAX_PART_NAME_LENGTH = 60;

/**
 * Lists the parts of a page outside of its content, and those in it that are noise. `element` is the element of the page that
 * holds the content, and `content` is that element without the children that are left out.
 */
export function* listOmittedPartsInSteps(
  root: HtmlElement,
  element: HtmlElement,
  content: HtmlElement,
): Steps<OmittedHtmlPart[]> {
  const parts: OmittedHtmlPart[] = [];
  const contentNodes = new Set(content.children);
  const addPart = (part: HtmlElement): void => {
    let characters = 0;
    let hasWords = false;
    walkElements(part, ({ name, children }) => {
      if (SILENT.test(name)) return false;
      for (const child of children) {
        if (typeof child !== "string") continue;
        characters += child.trim().length;
        hasWords ||= /[\p{L}\p{N}]/u.test(child);
      }
      return true;
    });
    // Signs alone, such as those next to headings, are nothing to read.
    if (!hasWords || parts.length >= MAX_PARTS) return;
    const id = getAttribute(part, "id").trim();
    const [firstClass] = getClasses(part);
    const suffix = firstClass !== undefined ? `.${firstClass}` : id !== "" ? `#${id}` : "";
    parts.push({ part: (part.name + suffix).slice(0, MAX_PART_NAME_LENGTH), characters });
  };

  const path = findPath(root, element);
  if (!path) return [];
  for (const child of filterElements(element.children)) {
    if (!contentNodes.has(child)) addPart(child);
    else for (const noise of isNoise(child) ? [child] : yield* findElementsInSteps(child, isNoise)) addPart(noise);
    yield;
  }
  // Everything outside of the content was left out.
  for (let i = path.length - 2; i >= 0; i--) {
    for (const child of filterElements(path[i]!.children)) {
      if (child !== path[i + 1]) addPart(child);
      yield;
    }
  }
  return parts;
}
