// Git's packet lines: four hexadecimal digits with the length, then the bytes. An answer is split in one pass and
// refused when its lengths do not add up.

import { concatBytes } from "../utils/bytes";
import { GitRefused } from "./refused";

/** The line that ends a list. */
export const FLUSH = new TextEncoder().encode("0000");

/** Encodes lines as packets. */
export function lines(...texts: readonly string[]): Uint8Array {
  const encoder = new TextEncoder();
  return concatBytes(
    texts.map((text) => {
      const bytes = encoder.encode(text);
      return concatBytes([encoder.encode((bytes.length + 4).toString(16).padStart(4, "0")), bytes]);
    }),
  );
}

/** The packets of an answer, and null for each flush. */
export function* packets(bytes: Uint8Array): Generator<Uint8Array | null> {
  for (let at = 0; at < bytes.length; ) {
    const length = lengthAt(bytes, at);
    // Flush, delimiter, end of response.
    if (length <= 2) {
      yield null;
      at += 4;
      continue;
    }
    if (length < 4 || at + length > bytes.length) throw damaged();
    yield bytes.subarray(at + 4, at + length);
    at += length;
  }
}

export interface Received {
  /** The lines outside the bands, without the line feed. */
  readonly lines: readonly string[];
  /** What came on the first band: a pack, or a report. */
  readonly data: Uint8Array<ArrayBuffer>;
  /** The error text on band 3, or of a line that begins with ERR. */
  readonly failure: string | undefined;
}

const MAX_LINES = 10_000;

/** An answer whose packets hold lines, and bytes on bands: 1 is data, 2 progress, 3 the error that ends it. The data is put
 * together where the answer stands, because a pack may be large: `bytes` must not be used after that. */
export function received(bytes: Uint8Array<ArrayBuffer>): Received {
  const said: string[] = [];
  let length = 0;
  let failure: string | undefined;
  for (const packet of packets(bytes)) {
    if (packet === null || packet.length === 0) continue;
    const band = packet[0]!;
    if (band === 1) {
      bytes.set(packet.subarray(1), length);
      length += packet.length - 1;
    } else if (band === 3) failure ??= text(packet.subarray(1));
    else if (band !== 2) {
      const line = text(packet);
      if (line.startsWith("ERR ")) failure ??= line.slice(4);
      if (said.push(line) > MAX_LINES) throw damaged();
    }
  }
  return { lines: said, data: bytes.subarray(0, length), failure };
}

/** The lines of a list, without the line feeds. Refuses one that was cut short, or that is an error. */
export function linesOf(bytes: Uint8Array): string[] {
  const all = [...packets(bytes)];
  if (all.at(-1) !== null) throw damaged();
  const said = all.filter((packet) => packet !== null).map(text);
  if (said.some((line) => line.startsWith("ERR ")))
    throw new GitRefused("rejected", "The Git server answered with an error.");
  return said;
}

function lengthAt(bytes: Uint8Array, at: number): number {
  const digits = text(bytes.subarray(at, at + 4));
  if (!/^[0-9a-f]{4}$/i.test(digits)) throw damaged();
  return Number.parseInt(digits, 16);
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).replace(/\n$/, "");
}

function damaged(): GitRefused {
  return new GitRefused("damaged", "The answer of the Git server was cut short or is damaged.");
}
