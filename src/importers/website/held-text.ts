// A text that is held compressed. All pages of a site are held until the last one is known, for only then it is clear where
// their links lead.

import { deflateSync, inflateSync, strFromU8, strToU8 } from "fflate";
import type { Steps } from "../../content/markdown/steps";
import { sha256Hex } from "../../utils/sha256";

/** Shorter texts are hardly shorter when they are compressed. */
const SHORTEST = 1024;
/** Characters that are compressed in one step. */
const PIECE = 32 * 1024;

export class HeldText {
  readonly #pieces: readonly (string | Uint8Array)[];
  /** The hash of the pieces: texts that say the same have the same. */
  readonly hash: string;

  private constructor(pieces: readonly (string | Uint8Array)[], hash: string) {
    this.#pieces = pieces;
    this.hash = hash;
  }

  /** Compresses a text, step by step. */
  static *of(text: string): Steps<HeldText> {
    if (text.length < SHORTEST) return new HeldText([text], sha256Hex(text));
    const pieces: Uint8Array[] = [];
    const hashes: string[] = [];
    for (let from = 0; from < text.length; ) {
      const to = endOfPiece(text, from);
      const piece = deflateSync(strToU8(text.slice(from, to)), { level: 1 });
      pieces.push(piece);
      hashes.push(sha256Hex(piece));
      from = to;
      yield;
    }
    return new HeldText(pieces, sha256Hex(hashes.join()));
  }

  /** The text as it was, step by step. */
  *read(): Steps<string> {
    const pieces: string[] = [];
    for (const piece of this.#pieces) {
      pieces.push(typeof piece === "string" ? piece : strFromU8(inflateSync(piece)));
      yield;
    }
    return pieces.join("");
  }
}

/** A piece ends at no character that two units make up. */
function endOfPiece(text: string, from: number): number {
  const to = from + PIECE;
  return (text.charCodeAt(to - 1) & 0xfc00) === 0xd800 ? to + 1 : to;
}
