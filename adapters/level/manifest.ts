// The part of LevelDB's manifest that tells which log it needs. LevelDB opens without a word when that log is missing, and so
// without the writes in it; and when its file CURRENT is missing, it begins an empty database and deletes the tables.

import { Corrupt } from "../adapter";

/** A manifest has the form of a log: blocks of records, and a record does not go over the end of one. */
const BLOCK = 32 * 1024;
const HEAD = 7;
/** The kinds of records: all of an edit, or its first, middle and last part. */
const [FULL, FIRST, , LAST] = [1, 2, 3, 4];

/** Throws `Corrupt` when files are missing without which LevelDB would open and leave out what was acknowledged. */
export async function checkFiles(directory: string): Promise<void> {
  const { readdir, readFile } = await import("node:fs/promises");
  const names = await readdir(directory).catch((): string[] => []);
  const lost = (name: string) =>
    new Corrupt(`${directory}/${name} is missing, and acknowledged writes with it: restore a backup.`);
  if (!names.includes("CURRENT")) {
    if (names.some((name) => /^\d+\.(?:log|ldb|sst)$/.test(name))) throw lost("CURRENT");
    return;
  }
  const manifest = (await readFile(`${directory}/CURRENT`, "latin1")).trim();
  const bytes = await readFile(`${directory}/${manifest}`).catch(() => undefined);
  const log = bytes && findLogNumber(bytes);
  // A database that was never written to has the number 0.
  if (!log) return;
  const isThere = names.some((name) => name.endsWith(".log") && Number(name.slice(0, -4)) === log);
  if (!isThere) throw lost(`${String(log).padStart(6, "0")}.log`);
}

/** Returns the number of the oldest log that is needed; undefined when the manifest doesn't say it, or can't be read. */
export function findLogNumber(manifest: Uint8Array): number | undefined {
  let number: number | undefined;
  for (const edit of parseEdits(manifest)) {
    try {
      number = readLogNumber(new Edit(edit)) ?? number;
    } catch {
      // LevelDB has its own sentence for a manifest that is damaged.
      return undefined;
    }
  }
  return number;
}

/** Lists the edits of a manifest, up to one that a crash has torn. */
function* parseEdits(bytes: Uint8Array): Generator<Uint8Array> {
  let parts: Uint8Array[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let block = 0; block < bytes.length; block += BLOCK) {
    const blockEnd = Math.min(block + BLOCK, bytes.length);
    for (let at = block; at + HEAD <= blockEnd; ) {
      const kind = bytes[at + 6]!;
      const end = at + HEAD + view.getUint16(at + 4, true);
      if (end > blockEnd || kind < FULL! || kind > LAST!) return;
      if (kind === FULL || kind === FIRST) parts = [];
      parts.push(bytes.subarray(at + HEAD, end));
      if (kind === FULL || kind === LAST) yield Uint8Array.from(parts.flatMap((part) => [...part]));
      at = end;
    }
  }
}

/** Reads the fields of an edit: numbers in bytes of seven bits, and texts with their length in front. */
class Edit {
  #at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get isOver(): boolean {
    return this.#at >= this.bytes.length;
  }

  number(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.bytes[this.#at++];
      if (byte === undefined || factor > 2 ** 56) throw new RangeError("The edit ends in a number.");
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  skipText(): void {
    const length = this.number();
    this.#at += length;
    if (this.#at > this.bytes.length) throw new RangeError("The edit ends in a text.");
  }
}

/** The number of the log in one edit. The other fields are passed over, in the form that each has. */
function readLogNumber(edit: Edit): number | undefined {
  let log: number | undefined;
  while (!edit.isOver) {
    const tag = edit.number();
    if (tag === 1) edit.skipText();
    else if (tag === 2) log = edit.number();
    else if (tag === 3 || tag === 4 || tag === 9) edit.number();
    else if (tag === 5) {
      edit.number();
      edit.skipText();
    } else if (tag === 6) {
      edit.number();
      edit.number();
    } else if (tag === 7) {
      for (let i = 0; i < 3; i++) edit.number();
      edit.skipText();
      edit.skipText();
    } else throw new RangeError(`The edit has a field ${tag}.`);
  }
  return log;
}
