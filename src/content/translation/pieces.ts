// A sentence taken apart: the words that are translated, and what must come through as it is. Everything that is not text
// keeps the bytes that it has in the source.

import { withoutInner } from "./inner-sources";

/** Words. A line ending inside of them is a space. */
export interface Words {
  readonly kind: "words";
  readonly text: string;
}

/** Something that is no language: code, a formula, a variable, an address, an image, a line ending that was asked for. */
export interface Atom {
  readonly kind: "atom";
  readonly source: string;
  /** Whether it is an address without brackets, which would absorb a letter that follows. */
  readonly isAddress: boolean;
}

/** Something around words: emphasis, a link, an element of HTML. */
export interface Group {
  readonly kind: "group";
  readonly open: string;
  readonly close: string;
  readonly is: "emphasis" | "link" | "element";
  readonly pieces: readonly Piece[];
}

export type Piece = Words | Atom | Group;

/** How many of these may be inside one another; deeper ones are not taken apart. */
export const MAX_DEPTH = 24;

/** What people read of pieces. */
export function wordsOf(pieces: readonly Piece[]): string {
  let text = "";
  for (const piece of pieces) {
    if (piece.kind === "words") text += piece.text;
    else if (piece.kind === "group") text += wordsOf(piece.pieces);
  }
  return text;
}

/** Variables, directives, ids of headings and names of emoji in a sentence. Each is bounded, so that the search stays
 * linear. */
const VARIABLE =
  /\{\{[^{}\n]{0,500}\}\}|\{%[^{}%\n]{0,500}%\}|\$\{[^{}\n]{0,200}\}|\{:?\s?[#.][^{}\n]{1,200}\}|(?<![\w:]):(?=[\d_+-]{0,40}[a-z])[a-z0-9_+-]{1,64}:(?![\w:])/g;

/** Words in which variables are kept apart; `source` is what the words are in the text. */
export function wordsAndVariables(text: string, source: string): Piece[] {
  const found = [...text.matchAll(VARIABLE)];
  if (found.length === 0) return text === "" ? [] : [words(text)];
  const written = [...source.matchAll(VARIABLE)];
  const pieces: Piece[] = [];
  let at = 0;
  for (const [i, { 0: variable, index }] of found.entries()) {
    if (index > at) pieces.push(words(text.slice(at, index)));
    const same = written.length === found.length ? written[i] : undefined;
    pieces.push(atom(same ? escapedIn(source, same.index, same[0]) : variable));
    at = index + variable.length;
  }
  if (at < text.length) pieces.push(words(text.slice(at)));
  return pieces;
}

/** A variable with the backslash that makes it words, if it has one. */
function escapedIn(source: string, at: number, variable: string): string {
  let backslashes = 0;
  while (source[at - 1 - backslashes] === "\\") backslashes++;
  return backslashes % 2 === 1 ? `\\${variable}` : variable;
}

/** Words as a piece. */
export function words(text: string): Words {
  return { kind: "words", text: text.replace(/[ \t\r\n]+/g, " ") };
}

/** Something that is no language, as a piece. */
export function atom(source: string, isAddress = false): Atom {
  return { kind: "atom", source, isAddress };
}

/** What pieces are made of, except for their words and their order: two sentences of one form differ in nothing else.
 * Emphasis may be written with the other mark. */
export function formOf(pieces: readonly Piece[]): string {
  const parts = pieces.flatMap((piece) => {
    if (piece.kind === "words") return [];
    if (piece.kind === "atom") return [JSON.stringify(withoutInner(piece.source))];
    const [open, close] = [piece.open, piece.close].map((it) =>
      piece.is === "emphasis" ? it.replaceAll("_", "*") : withoutInner(it),
    );
    return [`${JSON.stringify([open, close, isSaid(piece.pieces)])}${formOf(piece.pieces)}`];
  });
  return `(${parts.sort().join()})`;
}

function isSaid(pieces: readonly Piece[]): boolean {
  return wordsOf(pieces).trim() !== "";
}

/** How deep pieces are nested. */
export function depthOf(pieces: readonly Piece[]): number {
  return pieces.reduce((most, piece) => Math.max(most, piece.kind === "group" ? 1 + depthOf(piece.pieces) : 0), 0);
}
