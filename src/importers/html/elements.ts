// Queries on a tree of HTML: names, attributes, classes and text. They never change the tree.

import { runStepsSync, type Steps } from "../../utils/concurrency/steps";
import type { HtmlElement, HtmlNode } from "./parse-html";

const MAX_CLASSES = 40;
/** The number of elements between two yields to the event loop. */
const ELEMENTS_PER_YIELD = 500;

const NO_NAMES: readonly string[] = [];
const namesByElement = new WeakMap<HtmlElement, readonly string[]>();

export function toWordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ""));
}

export function filterElements(nodes: readonly HtmlNode[]): HtmlElement[] {
  return nodes.filter((node): node is HtmlElement => typeof node !== "string");
}

/** Returns the value of an attribute, or an empty string if there is none. */
export function getAttribute({ attributes }: HtmlElement, name: string): string {
  return attributes.get(name) ?? "";
}

export function getClasses(element: HtmlElement): string[] {
  const value = element.attributes.get("class");
  return value === undefined ? [] : value.split(/\s+/, MAX_CLASSES).filter((name) => name !== "");
}

/**
 * Returns the names in the classes and the id of an element, in lower case without `-` and `_`: `edit-this-page` and
 * `editThisPage` are the same. A name with a suffix of a build tool, such as `tableOfContents_a1B2`, also counts without it.
 */
export function getNames(element: HtmlElement): readonly string[] {
  if (!element.attributes.has("class") && !element.attributes.has("id")) return NO_NAMES;
  const cached = namesByElement.get(element);
  if (cached) return cached;

  const normalize = (name: string) => name.toLowerCase().replace(/[-_]+/g, "");
  const stated = [...getClasses(element), getAttribute(element, "id").trim()].filter((name) => name.length < 80);
  const names = stated.flatMap((name) => {
    const short = name.replace(/(?<!_)_+[A-Za-z0-9-]{4,8}$/, "");
    return short === name || short === "" ? [normalize(name)] : [normalize(name), normalize(short)];
  });
  namesByElement.set(element, names);
  return names;
}

export function hasName(element: HtmlElement, names: ReadonlySet<string>): boolean {
  return getNames(element).some((name) => names.has(name));
}

/** Visits an element and all its descendants in order. If `visit` returns false, the descendants are left out. */
export function walkElements(element: HtmlElement, visit: (element: HtmlElement) => boolean): void {
  if (visit(element) === false) return;
  for (const child of element.children) if (typeof child !== "string") walkElements(child, visit);
}

/** Visits elements as `walkElements` does, in steps. */
export function* walkElementsInSteps(element: HtmlElement, visit: (element: HtmlElement) => boolean): Steps<void> {
  const stack = [element];
  for (let seenCount = 1; stack.length > 0; seenCount++) {
    const current = stack.pop()!;
    if (visit(current)) {
      for (let i = current.children.length - 1; i >= 0; i--) {
        const child = current.children[i]!;
        if (typeof child !== "string") stack.push(child);
      }
    }
    if (seenCount % ELEMENTS_PER_YIELD === 0) yield;
  }
}

/** Returns the first descendant of an element that passes a test. */
export function findElement(element: HtmlElement, test: (element: HtmlElement) => boolean): HtmlElement | undefined {
  for (const child of element.children) {
    if (typeof child === "string") continue;
    const found = test(child) ? child : findElement(child, test);
    if (found) return found;
  }
  return undefined;
}

/** Returns the elements from one to another that is in it, both included; undefined if it is not in it. */
export function findPath(from: HtmlElement, to: HtmlElement): HtmlElement[] | undefined {
  if (from === to) return [from];
  for (const child of from.children) {
    const path = typeof child === "string" ? undefined : findPath(child, to);
    if (path) return [from, ...path];
  }
  return undefined;
}

/** Returns the descendants of an element that pass a test, without those inside of one that passed. */
export function findElements(element: HtmlElement, test: (element: HtmlElement) => boolean): HtmlElement[] {
  return runStepsSync(findElementsInSteps(element, test));
}

/** Finds elements as `findElements` does, in steps. */
export function* findElementsInSteps(
  element: HtmlElement,
  test: (element: HtmlElement) => boolean,
): Steps<HtmlElement[]> {
  const found: HtmlElement[] = [];
  yield* walkElementsInSteps(element, (each) => {
    if (each === element || !test(each)) return true;
    found.push(each);
    return false;
  });
  return found;
}

/** Returns all text in an element, as it is written. */
export function getText(element: HtmlElement): string {
  const parts: string[] = [];
  const collect = ({ children }: HtmlElement): void => {
    for (const child of children) {
      if (typeof child === "string") parts.push(child);
      else collect(child);
    }
  };
  collect(element);
  return parts.join("");
}

export function getTextLine(element: HtmlElement): string {
  return collapseWhitespace(getText(element));
}

/** Returns a text on one line, without invisible characters. */
export function collapseWhitespace(text: string): string {
  return text
    .replace(/[\u200b\u2060\ufeff\u00ad]/g, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}
