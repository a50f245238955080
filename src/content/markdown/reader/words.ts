// What parts of a document say in plain words.

import type { Steps } from "../../../utils/concurrency/steps";
import type { Phrasing } from "../../document";
import { writtenEmoji } from "../emoji";

/** What phrasing says, without its marks; notes are left out. The places of what is marked as code are added to `code`: the
 * start and the end of each piece, `from` being the start of all. */
export function saidBy(nodes: readonly Phrasing[], code?: number[], from = 0): string {
  let text = "";
  for (const node of nodes) {
    if (node.object === "text")
      for (const leaf of node.leaves) {
        if (code && leaf.marks.some(({ type }) => type === "code"))
          code.push(from + text.length, from + text.length + leaf.text.length);
        text += leaf.text;
      }
    else if (node.type === "emoji") text += writtenEmoji(node.data);
    else if (node.type === "inline-image") text += node.data.alt ?? "";
    else if (node.type === "button") text += node.data.label;
    else if (node.type === "expression") text += node.data.expression;
    else if (node.type === "inline-math") text += node.data.formula;
    else text += saidBy(node.nodes ?? [], code, from + text.length);
  }
  return text;
}

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’_-]*/gu;

/** How many words are counted in one step. */
const STEP = 10_000;

/** How many words a text has, step by step. */
export function* wordsIn(text: string): Steps<number> {
  let words = 0;
  for (const _ of text.matchAll(WORD)) if (++words % STEP === 0) yield;
  return words;
}

/** What stands between the tags of HTML. */
export function withoutTags(html: string): string {
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
