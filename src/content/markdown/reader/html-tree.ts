// A block of HTML as elements and texts. Only HTML whose every element is closed is understood; of anything else there is
// no tree.

import type { Html } from "../nodes";
import { isEmojiCode } from "../parser/characters";
import { scanHtml } from "../parser/html";
import { placesOf } from "../parser/places";
import { decodeReferences } from "../parser/references";
import { type Element, htmlTag, type Phrase } from "./elements";

const VOID = new Set(["img", "br", "source", "hr", "col", "input", "wbr"]);
const MAX_DEPTH = 24;
const EMOJI = /(?<![A-Za-z0-9_:]):([a-z0-9_+-]{1,64}):(?![A-Za-z0-9])/g;

/** The elements and texts of a block of HTML, with their places in the source; undefined if it makes no tree. */
export function htmlTree(html: Pick<Html, "value" | "lines">): Phrase[] | undefined {
  const { value } = html;
  const sourceOf = placesOf(html);
  const root: Phrase[] = [];
  const open: Element[] = [];
  const missing = new Set<string>();
  let at = 0;
  const add = (node: Phrase) => (open.at(-1)?.children ?? root).push(node);
  while (at < value.length) {
    const bracket = value.indexOf("<", at);
    const textEnd = bracket === -1 ? value.length : bracket;
    if (textEnd > at) textsOf(value.slice(at, textEnd), sourceOf(at), sourceOf(textEnd - 1) + 1).forEach(add);
    if (bracket === -1) break;
    const end = scanHtml(value, bracket, missing);
    if (end === -1) return undefined;
    const opening = value.slice(bracket, end);
    const tag = htmlTag(opening);
    if (!tag || open.length > MAX_DEPTH) return undefined;
    at = end;
    if (tag.isClosing) {
      const element = open.pop();
      if (element?.name !== tag.name) return undefined;
      element.closing = opening;
      element.end = sourceOf(end - 1) + 1;
      continue;
    }
    const { name, attributes } = tag;
    const [from, to] = [sourceOf(bracket), sourceOf(end - 1) + 1];
    const element: Element = {
      type: "element",
      name,
      attributes,
      children: [],
      opening,
      closing: "",
      start: from,
      end: to,
    };
    add(element);
    if (!VOID.has(name)) open.push(element);
  }
  return open.length > 0 ? undefined : root;
}

/** Text of HTML: runs of space are one, references are what they stand for, and emoji have their names. */
function textsOf(source: string, start: number, end: number): Phrase[] {
  const nodes: Phrase[] = [];
  const addText = (raw: string) => {
    const value = decodeReferences(raw.replace(/[ \t\n\r\f]+/g, " "));
    if (value !== "") nodes.push({ type: "text", value, start, end });
  };
  let at = 0;
  for (const found of source.matchAll(EMOJI)) {
    if (!isEmojiCode(found[1]!)) continue;
    addText(source.slice(at, found.index));
    nodes.push({ type: "emoji", code: found[1]!, start, end });
    at = found.index + found[0].length;
  }
  addText(source.slice(at));
  return nodes;
}

/** Whether a phrase is only space. */
export function isSpace(node: Phrase): boolean {
  return node.type === "text" && /^[ \t\n\r]*$/.test(node.value);
}

/** The elements among phrases, if there is nothing else but space. */
export function onlyElements(nodes: readonly Phrase[]): Element[] | undefined {
  const elements = nodes.filter((node) => !isSpace(node));
  return elements.every((node) => node.type === "element") ? (elements as Element[]) : undefined;
}
