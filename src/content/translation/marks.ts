// Pieces as a text with marks, which a translator can be given, and back. What comes back is taken only if every mark is
// there, once, and around or inside the same marks as before.

import { decodeReferences } from "../markdown/parser/references";
import { withoutInner } from "./inner-sources";
import { type Piece, words, wordsOf } from "./pieces";

/** Pieces as a text with marks: numbered in the order in which they stand. */
export function withMarks(pieces: readonly Piece[]): string {
  let number = 0;
  const write = (it: readonly Piece[]): string =>
    it
      .map((piece) => {
        if (piece.kind === "words") return escaped(piece.text);
        const id = ++number;
        return piece.kind === "atom" ? `<x id="${id}"></x>` : `<g id="${id}">${write(piece.pieces)}</g>`;
      })
      .join("");
  return write(pieces);
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (it) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[it]!);
}

const TOKEN = /<\/?[A-Za-z][^<>]*>|[^<]+|</g;
const OPENING = /^<([gx])\s+id\s*=\s*["']?(\d{1,6})["']?\s*(\/?)>$/i;
const CLOSING = /^<\/([gx])\s*>$/i;

interface Known {
  readonly piece: Exclude<Piece, { kind: "words" }>;
  /** The number of the mark that it is inside of; 0: none. */
  readonly parent: number;
}

/** Pieces with other words, from a text with the same marks; undefined when the marks are not the same. */
export function fromMarks(text: string, before: readonly Piece[]): Piece[] | undefined {
  const known = numbered(before);
  const reading = new Reading(known);
  for (const [token] of text.matchAll(TOKEN)) if (!reading.take(token)) return undefined;
  const after = reading.done();
  return after && isSpoken(before) && !isSpoken(after) ? undefined : after;
}

function isSpoken(pieces: readonly Piece[]): boolean {
  return wordsOf(pieces).trim() !== "";
}

function numbered(pieces: readonly Piece[]): Map<number, Known> {
  const known = new Map<number, Known>();
  const visit = (it: readonly Piece[], parent: number) => {
    for (const piece of it) {
      if (piece.kind === "words") continue;
      const id = known.size + 1;
      known.set(id, { piece, parent });
      if (piece.kind === "group") visit(piece.pieces, id);
    }
  };
  visit(pieces, 0);
  return known;
}

class Reading {
  readonly #open: { readonly id: number; readonly pieces: Piece[] }[] = [{ id: 0, pieces: [] }];
  readonly #found = new Set<number>();
  /** Whether the last token opened an `<x>` that may be closed. */
  #isInAtom = false;

  constructor(private readonly known: ReadonlyMap<number, Known>) {}

  take(token: string): boolean {
    const [, kind = "", id = "", slash] = OPENING.exec(token) ?? [];
    const closed = CLOSING.exec(token)?.[1]?.toLowerCase();
    const isInAtom = this.#isInAtom;
    this.#isInAtom = false;
    if (closed === "x") return isInAtom;
    if (closed === "g") return this.#close();
    if (kind !== "") return this.#openMark(kind.toLowerCase(), Number(id), slash === "/");
    if (/^<\/?[A-Za-z]/.test(token)) return false;
    this.#open.at(-1)!.pieces.push(words(decodeReferences(token)));
    return true;
  }

  done(): Piece[] | undefined {
    return this.#open.length === 1 && this.#found.size === this.known.size ? this.#open[0]!.pieces : undefined;
  }

  #openMark(kind: string, id: number, isClosed: boolean): boolean {
    const known = this.known.get(id);
    const { id: parent, pieces } = this.#open.at(-1)!;
    if (!known || this.#found.has(id) || known.parent !== parent) return false;
    if ((known.piece.kind === "atom") !== (kind === "x") || (kind === "g" && isClosed)) return false;
    this.#found.add(id);
    if (known.piece.kind === "group") {
      this.#open.push({ id, pieces: [] });
      return true;
    }
    pieces.push(known.piece);
    this.#isInAtom = !isClosed;
    return true;
  }

  #close(): boolean {
    const { id, pieces } = this.#open.at(-1)!;
    const piece = this.known.get(id)?.piece;
    if (piece?.kind !== "group" || (isSpoken(piece.pieces) && !isSpoken(pieces))) return false;
    this.#open.pop();
    this.#open.at(-1)!.pieces.push({ ...piece, pieces });
    return true;
  }
}

/**
 * A translated sentence with the marks of the sentence that it is a translation of, however the order has changed;
 * undefined when they are not made of the same.
 */
export function withMarksOf(translated: readonly Piece[], original: readonly Piece[]): string | undefined {
  const known = numbered(original);
  const used = new Set<number>();
  const write = (pieces: readonly Piece[], parent: number): string | undefined => {
    let text = "";
    for (const piece of pieces) {
      if (piece.kind === "words") {
        text += escaped(piece.text);
        continue;
      }
      const id = [...known].find(([id, it]) => !used.has(id) && it.parent === parent && isAlike(it.piece, piece))?.[0];
      if (id === undefined) return undefined;
      used.add(id);
      const inside = piece.kind === "group" ? write(piece.pieces, id) : "";
      if (inside === undefined) return undefined;
      text += piece.kind === "atom" ? `<x id="${id}"></x>` : `<g id="${id}">${inside}</g>`;
    }
    return text;
  };
  const text = known.size > MAX_MARKS ? undefined : write(translated, 0);
  return used.size === known.size ? text : undefined;
}

/** More marks than this in one sentence are not matched. */
const MAX_MARKS = 200;

function isAlike(a: Piece, b: Piece): boolean {
  if (a.kind === "atom" || b.kind === "atom") return a.kind === b.kind && sourceOf(a) === sourceOf(b);
  return a.kind === "group" && b.kind === "group" && sourceOf(a) === sourceOf(b);
}

function sourceOf(piece: Piece): string {
  if (piece.kind === "words") return "";
  if (piece.kind === "atom") return withoutInner(piece.source);
  const [open, close] = [withoutInner(piece.open), withoutInner(piece.close)];
  return piece.is === "emphasis" ? `${open}\n${close}`.replaceAll("_", "*") : `${open}\n${close}`;
}
