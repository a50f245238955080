// A zip archive, opened without trust. Its directory is read and checked before anything is inflated. Entries are
// inflated one at a time, on demand. All of them share one budget, including those of nested archives. Nothing is
// written to a disk.

import type { Skipped } from "../../content/book/book";
import { finished, type Steps } from "../../content/markdown/steps";
import { sortedInSteps } from "../../content/revision/sorted";
import { howToRaise, ImportRefused } from "../refused";
import { damaged, ENTRIES_A_TURN, type ListedEntry, readDirectory } from "./directory";
import { crc32, inflate } from "./inflate";
import { ARCHIVE_LIMITS, type ArchiveLimits, SMALL_BYTES } from "./limits";
import { decodeName, isJunk, safePath } from "./names";

const STORED = 0;
const DEFLATED = 8;
const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
const PLAIN_FILE = 0x8000;
const FOLDER = 0x4000;
const SYMLINK = 0xa000;

/** An archive that passed the checks. */
export interface Zip {
  /** The paths of its files, in its own order. */
  readonly paths: readonly string[];
  /** What it has besides and is not taken, and why; grows when a file turns out to be damaged. */
  readonly skipped: readonly Skipped[];
  /** The bytes of a file; undefined when there is none, or when it is damaged. */
  read(path: string): Uint8Array | undefined;
  /** Opens an archive inside this one; undefined when there is none. One that is itself inside another has none. */
  open(path: string): Zip | undefined;
}

/** Opens an archive. It is refused as a whole if it is too large, or if no ordinary program would write it. */
export function openZip(bytes: Uint8Array, limits?: ArchiveLimits): Zip {
  return finished(openZipInSteps(bytes, limits));
}

/** The same, with turns for others. */
export function openZipInSteps(bytes: Uint8Array, limits: ArchiveLimits = ARCHIVE_LIMITS): Steps<Zip> {
  return OpenZip.of(bytes, limits, { left: limits.bytes }, 0);
}

/** How many bytes may still be inflated. */
interface Budget {
  left: number;
}

/** What is needed of an entry to read it. There may be many, so nothing else is held. */
type Entry = Pick<ListedEntry, "method" | "crc" | "compressed" | "size" | "offset"> & {
  /** Whether its bytes have been taken from the budget already. */
  isCounted: boolean;
};

class OpenZip implements Zip {
  readonly skipped: Skipped[] = [];
  readonly #entries = new Map<string, Entry>();

  private constructor(
    readonly bytes: Uint8Array,
    readonly limits: ArchiveLimits,
    readonly budget: Budget,
    readonly depth: number,
  ) {}

