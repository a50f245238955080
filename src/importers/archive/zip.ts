// Opens zip archives without trust. The directory is read and checked before anything is inflated. Entries are inflated one at a
// time, on demand. All of them share one budget, including those of nested archives. No name is ever a path on a disk.

import { Inflate, inflateSync } from "fflate";
import type { SkippedItem } from "../../content/book/book";
import { sortInSteps } from "../../content/revision/sort-in-steps";
import { crc32 } from "../../utils/crc32";
import { describeLimitOption, ImportError } from "../errors";
import type { ChunkedFile } from "./chunked-file";
import { type ArchiveLimits, DEFAULT_ARCHIVE_LIMITS, MIN_RATIO_BYTES } from "./limits";
import { type RangedRead, runRangedRead } from "./ranged-read";
import {
  createDamagedError,
  createDataView,
  type DirectoryEntry,
  ENTRIES_PER_YIELD,
  readDirectory,
} from "./read-directory";

const STORED = 0;
const DEFLATED = 8;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_BYTES = 30;
const PLAIN_FILE = 0x8000;
const FOLDER = 0x4000;
const SYMLINK = 0xa000;

/** Files that exist only because of the system that packed them. */
const SYSTEM_FILE = /(^|\/)(__MACOSX(\/|$)|\.DS_Store$|\._[^/]*$|Thumbs\.db$|desktop\.ini$)/;

/** The entries of an archive that passed the checks. */
interface ZipListing {
  /** The paths of its files, in its own order. */
  readonly paths: readonly string[];
  /** Entries that are not taken, with the reasons. The list grows if a file turns out to be damaged. */
  readonly skipped: readonly SkippedItem[];
}

/** An archive in memory. */
export interface ZipArchive extends ZipListing {
  /** Returns the bytes of a file, or undefined if there is none, or it is damaged. */
  read(path: string): Uint8Array | undefined;
  /** Opens an archive inside of this one, or returns undefined if there is none. A nested archive opens no further ones. */
  open(path: string): ZipArchive | undefined;
}

/** An archive that is not in memory as a whole. */
export interface ZipFile extends ZipListing {
  /** Returns the bytes of a file, or undefined if there is none, or it is damaged. */
  read(path: string): Promise<Uint8Array | undefined>;
}

/** The number of bytes that may still be inflated. */
interface ByteBudget {
  left: number;
}

/** The fields of an entry that reading it needs. There may be many entries, so nothing else is retained. */
type ZipEntry = Pick<DirectoryEntry, "method" | "crc" | "compressed" | "size" | "offset"> & {
  /** Its bytes are already subtracted from the budget. */
  isCounted: boolean;
};

/** Opens an archive. Throws `ImportError` if it is too large, or if no ordinary program would write it. */
export function openZip(bytes: Uint8Array, limits: ArchiveLimits = DEFAULT_ARCHIVE_LIMITS): ZipArchive {
  return new MemoryZip(bytes, limits, { left: limits.maxBytes }, true);
}

/** Opens an archive in chunks. Throws `ImportError` for the same reasons. */
export async function openZipFile(file: ChunkedFile, limits: ArchiveLimits = DEFAULT_ARCHIVE_LIMITS): Promise<ZipFile> {
  const entries = await file.read(ZipEntries.loadInSteps(file.size, limits, { left: limits.maxBytes }));
  return {
    skipped: entries.skipped,
    get paths() {
      return entries.paths;
    },
    read: (path) => file.read(entries.read(path)),
  };
}

class MemoryZip implements ZipArchive {
  readonly #entries: ZipEntries;

  constructor(
    readonly bytes: Uint8Array,
    readonly limits: ArchiveLimits,
    readonly budget: ByteBudget,
    readonly canOpenNested: boolean,
  ) {
    this.#entries = runRangedRead(bytes, ZipEntries.loadInSteps(bytes.length, limits, budget));
  }

  get paths(): readonly string[] {
    return this.#entries.paths;
  }

  get skipped(): readonly SkippedItem[] {
    return this.#entries.skipped;
  }

  read(path: string): Uint8Array | undefined {
    return runRangedRead(this.bytes, this.#entries.read(path));
  }

  open(path: string): ZipArchive | undefined {
    const bytes = this.canOpenNested ? this.read(path) : undefined;
    return bytes && new MemoryZip(bytes, this.limits, this.budget, false);
  }
}

export class ZipEntries implements ZipListing {
  readonly skipped: SkippedItem[] = [];
  readonly #entries = new Map<string, ZipEntry>();

