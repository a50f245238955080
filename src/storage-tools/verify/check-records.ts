// Records against everything that is derived from them: indexes, unique names and totals. What a set derives is known from
// its declaration, so a new set needs nothing here.

import { decodeKey } from "../../storage/key";
import { declaredSets, placesOf, type SetOptions, type Tuple } from "../../storage/records";
import { Corrupt, type Entry, type Json, type Key } from "../../storage/storage";
import type { Transaction } from "../../storage/transaction";
import { yieldToEventLoop } from "../../utils/concurrency/event-loop";
import type { DamagedSnapshot } from "./damaged-snapshot";
import { formatKey, type ReportFinding } from "./finding";

/** What a record must have beside itself. */
interface Derived {
  readonly at: Key;
  /** Indexes and unique names, with what they lead to. */
  readonly entries: ReadonlyMap<Key, Tuple>;
  readonly totals: readonly Key[];
}

interface DeclaredSet {
  readonly derive: (record: Json) => Derived;
  /** The key of the record with a primary key. */
  readonly recordKey: (primary: Tuple) => Key;
  /** The beginnings of the keys of everything that is derived. */
  readonly groups: ReadonlySet<Key>;
}

const known = new Map<string, DeclaredSet>();

/** A set by its name; undefined when none is declared. */
function setOf(name: string): DeclaredSet | undefined {
  const options = declaredSets.get(name) as SetOptions<Json, string, string, string, string> | undefined;
  if (options && !known.has(name)) known.set(name, declaredSet(name, options));
  return known.get(name);
}

function declaredSet(name: string, options: SetOptions<Json, string, string, string, string>): DeclaredSet {
  const { indexKey, uniqueKey, totalKey, guardKey, recordKey } = placesOf(name);
  const { indexes = {}, unique = {}, totals = {}, guards = {} } = options;
  const groups = [
    ...Object.keys(indexes).map((it) => indexKey(it, [])),
    ...Object.keys(unique).map((it) => uniqueKey(it, [])),
    ...Object.keys(totals).map((it) => totalKey(it, [])),
    ...Object.keys(guards).map((it) => guardKey(it, [])),
  ];
  const derive = (record: Json): Derived => {
    const primary = options.key(record);
    const entries = new Map<Key, Tuple>();
    for (const [index, of] of Object.entries(indexes)) {
      const tuple = of(record);
      if (tuple) entries.set(indexKey(index, [...tuple, ...primary]), primary);
    }
    for (const [index, of] of Object.entries(unique)) {
      const tuple = of(record);
      if (tuple) entries.set(uniqueKey(index, tuple), primary);
    }
    const counted = Object.entries(totals).map(([total, of]) => [total, of(record)] as const);
    return {
      at: recordKey(primary),
      entries,
      totals: counted.flatMap(([total, group]) => (group ? [totalKey(total, group)] : [])),
    };
  };
  return { derive, recordKey, groups: new Set(groups) };
}

/** The set that a key of records belongs to. */
function nameIn(key: Key): string {
  return String(decodeKey(key.slice(0, key.indexOf("\0", key.indexOf("\0") + 1) + 1))[1]);
}

/** What a record derives; undefined when it has not the form of its set. */
function derivedOf(set: DeclaredSet | undefined, record: Json | undefined): Derived | undefined {
  try {
    return set && record !== undefined ? set.derive(record) : undefined;
  } catch {
    return undefined;
  }
}

const RECORDS = "\x03r\0";
const INDEXES = "\x03i\0";
const UNIQUE = "\x03u\0";
const TOTALS = "\x03n\0";
const GUARDS = "\x03g\0";

/** How keys of records and of what is derived from them begin. */
export const recordKinds: readonly Key[] = [RECORDS, INDEXES, UNIQUE, TOTALS, GUARDS];

/** Checks the records of a partition; `seen` gets each of them. Gives their number. */
export async function checkRecords(
  readable: DamagedSnapshot,
  report: ReportFinding,
  seen: (entry: Entry) => Promise<void>,
) {
  const counted = new Map<Key, number>();
  let count = 0;
  for await (const page of pages(readable.entries(RECORDS))) {
    count += page.length;
    await checkPage(readable, page, counted, report);
    for (const entry of page) await seen(entry);
    await yieldToEventLoop();
  }
  for (const kind of [INDEXES, UNIQUE])
    for await (const page of pages(readable.entries(kind))) {
      await checkIndexes(readable, page, report);
      await yieldToEventLoop();
    }
  await checkTotals(readable, counted, report);
  for await (const { key, value } of readable.entries(GUARDS)) {
    if (isKnown(key)) {
      if (typeof value !== "number") await report("unreadable", `The guard ${formatKey(key)} is no number.`);
    } else await report("unknown", `No set declares the guard ${formatKey(key)}.`);
  }
  return count;
}

function isKnown(key: Key): boolean {
  const end = key.indexOf("\0", key.indexOf("\0", key.indexOf("\0") + 1) + 1) + 1;
  return setOf(nameIn(key))?.groups.has(key.slice(0, end)) === true;
}

