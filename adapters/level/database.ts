// The database under the storage: opened on first use, opened again after a write that failed, and every failure turned
// into an error of the contract. While a full or read-only disk keeps it from being opened again, it can still be read.

import { Closed, Corrupt, Unavailable } from "../adapter";
import { AcknowledgedFile, formatNumber, parseNumber } from "./acknowledged";
import { assertDiskSpace } from "./disk-space";
import { FORMAT, FORMAT_KEY, NUMBER_KEY, PREVIOUS_FORMAT } from "./layout";
import { checkLogs } from "./log";
import { checkFiles } from "./manifest";

/** The part of an abstract-level database that is used here, so that any of them will do. */
export interface LevelDatabase {
  open(): Promise<void>;
  close(): Promise<void>;
  getMany(keys: string[], options: ReadOptions): Promise<(string | undefined)[]>;
  get(key: string, options: ReadBytesOptions): Promise<Uint8Array | undefined>;
  iterator(options: ReadOptions & RawKeyRange): { all(): Promise<[string, string][]> };
  keys(options: { keyEncoding: Encoding } & Partial<RawKeyRange>): { all(): Promise<string[]> };
  batch(operations: WriteOperation[], options: ReadOptions & { sync: boolean }): Promise<void>;
  clear(options: { keyEncoding: Encoding } & RawKeyRange): Promise<void>;
}

/** A stretch of keys, from `gte` up to but not including `lt`. */
export interface RawKeyRange {
  readonly gte: string;
  readonly lt: string;
  readonly reverse?: boolean;
  readonly limit?: number;
}

export type WriteOperation =
  | { type: "put"; key: string; value: string }
  | { type: "put"; key: string; value: Uint8Array; valueEncoding: "view" }
  | { type: "del"; key: string };

interface Encoding {
  name: string;
  format: "view";
  encode(key: string): Uint8Array;
  decode(bytes: Uint8Array): string;
}
interface ReadOptions {
  keyEncoding: Encoding;
  valueEncoding: "utf8";
}
interface ReadBytesOptions {
  keyEncoding: Encoding;
  valueEncoding: "view";
}

/** Where the bytes of keys are. A key with bytes of its own costs twice as much: LevelDB moves them out of the heap. */
const POOL_BYTES = 64 * 1024;
let pool = new Uint8Array(POOL_BYTES);
let used = 0;

const keyEncoding: Encoding = {
  name: "octavo-key",
  format: "view",
  encode(key) {
    if (used + key.length > POOL_BYTES) {
      pool = new Uint8Array(POOL_BYTES);
      used = 0;
    }
    const start = used;
    for (let i = 0; i < key.length; i++) pool[used++] = key.charCodeAt(i);
    return pool.subarray(start, used);
  },
  decode: (bytes) => String.fromCharCode(...bytes),
};
const texts: ReadOptions = { keyEncoding, valueEncoding: "utf8" };

/** The most keys of one call. LevelDB takes the keys, and makes texts of what it found, while nothing else can run. */
const MAX_KEYS_PER_READ = 500;

/** Keys that are read together, and what comes back. */
interface JoinedRead {
  readonly keys: string[];
  readonly rows: Promise<(string | undefined)[]>;
}

/** Makes a directory that only its owner may read, or changes an existing one to that. */
async function createPrivateDirectory(directory: string): Promise<void> {
  const { chmod, mkdir, stat } = await import("node:fs/promises");
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // It belongs to somebody else, or the disk has no permissions. Then its permissions are not ours to set.
  if (((await stat(directory)).mode & 0o077) !== 0) await chmod(directory, 0o700).catch(() => {});
}

/** How long after a disk had no room it is not asked again. Callers are told to come back after as long. */
const SPACE_CHECK_PAUSE_MS = 1000;

/** Databases that are in use: each storage assumes that it is the only writer. */
const held = new WeakSet<LevelDatabase>();

