// A zip archive, opened without trust. Its directory is read and checked before anything is inflated. Entries are
// inflated one at a time, on demand. All of them share one budget, including those of nested archives. No name in it is
// ever a path on a disk.

import type { SkippedItem } from "../../content/book/book";
import { sortInSteps } from "../../content/revision/sort-in-steps";
import { crc32 } from "../../utils/crc32";
import { describeLimitOption, ImportError } from "../errors";
import { damaged, ENTRIES_A_TURN, type ListedEntry, readDirectory, viewOf } from "./directory";
import { type Inflated, inflate } from "./inflate";
import { ARCHIVE_LIMITS, type ArchiveLimits, SMALL_BYTES } from "./limits";
import { decodeName, isJunk, safePath } from "./names";
import type { Pieces } from "./pieces";
import { type Reading, readHeld } from "./reading";

const STORED = 0;
const DEFLATED = 8;
const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
const PLAIN_FILE = 0x8000;
const FOLDER = 0x4000;
const SYMLINK = 0xa000;

/** What an archive lists that passed the checks. */
interface Listing {
  /** The paths of its files, in its own order. */
  readonly paths: readonly string[];
  /** What it has besides and is not taken, and why; grows when a file turns out to be damaged. */
  readonly skipped: readonly SkippedItem[];
}

/** An archive that is held. */
export interface Zip extends Listing {
  /** The bytes of a file; undefined when there is none, or when it is damaged. */
  read(path: string): Uint8Array | undefined;
  /** Opens an archive inside this one; undefined when there is none. One that is itself inside another has none. */
  open(path: string): Zip | undefined;
}

/** An archive that is not held whole. */
export interface ZipFile extends Listing {
  /** The bytes of a file; undefined when there is none, or when it is damaged. */
  read(path: string): Promise<Uint8Array | undefined>;
}

/** Opens an archive. It is refused as a whole if it is too large, or if no ordinary program would write it. */
export function openZip(bytes: Uint8Array, limits: ArchiveLimits = ARCHIVE_LIMITS): Zip {
  return new HeldZip(bytes, limits, { left: limits.bytes }, true);
}

/** Opens an archive in pieces. It is refused for the same reasons. */
export async function openZipFile(pieces: Pieces, limits: ArchiveLimits = ARCHIVE_LIMITS): Promise<ZipFile> {
  const entries = await pieces.read(Entries.of(pieces.size, limits, { left: limits.bytes }));
  return {
    skipped: entries.skipped,
    get paths() {
      return entries.paths;
    },
    read: (path) => pieces.read(entries.read(path)),
  };
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

class HeldZip implements Zip {
  readonly #entries: Entries;

  constructor(
    readonly bytes: Uint8Array,
    readonly limits: ArchiveLimits,
    readonly budget: Budget,
    readonly mayOpen: boolean,
  ) {
    this.#entries = readHeld(bytes, Entries.of(bytes.length, limits, budget));
  }

  get paths(): readonly string[] {
    return this.#entries.paths;
  }

  get skipped(): readonly SkippedItem[] {
    return this.#entries.skipped;
  }

  read(path: string): Uint8Array | undefined {
    return readHeld(this.bytes, this.#entries.read(path));
  }

  open(path: string): Zip | undefined {
    const bytes = this.mayOpen ? this.read(path) : undefined;
    return bytes && new HeldZip(bytes, this.limits, this.budget, false);
  }
}

/** The entries of an archive that are taken. */
export class Entries implements Listing {
  readonly skipped: SkippedItem[] = [];
  readonly #entries = new Map<string, Entry>();

  private constructor(
    readonly limits: ArchiveLimits,
    readonly budget: Budget,
  ) {}

  /** Those of a file of this size. */
  static *of(fileSize: number, limits: ArchiveLimits, budget: Budget): Reading<Entries> {
    const { entries: listed, start } = yield* readDirectory(fileSize, limits);
    yield* checkPlaces(listed, start);
    const entries = new Entries(limits, budget);
    let total = 0;
    for (const [i, entry] of listed.entries()) {
      if (entries.#judge(entry)) total += entry.size;
      if (i % ENTRIES_A_TURN === 0) yield;
    }
    if (total > budget.left) throw tooLarge(limits);
    return entries;
  }

  get paths(): readonly string[] {
    return [...this.#entries.keys()];
  }

  *read(path: string): Reading<Uint8Array | undefined> {
    const entry = this.#entries.get(path);
    if (!entry) return undefined;
    if (!entry.isCounted && entry.size > this.budget.left) throw tooLarge(this.limits);
    const content = yield* contentOf(entry);
    if (content === "larger than declared")
      throw new ImportError(`The archive holds more than it says: "${path}" does not end where it should.`);
    if (content === "damaged") {
      const wasTaken = this.#entries.delete(path);
      if (wasTaken) this.skipped.push({ resource: path, reason: "It is damaged in the archive." });
      return undefined;
    }
    if (!entry.isCounted) this.budget.left -= content.length;
    entry.isCounted = true;
    return content;
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
      if (path.isHostile) throw new ImportError(`The archive was not opened. "${shown(name)}": ${path.reason}`);
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
function* checkPlaces(entries: readonly ListedEntry[], start: number): Reading<void> {
  let end = 0;
  const inPlace = yield* sortInSteps(entries, (a, b) => a.offset - b.offset);
  for (const [i, entry] of inPlace.entries()) {
    if (i % ENTRIES_A_TURN === 0) yield;
    const from = yield* dataStart(entry);
    if (entry.offset < end || from + entry.compressed > start)
      throw new ImportError("The archive was not opened: entries in it overlap.");
    end = from + entry.compressed;
  }
}

/** Where the bytes of an entry begin, behind its local header. */
function* dataStart({ offset }: Pick<Entry, "offset">): Reading<number> {
  const header = yield { from: offset, to: offset + LOCAL_BYTES };
  if (header.length < LOCAL_BYTES) throw damaged();
  const view = viewOf(header);
  if (view.getUint32(0, true) !== LOCAL) throw damaged();
  return offset + LOCAL_BYTES + view.getUint16(26, true) + view.getUint16(28, true);
}

function* contentOf(entry: Entry): Reading<Inflated> {
  const from = yield* dataStart(entry);
  const data = yield { from, to: from + entry.compressed };
  if (entry.method === DEFLATED) return inflate(data, entry.size, entry.crc);
  return crc32(data) === entry.crc ? data.slice() : "damaged";
}

function tooLarge({ bytes }: ArchiveLimits): ImportError {
  return new ImportError(
    `The archive holds more than ${bytes} bytes, and was not opened. ${describeLimitOption("maxBytes")}`,
  );
}

/** A name as it may be shown to people: not too long, and nothing in it that is not seen. */
function shown(name: string): string {
  return name.slice(0, 200).replace(/[\p{Cc}\p{Bidi_Control}]/gu, "\uFFFD");
}