  private constructor(
    readonly limits: ArchiveLimits,
    readonly budget: ByteBudget,
  ) {}

  static *loadInSteps(fileSize: number, limits: ArchiveLimits, budget: ByteBudget): RangedRead<ZipEntries> {
    const { entries: listed, start } = yield* readDirectory(fileSize, limits);

    // No two entries may share bytes, and none may reach into the directory. So a small archive cannot hold much.
    let end = 0;
    const sorted = yield* sortInSteps(listed, (a, b) => a.offset - b.offset);
    for (const [i, entry] of sorted.entries()) {
      if (i % ENTRIES_PER_YIELD === 0) yield;
      const from = yield* findDataStart(entry);
      if (entry.offset < end || from + entry.compressed > start)
        throw new ImportError("The archive contains overlapping entries and was refused.");
      end = from + entry.compressed;
    }

    const entries = new ZipEntries(limits, budget);
    let totalBytes = 0;
    for (const [i, entry] of listed.entries()) {
      if (entries.#take(entry)) totalBytes += entry.size;
      if (i % ENTRIES_PER_YIELD === 0) yield;
    }
    if (totalBytes > budget.left) throw createTooLargeError(limits);
    return entries;
  }

  get paths(): readonly string[] {
    return [...this.#entries.keys()];
  }

  *read(path: string): RangedRead<Uint8Array | undefined> {
    const entry = this.#entries.get(path);
    if (!entry) return undefined;
    const { method, compressed, size, crc, isCounted } = entry;
    if (!isCounted && size > this.budget.left) throw createTooLargeError(this.limits);

    const from = yield* findDataStart(entry);
    const data = yield { from, to: from + compressed };
    let content: ReturnType<typeof inflateEntry>;
    if (method === DEFLATED) content = inflateEntry(data, size, crc);
    else content = crc32(data) === crc ? data.slice() : "damaged";

    if (content === "larger than declared")
      throw new ImportError(`The archive holds more than it says: "${path}" does not end where it should.`);
    if (content === "damaged") {
      const wasTaken = this.#entries.delete(path);
      if (wasTaken) this.skipped.push({ resource: path, reason: "It is corrupted in the archive." });
      return undefined;
    }
    if (!entry.isCounted) this.budget.left -= content.length;
    entry.isCounted = true;
    return content;
  }

  /** Takes an entry, or reports why not. Returns whether it is taken. */
  #take(listed: DirectoryEntry): boolean {
    const { maxNameBytes } = this.limits;
    const name = decodeEntryName(listed.name.subarray(0, maxNameBytes));
    // A name is shown to people: not too long, and without invisible characters.
    const resource = name.slice(0, 200).replace(/[\p{Cc}\p{Bidi_Control}]/gu, "\uFFFD");
    const skip = (reason: string) => {
      this.skipped.push({ resource, reason });
      return false;
    };
    if (listed.name.length > maxNameBytes) return skip(`Its name has more than ${maxNameBytes} bytes.`);
    const path = parseEntryPath(name);
    if (typeof path !== "string") {
      if (path.isHostile) throw new ImportError(`The archive was not opened. "${resource}": ${path.reason}`);
      return skip(path.reason);
    }
    const isFolder = name.endsWith("/") || listed.fileType === FOLDER;
    if (isFolder || path === "" || SYSTEM_FILE.test(path)) return false;
    const isDuplicate = this.#entries.has(path);
    const reason = this.#findProblem(listed) ?? (isDuplicate ? "The archive has two files of this name." : undefined);
    if (reason !== undefined) return skip(reason);
    const { method, crc, compressed, size, offset } = listed;
    this.#entries.set(path, { method, crc, compressed, size, offset, isCounted: false });
    return true;
  }

  /** Returns why an entry cannot be taken, or undefined if it can. */
  #findProblem({ method, isEncrypted, fileType, size, compressed }: DirectoryEntry): string | undefined {
    const { maxEntryBytes, maxRatio } = this.limits;
    if (isEncrypted) return "It is encrypted.";
    if (fileType === SYMLINK) return "It is a symbolic link.";
    if (fileType !== 0 && fileType !== PLAIN_FILE) return "It is not a plain file.";
    if (method !== STORED && method !== DEFLATED) return "Its compression method is not supported.";
    if (size > maxEntryBytes) return `It has more than ${maxEntryBytes} bytes.`;
    if (size > MIN_RATIO_BYTES && size > compressed * maxRatio)
      return `It is more than ${maxRatio} times larger than its compressed form.`;
    return method === STORED && size !== compressed ? "It is corrupted in the archive." : undefined;
  }
}

/** Returns the offset of the bytes of an entry, after its local header. */
function* findDataStart({ offset }: Pick<ZipEntry, "offset">): RangedRead<number> {
  const header = yield { from: offset, to: offset + LOCAL_BYTES };
  if (header.length < LOCAL_BYTES) throw createDamagedError();
  const view = createDataView(header);
  if (view.getUint32(0, true) !== LOCAL_SIGNATURE) throw createDamagedError();
  return offset + LOCAL_BYTES + view.getUint16(26, true) + view.getUint16(28, true);
}

function createTooLargeError({ maxBytes }: ArchiveLimits): ImportError {
  return new ImportError(
    `The archive holds more than ${maxBytes} bytes, and was not opened. ${describeLimitOption("maxBytes")}`,
  );
}

// The names of entries: bytes to text, and text to a path that cannot lead out of the archive. Names are keys in a map and nothing
// else; no name ever reaches a disk.

/** The upper half of code page 437, the encoding of names that are not UTF-8. */
const CP437 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

/** Why a name is refused. */
interface NameProblem {
  readonly reason: string;
  /** No ordinary program writes such names. */
  readonly isHostile: boolean;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes the bytes of a name: as UTF-8 if they are valid, whatever the archive declares, else as code page 437. */
function decodeEntryName(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes).normalize("NFC");
  } catch {
    return Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : CP437[byte - 0x80]!))
      .join("")
      .normalize("NFC");
  }
}