export class Database {
  readonly #location: string | LevelDatabase;
  #db: LevelDatabase | undefined;
  #opening: Promise<void> | undefined;
  /** "failed": it is open, and a write has failed. "shut": it is about to be opened again. */
  #state: "unopened" | "open" | "failed" | "shut" | "closed" = "unopened";
  #lacksRoom: { readonly until: number; readonly error: Unavailable } | undefined;
  #closing: Promise<void> | undefined;
  #lastWrite: Promise<void> = Promise.resolve();
  #joined: JoinedRead | undefined;
  /** In a directory: the file that has the number of the last acknowledged write. */
  readonly #acknowledged: AcknowledgedFile | undefined;
  /** The number of the last write that was acknowledged. */
  #number = 0;

  constructor(location: string | LevelDatabase) {
    this.#location = location;
    this.#acknowledged = typeof location === "string" ? new AcknowledgedFile(location) : undefined;
  }

  /** Whether it is open, and no write has failed since. */
  get isSound(): boolean {
    return this.#state === "open";
  }

  /** Whether it can be read: as it is, or as it was before a write that failed. */
  get isReadable(): boolean {
    return this.#state === "open" || this.#state === "failed";
  }

  /** Throws once `close` was called. */
  assertOpen(): void {
    if (this.#closing !== undefined) throw new Closed("The storage was closed.");
  }

  /** Opens when that is due; a failure is not kept, so the next call tries again. */
  async open(): Promise<void> {
    if (this.isSound) return;
    if (this.#state === "closed") throw new Closed("The storage was closed.");
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    await this.#opening;
  }

  async #open(): Promise<void> {
    this.#db ??= await this.#locate();
    const db = this.#db;
    try {
      // What a failed write left behind in LevelDB's log is not known until the log was read again.
      if (this.#state === "failed") {
        await this.#assertRoom();
        this.#state = "shut";
      }
      if (this.#state === "shut") {
        await db.close();
        if (typeof this.#location === "string") await checkDirectory(this.#location);
      }
      await db.open();
    } catch (cause) {
      throw cause instanceof Unavailable || cause instanceof Corrupt ? cause : this.#cannotOpen(cause);
    }
    try {
      await this.#recognize(db);
      await this.#checkNumber(db);
    } catch (cause) {
      // Another program may be waiting for the lock.
      await db.close().catch(() => {});
      throw cause instanceof Corrupt ? cause : this.#cannotOpen(cause);
    }
    this.#state = "open";
  }

  /** Throws when a directory has no room to be opened again: once it is closed, nobody can read it. */
  async #assertRoom(): Promise<void> {
    if (typeof this.#location !== "string") return;
    if (this.#lacksRoom && performance.now() < this.#lacksRoom.until) throw this.#lacksRoom.error;
    try {
      await assertDiskSpace(this.#location);
    } catch (cause) {
      const message = `The LevelDB directory ${this.#location} can be read but not written to: ${getRootMessage(cause)}.`;
      const error = createUnavailable(message, cause);
      this.#lacksRoom = { until: performance.now() + SPACE_CHECK_PAUSE_MS, error };
      throw error;
    }
    this.#lacksRoom = undefined;
  }

  async #locate(): Promise<LevelDatabase> {
    if (typeof this.#location !== "string") {
      if (held.has(this.#location)) throw createUnavailable("Another storage holds this database.");
      held.add(this.#location);
      return this.#location;
    }
    const { Level } = await import("level").catch((cause) => {
      throw createUnavailable("The package `level` could not be loaded; install it beside octavo.", cause);
    });
    await createPrivateDirectory(this.#location).catch((cause) => {
      throw this.#cannotOpen(cause);
    });
    // Before it is made: it opens itself.
    await checkDirectory(this.#location);
    return new Level(this.#location);
  }

  #cannotOpen(cause: unknown): Unavailable {
    const place = typeof this.#location === "string" ? `The LevelDB directory ${this.#location}` : "The database";
    return collectErrorCodes(cause).includes("LEVEL_LOCKED")
      ? createUnavailable(`${place} is in use by another process, or by another storage of this one.`, cause)
      : createUnavailable(`${place} could not be opened: ${getRootMessage(cause)}.`, cause);
  }

  /** Marks an empty database as Octavo's, and refuses one that something else wrote. */
  async #recognize(db: LevelDatabase): Promise<void> {
    const [format] = await db.getMany([FORMAT_KEY], texts);
    if (format === FORMAT) return;
    const place = typeof this.#location === "string" ? this.#location : "The database";
    if (format !== undefined && format !== PREVIOUS_FORMAT)
      throw new Corrupt(`${place} is of the format ${JSON.stringify(format)}; this version reads "${FORMAT}".`);
    const [first] = format === PREVIOUS_FORMAT ? [] : await db.keys({ keyEncoding, limit: 1 }).all();
    if (first !== undefined) throw new Corrupt(`${place} holds something else than an Octavo storage.`);
    await db.batch([{ type: "put", key: FORMAT_KEY, value: FORMAT }], { ...texts, sync: true });
  }

  /** Refuses a directory that has lost acknowledged writes. */
  async #checkNumber(db: LevelDatabase): Promise<void> {
    if (!this.#acknowledged) return;
    const [row] = await db.getMany([NUMBER_KEY], texts);
    const number = row === undefined ? 0 : parseNumber(row);
    if (number === undefined) throw new Corrupt(`The number of the last write in ${this.#location} is damaged.`);
    const acknowledged = Math.max(this.#number, (await this.#acknowledged.read()) ?? 0);
    if (number < acknowledged)
      throw new Corrupt(
        `The LevelDB directory ${this.#location} has lost acknowledged writes: ${acknowledged} were made, and ${number} are there. Restore a backup; or delete ${this.#acknowledged.path} to go on without them.`,
      );
    this.#number = number;
    if (number > 0) this.#acknowledged.note(number);
  }

  /** The texts under keys. Reads asked for in one turn go to the database together: each trip has its price. */
  async read(keys: string[]): Promise<(string | undefined)[]> {
    this.#joined ??= this.#nextTrip();
    const { keys: all, rows } = this.#joined;
    const from = all.length;
    for (const key of keys) all.push(key);
    return (await rows).slice(from, from + keys.length);
  }

  #nextTrip(): JoinedRead {
    const keys: string[] = [];
    const rows = Promise.resolve().then(() => {
      this.#joined = undefined;
      return this.#reading((db) => rowsOf(db, keys));
    });
    return { keys, rows };
  }

  /** The bytes under a key. */
  readBytes(key: string): Promise<Uint8Array | undefined> {
    return this.#reading((db) => db.get(key, { keyEncoding, valueEncoding: "view" }));
  }

  /** Keys and texts, in order. */
  scan(span: RawKeyRange): Promise<[string, string][]> {
    return this.#reading((db) => db.iterator({ ...texts, ...span }).all());
  }

  /** What follows `prefix` in the keys that begin with it, in order and part by part: no iterator is left open. */
  async *listNames(prefix: string, after: string): AsyncGenerator<string> {
    let part: string[];
    let gte = prefix + (after === "" ? "" : `${after}\x00`);
    do {
      part = await this.#reading((db) => db.keys({ keyEncoding, gte, lt: `${prefix}\xff`, limit: 100 }).all());
      for (const key of part) {
        this.assertOpen();
        yield key.slice(prefix.length);
      }
      gte = `${part.at(-1)}\x00`;
    } while (part.length === 100);
  }

  /** Writes all or nothing, durably. One that fails leaves doubt, and the database is opened again before the next. */
  write(operations: WriteOperation[]): Promise<void> {
    return this.#writing(async (db) => {
      if (!this.#acknowledged) return db.batch(operations, { ...texts, sync: true });
      const number = this.#number + 1;
      const numbered: WriteOperation[] = [...operations, { type: "put", key: NUMBER_KEY, value: formatNumber(number) }];
      await db.batch(numbered, { ...texts, sync: true });
      this.#number = number;
      this.#acknowledged.note(number);
    });
  }

  /** Deletes a stretch, a part at a time: only for what nothing refers to. */
  clear(span: RawKeyRange): Promise<void> {
    return this.#writing((db) => db.clear({ keyEncoding, ...span }));
  }

  /** Closes when `finished` has come and the last write is through. */
  close(finished: () => Promise<void>): Promise<void> {
    this.#closing ??= Promise.resolve().then(async () => {
      await finished();
      await this.#lastWrite;
      await this.#opening?.catch(() => {});
      this.#state = "closed";
      const unused = typeof this.#location === "string" || held.has(this.#location) ? undefined : this.#location;
      const db = this.#db ?? unused;
      if (!db) return;
      await db.close().catch((cause) => {
        throw createUnavailable(`The database could not be closed: ${getRootMessage(cause)}.`, cause);
      });
      held.delete(db);
      await this.#acknowledged?.close();
    });
    return this.#closing;
  }

  async #reading<T>(read: (db: LevelDatabase) => Promise<T>): Promise<T> {
    try {
      return await read(this.#db!);
    } catch (cause) {
      if (collectErrorCodes(cause).includes("LEVEL_CORRUPTION"))
        throw new Corrupt(`LevelDB reports: ${getRootMessage(cause)}.`, { cause });
      throw (
        this.#closedUnderneath(cause) ??
        createUnavailable(`The database could not be read: ${getRootMessage(cause)}.`, cause)
      );
    }
  }

  /** One write after the other: after a failed one, LevelDB's log may be torn, and nothing must be added to it. */
  #writing(write: (db: LevelDatabase) => Promise<void>): Promise<void> {
    const writing = this.#lastWrite.then(async () => {
      await this.open();
      try {
        await write(this.#db!);
      } catch (cause) {
        const closed = this.#closedUnderneath(cause);
        if (closed) throw closed;
        this.#state = "failed";
        const message = `A write failed, and may have happened nevertheless: ${getRootMessage(cause)}.`;
        throw new Unavailable(message, { outcome: "unknown", cause });
      }
    });
    this.#lastWrite = writing.catch(() => {});
    return writing;
  }

