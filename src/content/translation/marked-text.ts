// Converts pieces to a text with marks, which a translator can translate, and back. A translation is accepted only if every mark occurs
// once, and around or inside the same marks as before.

import { escapeMarks } from "../../utils/html";
import { decodeReferences } from "../markdown/syntax";
import { removeInnerTexts } from "./inner-texts";
import { createWords, hasWords, type Piece } from "./pieces";

/** Returns pieces as a text with marks, numbered in their order. */
export function formatMarkedText(pieces: readonly Piece[]): string {
  let lastId = 0;
  const format = (siblings: readonly Piece[]): string => {
    const parts = siblings.map((piece) => {
      if (piece.kind === "words") return escapeMarks(piece.text);
      const id = ++lastId;
      return piece.kind === "atom" ? `<x id="${id}"></x>` : `<g id="${id}">${format(piece.pieces)}</g>`;
    });
    return parts.join("");
  };
  return format(pieces);
}

const TOKEN = /<\/?[A-Za-z][^<>]*>|[^<]+|</g;
const OPENING_MARK = /^<([gx])\s+id\s*=\s*["']?(\d{1,6})["']?\s*(\/?)>$/i;
const CLOSING_MARK = /^<\/([gx])\s*>$/i;

interface MarkedPiece {
  readonly piece: Exclude<Piece, { kind: "words" }>;
  /** The id of the mark that it is inside of. 0: none. */
  readonly parentId: number;
}

/** Returns pieces with other words, from a text with the same marks, or undefined if the marks are not the same. */
export function parseMarkedText(text: string, original: readonly Piece[]): Piece[] | undefined {
  const parser = new MarkedTextParser(numberPieces(original));
  for (const [token] of text.matchAll(TOKEN)) if (!parser.take(token)) return undefined;
  const pieces = parser.finish();
  return pieces && hasWords(original) && !hasWords(pieces) ? undefined : pieces;
}

function numberPieces(pieces: readonly Piece[]): Map<number, MarkedPiece> {
  const markedPieces = new Map<number, MarkedPiece>();
  const visit = (siblings: readonly Piece[], parentId: number) => {
    for (const piece of siblings) {
      if (piece.kind === "words") continue;
      const id = markedPieces.size + 1;
      markedPieces.set(id, { piece, parentId });
      if (piece.kind === "group") visit(piece.pieces, id);
    }
  };
  visit(pieces, 0);
  return markedPieces;
}

class MarkedTextParser {
  readonly #open: { readonly id: number; readonly pieces: Piece[] }[] = [{ id: 0, pieces: [] }];
  readonly #foundIds = new Set<number>();
  /** The last token opened an `<x>` that may be closed. */
  #isInAtom = false;

  constructor(private readonly markedPieces: ReadonlyMap<number, MarkedPiece>) {}

  /** Returns false if the token is not allowed. */
  take(token: string): boolean {
    const [, kind = "", id = "", slash] = OPENING_MARK.exec(token) ?? [];
    const closedKind = CLOSING_MARK.exec(token)?.[1]?.toLowerCase();
    const isInAtom = this.#isInAtom;
    this.#isInAtom = false;
    if (closedKind === "x") return isInAtom;
    if (closedKind === "g") return this.#closeGroup();
    if (kind !== "") return this.#openMark(kind.toLowerCase(), Number(id), slash === "/");
    if (/^<\/?[A-Za-z]/.test(token)) return false;
    this.#open.at(-1)!.pieces.push(createWords(decodeReferences(token)));
    return true;
  }

  /** Returns the pieces, or undefined if marks are missing or open. */
  finish(): Piece[] | undefined {
    const isComplete = this.#open.length === 1 && this.#foundIds.size === this.markedPieces.size;
    return isComplete ? this.#open[0]!.pieces : undefined;
  }

  #openMark(kind: string, id: number, isClosed: boolean): boolean {
    const marked = this.markedPieces.get(id);
    const { id: parentId, pieces } = this.#open.at(-1)!;
    if (!marked || this.#foundIds.has(id) || marked.parentId !== parentId) return false;
    if ((marked.piece.kind === "atom") !== (kind === "x") || (kind === "g" && isClosed)) return false;
    this.#foundIds.add(id);
    if (marked.piece.kind === "group") {
      this.#open.push({ id, pieces: [] });
      return true;
    }
    pieces.push(marked.piece);
    this.#isInAtom = !isClosed;
    return true;
  }

  #closeGroup(): boolean {
    const { id, pieces } = this.#open.at(-1)!;
    const piece = this.markedPieces.get(id)?.piece;
    if (piece?.kind !== "group" || (hasWords(piece.pieces) && !hasWords(pieces))) return false;
    this.#open.pop();
    this.#open.at(-1)!.pieces.push({ ...piece, pieces });
    return true;
  }
}

/** Sentences with more marks are not matched. */
const MAX_MARKS = 200;

/**
 * Returns a translated sentence with the marks of its original, in whatever order the translation has them. Returns undefined if the two
 * do not consist of the same pieces.
 */
export function transferMarks(translated: readonly Piece[], original: readonly Piece[]): string | undefined {
  const markedPieces = numberPieces(original);
  if (markedPieces.size > MAX_MARKS) return undefined;
  const usedIds = new Set<number>();
  const format = (pieces: readonly Piece[], parentId: number): string | undefined => {
    let text = "";
    for (const piece of pieces) {
      if (piece.kind === "words") {
        text += escapeMarks(piece.text);
        continue;
      }
      const [id] =
        [...markedPieces].find(([id, marked]) => {
          if (usedIds.has(id) || marked.parentId !== parentId || marked.piece.kind !== piece.kind) return false;
          // The sources must be equal, except for texts inside of them. Emphasis may have the other mark.
          const [markedSource, source] = [marked.piece, piece].map((it) => {
            if (it.kind !== "group") return it.kind === "atom" ? removeInnerTexts(it.source) : "";
            const tags = `${removeInnerTexts(it.open)}\n${removeInnerTexts(it.close)}`;
            return it.type === "emphasis" ? tags.replaceAll("_", "*") : tags;
          });
          return markedSource === source;
        }) ?? [];
      if (id === undefined) return undefined;
      usedIds.add(id);
      const content = piece.kind === "group" ? format(piece.pieces, id) : "";
      if (content === undefined) return undefined;
      text += piece.kind === "atom" ? `<x id="${id}"></x>` : `<g id="${id}">${content}</g>`;
    }
    return text;
  };
  const text = format(translated, 0);
  return usedIds.size === markedPieces.size ? text : undefined;
}