async function checkPage(
  readable: DamagedSnapshot,
  page: readonly Entry[],
  counted: Map<Key, number>,
  report: ReportFinding,
): Promise<void> {
  const expected: { readonly key: Key; readonly primary: Tuple; readonly record: Key }[] = [];
  for (const { key, value } of page) {
    const set = setOf(nameIn(key));
    const derived = derivedOf(set, value);
    if (!set) await report("unknown", `No set declares the record ${formatKey(key)}.`);
    else if (!derived) await report("unreadable", `The record ${formatKey(key)} has not the form of its set.`);
    else if (derived.at !== key)
      await report("misplaced", `The record ${formatKey(key)} belongs under ${formatKey(derived.at)}.`);
    else {
      for (const [at, primary] of derived.entries) expected.push({ key: at, primary, record: key });
      for (const total of derived.totals) counted.set(total, (counted.get(total) ?? 0) + 1);
    }
  }
  const found = await readable.get(expected.map(({ key }) => key));
  for (const [i, { key, primary, record }] of expected.entries()) {
    const entry = found[i];
    if (entry instanceof Corrupt || (entry && isSame(entry.value, primary))) continue;
    if (entry)
      await report("index", `The entry ${formatKey(key)} leads to another record than ${formatKey(record)}.`, (tx) =>
        putBack(tx, key, record),
      );
    else
      await report("index", `The record ${formatKey(record)} lacks its entry ${formatKey(key)}.`, (tx) =>
        putBack(tx, key, record),
      );
  }
}

/** Index entries that lead nowhere, or to a record that has not this one. */
async function checkIndexes(readable: DamagedSnapshot, page: readonly Entry[], report: ReportFinding): Promise<void> {
  const targets = page.map(({ key, value }) => targetOf(key, value));
  const records = await readable.get(targets.filter((it) => it !== undefined));
  let next = 0;
  for (const [i, { key }] of page.entries()) {
    const target = targets[i];
    const record = target === undefined ? undefined : records[next++];
    if (!isKnown(key)) await report("unknown", `No set declares the index of ${formatKey(key)}.`);
    else if (target === undefined)
      await report("index", `The entry ${formatKey(key)} leads nowhere.`, (tx) => drop(tx, key));
    else if (record === undefined)
      await report("index", `The entry ${formatKey(key)} leads to a record that is not there.`, (tx) => drop(tx, key));
    else if (record instanceof Corrupt) continue;
    else {
      const derived = derivedOf(setOf(nameIn(key)), record.value);
      if (derived && !derived.entries.has(key))
        await report("index", `The entry ${formatKey(key)} leads to a record that has not this entry.`, (tx) =>
          drop(tx, key),
        );
    }
  }
}

/** The key of the record that an index entry leads to. */
function targetOf(key: Key, value: Json): Key | undefined {
  const isTuple =
    Array.isArray(value) && value.every((part) => part === null || ["string", "number"].includes(typeof part));
  return isTuple ? setOf(nameIn(key))?.recordKey(value as Tuple) : undefined;
}

async function checkTotals(
  readable: DamagedSnapshot,
  counted: ReadonlyMap<Key, number>,
  report: ReportFinding,
): Promise<void> {
  const left = new Map(counted);
  for await (const { key, value, version } of readable.entries(TOTALS)) {
    const count = left.get(key) ?? 0;
    left.delete(key);
    if (!isKnown(key)) await report("unknown", `No set declares the total ${formatKey(key)}.`);
    else if (value !== count)
      await report("total", `The total ${formatKey(key)} says ${JSON.stringify(value)}; there are ${count}.`, (tx) =>
        setTotal(tx, key, version, count),
      );
  }
  for (const [key, count] of left)
    await report("total", `The total ${formatKey(key)} is not there; there are ${count}.`, (tx) =>
      setTotal(tx, key, undefined, count),
    );
}

async function putBack(tx: Transaction, at: Key, record: Key): Promise<boolean> {
  const [value, present] = await tx.getMany([record, at]);
  const set = setOf(nameIn(record));
  const primary = derivedOf(set, value)?.entries.get(at);
  if (primary === undefined) return false;
  if (isSame(present, primary)) return true;
  // A unique name that another record holds as well is no matter of the index: somebody has to decide.
  const rival = targetOf(at, present ?? null);
  if (rival !== undefined && derivedOf(set, await tx.get(rival))?.entries.has(at)) return false;
  tx.put(at, primary);
  return true;
}

async function drop(tx: Transaction, at: Key): Promise<boolean> {
  const value = await tx.get(at);
  if (value === undefined) return true;
  const target = targetOf(at, value);
  const record = target === undefined ? undefined : await tx.get(target);
  if (derivedOf(setOf(nameIn(at)), record)?.entries.has(at)) return true;
  tx.delete(at);
  return true;
}

/** Every change of the group touches its total: one that is as it was when all were counted can be set. */
async function setTotal(tx: Transaction, at: Key, version: number | undefined, count: number): Promise<boolean> {
  if ((await tx.versionOf(at)) !== version) return false;
  tx.put(at, count);
  return true;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Entries in groups that are looked up together. */
async function* pages(entries: AsyncIterable<Entry>): AsyncGenerator<readonly Entry[], void> {
  let page: Entry[] = [];
  for await (const entry of entries) {
    if (page.push(entry) < 100) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
