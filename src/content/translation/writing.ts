// Pieces as Markdown, on one line except for hard line breaks. Words are escaped where they could be syntax; everything
// around them keeps its bytes.

import { classOf } from "../markdown/parser/characters";
import { escapeAttribute, escapeHtml, escapeMarkdown } from "../markdown/writer/escape";
import { type Group, type Piece, words } from "./pieces";

/** Where pieces stand. */
export type PiecePlace = "paragraph" | "heading" | "cell" | "html" | "plain" | "title" | "attribute" | "argument";

/** Pieces as they stand in a text. */
export function written(pieces: readonly Piece[], place: PiecePlace): string {
  const [, trimmed] = withoutEnds(pieces);
  const text = write(trimmed, { place, before: place === "cell" ? " " : "", isInLink: false });
  return place === "heading" ? text.replace(/(^|[ \t])(#+)$/, "$1\\$2") : text;
}

interface Context {
  readonly place: PiecePlace;
  /** The character before; "" at the beginning. */
  readonly before: string;
  readonly isInLink: boolean;
}

function write(pieces: readonly Piece[], context: Context): string {
  const parts: string[] = [];
  let before = context.before;
  const add = (text: string) => {
    parts.push(text);
    before = lastOf(text) || before;
  };
  for (const [i, piece] of pieces.entries()) {
    const next = nextCharacter(pieces, i + 1);
    if (piece.kind === "words") {
      const isLast = i === pieces.length - 1;
      const start = isLineEnding(pieces[i - 1]) ? piece.text.trimStart() : piece.text;
      const said = isLineEnding(pieces[i + 1]) ? start.trimEnd() : start;
      add(spoken(said, { ...context, before }, !isLast));
    } else if (piece.kind === "group") add(group(piece, { ...context, before }, next));
    else if (piece.isAddress) add(apart(piece.source, before, next));
    // Two pieces of code beside each other would become one.
    else add(before === "`" && piece.source.startsWith("`") ? ` ${piece.source}` : piece.source);
  }
  return parts.join("");
}

/** A line ending that was asked for has its own spaces before it, and none behind it. */
function isLineEnding(piece: Piece | undefined): boolean {
  return piece?.kind === "atom" && /^(?:\\| *)[\r\n]/.test(piece.source);
}

function spoken(text: string, { place, before, isInLink }: Context, isFollowed: boolean): string {
  if (place === "plain") return text;
  if (place === "html") return escapeHtml(text);
  if (place === "attribute") return escapeAttribute(text);
  if (place === "title") return text.replace(/["\\&]/g, "\\$&");
  if (place === "argument") return text.replace(/["\\]/g, "\\$&");
  if (place !== "cell") return escapeMarkdown(text, { before, isFollowed, isInLink });
  return text
    .split("|")
    .map((part) => escapeMarkdown(part, { before: before || " ", isFollowed: true, isInLink }))
    .join("\\|");
}

/** Emphasis has no space at its ends. Beside letters it is recognized only if its ends are letters. */
function group(piece: Group, context: Context, next: string): string {
  const { place, before, isInLink } = context;
  const [lead, pieces, trail] = piece.is === "emphasis" ? withoutEnds(piece.pieces) : ["", piece.pieces, ""];
  const inside = write(pieces, {
    place,
    before: piece.open.at(-1) ?? before,
    isInLink: isInLink || piece.is === "link",
  });
  if (piece.is !== "emphasis") return piece.open + inside + piece.close;
  const [left, right] = [lead || before, trail || next];
  const isBeside = classOf(left || undefined) === "other" || classOf(right || undefined) === "other";
  const [open, close] = [piece.open, piece.close].map((it) => (isBeside ? it.replaceAll("_", "*") : it));
  const opening = needsSpace(left, firstOf(inside)) ? " " : "";
  const closing = needsSpace(right, lastOf(inside)) ? " " : "";
  return lead + opening + open + inside + close + closing + trail;
}

function needsSpace(outside: string, inside: string): boolean {
  return classOf(outside || undefined) === "other" && classOf(inside || undefined) !== "other";
}

/** An address ends where a space begins, or a mark that ends a sentence. */
function apart(address: string, before: string, next: string): string {
  const lead = before === "" || /[\s(*_~]/.test(before) ? "" : " ";
  const trail = next === "" || /[\s.,;:!?)<]/.test(next) ? "" : " ";
  return lead + address + trail;
}

/** The first character of what follows; "" at the end. */
function nextCharacter(pieces: readonly Piece[], from: number): string {
  for (const piece of pieces.slice(from, from + 3)) {
    const text = piece.kind === "words" ? piece.text : piece.kind === "atom" ? piece.source : piece.open + piece.close;
    if (text !== "") return firstOf(text);
  }
  return "";
}

function firstOf(text: string): string {
  return [...text.slice(0, 2)][0] ?? "";
}

function lastOf(text: string): string {
  return [...text.slice(-2)].at(-1) ?? "";
}

/** Pieces without the spaces at their ends, and those spaces. */
function withoutEnds(pieces: readonly Piece[]): readonly [lead: string, Piece[], trail: string] {
  const kept = [...pieces];
  let [lead, trail] = ["", ""];
  for (let first = kept[0]; first?.kind === "words"; first = kept[0]) {
    const text = first.text.trimStart();
    if (text !== first.text) lead = " ";
    kept[0] = words(text);
    if (text !== "") break;
    kept.shift();
  }
  for (let last = kept.at(-1); last?.kind === "words"; last = kept.at(-1)) {
    const text = last.text.trimEnd();
    if (text !== last.text) trail = " ";
    kept[kept.length - 1] = words(text);
    if (text !== "") break;
    kept.pop();
  }
  return [lead, kept, trail];
}