  /** A database that refuses because it is not open has done nothing: either it is being opened again, or it is closed. */
  #closedUnderneath(cause: unknown): Closed | Unavailable | undefined {
    if (
      !collectErrorCodes(cause).includes("LEVEL_DATABASE_NOT_OPEN") &&
      !collectErrorCodes(cause).includes("LEVEL_ITERATOR_NOT_OPEN")
    )
      return;
    return this.#state === "shut" && !this.#closing
      ? createUnavailable("The database is being opened again.", cause)
      : new Closed("The database was closed.", { cause });
  }
}

/** Throws `Corrupt` when a directory can be seen to have lost acknowledged writes, before LevelDB changes anything there. */
async function checkDirectory(directory: string): Promise<void> {
  await checkFiles(directory);
  await checkLogs(directory);
}

async function rowsOf(db: LevelDatabase, keys: string[]): Promise<(string | undefined)[]> {
  if (keys.length <= MAX_KEYS_PER_READ) return db.getMany(keys, texts);
  const rows: (string | undefined)[] = [];
  for (let from = 0; from < keys.length; from += MAX_KEYS_PER_READ)
    rows.push(...(await db.getMany(keys.slice(from, from + MAX_KEYS_PER_READ), texts)));
  return rows;
}

function createUnavailable(message: string, cause?: unknown): Unavailable {
  return new Unavailable(message, { outcome: "none", cause });
}

/** The codes of an error and of what caused it. */
function collectErrorCodes(error: unknown): unknown[] {
  const found: unknown[] = [];
  for (let at = error; at instanceof Error; at = at.cause) found.push((at as { code?: unknown }).code);
  return found;
}

/** The sentence of the innermost cause: "Database failed to open" says less than what made it fail. */
function getRootMessage(error: unknown): string {
  let at = error;
  while (at instanceof Error && at.cause instanceof Error) at = at.cause;
  return at instanceof Error ? at.message : String(at);
}
