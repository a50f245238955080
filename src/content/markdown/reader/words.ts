// Converts parts of a document to plain text, and counts words.

import type { Steps } from "../../../utils/concurrency/steps";
import type { Phrasing } from "../../document";
import { writeEmoji } from "../emoji";

/**
 * Returns the text of phrasing, without marks and notes. The ranges of code are added to `code`: the start and the end of each,
 * relative to `from`, the start of the text.
 */
export function getPhrasingText(nodes: readonly Phrasing[], code?: number[], from = 0): string {
  let text = "";
  for (const node of nodes) {
    if (node.object === "text")
      for (const leaf of node.leaves) {
        if (code && leaf.marks.some(({ type }) => type === "code"))
          code.push(from + text.length, from + text.length + leaf.text.length);
        text += leaf.text;
      }
    else if (node.type === "emoji") text += writeEmoji(node.data);
    else if (node.type === "inline-image") text += node.data.alt ?? "";
    else if (node.type === "button") text += node.data.label;
    else if (node.type === "expression") text += node.data.expression;
    else if (node.type === "inline-math") text += node.data.formula;
    else text += getPhrasingText(node.nodes ?? [], code, from + text.length);
  }
  return text;
}

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’_-]*/gu;

const STEP = 10_000;

export function* countWords(text: string): Steps<number> {
  let words = 0;
  for (const _ of text.matchAll(WORD)) if (++words % STEP === 0) yield;
  return words;
}

export function stripHtmlTags(html: string): string {
  let text = "";
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    const close = open === -1 ? -1 : html.indexOf(">", open);
    text += html.slice(at, open === -1 || close === -1 ? html.length : open);
    if (open === -1 || close === -1) break;
    text += " ";
    at = close + 1;
  }
  return text.replace(/\s+/g, " ").trim();
}