  static *of(bytes: Uint8Array, limits: ArchiveLimits, budget: Budget, depth: number): Steps<Zip> {
    const { entries, start } = yield* readDirectory(bytes, limits);
    yield* checkPlaces(bytes, entries, start);
    const zip = new OpenZip(bytes, limits, budget, depth);
    let total = 0;
    for (const [i, entry] of entries.entries()) {
      if (zip.#judge(entry)) total += entry.size;
      if (i % ENTRIES_A_TURN === 0) yield;
    }
    if (total > budget.left) throw tooLarge(limits);
    return zip;
  }

  get paths(): readonly string[] {
    return [...this.#entries.keys()];
  }

  read(path: string): Uint8Array | undefined {
    const entry = this.#entries.get(path);
    if (!entry) return undefined;
    if (!entry.isCounted && entry.size > this.budget.left) throw tooLarge(this.limits);
    const content = contentOf(this.bytes, entry);
    if (content === "larger than declared")
      throw new ImportRefused(`The archive holds more than it says: "${path}" does not end where it should.`);
    if (content === "damaged") {
      this.#entries.delete(path);
      this.skipped.push({ resource: path, reason: "It is damaged in the archive." });
      return undefined;
    }
    if (!entry.isCounted) this.budget.left -= content.length;
    entry.isCounted = true;
    return content;
  }

  open(path: string): Zip | undefined {
    if (this.depth > 0) return undefined;
    const bytes = this.read(path);
    return bytes && finished(OpenZip.of(bytes, this.limits, this.budget, this.depth + 1));
  }

  /** Whether an entry is taken. */
  #judge(entry: ListedEntry): boolean {
    const name = decodeName(entry.name.subarray(0, this.limits.nameBytes));
    const skip = (reason: string) => {
      this.skipped.push({ resource: shown(name), reason });
      return false;
    };
    if (entry.name.length > this.limits.nameBytes)
      return skip(`Its name has more than ${this.limits.nameBytes} bytes.`);
    const path = safePath(name);
    if (typeof path !== "string") {
      if (path.isHostile) throw new ImportRefused(`The archive was not opened. "${shown(name)}": ${path.reason}`);
      return skip(path.reason);
    }
    const isFolder = name.endsWith("/") || entry.fileType === FOLDER;
    if (isFolder || path === "" || isJunk(path)) return false;
    const reason =
      this.#fault(entry) ?? (this.#entries.has(path) ? "The archive has two files of this name." : undefined);
    if (reason !== undefined) return skip(reason);
    const { method, crc, compressed, size, offset } = entry;
    this.#entries.set(path, { method, crc, compressed, size, offset, isCounted: false });
    return true;
  }

  #fault({ method, isEncrypted, fileType, size, compressed }: ListedEntry): string | undefined {
    if (isEncrypted) return "It is encrypted.";
    if (fileType === SYMLINK) return "It is a symbolic link.";
    if (fileType !== 0 && fileType !== PLAIN_FILE) return "It is not a plain file.";
    if (method !== STORED && method !== DEFLATED) return "It is compressed in a way that is not known here.";
    if (size > this.limits.entryBytes) return `It has more than ${this.limits.entryBytes} bytes.`;
    if (size > SMALL_BYTES && size > compressed * this.limits.ratio)
      return `It is more than ${this.limits.ratio} times larger than its compressed form.`;
    return method === STORED && size !== compressed ? "It is damaged in the archive." : undefined;
  }
}

/** No two entries may share bytes, and none may reach into the directory. So a small archive cannot hold much. */
function* checkPlaces(bytes: Uint8Array, entries: readonly ListedEntry[], start: number): Steps<void> {
  let end = 0;
  const inPlace = yield* sortedInSteps(entries, (a, b) => a.offset - b.offset);
  for (const [i, entry] of inPlace.entries()) {
    if (i % ENTRIES_A_TURN === 0) yield;
    const from = dataStart(bytes, entry);
    if (entry.offset < end || from + entry.compressed > start)
      throw new ImportRefused("The archive was not opened: entries in it overlap.");
    end = from + entry.compressed;
  }
}

/** Where the bytes of an entry begin, behind its local header. */
function dataStart(bytes: Uint8Array, { offset }: Pick<Entry, "offset">): number {
  if (offset + LOCAL_BYTES > bytes.length) throw damaged();
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, LOCAL_BYTES);
  if (view.getUint32(0, true) !== LOCAL) throw damaged();
  return offset + LOCAL_BYTES + view.getUint16(26, true) + view.getUint16(28, true);
}

function contentOf(bytes: Uint8Array, entry: Entry): ReturnType<typeof inflate> {
  const from = dataStart(bytes, entry);
  const data = bytes.subarray(from, from + entry.compressed);
  if (entry.method === DEFLATED) return inflate(data, entry.size, entry.crc);
  return crc32(data) === entry.crc ? data.slice() : "damaged";
}

function tooLarge({ bytes }: ArchiveLimits): ImportRefused {
  return new ImportRefused(`The archive holds more than ${bytes} bytes, and was not opened. ${howToRaise("maxBytes")}`);
}

/** A name as it may be shown to people: not too long, and nothing in it that is not seen. */
function shown(name: string): string {
  return name.slice(0, 200).replace(/[\p{Cc}\p{Bidi_Control}]/gu, "\uFFFD");
}
