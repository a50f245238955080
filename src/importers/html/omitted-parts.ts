// The parts of a page that an import leaves out: navigation, headers, footers, sidebars. Each part is named, so that users can
// see whether it should have been left out.

import type { Steps } from "../../utils/concurrency/steps";
import { filterElements, findElementsInSteps, getAttribute, getClasses, walkElementsInSteps } from "./elements";
import { isNoise } from "./noise";
import type { HtmlElement } from "./parse-html";

/** A part of a page that is left out. */
export interface OmittedHtmlPart {
  /** Its element with its first class or its id, such as `div#footer`. */
  readonly part: string;
  /** The number of characters that it shows. */
  readonly characters: number;
}

/** Elements that show no words. */
const SILENT = /^(?:head|script|style|template|noscript|svg|button|select|textarea|input|link|meta|title|base)$/;
const MAX_PARTS = 500;
const MAX_PART_NAME_LENGTH = 60;
/** The number of elements between two yields to the event loop. */
const ELEMENTS_PER_YIELD = 500;

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
  let searchedCount = 0;

  function* addPart(part: HtmlElement): Steps<void> {
    let characters = 0;
    let hasWords = false;
    yield* walkElementsInSteps(part, ({ name, children }) => {
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
  }

  /** Returns whether the content is in an element. If so, everything outside of it was left out. */
  function* searchElement(current: HtmlElement): Steps<boolean> {
    if (current === element) {
      for (const child of filterElements(current.children)) {
        if (++searchedCount % ELEMENTS_PER_YIELD === 0) yield;
        if (!contentNodes.has(child)) yield* addPart(child);
        else
          for (const noise of isNoise(child) ? [child] : yield* findElementsInSteps(child, isNoise))
            yield* addPart(noise);
      }
      return true;
    }
    const others: HtmlElement[] = [];
    let isFound = false;
    for (const child of filterElements(current.children)) {
      if (++searchedCount % ELEMENTS_PER_YIELD === 0) yield;
      if (!isFound && (yield* searchElement(child))) isFound = true;
      else others.push(child);
    }
    if (isFound) for (const other of others) yield* addPart(other);
    return isFound;
  }

  yield* searchElement(root);
  return parts;
}
