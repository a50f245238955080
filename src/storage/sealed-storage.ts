// Fields of records that are encrypted in the storage. Only the API can read them, not somebody with a copy of the
// data. A set of records says which of its fields are sealed; everything above works with clear values. A value that
// was stored before its field was sealed is read as it is, and sealed with the next write.

import { omitUndefined } from "../utils/objects";
import type { Batch, Committed, Entry, Json, Key, Partition, Range, Snapshot, Storage, Version } from "./storage";

/** Encrypts and decrypts a text; the context must be the same for both. */
export interface Seal {
  encrypt(text: string, context: string): Promise<string>;
  decrypt(sealed: string, context: string): Promise<string>;
}

/** Seals a text again with the current secret; undefined when it already is, and when nothing opens it. */
export interface Resealer {
  reseal(sealed: string, context: string): Promise<string | undefined>;
}

/** A field that is sealed. */
export interface SealedMember {
  /** The path of the field, from the outside in. */
  readonly path: readonly string[];
  /** The value to use when the field was sealed with another secret; undefined: the field is left out. */
  readonly lost?: Json;
}

const declaredMembers = new Map<Key, readonly SealedMember[]>();

/** Declares the sealed fields of all values whose keys begin with these parts. */
export function declareSealedMembers(prefix: Key, members: readonly SealedMember[]): void {
  declaredMembers.set(prefix, members);
}

/** A field that a resource encrypts itself, as a text. */
export interface SealedText<T> {
  readonly name: keyof T & string;
  readonly context: (record: T) => string;
}

const declaredTexts = new Map<Key, SealedText<never>>();

/** Declares the encrypted text of all values whose keys begin with these parts. */
export function declareSealedText<T>(prefix: Key, text: SealedText<T>): void {
  declaredTexts.set(prefix, text);
}

/** The name of the only field of the object that stands in place of a sealed value. */
const MARK = "$sealed";

/** A storage in which the declared fields are sealed. */
export function createSealedStorage(storage: Storage, seal: Seal): Storage {
  return {
    partition: (name) => new SealedPartition(storage.partition(name), name, seal),
    partitions: (after) => storage.partitions(after),
    blobs: storage.blobs,
    ...omitUndefined({ maintain: storage.maintain?.bind(storage), owner: storage.owner }),
    close: () => storage.close(),
  };
}

// Every request makes one of each for every partition that it reads, and most read nothing that is sealed. So these are
// classes, which are quicker to make than objects with closures, and `Sealing` is made for rows that have something sealed.

class SealedPartition implements Partition {
  constructor(
    private readonly partition: Partition,
    private readonly name: string,
    private readonly seal: Seal,
  ) {}

  async snapshot(): Promise<Snapshot> {
    return new SealedSnapshot(await this.partition.snapshot(), this.name, this.seal);
  }

  async commit(batch: Batch): Promise<Committed> {
    const close = async (value: Json, context: string) => ({
      [MARK]: await this.seal.encrypt(JSON.stringify(value), context),
    });
    const puts = await transformSealedRows(batch.puts, () => new SealedRowTransform(this.name, close));
    return this.partition.commit({ ...batch, puts });
  }
}

class SealedSnapshot implements Snapshot {
  readonly version: Version;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly name: string,
    private readonly seal: Seal,
  ) {
    this.version = snapshot.version;
  }

  async get(keys: readonly Key[]) {
    return this.#opened(await this.snapshot.get(keys));
  }

  async list(range: Range) {
    return this.#opened(await this.snapshot.list(range));
  }

  #opened<Row extends { readonly key: Key; readonly value: Json } | undefined>(rows: readonly Row[]) {
    return transformSealedRows(
      rows,
      () => new SealedRowTransform(this.name, (value, context) => opened(this.seal, value, context)),
    );
  }
}

/** The same rows, with their sealed fields changed. */
function transformSealedRows<Row extends { readonly key: Key; readonly value: Json } | undefined>(
  rows: readonly Row[],
  sealing: () => SealedRowTransform,
): readonly Row[] | Promise<readonly Row[]> {
  const hasSealed = rows.some((row) => row !== undefined && declaredMembers.has(getDeclaredPrefix(row.key)));
  return hasSealed ? sealing().all(rows) : rows;
}

/** Rows that are looked at in one go. They fit a commit, whatever their size. */
const ROWS = 10;

