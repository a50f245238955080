// A text that is compressed in memory. All pages of a site stay in memory until the last one is read, because only then it is
// known where their links lead.

import { deflateSync, inflateSync, strFromU8, strToU8 } from "fflate";
import type { Steps } from "../../utils/concurrency/steps";
import { sha256Hex } from "../../utils/sha256";

/** Shorter texts hardly get smaller. */
const MIN_COMPRESSED_LENGTH = 1024;
/** The number of characters that are compressed between two yields to the event loop. */
const CHUNK_LENGTH = 32 * 1024;

export class CompressedText {
  readonly #chunks: readonly (string | Uint8Array)[];
  /** The hash of the chunks. Equal texts have equal hashes. */
  readonly hash: string;

  private constructor(chunks: readonly (string | Uint8Array)[], hash: string) {
    this.#chunks = chunks;
    this.hash = hash;
  }

  static *compressInSteps(text: string): Steps<CompressedText> {
    if (text.length < MIN_COMPRESSED_LENGTH) return new CompressedText([text], sha256Hex(text));
    const chunks: Uint8Array[] = [];
    const hashes: string[] = [];
    for (let start = 0; start < text.length; ) {
      let end = start + CHUNK_LENGTH;
      // A chunk does not end between the halves of a surrogate pair.
      if ((text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end++;
      const chunk = deflateSync(strToU8(text.slice(start, end)), { level: 1 });
      chunks.push(chunk);
      hashes.push(sha256Hex(chunk));
      start = end;
      yield;
    }
    return new CompressedText(chunks, sha256Hex(hashes.join()));
  }

  *readInSteps(): Steps<string> {
    const texts: string[] = [];
    for (const chunk of this.#chunks) {
      texts.push(typeof chunk === "string" ? chunk : strFromU8(inflateSync(chunk)));
      yield;
    }
    return texts.join("");
  }
}
