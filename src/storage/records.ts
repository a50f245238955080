// Typed sets of records with a primary key, ordered indexes, unique names and totals. Index entries and totals are written in the
// same commit as the record, so a list is always consistent with its records and a count never drifts.

import { sha256Hex } from "../utils/sha256";
import { encodeKey, type KeyPart } from "./key";
import { iterateRange } from "./ranges";
import { declareSealed, type SealedMember, type SealedText } from "./sealed-storage";
import type { Json, Key, Version } from "./storage";
import type { Reader, Transaction } from "./transaction";
import { forEachRow, type PositionedRecord } from "./transaction-budget";

export type Tuple = readonly KeyPart[];

export interface SetOptions<
  T,
  Index extends string,
  Unique extends string,
  Total extends string,
  Guard extends string = never,
> {
  /** Returns the primary key. */
  readonly key: (record: T) => Tuple;
  /**
   * Orders in which the records can be listed. The primary key is appended, so that equal values remain distinct. Records for which
   * the function returns undefined are left out.
   */
  readonly indexes?: { readonly [name in Index]: (record: T) => Tuple | undefined };
  /** Names that only one record may have. A record for which the function returns undefined has none. */
  readonly unique?: { readonly [name in Unique]: (record: T) => Tuple | undefined };
  /**
   * Groups in which records are counted; undefined is not counted. Reading a total in a transaction guards the whole group, because
   * every record that is added or removed changes the total.
   */
  readonly totals?: { readonly [name in Total]: (record: T) => Tuple | undefined };
  /** Members that are encrypted in the storage. Keys, indexes and names are not encrypted, so they must not be derived from them. */
  readonly sealed?: readonly SealedMember[];
  /** A member that the resource itself encrypts. */
  readonly sealedText?: SealedText<T>;
  /**
   * Groups on which a decision may depend as a whole: every change of a record in a group touches its guard, while a total is
   * touched only when a record is added or removed. Undefined is in no group.
   */
  readonly guards?: { readonly [name in Guard]: ((record: T) => Tuple | undefined) | PartGuard<T> };
}

/**
 * A guard of all records of a set, or of those that have a certain part. It is touched when such a record is added or removed and
 * when its part changes, but not by other changes.
 */
export interface PartGuard<T> {
  /** Returns the part of a record that is guarded; undefined if there is none. */
  readonly part: (record: T) => Tuple | undefined;
}

/** A range of an index: the tuples that start with `under`, after the position of an earlier row. */
export interface IndexSlice {
  readonly under?: Tuple;
  readonly after?: Key | undefined;
  readonly reverse?: boolean | undefined;
  readonly limit: number;
}

/** Another record has a unique name. The resource that puts the record turns this into an error for its caller. */
export class DuplicateError extends Error {
  constructor(
    readonly set: string,
    readonly unique: string,
  ) {
    super(`The unique name "${unique}" of "${set}" is taken.`);
  }
}

/** A set of records. Every method takes the transaction in which it works. */
export interface RecordSet<
  T,
  Index extends string,
  Unique extends string,
  Total extends string,
  Guard extends string = never,
> {
  get(tx: Reader, ...primary: Tuple): Promise<T | undefined>;
  /** Returns the records with primary keys, in the given order. A text stands for a key of one part, here and below. */
  getMany(tx: Reader, primaries: readonly (Tuple | string)[]): Promise<(T | undefined)[]>;
  /** Returns the record that has a unique name. */
  find(tx: Reader, name: Unique, ...value: Tuple): Promise<T | undefined>;
  /** Returns the records that have unique names, in the given order. */
  findMany(tx: Reader, name: Unique, values: readonly Tuple[]): Promise<(T | undefined)[]>;
  /** Inserts or replaces a record. Throws `DuplicateError` if another record has one of its unique names. */
  put(tx: Transaction, record: T): Promise<void>;
  /** Deletes the record with this primary key, if it exists. */
  delete(tx: Transaction, ...primary: Tuple): Promise<void>;
  /**
   * Calls `run` for the records of an index that start with `under`, for as many as fit into the transaction. Returns whether there
   * are more. The records are read unchecked; changing or deleting one checks it. If a record needs more work than fits, `run`
   * returns `true`, and the record counts as not processed. `after` is the position after which to begin.
   */
  each(
    tx: Transaction,
    name: Index,
    under: Tuple,
    run: (record: T, position: Key) => Promise<unknown>,
    after?: Key,
  ): Promise<boolean>;
  /** Deletes like `each`, and calls `run` for each record. Returns whether there are more. */
  drain(tx: Transaction, name: Index, under: Tuple, run?: (record: T) => Promise<unknown>): Promise<boolean>;
  /** Returns rows in the order of an index. */
  list(tx: Reader, name: Index, slice: IndexSlice): Promise<PositionedRecord<T>[]>;
  /** Yields all records whose primary keys start with `under`, in batches and in no particular order. */
  iterate(tx: Reader, ...under: Tuple): AsyncGenerator<T>;
  total(tx: Reader, name: Total, ...group: Tuple): Promise<number>;
  /**
   * Returns the prefixes of all entries of the records whose primary keys start with `under`: of the records, their indexes, names
   * and totals. Only for sets in which all of these start with the same tuple.
   */
  ranges(...under: Tuple): Key[];
  /** Returns the totals of several groups, in the given order. */
  totals(tx: Reader, name: Total, groups: readonly (Tuple | string)[]): Promise<number[]>;
  /**
   * Returns a reader of groups that needs one check per group, however many records it contains: that of the guard, or of the total
   * if only the membership in the group matters. Reads outside of the groups are not checked.
   */
  readGuarded(tx: Reader, name: Guard | Total, groups: readonly (Tuple | string)[]): Promise<Reader>;
  /**
   * Returns the version at which a guard was last touched; undefined if it never was. While it is the same, so is everything that
   * it guards. Writes of the same transaction do not count.
   */
  getGuardVersion(tx: Reader, name: Guard, ...group: Tuple): Promise<Version | undefined>;
  /** Returns the position of a record in the order of an index; undefined if the index does not contain it. */
  getPosition(name: Index, record: T): Key | undefined;
}

