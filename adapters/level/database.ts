// The database of the storage. It is opened on first use and reopened after a failed write, and every failure is converted to an error
// of the contract. While a full or read-only disk prevents it from being reopened, it can still be read.

import { Closed, Corrupt, Unavailable } from "../adapter";
import { AcknowledgedFile, formatNumber, parseNumber } from "./acknowledged";
import { assertDiskSpace } from "./disk-space";
import { FORMAT, FORMAT_KEY, NUMBER_KEY, PREVIOUS_FORMAT } from "./layout";
import { checkLogs } from "./log";
import { checkFiles } from "./manifest";

/** The part of an abstract-level database that is used here, so that any of them can be passed. */
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

/** A range of keys, from `gte` up to but not including `lt`. */
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

/** The size of the buffer in which keys are encoded. A buffer for each key costs twice as much, because LevelDB moves it out of the heap. */
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

/** The maximum number of keys per call. While LevelDB copies the keys and creates the results, no other code can run. */
const MAX_KEYS_PER_READ = 500;

/** Keys that are read together, with the resulting rows. */
interface JoinedRead {
  readonly keys: string[];
  readonly rows: Promise<(string | undefined)[]>;
}

/** The time after a failed check for disk space during which it is not repeated, in milliseconds. */
const SPACE_CHECK_PAUSE_MS = 1000;

/** The databases that are in use. A storage assumes that it is the only writer. */
const databasesInUse = new WeakSet<LevelDatabase>();

export class Database {
  readonly #location: string | LevelDatabase;
  #db: LevelDatabase | undefined;
  #opening: Promise<void> | undefined;
  /** "failed": the database is open, and a write has failed. "shut": it is about to be reopened. */
  #state: "unopened" | "open" | "failed" | "shut" | "closed" = "unopened";
  #spaceError: { readonly until: number; readonly error: Unavailable } | undefined;
  #closing: Promise<void> | undefined;
  #lastWrite: Promise<void> = Promise.resolve();
  #joined: JoinedRead | undefined;
  /** The file with the number of the last acknowledged write, if the database is a directory. */
  readonly #acknowledged: AcknowledgedFile | undefined;
  /** The number of the last acknowledged write. */
  #number = 0;

  constructor(location: string | LevelDatabase) {
    this.#location = location;
    this.#acknowledged = typeof location === "string" ? new AcknowledgedFile(location) : undefined;
  }

  /** True if the database is open and no write has failed since. */
  get isSound(): boolean {
    return this.#state === "open";
  }

  /** True if the database can be read, either in its current state or in that before a failed write. */
  get isReadable(): boolean {
    return this.#state === "open" || this.#state === "failed";
  }

  /** Throws if `close` has been called. */
  assertOpen(): void {
    if (this.#closing !== undefined) throw new Closed("The storage was closed.");
  }

  /** Opens or reopens the database if necessary. After a failure the next call tries again. */
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
      // The effect of a failed write on LevelDB's log is not known until the log is read again.
      if (this.#state === "failed") {
        await this.#assertSpace();
        this.#state = "shut";
      }
      if (this.#state === "shut") {
        await db.close();
        if (typeof this.#location === "string") await checkDirectory(this.#location);
      }
      await db.open();
    } catch (cause) {
      throw cause instanceof Unavailable || cause instanceof Corrupt ? cause : this.#createOpenError(cause);
    }
    try {
      await this.#checkFormat(db);
      await this.#checkNumber(db);
    } catch (cause) {
      // Releases the lock, because another program may be waiting for it.
      await db.close().catch(() => {});
      throw cause instanceof Corrupt ? cause : this.#createOpenError(cause);
    }
    this.#state = "open";
  }

