// Inlines that are read at one stroke: expressions, addresses in angle brackets, HTML, and emoji.

import type { Emoji, Inline, Link, Span } from "../nodes";
import type { Address } from "./autolinks";
import { isEmojiCode } from "./characters";
import { type Missing, scanHtml, scanTo } from "./html";
import { decodeReferences } from "./references";

const AUTOLINK = /<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\0-\x20<>]*)>/y;
const MAIL_AUTOLINK =
  /<([a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*)>/y;
const EMOJI = /:([a-z0-9_+-]{1,64}):(?![A-Za-z0-9])/y;
const EXPRESSION = /<code[ \t]+class=(?:"expression"|'expression')[ \t]*>/iy;

/** What begins with the `<` at an offset. */
export function pointedAt(text: string, start: number, missing: Missing): Inline | undefined {
  return expressionAt(text, start, missing) ?? autolinkAt(text, start) ?? htmlAt(text, start, missing);
}

function expressionAt(text: string, start: number, missing: Missing): Inline | undefined {
  EXPRESSION.lastIndex = start;
  const opening = EXPRESSION.exec(text)?.[0];
  const end = opening === undefined ? -1 : scanTo(text, start + opening.length, "</code>", missing);
  if (opening === undefined || end === -1) return undefined;
  const source = text.slice(start + opening.length, end - "</code>".length);
  return { type: "expression", value: decodeReferences(source.replaceAll("\n", " ")).trim(), start, end };
}

function autolinkAt(text: string, start: number): Inline | undefined {
  AUTOLINK.lastIndex = start;
  MAIL_AUTOLINK.lastIndex = start;
  const address = AUTOLINK.exec(text)?.[1];
  const mail = address === undefined ? MAIL_AUTOLINK.exec(text)?.[1] : undefined;
  const shown = address ?? mail;
  if (shown === undefined) return undefined;
  const inner = { start: start + 1, end: start + 1 + shown.length };
  return { ...link(address ?? `mailto:${mail}`, shown, inner), start, end: inner.end + 1 };
}

/** An address that stands in a text as a link. */
export function linkTo(text: string, { url, start, end }: Address): Link {
  return link(url, text.slice(start, end), { start, end });
}

function link(url: string, value: string, { start, end }: Span): Link {
  return { type: "link", url, title: null, children: [{ type: "text", value, start, end }], start, end };
}

function htmlAt(text: string, start: number, missing: Missing): Inline | undefined {
  const end = scanHtml(text, start, missing);
  return end === -1 ? undefined : { type: "html", value: text.slice(start, end), start, end };
}

/** The emoji that begins with the `:` at an offset. */
export function emojiAt(text: string, start: number): Emoji | undefined {
  EMOJI.lastIndex = start;
  const found = EMOJI.exec(text);
  if (!found || !isEmojiCode(found[1]!)) return undefined;
  return { type: "emoji", code: found[1]!, start, end: start + found[0].length };
}
