// Git's packet lines: four hexadecimal digits with the length, then the bytes. A response is split in one pass, and
// rejected if its lengths do not add up.

import { concatBytes } from "../utils/bytes";
import { GitError } from "./port";

/** The packet that ends a list. */
export const FLUSH = new TextEncoder().encode("0000");

const DAMAGED_RESPONSE = "The response of the Git server is incomplete or damaged. Try again.";

export function encodeLines(...lines: readonly string[]): Uint8Array {
  const encoder = new TextEncoder();
  return concatBytes(
    lines.map((line) => {
      const bytes = encoder.encode(line);
      return concatBytes([encoder.encode((bytes.length + 4).toString(16).padStart(4, "0")), bytes]);
    }),
  );
}

/** Yields the packets of a response, and null for each flush. */
export function* splitPackets(bytes: Uint8Array): Generator<Uint8Array | null> {
  for (let offset = 0; offset < bytes.length; ) {
    const digits = decodeLine(bytes.subarray(offset, offset + 4));
    if (!/^[0-9a-f]{4}$/i.test(digits)) throw new GitError("damaged", DAMAGED_RESPONSE);
    const length = Number.parseInt(digits, 16);
    // Flush, delimiter, end of response.
    if (length <= 2) {
      yield null;
      offset += 4;
      continue;
    }
    if (length < 4 || offset + length > bytes.length) throw new GitError("damaged", DAMAGED_RESPONSE);
    yield bytes.subarray(offset + 4, offset + length);
    offset += length;
  }
}

export interface GitResponse {
  /** The lines outside the bands, without the line feed. */
  readonly lines: readonly string[];
  /** The content of the first band: a pack, or a report. */
  readonly data: Uint8Array<ArrayBuffer>;
  /** The error text on band 3, or of a line that begins with ERR. */
  readonly failure: string | undefined;
}

const MAX_LINES = 10_000;

/**
 * Parses a response whose packets hold lines, and bytes on bands: 1 is data, 2 is progress, 3 is the error that ends it.
 * A pack may be large, so the data is joined in place: `bytes` must not be used afterwards.
 */
export function parseResponse(bytes: Uint8Array<ArrayBuffer>): GitResponse {
  const lines: string[] = [];
  let dataLength = 0;
  let failure: string | undefined;
  for (const packet of splitPackets(bytes)) {
    if (packet === null || packet.length === 0) continue;
    const band = packet[0]!;
    if (band === 1) {
      bytes.set(packet.subarray(1), dataLength);
      dataLength += packet.length - 1;
    } else if (band === 3) failure ??= decodeLine(packet.subarray(1));
    else if (band !== 2) {
      const line = decodeLine(packet);
      if (line.startsWith("ERR ")) failure ??= line.slice(4);
      if (lines.push(line) > MAX_LINES) throw new GitError("damaged", DAMAGED_RESPONSE);
    }
  }
  return { lines, data: bytes.subarray(0, dataLength), failure };
}

/** Returns the lines of a list, without the line feeds. Throws if the list was cut short, or is an error. */
export function parseList(bytes: Uint8Array): string[] {
  const packets = [...splitPackets(bytes)];
  if (packets.at(-1) !== null) throw new GitError("damaged", DAMAGED_RESPONSE);
  const lines = packets.filter((packet) => packet !== null).map(decodeLine);
  if (lines.some((line) => line.startsWith("ERR ")))
    throw new GitError("rejected", "The Git server returned an error.");
  return lines;
}

function decodeLine(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).replace(/\n$/, "");
}
