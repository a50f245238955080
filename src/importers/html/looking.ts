// Reads of a tree of HTML: names, attributes, classes, words. Nothing here changes it.

import type { Steps } from "../../content/markdown/steps";
import type { Element, Node } from "./tree";

/** A set of words from a text with spaces between. */
export function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ""));
}

/** The elements among nodes. */
export function elementsIn(nodes: readonly Node[]): Element[] {
  return nodes.filter((node): node is Element => typeof node !== "string");
}

/** The value of an attribute, "" when there is none. */
export function attribute({ attributes }: Element, name: string): string {
  return attributes.get(name) ?? "";
}

/** The classes of an element as they are written. */
export function classesOf(element: Element): string[] {
  const value = element.attributes.get("class");
  return value === undefined ? [] : value.split(/\s+/, MAX_CLASSES).filter((name) => name !== "");
}

const MAX_CLASSES = 40;

/** The names in an element's classes and id, in lower case without `-` and `_`: `edit-this-page` and `editThisPage` are
 * the same. Suffixes of build tools, as in `tableOfContents_a1B2`, are left out too. */
export function namesOf(element: Element): readonly string[] {
  if (!element.attributes.has("class") && !element.attributes.has("id")) return NO_NAMES;
  const known = NAMES.get(element);
  if (known) return known;
  const stated = [...classesOf(element), attribute(element, "id").trim()].filter((name) => name.length < 80);
  const names = stated.flatMap((name) => {
    const short = name.replace(/(?<!_)_+[A-Za-z0-9-]{4,8}$/, "");
    return short === name || short === "" ? [plain(name)] : [plain(name), plain(short)];
  });
  NAMES.set(element, names);
  return names;
}

const NO_NAMES: readonly string[] = [];
const NAMES = new WeakMap<Element, readonly string[]>();

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_]+/g, "");
}

/** Whether one of an element's names is among these. */
export function isNamed(element: Element, names: ReadonlySet<string>): boolean {
  return namesOf(element).some((name) => names.has(name));
}

/** Walks over an element and all below it, in order; `visit` says false to leave out what is below. */
export function walk(element: Element, visit: (element: Element) => boolean): void {
  if (visit(element) === false) return;
  for (const child of element.children) if (typeof child !== "string") walk(child, visit);
}

/** How many elements are looked at in one step. */
const LOOKED_AT = 500;

/** The same as `walk`, step by step. */
export function* walkInSteps(element: Element, visit: (element: Element) => boolean): Steps<void> {
  const waiting = [element];
  for (let seen = 1; waiting.length > 0; seen++) {
    const at = waiting.pop()!;
    if (visit(at)) {
      for (let i = at.children.length - 1; i >= 0; i--) {
        const child = at.children[i]!;
        if (typeof child !== "string") waiting.push(child);
      }
    }
    if (seen % LOOKED_AT === 0) yield;
  }
}

/** The first element below another that passes a test, in order. */
export function find(element: Element, test: (element: Element) => boolean): Element | undefined {
  for (const child of element.children) {
    if (typeof child === "string") continue;
    const found = test(child) ? child : find(child, test);
    if (found) return found;
  }
  return undefined;
}

/** All elements below another that pass a test, in order; not those inside one that passed. */
export function findAll(element: Element, test: (element: Element) => boolean): Element[] {
  const found: Element[] = [];
  for (const child of elementsIn(element.children)) walk(child, collected(found, test));
  return found;
}

/** The same as `findAll`, step by step. */
export function* findAllInSteps(element: Element, test: (element: Element) => boolean): Steps<Element[]> {
  const found: Element[] = [];
  const collect = collected(found, test);
  yield* walkInSteps(element, (each) => each === element || collect(each));
  return found;
}

function collected(found: Element[], test: (element: Element) => boolean): (element: Element) => boolean {
  return (element) => {
    if (!test(element)) return true;
    found.push(element);
    return false;
  };
}

/** All text in an element, as it stands. */
export function rawText(element: Element): string {
  const parts: string[] = [];
  const collect = ({ children }: Element): void => {
    for (const child of children) {
      if (typeof child === "string") parts.push(child);
      else collect(child);
    }
  };
  collect(element);
  return parts.join("");
}

/** The words of an element on one line. */
export function lineOf(element: Element): string {
  return oneLine(rawText(element));
}

/** A text on one line, without what cannot be seen. */
export function oneLine(text: string): string {
  return text
    .replace(/[\u200b\u2060\ufeff\u00ad]/g, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}
