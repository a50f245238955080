// A sentence in pieces: the words that are translated, and everything that must come through unchanged. Everything that is not text keeps
// the bytes of its source.

import { removeInnerTexts } from "./inner-texts";

/** Words. A line ending between them is a space. */
export interface WordsPiece {
  readonly kind: "words";
  readonly text: string;
}

/** A part that is not language: code, a formula, a variable, a URL, an image, a hard line break. */
export interface AtomPiece {
  readonly kind: "atom";
  readonly source: string;
  /** The part is a URL without brackets, which would absorb a letter that follows. */
  readonly isBareUrl: boolean;
}

/** Syntax around words: emphasis, a link, an HTML element. */
export interface GroupPiece {
  readonly kind: "group";
  readonly open: string;
  readonly close: string;
  readonly type: "emphasis" | "link" | "element";
  readonly pieces: readonly Piece[];
}

export type Piece = WordsPiece | AtomPiece | GroupPiece;

/** The deepest nesting of groups. Deeper elements are not split. */
export const MAX_PIECE_DEPTH = 24;

export function getWords(pieces: readonly Piece[]): string {
  let text = "";
  for (const piece of pieces) {
    if (piece.kind === "words") text += piece.text;
    else if (piece.kind === "group") text += getWords(piece.pieces);
  }
  return text;
}

/** Checks that pieces have words, not only spaces. */
export function hasWords(pieces: readonly Piece[]): boolean {
  return getWords(pieces).trim() !== "";
}

/** Variables, directives, ids of headings and names of emoji in a sentence. Each is bounded, so that the search takes linear time. */
const VARIABLE =
  /\{\{[^{}\n]{0,500}\}\}|\{%[^{}%\n]{0,500}%\}|\$\{[^{}\n]{0,200}\}|\{:?\s?[#.][^{}\n]{1,200}\}|(?<![\w:]):(?=[\d_+-]{0,40}[a-z])[a-z0-9_+-]{1,64}:(?![\w:])/g;

/** Splits a text into words and variables. `source` is the source of the text. */
export function splitVariables(text: string, source: string): Piece[] {
  const variables = [...text.matchAll(VARIABLE)];
  if (variables.length === 0) return text === "" ? [] : [createWords(text)];
  const sourceVariables = [...source.matchAll(VARIABLE)];
  const pieces: Piece[] = [];
  let position = 0;
  for (const [i, { 0: variable, index }] of variables.entries()) {
    if (index > position) pieces.push(createWords(text.slice(position, index)));
    let variableSource = variable;
    if (sourceVariables.length === variables.length) {
      // A backslash before a variable turns it into words. It stays.
      const { 0: written, index: start } = sourceVariables[i]!;
      let backslashes = 0;
      while (source[start - 1 - backslashes] === "\\") backslashes++;
      variableSource = backslashes % 2 === 1 ? `\\${written}` : written;
    }
    pieces.push(createAtom(variableSource));
    position = index + variable.length;
  }
  if (position < text.length) pieces.push(createWords(text.slice(position)));
  return pieces;
}

export function createWords(text: string): WordsPiece {
  return { kind: "words", text: text.replace(/[ \t\r\n]+/g, " ") };
}

export function createAtom(source: string, isBareUrl = false): AtomPiece {
  return { kind: "atom", source, isBareUrl };
}

/** Describes pieces without their words and order. Sentences alike may differ only in the mark of emphasis. */
export function describePieces(pieces: readonly Piece[]): string {
  const parts = pieces.flatMap((piece) => {
    if (piece.kind === "words") return [];
    if (piece.kind === "atom") return [JSON.stringify(removeInnerTexts(piece.source))];
    const [open, close] = [piece.open, piece.close].map((source) =>
      piece.type === "emphasis" ? source.replaceAll("_", "*") : removeInnerTexts(source),
    );
    return [`${JSON.stringify([open, close, hasWords(piece.pieces)])}${describePieces(piece.pieces)}`];
  });
  return `(${parts.sort().join()})`;
}

export function measureDepth(pieces: readonly Piece[]): number {
  return pieces.reduce(
    (depth, piece) => Math.max(depth, piece.kind === "group" ? 1 + measureDepth(piece.pieces) : 0),
    0,
  );
}
