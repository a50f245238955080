// The number of the last acknowledged write, in a file beside LevelDB. Every write carries its number into the database as well.
// So when LevelDB comes back with a lower number than the file has, its log was cut, emptied or deleted, and acknowledged
// writes are gone.
//
// The file costs no sync: it is written after the answer, at most once at a time, and may lag behind. It never runs ahead of
// what LevelDB has synced. A file that is torn says nothing.

import type { FileHandle } from "node:fs/promises";
import { appendCheck, stripCheck } from "./layout";

/** No name that LevelDB has for a file. */
const NAME = "acknowledged";
/** Room for any number, so that a shorter one overwrites a longer one. */
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

  /** Reads the number; undefined when there is none, or none that can be trusted. */
  async read(): Promise<number | undefined> {
    const { readFile } = await import("node:fs/promises");
    const text = await readFile(this.path, "latin1").catch(() => "");
    return parseNumber(text.trim());
  }

  /** Takes note of a number. It is written soon. */
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
    // Without it, less is noticed at the next opening, and nothing is lost.
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
      // The disk is full or read-only. The next number is tried again.
    }
  }

  /** Opens the file without emptying it: what is there counts until it is overwritten. */
  async #open(): Promise<FileHandle> {
    const { constants, open } = await import("node:fs/promises");
    return open(this.path, constants.O_RDWR | constants.O_CREAT, 0o600);
  }
}

/** A number as it is stored, in the file and in the database. */
export function formatNumber(number: number): string {
  return appendCheck(NAME, String(number));
}

/** Returns the number of a stored text; undefined when the text is damaged. */
export function parseNumber(text: string): number | undefined {
  if (!text.includes("~")) return undefined;
  const number = Number(stripCheck(NAME, text) ?? Number.NaN);
  return Number.isSafeInteger(number) ? number : undefined;
}
