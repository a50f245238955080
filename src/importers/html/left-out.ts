// What of a page an import leaves out: navigation, headers, footers, sidebars. Each part is named, so that somebody can
// see whether it should have been left out.

import type { Steps } from "../../content/markdown/steps";
import { attribute, classesOf, elementsIn, findAllInSteps, walkInSteps } from "./looking";
import { isNoise } from "./noise";
import type { Element } from "./tree";

/** A part of a page that is left out. */
export interface LeftOutPart {
  /** Its element with its id or its first class, as `div#footer`. */
  readonly part: string;
  /** How many characters it shows. */
  readonly characters: number;
}

/** Elements that show no words. */
const SILENT = /^(?:head|script|style|template|noscript|svg|button|select|textarea|input|link|meta|title|base)$/;
const MAX_PARTS = 500;
/** How many elements are searched in one step. */
const SEARCHED_A_STEP = 500;
const MAX_NAME = 60;

/** The parts of a page beside its content, and those in it that are no part of what it says. */
export function* leftOutOf(root: Element, element: Element, content: Element): Steps<LeftOutPart[]> {
  const parts: LeftOutPart[] = [];
  const kept = new Set(content.children);
  let searched = 0;
  const add = function* (part: Element): Steps<void> {
    const characters = SILENT.test(part.name) ? 0 : yield* shownIn(part);
    if (characters > 0 && parts.length < MAX_PARTS) parts.push({ part: nameOf(part), characters });
  };
  const inContent = function* (at: Element): Steps<void> {
    for (const noise of isNoise(at) ? [at] : yield* findAllInSteps(at, isNoise)) yield* add(noise);
  };
  /** Says whether the content is in an element; then what stands beside it there was left out. */
  const search = function* (at: Element): Steps<boolean> {
    if (at === element) {
      for (const child of elementsIn(at.children)) {
        if (++searched % SEARCHED_A_STEP === 0) yield;
        if (kept.has(child)) yield* inContent(child);
        else yield* add(child);
      }
      return true;
    }
    const beside: Element[] = [];
    let isFound = false;
    for (const child of elementsIn(at.children)) {
      if (++searched % SEARCHED_A_STEP === 0) yield;
      if (!isFound && (yield* search(child))) isFound = true;
      else beside.push(child);
    }
    if (isFound) for (const each of beside) yield* add(each);
    return isFound;
  };
  yield* search(root);
  return parts;
}

/** How many characters an element shows. Signs alone, as those beside headings, are nothing to read. */
function* shownIn(element: Element): Steps<number> {
  let characters = 0;
  let hasWords = false;
  yield* walkInSteps(element, ({ name, children }) => {
    if (SILENT.test(name)) return false;
    for (const child of children) {
      if (typeof child !== "string") continue;
      characters += child.trim().length;
      hasWords ||= /[\p{L}\p{N}]/u.test(child);
    }
    return true;
  });
  return hasWords ? characters : 0;
}

function nameOf(element: Element): string {
  const id = attribute(element, "id").trim();
  const [first] = classesOf(element);
  const own = first !== undefined ? `.${first}` : id !== "" ? `#${id}` : "";
  return (element.name + own).slice(0, MAX_NAME);
}