/** Seals again, with the current secret, what is sealed with an older one in a partition. May be stopped at any time. */
export async function resealPartition(storage: Storage, name: string, seal: Resealer): Promise<void> {
  const partition = storage.partition(name);
  const again = new SealedRowTransform(name, async (value, context) => {
    const sealed = isSealed(value) ? await seal.reseal(value[MARK], context) : undefined;
    return sealed === undefined ? value : { [MARK]: sealed };
  });
  const resealed = async (rows: readonly Entry[]) =>
    Promise.all((await again.all(rows)).map((row) => resealedText(row, seal)));
  for (const under of [...declaredMembers.keys(), ...declaredTexts.keys()]) {
    let after: Key | undefined;
    for (;;) {
      const rows = await (await partition.snapshot()).list({ under, after, limit: ROWS });
      const next = await resealed(rows);
      const changed = next.filter(({ value }, i) => JSON.stringify(value) !== JSON.stringify(rows[i]!.value));
      const checks = changed.map(({ key, version }) => ({ key, version }));
      const puts = changed.map(({ key, value }) => ({ key, value }));
      const isDone = puts.length === 0 || (await partition.commit({ checks, puts, deletes: [], adds: [] })).ok;
      if (isDone && rows.length < ROWS) break;
      if (isDone) after = rows.at(-1)!.key;
    }
  }
}

/** What is sealed in a row, with the context to open it. */
export async function findSealedValues(
  partition: string,
  row: Entry,
): Promise<{ readonly sealed: string; readonly context: string }[]> {
  const found: { sealed: string; context: string }[] = [];
  const collect = new SealedRowTransform(partition, async (value, context) => {
    if (isSealed(value)) found.push({ sealed: value[MARK], context });
    return value;
  });
  await collect.all([row]);
  const text = declaredTexts.get(getDeclaredPrefix(row.key)) as SealedText<Members> | undefined;
  const sealed = text && isObject(row.value) ? row.value[text.name] : undefined;
  if (text && typeof sealed === "string") found.push({ sealed, context: text.context(row.value as Members) });
  return found;
}

async function resealedText(row: Entry, seal: Resealer): Promise<Entry> {
  const declaredText = declaredTexts.get(getDeclaredPrefix(row.key));
  if (!declaredText || !isObject(row.value)) return row;
  const { name, context } = declaredText as SealedText<Members>;
  const sealed = row.value[name];
  const again = typeof sealed === "string" ? await seal.reseal(sealed, context(row.value)) : undefined;
  return again === undefined ? row : { ...row, value: { ...row.value, [name]: again } };
}

/** The clear value; undefined when it cannot be opened. A value that is not sealed stays as it is. */
async function opened(seal: Seal, value: Json, context: string): Promise<Json | undefined> {
  const sealed = isSealed(value) ? value[MARK] : undefined;
  if (sealed === undefined) return value;
  try {
    return JSON.parse(await seal.decrypt(sealed, context)) as Json;
  } catch {
    return undefined;
  }
}

function isSealed(value: Json): value is { readonly [MARK]: string } {
  return isObject(value) && typeof value[MARK] === "string" && Object.keys(value).length === 1;
}

type Members = { readonly [name: string]: Json };

function isObject(value: Json | undefined): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Changes the sealed fields of values, one by one. */
class SealedRowTransform {
  constructor(
    private readonly partition: string,
    private readonly change: (value: Json, context: string) => Promise<Json | undefined>,
  ) {}

  all<Row extends { readonly key: Key; readonly value: Json } | undefined>(
    rows: readonly Row[],
  ): Promise<readonly Row[]> {
    return Promise.all(
      rows.map((row) => {
        const members = row && declaredMembers.get(getDeclaredPrefix(row.key));
        return members ? this.#row(row, members) : row;
      }),
    );
  }

  async #row<Row extends { readonly key: Key; readonly value: Json }>(row: Row, members: readonly SealedMember[]) {
    let { value } = row;
    for (const member of members) {
      const context = `${this.partition} ${row.key} ${member.path.join(".")}`;
      value = await this.#at(value, member.path, context, member.lost);
    }
    return { ...row, value };
  }

  async #at(value: Json, [name, ...inside]: readonly string[], context: string, lost: Json | undefined): Promise<Json> {
    if (!isObject(value) || name === undefined || value[name] === undefined) return value;
    const { [name]: member, ...others } = value;
    if (inside.length > 0) return { ...value, [name]: await this.#at(member!, inside, context, lost) };
    if (member === null) return value;
    const changed = (await this.change(member!, context)) ?? lost;
    return changed === undefined ? others : { ...value, [name]: changed };
  }
}

/** The first part of a key; with the second one where the first says that a set of records begins. */
function getDeclaredPrefix(key: Key): Key {
  const first = key.indexOf("\0") + 1;
  return key[1] === "r" && first === 3 ? key.slice(0, key.indexOf("\0", first) + 1) : key.slice(0, first);
}
