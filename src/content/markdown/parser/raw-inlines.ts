// Inlines that are recognized by one pattern: expressions, autolinks, and raw HTML.

import type { InlineNode, LinkNode } from "../nodes";
import type { Autolink } from "./autolinks";
import { decodeReferences } from "./character-references";
import { type AbsentEndings, scanHtml, scanThrough } from "./html";

const AUTOLINK = /<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\0-\x20<>]*)>/y;
const MAIL_AUTOLINK =
  /<([a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*)>/y;
const EXPRESSION = /<code[ \t]+class=(?:"expression"|'expression')[ \t]*>/iy;

/** Parses the expression, autolink or raw HTML that begins with the `<` at an offset. */
export function parseAngleBracket(text: string, start: number, missing: AbsentEndings): InlineNode | undefined {
  EXPRESSION.lastIndex = start;
  const opening = EXPRESSION.exec(text)?.[0];
  if (opening !== undefined) {
    const end = scanThrough(text, start + opening.length, "</code>", missing);
    if (end !== -1) {
      const source = text.slice(start + opening.length, end - "</code>".length);
      return { type: "expression", value: decodeReferences(source.replaceAll("\n", " ")).trim(), start, end };
    }
  }

  AUTOLINK.lastIndex = start;
  const uri = AUTOLINK.exec(text)?.[1];
  MAIL_AUTOLINK.lastIndex = start;
  const label = uri ?? MAIL_AUTOLINK.exec(text)?.[1];
  if (label !== undefined) {
    const url = uri ?? `mailto:${label}`;
    const inner = { start: start + 1, end: start + 1 + label.length };
    return { ...createAutolink(text, { url, ...inner }), start, end: inner.end + 1 };
  }

  const end = scanHtml(text, start, missing);
  return end === -1 ? undefined : { type: "html", value: text.slice(start, end), start, end };
}

/** Returns the link that an autolink stands for. */
export function createAutolink(text: string, { url, start, end }: Autolink): LinkNode {
  const value = text.slice(start, end);
  return { type: "link", url, title: null, children: [{ type: "text", value, start, end }], start, end };
}