/** The maximum number of bytes that one text takes in a key, and the number of characters that are kept of a longer one. */
const MAX_TEXT_BYTES = 600;
const LONG_TEXT_PREFIX = 100;

/** The number of records that `iterate` reads at once. */
const ITERATED_ROWS = 500;

/**
 * Encodes a tuple as a key. A text that is too long is replaced with its beginning and a digest, so it remains unique and is
 * sorted by its beginning.
 */
function encodeBoundedKey(tuple: Tuple | string): Key {
  const parts = (typeof tuple === "string" ? [tuple] : tuple).map((part) => {
    // A character takes at most three bytes, so most texts are known to fit without encoding them.
    if (typeof part !== "string" || part.length * 3 <= MAX_TEXT_BYTES) return part;
    if (encodeKey(part).length <= MAX_TEXT_BYTES) return part;
    return part.slice(0, LONG_TEXT_PREFIX) + sha256Hex(new TextEncoder().encode(part));
  });
  return encodeKey(...parts);
}

/** Returns functions that encode the keys of a set's entries. */
export function createSetKeys(set: string) {
  // The key of a tuple starts with the key of its first parts, so the constant parts are encoded only once.
  const prefixes = {
    record: encodeKey("r", set),
    index: encodeKey("i", set),
    unique: encodeKey("u", set),
    total: encodeKey("n", set),
    guard: encodeKey("g", set),
  };
  return {
    prefixes,
    recordKey: (primary: Tuple | string): Key => prefixes.record + encodeBoundedKey(primary),
    indexKey: (name: string, value: Tuple): Key => prefixes.index + encodeKey(name) + encodeBoundedKey(value),
    uniqueKey: (name: string, value: Tuple): Key => prefixes.unique + encodeKey(name) + encodeBoundedKey(value),
    totalKey: (name: string, group: Tuple | string): Key => prefixes.total + encodeKey(name) + encodeBoundedKey(group),
    guardKey: (name: string, group: Tuple | string): Key => prefixes.guard + encodeKey(name) + encodeBoundedKey(group),
  };
}

/** The options of all declared sets by name, for tools that verify a storage. */
export const declaredSets = new Map<string, SetOptions<never, string, string, string, string>>();

/** Declares a set of records. The name must be unique among all sets. */
export function defineRecordSet<
  T extends object,
  Index extends string = never,
  Unique extends string = never,
  Total extends string = never,
  Guard extends string = never,
