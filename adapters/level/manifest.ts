// Reads from LevelDB's manifest which log is needed. If that log is missing, LevelDB opens silently without the writes in it. If its
// file CURRENT is missing, it creates an empty database and deletes the tables.

import { Corrupt } from "../adapter";

/** A manifest has the format of a log: it consists of blocks of records, and a record does not cross the end of a block. */
const BLOCK = 32 * 1024;
const HEAD = 7;
/** The kinds of records: a whole edit, or its first, middle and last part. */
const [FULL, FIRST, , LAST] = [1, 2, 3, 4];

/** Throws `Corrupt` if files are missing without which LevelDB would open and lose acknowledged writes. */
export async function checkFiles(directory: string): Promise<void> {
  const { readdir, readFile } = await import("node:fs/promises");
  const names = await readdir(directory).catch((): string[] => []);
  const createLossError = (name: string) =>
    new Corrupt(`${directory}/${name} is missing, and acknowledged writes with it: restore a backup.`);
  if (!names.includes("CURRENT")) {
    if (names.some((name) => /^\d+\.(?:log|ldb|sst)$/.test(name))) throw createLossError("CURRENT");
    return;
  }
  const manifest = (await readFile(`${directory}/CURRENT`, "latin1")).trim();
  const bytes = await readFile(`${directory}/${manifest}`).catch(() => undefined);
  const log = bytes && findLogNumber(bytes);
  // A database that was never written to has the number 0.
  if (!log) return;
  const isThere = names.some((name) => name.endsWith(".log") && Number(name.slice(0, -4)) === log);
  if (!isThere) throw createLossError(`${String(log).padStart(6, "0")}.log`);
}

/** Returns the number of the oldest log that is needed; undefined when the manifest doesn't say it, or can't be read. */
export function findLogNumber(manifest: Uint8Array): number | undefined {
  let number: number | undefined;
  for (const bytes of parseEdits(manifest)) {
    const edit = new Edit(bytes);
    try {
      // The other fields are skipped.
      while (!edit.isAtEnd) {
        const tag = edit.readNumber();
        if (tag === 1) edit.skipText();
        else if (tag === 2) number = edit.readNumber();
        else if (tag === 3 || tag === 4 || tag === 9) edit.readNumber();
        else if (tag === 5) {
          edit.readNumber();
          edit.skipText();
        } else if (tag === 6) {
          edit.readNumber();
          edit.readNumber();
        } else if (tag === 7) {
          for (let i = 0; i < 3; i++) edit.readNumber();
          edit.skipText();
          edit.skipText();
        } else throw new RangeError(`The edit has a field ${tag}.`);
      }
    } catch {
      // LevelDB itself reports a damaged manifest.
      return undefined;
    }
  }
  return number;
}

/** Yields the edits of a manifest, up to one that was torn by a crash. */
function* parseEdits(bytes: Uint8Array): Generator<Uint8Array> {
  let parts: Uint8Array[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let block = 0; block < bytes.length; block += BLOCK) {
    const blockEnd = Math.min(block + BLOCK, bytes.length);
    for (let offset = block; offset + HEAD <= blockEnd; ) {
      const kind = bytes[offset + 6]!;
      const end = offset + HEAD + view.getUint16(offset + 4, true);
      if (end > blockEnd || kind < FULL! || kind > LAST!) return;
      if (kind === FULL || kind === FIRST) parts = [];
      parts.push(bytes.subarray(offset + HEAD, end));
      if (kind === FULL || kind === LAST) yield Uint8Array.from(parts.flatMap((part) => [...part]));
      offset = end;
    }
  }
}

/** Reads the fields of an edit: numbers with seven bits per byte, and texts that are preceded by their length. */
class Edit {
  #offset = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get isAtEnd(): boolean {
    return this.#offset >= this.bytes.length;
  }

  readNumber(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.bytes[this.#offset++];
      if (byte === undefined || factor > 2 ** 56) throw new RangeError("The edit ends in a number.");
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  skipText(): void {
    const length = this.readNumber();
    this.#offset += length;
    if (this.#offset > this.bytes.length) throw new RangeError("The edit ends in a text.");
  }
}
