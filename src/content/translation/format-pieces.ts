// Writes pieces as Markdown, on one line except for hard line breaks. Words are escaped where they could be syntax; everything around them
// keeps its bytes.

import { escapeAttribute, escapeHtml, escapeMarkdown } from "../markdown/escape";
import { classifyCharacter } from "../markdown/syntax";
import { createWords, type GroupPiece, type Piece } from "./pieces";

/** The place of pieces in a text. */
export type PiecePlace = "paragraph" | "heading" | "cell" | "html" | "plain" | "title" | "attribute" | "argument";

/** Returns pieces as they are written in a place. */
export function formatPieces(pieces: readonly Piece[], place: PiecePlace): string {
  const [, trimmed] = trimPieces(pieces);
  const text = formatInContext(trimmed, { place, before: place === "cell" ? " " : "", isInLink: false });
  return place === "heading" ? text.replace(/(^|[ \t])(#+)$/, "$1\\$2") : text;
}

interface PieceContext {
  readonly place: PiecePlace;
  /** The character before the pieces; empty at the beginning. */
  readonly before: string;
  readonly isInLink: boolean;
}

function formatInContext(pieces: readonly Piece[], context: PieceContext): string {
  const parts: string[] = [];
  let { before } = context;
  for (const [i, piece] of pieces.entries()) {
    const next = getNextCharacter(pieces, i + 1);
    let text: string;
    if (piece.kind === "words") {
      let words = isLineBreak(pieces[i - 1]) ? piece.text.trimStart() : piece.text;
      if (isLineBreak(pieces[i + 1])) words = words.trimEnd();
      text = escapeWords(words, { ...context, before }, i < pieces.length - 1);
    } else if (piece.kind === "group") text = formatGroup(piece, { ...context, before }, next);
    else if (piece.isBareUrl) {
      // A URL ends at a space, or at a mark that ends a sentence.
      const lead = before === "" || /[\s(*_~]/.test(before) ? "" : " ";
      const trail = next === "" || /[\s.,;:!?)<]/.test(next) ? "" : " ";
      text = lead + piece.source + trail;
    } else {
      // Two adjacent pieces of code would become one.
      text = before === "`" && piece.source.startsWith("`") ? ` ${piece.source}` : piece.source;
    }
    parts.push(text);
    before = getLastCharacter(text) || before;
  }
  return parts.join("");
}

/** A hard line break has its own spaces before it, and none after it. */
function isLineBreak(piece: Piece | undefined): boolean {
  return piece?.kind === "atom" && /^(?:\\| *)[\r\n]/.test(piece.source);
}

function escapeWords(text: string, { place, before, isInLink }: PieceContext, isFollowed: boolean): string {
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

function formatGroup(group: GroupPiece, { place, before, isInLink }: PieceContext, next: string): string {
  const isEmphasis = group.type === "emphasis";
  // Emphasis must not have spaces at its ends.
  const [lead, pieces, trail] = isEmphasis ? trimPieces(group.pieces) : ["", group.pieces, ""];
  const content = formatInContext(pieces, {
    place,
    before: group.open.at(-1) ?? before,
    isInLink: isInLink || group.type === "link",
  });
  if (!isEmphasis) return group.open + content + group.close;

  // Beside letters, emphasis is recognized only with asterisks and only if its ends are letters.
  const isLetter = (character: string) => classifyCharacter(character || undefined) === "other";
  const [left, right] = [lead || before, trail || next];
  const [open, close] = [group.open, group.close].map((mark) =>
    isLetter(left) || isLetter(right) ? mark.replaceAll("_", "*") : mark,
  );
  const openGap = isLetter(left) && !isLetter(getFirstCharacter(content)) ? " " : "";
  const closeGap = isLetter(right) && !isLetter(getLastCharacter(content)) ? " " : "";
  return lead + openGap + open + content + close + closeGap + trail;
}

/** Returns the first character of the following pieces; empty at the end. */
function getNextCharacter(pieces: readonly Piece[], index: number): string {
  for (const piece of pieces.slice(index, index + 3)) {
    const text = piece.kind === "words" ? piece.text : piece.kind === "atom" ? piece.source : piece.open + piece.close;
    if (text !== "") return getFirstCharacter(text);
  }
  return "";
}

function getFirstCharacter(text: string): string {
  return [...text.slice(0, 2)][0] ?? "";
}

function getLastCharacter(text: string): string {
  return [...text.slice(-2)].at(-1) ?? "";
}

/** Removes the spaces at the ends of pieces. Returns these spaces as well, each as one. */
function trimPieces(pieces: readonly Piece[]): readonly [lead: string, Piece[], trail: string] {
  const trimmed = [...pieces];
  let [lead, trail] = ["", ""];
  for (let first = trimmed[0]; first?.kind === "words"; first = trimmed[0]) {
    const text = first.text.trimStart();
    if (text !== first.text) lead = " ";
    trimmed[0] = createWords(text);
    if (text !== "") break;
    trimmed.shift();
  }
  for (let last = trimmed.at(-1); last?.kind === "words"; last = trimmed.at(-1)) {
    const text = last.text.trimEnd();
    if (text !== last.text) trail = " ";
    trimmed[trimmed.length - 1] = createWords(text);
    if (text !== "") break;
    trimmed.pop();
  }
  return [lead, trimmed, trail];
}
