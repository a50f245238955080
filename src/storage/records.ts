// Typed sets of records with a primary key, ordered indexes, unique names and totals. Index entries and totals ride in
// the same commit as the record, so a list never disagrees with what it lists and a count never drifts.

import { sha256Hex } from "../utils/sha256";
import { encodeKey, type KeyPart } from "./key";
import { declareSealedMembers, declareSealedText, type SealedMember, type SealedText } from "./sealed-storage";
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
  /** The primary key. */
  readonly key: (record: T) => Tuple;
  /** Orders to list by. The primary key is appended, so equal values keep apart; undefined leaves the record out. */
  readonly indexes?: { readonly [name in Index]: (record: T) => Tuple | undefined };
  /** Names that only one record may hold; undefined holds none. */
  readonly unique?: { readonly [name in Unique]: (record: T) => Tuple | undefined };
  /** Groups to count by; undefined is not counted. Reading a total in a transaction guards the whole group: every change of it touches the total. */
  readonly totals?: { readonly [name in Total]: (record: T) => Tuple | undefined };
  /** Members that are encrypted in the storage. Keys, indexes and names are not: none may be made from them. */
  readonly sealed?: readonly SealedMember[];
  /** A member that the resource encrypts itself. */
  readonly sealedText?: SealedText<T>;
  /** Groups that a decision may rest on as a whole: every change of a record in one touches its guard. A total is touched
   * only when a record comes or goes. Undefined is in none. */
  readonly guards?: { readonly [name in Guard]: ((record: T) => Tuple | undefined) | PartGuard<T> };
}

/** A guard of all records of a set, or of those with a part: it is touched when a record comes or goes, and when its part
 * changes, but not by other changes. */
export interface PartGuard<T> {
  /** What counts of a record; undefined: nothing. */
  readonly part: (record: T) => Tuple | undefined;
}

/** A range of an index: the tuples that begin with `under`, after the position of an earlier row. */
export interface IndexSlice {
  readonly under?: Tuple;
  readonly after?: Key | undefined;
  readonly reverse?: boolean | undefined;
  readonly limit: number;
}

/** A unique name is held by another record. The resource that put the record says what that means to the caller. */
export class DuplicateError extends Error {
  constructor(
    readonly set: string,
    readonly unique: string,
  ) {
    super(`The unique name "${unique}" of "${set}" is taken.`);
  }
}

/** A set of records; every method takes the transaction that it works in. */
export interface RecordSet<
  T,
  Index extends string,
  Unique extends string,
  Total extends string,
  Guard extends string = never,
> {
  get(tx: Reader, ...primary: Tuple): Promise<T | undefined>;
  getMany(tx: Reader, primaries: readonly Tuple[]): Promise<(T | undefined)[]>;
  /** The record that holds a unique name. */
  find(tx: Reader, name: Unique, ...value: Tuple): Promise<T | undefined>;
  /** The records that hold unique names, in the order asked. */
  findMany(tx: Reader, name: Unique, values: readonly Tuple[]): Promise<(T | undefined)[]>;
  /** Inserts or replaces; throws `DuplicateError` when another record holds one of its unique names. */
  put(tx: Transaction, record: T): Promise<void>;
  /** Deletes the record with this primary key; nothing happens when there is none. */
  delete(tx: Transaction, ...primary: Tuple): Promise<void>;
  /** Does something with the records of an index that begin with `under`, with as many as the transaction has room for; true
   * when there are more. They are read unchecked: changing or deleting one checks it. A record that has more to it than
   * there is room for is not done: `run` says so with `true`. `after` is the position to begin behind. */
  each(
    tx: Transaction,
    name: Index,
    under: Tuple,
    run: (record: T, position: Key) => Promise<unknown>,
    after?: Key,
  ): Promise<boolean>;
  /** Deletes the records of an index that begin with `under`, as many as the transaction has room for, and does with each
   * what follows from that; true when there are more. */
  drain(tx: Transaction, name: Index, under: Tuple, run?: (record: T) => Promise<unknown>): Promise<boolean>;
  /** Rows in the order of an index. */
  list(tx: Reader, name: Index, slice: IndexSlice): Promise<PositionedRecord<T>[]>;
  total(tx: Reader, name: Total, ...group: Tuple): Promise<number>;
  /** What the keys of records begin with whose own keys begin with `under`: of themselves, their indexes, names and totals.
   * Only for sets in which all of these begin alike. */
  ranges(...under: Tuple): Key[];
  /** The totals of several groups, in the order asked. */
  totals(tx: Reader, name: Total, groups: readonly Tuple[]): Promise<number[]>;
  /** Reads of groups with one check for each, however many records they have: that of the guard, or of the total where it
   * only matters who is in the group. What is read beside the groups is not checked. */
  readGuarded(tx: Reader, name: Guard | Total, groups: readonly Tuple[]): Promise<Reader>;
  /** When a guard was last touched: while this is the same, so is what it guards. Undefined: never. Writes of the same
   * transaction do not count. */
  getGuardVersion(tx: Reader, name: Guard, ...group: Tuple): Promise<Version | undefined>;
  /** The position of a record in the order of an index; undefined when it is not in it. */
  getPosition(name: Index, record: T): Key | undefined;
}

/** The most bytes of a key that one text takes, and the characters that are left of a longer one. */
const MAX_TEXT_BYTES = 600;
const LEFT = 100;

/** The key of a tuple, whatever its texts: a long one is its beginning and a digest, so it is told from every other, and
 * stands where its beginning does. */
function encodeBoundedKey(tuple: Tuple): Key {
  return encodeKey(
    ...tuple.map((part) => (typeof part === "string" && part.length * 3 > MAX_TEXT_BYTES ? cut(part) : part)),
  );
}

