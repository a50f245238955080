// Checks records against everything that is derived from them: indexes, unique names and totals. A set's declaration says what it
// derives, so a new set needs nothing here.

import { decodeKey } from "../../storage/key";
import { createSetKeys, declaredSets, type SetOptions, type Tuple } from "../../storage/records";
import { Corrupt, type Entry, type Json, type Key } from "../../storage/storage";
import type { Transaction } from "../../storage/transaction";
import { yieldToEventLoop } from "../../utils/concurrency/event-loop";
import type { DamagedSnapshot } from "./damaged-snapshot";
import { formatKey, type ReportFinding } from "./finding";

const RECORD_PREFIX = "\x03r\0";
const INDEX_PREFIX = "\x03i\0";
const UNIQUE_PREFIX = "\x03u\0";
const TOTAL_PREFIX = "\x03n\0";
const GUARD_PREFIX = "\x03g\0";

/** The prefixes of the keys of records, and of everything that is derived from them. */
export const recordPrefixes: readonly Key[] = [RECORD_PREFIX, INDEX_PREFIX, UNIQUE_PREFIX, TOTAL_PREFIX, GUARD_PREFIX];

/** The entries that are looked up together. */
const BATCH_ENTRIES = 100;

/** Checks the records of a partition, and calls `onRecord` with each of them. Returns their number. */
export async function checkRecords(
  snapshot: DamagedSnapshot,
  report: ReportFinding,
  onRecord: (entry: Entry) => Promise<void>,
): Promise<number> {
  const totals = new Map<Key, number>();
  let count = 0;
  for await (const entries of groupIntoBatches(snapshot.entries(RECORD_PREFIX))) {
    count += entries.length;
    await checkRecordBatch(snapshot, entries, totals, report);
    for (const entry of entries) await onRecord(entry);
    await yieldToEventLoop();
  }

  for (const prefix of [INDEX_PREFIX, UNIQUE_PREFIX])
    for await (const entries of groupIntoBatches(snapshot.entries(prefix))) {
      await checkIndexBatch(snapshot, entries, report);
      await yieldToEventLoop();
    }

  // Totals that are left after this do not exist in the storage.
  for await (const { key, value, version } of snapshot.entries(TOTAL_PREFIX)) {
    const total = totals.get(key) ?? 0;
    totals.delete(key);
    if (!isDeclared(key)) await report("unknown", `No set declares the total ${formatKey(key)}.`);
    else if (value !== total)
      await report("total", `The total ${formatKey(key)} says ${JSON.stringify(value)}; there are ${total}.`, (tx) =>
        repairTotal(tx, key, version, total),
      );
  }
  for (const [key, total] of totals)
    await report("total", `The total ${formatKey(key)} is not there; there are ${total}.`, (tx) =>
      repairTotal(tx, key, undefined, total),
    );

  for await (const { key, value } of snapshot.entries(GUARD_PREFIX)) {
    if (!isDeclared(key)) await report("unknown", `No set declares the guard ${formatKey(key)}.`);
    else if (typeof value !== "number") await report("unreadable", `The guard ${formatKey(key)} is no number.`);
  }
  return count;
}