  /** Throws if there is not enough disk space to reopen a directory, because once it is closed it can no longer be read. */
  async #assertSpace(): Promise<void> {
    if (typeof this.#location !== "string") return;
    if (this.#spaceError && performance.now() < this.#spaceError.until) throw this.#spaceError.error;
    try {
      await assertDiskSpace(this.#location);
    } catch (cause) {
      const message = `The LevelDB directory ${this.#location} can be read but not written to: ${getRootMessage(cause)}.`;
      const error = createUnavailable(message, cause);
      this.#spaceError = { until: performance.now() + SPACE_CHECK_PAUSE_MS, error };
      throw error;
    }
    this.#spaceError = undefined;
  }

  async #locate(): Promise<LevelDatabase> {
    if (typeof this.#location !== "string") {
      if (databasesInUse.has(this.#location)) throw createUnavailable("Another storage holds this database.");
      databasesInUse.add(this.#location);
      return this.#location;
    }
    const { Level } = await import("level").catch((cause) => {
      throw createUnavailable("The package `level` could not be loaded; install it beside octavo.", cause);
    });
    try {
      const { chmod, mkdir, stat } = await import("node:fs/promises");
      await mkdir(this.#location, { recursive: true, mode: 0o700 });
      // Only the owner may read the directory. Setting the permissions of an existing one fails if another user owns it or if the
      // disk has none. Then they are left as they are.
      if (((await stat(this.#location)).mode & 0o077) !== 0) await chmod(this.#location, 0o700).catch(() => {});
    } catch (cause) {
      throw this.#createOpenError(cause);
    }
    // Before it is created, because it opens itself.
    await checkDirectory(this.#location);
    return new Level(this.#location);
  }

  #createOpenError(cause: unknown): Unavailable {
    const place = typeof this.#location === "string" ? `The LevelDB directory ${this.#location}` : "The database";
    return collectErrorCodes(cause).includes("LEVEL_LOCKED")
      ? createUnavailable(`${place} is in use by another process, or by another storage of this one.`, cause)
      : createUnavailable(`${place} could not be opened: ${getRootMessage(cause)}.`, cause);
  }

  /** Marks an empty database as Octavo's, and throws `Corrupt` for one that another program has written. */
  async #checkFormat(db: LevelDatabase): Promise<void> {
    const [format] = await db.getMany([FORMAT_KEY], texts);
    if (format === FORMAT) return;
    const place = typeof this.#location === "string" ? this.#location : "The database";
    if (format !== undefined && format !== PREVIOUS_FORMAT)
      throw new Corrupt(`${place} is of the format ${JSON.stringify(format)}; this version reads "${FORMAT}".`);
    const [first] = format === PREVIOUS_FORMAT ? [] : await db.keys({ keyEncoding, limit: 1 }).all();
    if (first !== undefined) throw new Corrupt(`${place} holds something else than an Octavo storage.`);
    await db.batch([{ type: "put", key: FORMAT_KEY, value: FORMAT }], { ...texts, sync: true });
  }

  /** Throws `Corrupt` if a directory has lost acknowledged writes. */
  async #checkNumber(db: LevelDatabase): Promise<void> {
    if (!this.#acknowledged) return;
    const [row] = await db.getMany([NUMBER_KEY], texts);
    const number = row === undefined ? 0 : parseNumber(row);
    if (number === undefined) throw new Corrupt(`The number of the last write in ${this.#location} is damaged.`);
    const acknowledged = Math.max(this.#number, (await this.#acknowledged.read()) ?? 0);
    if (number < acknowledged)
      throw new Corrupt(
        `The LevelDB directory ${this.#location} has lost acknowledged writes: ${acknowledged} were made, and ${number} are there. ` +
          `Restore a backup; or delete ${this.#acknowledged.path} to go on without them.`,
      );
    this.#number = number;
    if (number > 0) this.#acknowledged.note(number);
  }

  /** Reads the texts of keys. Reads that are requested in the same turn are joined, because each call has a fixed cost. */
  async read(keys: string[]): Promise<(string | undefined)[]> {
    this.#joined ??= this.#startJoinedRead();
    const { keys: all, rows } = this.#joined;
    const from = all.length;
    for (const key of keys) all.push(key);
    return (await rows).slice(from, from + keys.length);
  }

  #startJoinedRead(): JoinedRead {
    const keys: string[] = [];
    const rows = Promise.resolve().then(() => {
      this.#joined = undefined;
      return this.#read(async (db) => {
        if (keys.length <= MAX_KEYS_PER_READ) return db.getMany(keys, texts);
        const all: (string | undefined)[] = [];
        for (let from = 0; from < keys.length; from += MAX_KEYS_PER_READ)
          all.push(...(await db.getMany(keys.slice(from, from + MAX_KEYS_PER_READ), texts)));
        return all;
      });
    });
    return { keys, rows };
  }

  /** Reads the bytes under a key. */
  readBytes(key: string): Promise<Uint8Array | undefined> {
    return this.#read((db) => db.get(key, { keyEncoding, valueEncoding: "view" }));
  }

  /** Reads the keys and texts of a range, in order. */
  scan(span: RawKeyRange): Promise<[string, string][]> {
    return this.#read((db) => db.iterator({ ...texts, ...span }).all());
  }

  /** Lists the rest of each key that starts with `prefix`, in order. It reads page by page, so that no iterator stays open. */
  async *listNames(prefix: string, after: string): AsyncGenerator<string> {
    let page: string[];
    let gte = prefix + (after === "" ? "" : `${after}\x00`);
    do {
      page = await this.#read((db) => db.keys({ keyEncoding, gte, lt: `${prefix}\xff`, limit: 100 }).all());
      for (const key of page) {
        this.assertOpen();
        yield key.slice(prefix.length);
      }
      gte = `${page.at(-1)}\x00`;
    } while (page.length === 100);
  }

  /** Writes all operations or none, durably. The outcome of a failed write is unknown, and the database is reopened before the next one. */
  write(operations: WriteOperation[]): Promise<void> {
    return this.#enqueueWrite(async (db) => {
      if (!this.#acknowledged) return db.batch(operations, { ...texts, sync: true });
      const number = this.#number + 1;
      const numbered: WriteOperation[] = [...operations, { type: "put", key: NUMBER_KEY, value: formatNumber(number) }];
      await db.batch(numbered, { ...texts, sync: true });
      this.#number = number;
      this.#acknowledged.note(number);
    });
  }

  /** Deletes a range, but not atomically: only for keys to which nothing refers. */
  clear(span: RawKeyRange): Promise<void> {
    return this.#enqueueWrite((db) => db.clear({ keyEncoding, ...span }));
  }

  /** Closes the database after `finished` has resolved and the last write has ended. */
  close(finished: () => Promise<void>): Promise<void> {
    this.#closing ??= Promise.resolve().then(async () => {
      await finished();
      await this.#lastWrite;
      await this.#opening?.catch(() => {});
      this.#state = "closed";
      const unused =
        typeof this.#location === "string" || databasesInUse.has(this.#location) ? undefined : this.#location;
      const db = this.#db ?? unused;
      if (!db) return;
      await db.close().catch((cause) => {
        throw createUnavailable(`The database could not be closed: ${getRootMessage(cause)}.`, cause);
      });
      databasesInUse.delete(db);
      await this.#acknowledged?.close();
    });
    return this.#closing;
  }

  async #read<T>(read: (db: LevelDatabase) => Promise<T>): Promise<T> {
    try {
      return await read(this.#db!);
    } catch (cause) {
      if (collectErrorCodes(cause).includes("LEVEL_CORRUPTION"))
        throw new Corrupt(`LevelDB reports: ${getRootMessage(cause)}.`, { cause });
      throw (
        this.#createNotOpenError(cause) ??
        createUnavailable(`The database could not be read: ${getRootMessage(cause)}.`, cause)
      );
    }
  }

  /** Runs one write after the other. After a failed one, LevelDB's log may be torn, and nothing must be appended to it. */
  #enqueueWrite(write: (db: LevelDatabase) => Promise<void>): Promise<void> {
    const writing = this.#lastWrite.then(async () => {
      await this.open();
      try {
        await write(this.#db!);
      } catch (cause) {
        const closed = this.#createNotOpenError(cause);
        if (closed) throw closed;
        this.#state = "failed";
        const message = `A write failed, and may have happened nevertheless: ${getRootMessage(cause)}.`;
        throw new Unavailable(message, { outcome: "unknown", cause });
      }
    });
    this.#lastWrite = writing.catch(() => {});
    return writing;
  }

  /**
   * Returns the error for a call that failed because the database is not open; undefined for other failures. Such a call has had no
   * effect: the database is either being reopened or closed.
   */
  #createNotOpenError(cause: unknown): Closed | Unavailable | undefined {
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

/** Throws `Corrupt` if a directory has visibly lost acknowledged writes. Called before LevelDB changes anything there. */
async function checkDirectory(directory: string): Promise<void> {
  await checkFiles(directory);
  await checkLogs(directory);
}

function createUnavailable(message: string, cause?: unknown): Unavailable {
  return new Unavailable(message, { outcome: "none", cause });
}

function collectErrorCodes(error: unknown): unknown[] {
  const found: unknown[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) found.push((cause as { code?: unknown }).code);
  return found;
}

/** Returns the message of the innermost cause, which is more specific than messages such as "Database failed to open". */
function getRootMessage(error: unknown): string {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  return cause instanceof Error ? cause.message : String(cause);
}