/** Returns a name as a path from the root of the archive, without `.` and empty segments, or why it cannot be one. */
function parseEntryPath(name: string): string | NameProblem {
  if (name.includes("\0")) return { reason: "Its name contains a NUL character.", isHostile: true };
  if (/^[A-Za-z]:/.test(name)) return { reason: "Its name begins with a drive letter.", isHostile: true };
  if (/^[/\\]/.test(name)) return { reason: "Its name is an absolute path.", isHostile: true };
  if (name.split(/[/\\]/).some((segment) => segment.trim() === ".."))
    return { reason: "Its path is outside the archive.", isHostile: true };
  if (name.includes("\\")) return { reason: "Its name contains backslashes.", isHostile: false };
  if (/\p{Cc}/u.test(name)) return { reason: "Its name contains control characters.", isHostile: false };
  return name
    .split("/")
    .filter((segment) => segment !== "" && segment !== ".")
    .join("/");
}

// Inflates the bytes of one entry, chunk by chunk into a buffer of the declared size. So an entry that is larger than declared is
// noticed before it takes more memory.

/** A compressed chunk of this size inflates to at most eight megabytes. */
const CHUNK_BYTES = 8 * 1024;

/** The bytes of an entry, or what is wrong with it. */
type InflateResult = Uint8Array | "damaged" | "larger than declared";

/** Inflates an entry that is declared to have `size` bytes with a checksum. */
function inflateEntry(compressed: Uint8Array, size: number, crc: number): InflateResult {
  if (compressed.length <= CHUNK_BYTES) {
    // A stream takes a hundred kilobytes. For the many small entries of a large archive, the garbage collector would run
    // all the time, so small entries are inflated without one.
    try {
      // One more byte shows that there is more. Everything that does not fit is dropped.
      const bytes = inflateSync(compressed, { out: new Uint8Array(size + 1) });
      if (bytes.length > size) return "larger than declared";
      return bytes.length === size && crc32(bytes) === crc ? bytes : "damaged";
    } catch {
      return "damaged";
    }
  }

  const bytes = new Uint8Array(size);
  let filled = 0;
  let isTooLarge = false;
  const stream = new Inflate((chunk) => {
    isTooLarge ||= filled + chunk.length > size;
    if (isTooLarge) return;
    bytes.set(chunk, filled);
    filled += chunk.length;
  });
  try {
    for (let start = 0; !isTooLarge && start < compressed.length; start += CHUNK_BYTES)
      stream.push(compressed.subarray(start, start + CHUNK_BYTES), start + CHUNK_BYTES >= compressed.length);
  } catch {
    return "damaged";
  }
  if (isTooLarge) return "larger than declared";
  return filled === size && crc32(bytes) === crc ? bytes : "damaged";
}