async function* groupIntoBatches(entries: AsyncIterable<Entry>): AsyncGenerator<readonly Entry[], void> {
  let batch: Entry[] = [];
  for await (const entry of entries) {
    if (batch.push(entry) < BATCH_ENTRIES) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Checks that records are readable, and that their index entries exist. Adds them to the totals. */
async function checkRecordBatch(
  snapshot: DamagedSnapshot,
  entries: readonly Entry[],
  totals: Map<Key, number>,
  report: ReportFinding,
): Promise<void> {
  const expected: { readonly key: Key; readonly primaryKey: Tuple; readonly recordKey: Key }[] = [];
  for (const { key: recordKey, value } of entries) {
    const set = findSet(recordKey);
    const derived = tryDerive(set, value);
    if (!set) await report("unknown", `No set declares the record ${formatKey(recordKey)}.`);
    else if (!derived) await report("unreadable", `The record ${formatKey(recordKey)} has not the form of its set.`);
    else if (derived.recordKey !== recordKey)
      await report("misplaced", `The record ${formatKey(recordKey)} belongs under ${formatKey(derived.recordKey)}.`);
    else {
      for (const [key, primaryKey] of derived.entries) expected.push({ key, primaryKey, recordKey });
      for (const total of derived.totals) totals.set(total, (totals.get(total) ?? 0) + 1);
    }
  }

  const found = await snapshot.get(expected.map(({ key }) => key));
  for (const [i, { key, primaryKey, recordKey }] of expected.entries()) {
    const entry = found[i];
    if (entry instanceof Corrupt || (entry && JSON.stringify(entry.value) === JSON.stringify(primaryKey))) continue;
    const says = entry
      ? `The entry ${formatKey(key)} leads to another record than ${formatKey(recordKey)}.`
      : `The record ${formatKey(recordKey)} lacks its entry ${formatKey(key)}.`;
    // The entry is put back.
    await report("index", says, async (tx) => {
      const [value, present] = await tx.getMany([recordKey, key]);
      const set = findSet(recordKey);
      const expectedValue = tryDerive(set, value)?.entries.get(key);
      if (expectedValue === undefined) return false;
      if (JSON.stringify(present) === JSON.stringify(expectedValue)) return true;
      // If another record holds the unique name as well, the index cannot decide: a person has to.
      const rivalKey = findRecordKey(key, present ?? null);
      if (rivalKey !== undefined && tryDerive(set, await tx.get(rivalKey))?.entries.has(key)) return false;
      tx.put(key, expectedValue);
      return true;
    });
  }
}

async function checkIndexBatch(
  snapshot: DamagedSnapshot,
  entries: readonly Entry[],
  report: ReportFinding,
): Promise<void> {
  const recordKeys = entries.map(({ key, value }) => findRecordKey(key, value));
  const records = await snapshot.get(recordKeys.filter((key) => key !== undefined));
  let next = 0;
  for (const [i, { key }] of entries.entries()) {
    const record = recordKeys[i] === undefined ? undefined : records[next++];
    let problem: string | undefined;
    if (!isDeclared(key)) {
      await report("unknown", `No set declares the index of ${formatKey(key)}.`);
      continue;
    }
    if (recordKeys[i] === undefined) problem = "leads nowhere";
    else if (record === undefined) problem = "leads to a record that is not there";
    else if (!(record instanceof Corrupt)) {
      const derived = tryDerive(findSet(key), record.value);
      if (derived && !derived.entries.has(key)) problem = "leads to a record that has not this entry";
    }
    if (problem === undefined) continue;
    // The entry is deleted, unless its record has it by now.
    await report("index", `The entry ${formatKey(key)} ${problem}.`, async (tx) => {
      const value = await tx.get(key);
      if (value === undefined) return true;
      const recordKey = findRecordKey(key, value);
      const current = recordKey === undefined ? undefined : await tx.get(recordKey);
      if (!tryDerive(findSet(key), current)?.entries.has(key)) tx.delete(key);
      return true;
    });
  }
}

/** Sets a total. Every change of the group touches its total, so one that is as it was during the count can be set. */
async function repairTotal(tx: Transaction, key: Key, version: number | undefined, total: number): Promise<boolean> {
  if ((await tx.getVersion(key)) !== version) return false;
  tx.put(key, total);
  return true;
}

interface DerivedEntries {
  readonly recordKey: Key;
  /** Indexes and unique names, with the primary keys that they lead to. */
  readonly entries: ReadonlyMap<Key, Tuple>;
  readonly totals: readonly Key[];
}

interface DeclaredSet {
  readonly derive: (record: Json) => DerivedEntries;
  readonly getRecordKey: (primaryKey: Tuple) => Key;
  readonly derivedPrefixes: readonly Key[];
}

const setsByName = new Map<string, DeclaredSet>();

/** Returns the set that a key belongs to; undefined if none is declared. */
function findSet(key: Key): DeclaredSet | undefined {
  // A key begins with the prefix and the name of the set, each of which ends with a zero.
  const end = key.indexOf("\0", key.indexOf("\0") + 1) + 1;
  const name = String(decodeKey(key.slice(0, end))[1]);
  const known = setsByName.get(name);
  const options = declaredSets.get(name) as SetOptions<Json, string, string, string, string> | undefined;
  if (known || !options) return known;

  const { indexKey, uniqueKey, totalKey, guardKey, recordKey } = createSetKeys(name);
  const { indexes = {}, unique = {}, totals = {}, guards = {} } = options;
  const set: DeclaredSet = {
    derive(record) {
      const primaryKey = options.key(record);
      const entries = new Map<Key, Tuple>();
      for (const [index, getTuple] of Object.entries(indexes)) {
        const tuple = getTuple(record);
        if (tuple) entries.set(indexKey(index, [...tuple, ...primaryKey]), primaryKey);
      }
      for (const [index, getTuple] of Object.entries(unique)) {
        const tuple = getTuple(record);
        if (tuple) entries.set(uniqueKey(index, tuple), primaryKey);
      }
      const totalKeys: Key[] = [];
      for (const [total, getGroup] of Object.entries(totals)) {
        const group = getGroup(record);
        if (group) totalKeys.push(totalKey(total, group));
      }
      return { recordKey: recordKey(primaryKey), entries, totals: totalKeys };
    },
    getRecordKey: recordKey,
    derivedPrefixes: [
      ...Object.keys(indexes).map((index) => indexKey(index, [])),
      ...Object.keys(unique).map((index) => uniqueKey(index, [])),
      ...Object.keys(totals).map((total) => totalKey(total, [])),
      ...Object.keys(guards).map((guard) => guardKey(guard, [])),
    ],
  };
  setsByName.set(name, set);
  return set;
}

/** Returns true if a set declares the index, total or guard of a key. */
function isDeclared(key: Key): boolean {
  return findSet(key)?.derivedPrefixes.some((prefix) => key.startsWith(prefix)) === true;
}

/** Returns the entries that a record must have; undefined if it does not have the form of its set. */
function tryDerive(set: DeclaredSet | undefined, record: Json | undefined): DerivedEntries | undefined {
  try {
    return set && record !== undefined ? set.derive(record) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the key of the record that an index entry leads to. */
function findRecordKey(key: Key, value: Json): Key | undefined {
  const isTuple =
    Array.isArray(value) && value.every((part) => part === null || ["string", "number"].includes(typeof part));
  return isTuple ? findSet(key)?.getRecordKey(value as Tuple) : undefined;
}