>(set: string, options: SetOptions<T, Index, Unique, Total, Guard>): RecordSet<T, Index, Unique, Total, Guard> {
  const indexes = Object.entries(options.indexes ?? {}) as [Index, (record: T) => Tuple | undefined][];
  const uniques = Object.entries(options.unique ?? {}) as [Unique, (record: T) => Tuple | undefined][];
  const totals = Object.entries(options.totals ?? {}) as [Total, (record: T) => Tuple | undefined][];
  const declared = Object.entries(options.guards ?? {}) as [Guard, ((record: T) => Tuple | undefined) | PartGuard<T>][];
  const guards = declared.flatMap(([name, guard]) => (typeof guard === "function" ? [[name, guard] as const] : []));
  const partGuards = declared.flatMap(([name, guard]) =>
    typeof guard === "function" ? [] : [[name, guard.part] as const],
  );

  const { prefixes, recordKey, indexKey, uniqueKey, totalKey, guardKey } = createSetKeys(set);
  if (declaredSets.has(set)) throw new Error(`Two sets of records are named "${set}".`);
  declaredSets.set(set, options);
  declareSealed(prefixes.record, options);

  function getIndexEntries(record: T): Map<Key, Tuple> {
    const primary = options.key(record);
    const entries = new Map<Key, Tuple>();
    for (const [name, value] of indexes) {
      const tuple = value(record);
      if (tuple) entries.set(indexKey(name, [...tuple, ...primary]), primary);
    }
    return entries;
  }

  /** Replaces the record with a primary key by `next`, or deletes it, together with all of its other entries. */
  async function replaceRecord(tx: Transaction, primary: Tuple, next: T | undefined): Promise<void> {
    const key = recordKey(primary);
    const nextNames = new Map<Unique, Key>();
    for (const [name, getName] of uniques) {
      const tuple = next && getName(next);
      if (tuple) nextNames.set(name, uniqueKey(name, tuple));
    }
    // The record and its names are read in one request.
    const [previous, ...holders] = (await tx.getMany([key, ...nextNames.values()])) as [T | undefined, ...unknown[]];
    const taken = new Set([...nextNames.values()].filter((_, i) => holders[i] !== undefined));
    const before = previous ? getIndexEntries(previous) : new Map<Key, Tuple>();
    const after = next ? getIndexEntries(next) : new Map<Key, Tuple>();

    for (const [name, getName] of uniques) {
      const previousName = previous && getName(previous);
      const from = previousName && uniqueKey(name, previousName);
      const to = nextNames.get(name);
      if (from === to) continue;
      if (to) {
        if (taken.has(to)) throw new DuplicateError(set, name);
        tx.put(to, primary);
      }
      if (from) tx.delete(from);
    }
    for (const entry of before.keys()) if (!after.has(entry)) tx.delete(entry);
    for (const [entry, target] of after) if (!before.has(entry)) tx.put(entry, target);
    for (const [name, getGroup] of totals) {
      const from = previous && getGroup(previous);
      const to = next && getGroup(next);
      if (from) tx.add(totalKey(name, from), -1);
      if (to) tx.add(totalKey(name, to), 1);
    }
    for (const [name, getGroup] of guards)
      for (const record of [previous, next]) {
        const group = record && getGroup(record);
        if (group) tx.add(guardKey(name, group), 1);
      }
    for (const [name, getPart] of partGuards) {
      const [from, to] = [previous, next].map((record) => record && getPart(record));
      if (JSON.stringify(from) !== JSON.stringify(to)) tx.add(guardKey(name, []), 1);
    }
    if (next) tx.put(key, next as unknown as Json);
    else if (previous) tx.delete(key);
  }

  return {
    get: (tx, ...primary) => tx.get(recordKey(primary)) as Promise<T | undefined>,
    getMany: (tx, primaries) => tx.getMany(primaries.map(recordKey)) as Promise<(T | undefined)[]>,
    async find(tx, name, ...value) {
      const primary = (await tx.get(uniqueKey(name, value))) as Tuple | undefined;
      return primary && this.get(tx, ...primary);
    },
    async findMany(tx, name, values) {
      const primaries = (await tx.getMany(values.map((value) => uniqueKey(name, value)))) as (Tuple | undefined)[];
      const existing = primaries.filter((primary) => primary !== undefined);
      const found = new Map((await this.getMany(tx, existing)).map((record, i) => [existing[i]!, record]));
      return primaries.map((primary) => primary && found.get(primary));
    },
    put: (tx, record) => replaceRecord(tx, options.key(record), record),
    delete: (tx, ...primary) => replaceRecord(tx, primary, undefined),
    each(tx, name, under, run, after) {
      return forEachRow(tx, (reader, window) => this.list(reader, name, { under, ...window }), run, after);
    },
    drain(tx, name, under, run) {
      return this.each(tx, name, under, async (record) => {
        await this.delete(tx, ...options.key(record));
        await run?.(record);
      });
    },
    async list(tx, name, { under = [], after, reverse, limit }) {
      const range = reverse ? { before: after } : { after };
      const entries = await tx.list({ under: indexKey(name, under), ...range, reverse, limit });
      const keys = entries.map((entry) => entry.value as Tuple);
      const found = await this.getMany(tx, keys);
      return entries.flatMap((entry, i) => (found[i] ? [{ record: found[i], position: entry.key }] : []));
    },
    async *iterate(tx, ...under) {
      for await (const { value } of iterateRange(async () => tx, recordKey(under), ITERATED_ROWS)) yield value as T;
    },
    async total(tx, name, ...group) {
      return ((await tx.get(totalKey(name, group))) as number | undefined) ?? 0;
    },
    ranges: (...under) => [
      recordKey(under),
      ...indexes.map(([name]) => indexKey(name, under)),
      ...uniques.map(([name]) => uniqueKey(name, under)),
      ...totals.map(([name]) => totalKey(name, under)),
    ],
    async totals(tx, name, groups) {
      const found = await tx.getMany(groups.map((group) => totalKey(name, group)));
      return found.map((total) => (total as number | undefined) ?? 0);
    },
    readGuarded(tx, name, groups) {
      const encodeGroupKey = declared.some(([guard]) => guard === name) ? guardKey : totalKey;
      return tx.withGuards(groups.map((group) => encodeGroupKey(name, group)));
    },
    getGuardVersion: (tx, name, ...group) => tx.getVersion(guardKey(name, group)),
    getPosition(name, record) {
      const tuple = options.indexes?.[name](record);
      return tuple && indexKey(name, [...tuple, ...options.key(record)]);
    },
  };
}
