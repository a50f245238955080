// Quotes that begin with `[!NOTE]`, as GitHub and others write what is to be seen: hints.

import type { Block, Blockquote, Inline, Paragraph } from "../nodes";

/** The words that begin one. */
const STYLES: ReadonlyMap<string, NonNullable<Blockquote["alert"]>> = new Map([
  ["note", "info"],
  ["tip", "success"],
  ["important", "info"],
  ["warning", "warning"],
  ["caution", "danger"],
]);

const MARK = /^\[!([a-z]{3,9})\](?:[ \t]*(?:\r\n?|\n)[ \t>]*|[ \t]*)/i;

/** Quotes that were read: one is always the same alert, so that a writer finds what a document was read from. */
const read = new WeakMap<Blockquote, Blockquote>();

/** Returns a quote as the alert that it is, without the words that begin it. Any other quote stays as it is. */
export function readAlert(quote: Blockquote, text: string): Blockquote {
  const known = quote.alert ? quote : read.get(quote);
  if (known) return known;
  const found = alertIn(quote, text);
  read.set(quote, found);
  return found;
}

function alertIn(quote: Blockquote, text: string): Blockquote {
  const [first, ...others] = quote.children;
  if (first?.type !== "paragraph") return quote;
  const [mark, name = ""] = MARK.exec(text.slice(first.start, first.start + 500)) ?? [];
  const alert = STYLES.get(name.toLowerCase());
  if (mark === undefined || !alert) return quote;
  const words = withoutMark(first, name.length + "[!]".length, mark.length);
  if (!words) return quote;
  const children: Block[] = words.children.length > 0 ? [words, ...others] : others;
  return children.length === 0 ? quote : { ...quote, alert, children };
}

/** A paragraph without its first characters, which must be plain text; `length` is how much of the source they take. */
function withoutMark(paragraph: Paragraph, characters: number, length: number): Paragraph | undefined {
  let left = characters;
  let rest: readonly Inline[] = paragraph.children;
  const start = paragraph.start + length;
  while (left > 0) {
    const [first, ...others] = rest;
    if (first?.type !== "text") return undefined;
    rest = first.value.length > left ? [{ ...first, value: first.value.slice(left), start }, ...others] : others;
    left -= first.value.length;
  }
  const [first, ...others] = rest;
  if (first?.type === "break") rest = others;
  else if (first?.type === "text") {
    const value = first.value.trimStart();
    rest = value === "" ? others : [{ ...first, value }, ...others];
  }
  return { ...paragraph, children: [...rest], start: Math.min(start, paragraph.end) };
}