function cut(text: string): string {
  if (encodeKey(text).length <= MAX_TEXT_BYTES) return text;
  return text.slice(0, LEFT) + sha256Hex(new TextEncoder().encode(text));
}

/** Where the entries of a set lie. */
export function createSetKeys(set: string) {
  // The key of a tuple begins with the key of its beginning, so what never changes is encoded once.
  const prefixes = {
    record: encodeKey("r", set),
    index: encodeKey("i", set),
    unique: encodeKey("u", set),
    total: encodeKey("n", set),
    guard: encodeKey("g", set),
  };
  return {
    prefixes,
    recordKey: (primary: Tuple): Key => prefixes.record + encodeBoundedKey(primary),
    indexKey: (name: string, value: Tuple): Key => prefixes.index + encodeKey(name) + encodeBoundedKey(value),
    uniqueKey: (name: string, value: Tuple): Key => prefixes.unique + encodeKey(name) + encodeBoundedKey(value),
    totalKey: (name: string, group: Tuple): Key => prefixes.total + encodeKey(name) + encodeBoundedKey(group),
    guardKey: (name: string, group: Tuple): Key => prefixes.guard + encodeKey(name) + encodeBoundedKey(group),
  };
}

/** What was declared, by the names of the sets: whoever checks a storage knows every set by it. */
export const declaredSets = new Map<string, SetOptions<never, string, string, string, string>>();

/** Declares a set of records under a name that no other set of the same partition has. */
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
  const guards = declared.flatMap(([name, it]) => (typeof it === "function" ? [[name, it] as const] : []));
  const partGuards = declared.flatMap(([name, it]) => (typeof it === "function" ? [] : [[name, it.part] as const]));

  const { prefixes, recordKey, indexKey, uniqueKey, totalKey, guardKey } = createSetKeys(set);
  if (declaredSets.has(set)) throw new Error(`Two sets of records are named "${set}".`);
  declaredSets.set(set, options);
  if (options.sealed) declareSealedMembers(prefixes.record, options.sealed);
  if (options.sealedText) declareSealedText(prefixes.record, options.sealedText);

  /** Every entry that a record has beside itself: index keys point to the primary key, unique keys do so too. */
  function getIndexEntries(record: T): Map<Key, Tuple> {
    const primary = options.key(record);
    const entries = new Map<Key, Tuple>();
    for (const [name, value] of indexes) {
      const tuple = value(record);
      if (tuple) entries.set(indexKey(name, [...tuple, ...primary]), primary);
    }
    return entries;
  }

  async function replaceRecord(tx: Transaction, primary: Tuple, next: T | undefined): Promise<void> {
    const at = recordKey(primary);
    const wanted = new Map<Unique, Key>();
    for (const [name, value] of uniques) {
      const tuple = next && value(next);
      if (tuple) wanted.set(name, uniqueKey(name, tuple));
    }
    // The record and its names are read together: one way to the storage.
    const [previous, ...holders] = (await tx.getMany([at, ...wanted.values()])) as [T | undefined, ...unknown[]];
    const taken = new Set([...wanted.values()].filter((_, i) => holders[i] !== undefined));
    const before = previous ? getIndexEntries(previous) : new Map<Key, Tuple>();
    const after = next ? getIndexEntries(next) : new Map<Key, Tuple>();

    for (const [name, value] of uniques) {
      const held = previous && value(previous);
      const from = held && uniqueKey(name, held);
      const to = wanted.get(name);
      if (from === to) continue;
      if (to) {
        if (taken.has(to)) throw new DuplicateError(set, name);
        tx.put(to, primary);
      }
      if (from) tx.delete(from);
    }
    for (const entry of before.keys()) if (!after.has(entry)) tx.delete(entry);
    for (const [entry, target] of after) if (!before.has(entry)) tx.put(entry, target);
    for (const [name, group] of totals) {
      const from = previous && group(previous);
      const to = next && group(next);
      if (from) tx.add(totalKey(name, from), -1);
      if (to) tx.add(totalKey(name, to), 1);
    }
    for (const [name, group] of guards)
      for (const record of [previous, next]) {
        const at = record && group(record);
        if (at) tx.add(guardKey(name, at), 1);
      }
    for (const [name, part] of partGuards) {
      const [from, to] = [previous, next].map((record) => record && part(record));
      if (JSON.stringify(from) !== JSON.stringify(to)) tx.add(guardKey(name, []), 1);
    }
    if (next) tx.put(at, next as unknown as Json);
    else if (previous) tx.delete(at);
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
      const held = primaries.filter((primary) => primary !== undefined);
      const found = new Map((await this.getMany(tx, held)).map((record, i) => [held[i]!, record]));
      return primaries.map((primary) => primary && found.get(primary));
    },
    put: (tx, record) => replaceRecord(tx, options.key(record), record),
    delete: (tx, ...primary) => replaceRecord(tx, primary, undefined),
    each(tx, name, under, run, after) {
      return forEachRow(tx, (reader, stretch) => this.list(reader, name, { under, ...stretch }), run, after);
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
      const found = await this.getMany(
        tx,
        entries.map((entry) => entry.value as Tuple),
      );
      return entries.flatMap((entry, i) => (found[i] ? [{ record: found[i], position: entry.key }] : []));
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
      const keyOf = declared.some(([guard]) => guard === name) ? guardKey : totalKey;
      return tx.withGuards(groups.map((group) => keyOf(name, group)));
    },
    getGuardVersion: (tx, name, ...group) => tx.getVersion(guardKey(name, group)),
    getPosition(name, record) {
      const tuple = options.indexes?.[name](record);
      return tuple && indexKey(name, [...tuple, ...options.key(record)]);
    },
  };
}
