// Stores the number of the last acknowledged write in a file next to LevelDB. Every write also stores its number in the database. So if
// LevelDB is opened with a lower number than that of the file, its log was truncated or deleted, and acknowledged writes are lost.
//
// The file needs no sync. It is written after the write is acknowledged, one number at a time, and may lag behind. It is never ahead of
// what LevelDB has synced. A torn file is ignored.

import type { FileHandle } from "node:fs/promises";
import { appendCheck, stripCheck } from "./layout";

/** The name of the file. LevelDB uses no such name. */
const NAME = "acknowledged";
/** The number is padded to this width, so that a shorter one overwrites a longer one. */
const WIDTH = 32;

export class AcknowledgedFile {
  readonly path: string;
  #file: FileHandle | undefined;
  #latest = 0;
  #written = 0;
  #writing: Promise<void> | undefined;

  constructor(directory: string) {
    this.path = `${directory}/${NAME}`;
  }

  /** Reads the number. Returns undefined if there is none or if it is damaged. */
  async read(): Promise<number | undefined> {
    const { readFile } = await import("node:fs/promises");
    const text = await readFile(this.path, "latin1").catch(() => "");
    return parseNumber(text.trim());
  }

  /** Sets the number, which is written soon after. */
  note(number: number): void {
    this.#latest = number;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Writes the last number durably. */
  async close(): Promise<void> {
    await this.#writing;
    const file = this.#file;
    this.#file = undefined;
    // If this fails, the next opening may not notice a loss of writes, but none is lost by this.
    await file?.sync().catch(() => {});
    await file?.close().catch(() => {});
  }

  async #write(): Promise<void> {
    try {
      this.#file ??= await this.#open();
      while (this.#written < this.#latest) {
        const number = this.#latest;
        await this.#file.write(formatNumber(number).padEnd(WIDTH, "\n"), 0, "latin1");
        this.#written = number;
      }
    } catch {
      // The disk is full or read-only. The next number is written if that has changed.
    }
  }

  /** Opens the file without truncating it: its content is valid until it is overwritten. */
  async #open(): Promise<FileHandle> {
    const { constants, open } = await import("node:fs/promises");
    return open(this.path, constants.O_RDWR | constants.O_CREAT, 0o600);
  }
}

/** Formats a number as it is stored in the file and in the database. */
export function formatNumber(number: number): string {
  return appendCheck(NAME, String(number));
}

/** Parses a stored number. Returns undefined if the text is damaged. */
export function parseNumber(text: string): number | undefined {
  if (!text.includes("~")) return undefined;
  const number = Number(stripCheck(NAME, text) ?? Number.NaN);
  return Number.isSafeInteger(number) ? number : undefined;
}
