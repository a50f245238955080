// Encrypts fields of records in the storage, so that only the API can read them and not a person with a copy of the data. A set of
// records declares its sealed fields, and all code above works with clear values. A value that was stored before its field was
// sealed is returned as it is, and encrypted by the next write.

import { isJsonObject, omitUndefined } from "../utils/objects";
import type { Batch, Committed, Entry, Json, Key, Partition, Range, Snapshot, Storage, Version } from "./storage";

/** Encrypts and decrypts texts. The context must be the same for both. */
export interface Seal {
  encrypt(text: string, context: string): Promise<string>;
  decrypt(sealed: string, context: string): Promise<string>;
}

/** Encrypts a sealed text again with the current secret. Returns undefined if it already is, or if no secret decrypts it. */
export interface Resealer {
  reseal(sealed: string, context: string): Promise<string | undefined>;
}

export interface SealedMember {
  /** The path of the field, from the outermost member to the innermost. */
  readonly path: readonly string[];
  /** The value to use if the field was sealed with an unknown secret. If it is undefined, the field is omitted. */
  readonly lost?: Json;
}

const declaredMembers = new Map<Key, readonly SealedMember[]>();

/** A text field that a resource encrypts itself. */
export interface SealedText<T> {
  readonly name: keyof T & string;
  readonly context: (record: T) => string;
}

const declaredTexts = new Map<Key, SealedText<never>>();

/** Declares the sealed fields, and the text that is already encrypted, of all values whose keys start with a prefix. */
export function declareSealed<T>(
  prefix: Key,
  { sealed, sealedText }: { readonly sealed?: readonly SealedMember[]; readonly sealedText?: SealedText<T> },
): void {
  if (sealed) declaredMembers.set(prefix, sealed);
  if (sealedText) declaredTexts.set(prefix, sealedText);
}

/** The only member of the object that replaces a sealed value. */
const MARK = "$sealed";

/** Returns a storage in which the declared fields are encrypted. */
export function createSealedStorage(storage: Storage, seal: Seal): Storage {
  return {
    partition: (name) => new SealedPartition(storage.partition(name), name, seal),
    partitions: (after) => storage.partitions(after),
    blobs: storage.blobs,
    ...omitUndefined({ maintain: storage.maintain?.bind(storage), owner: storage.owner }),
    close: () => storage.close(),
  };
}

// Every request creates one of each for every partition that it reads, and most of them read nothing that is sealed. So these are
// classes, which are faster to create than objects with closures, and a `SealedRowTransform` is created only for sealed rows.

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
    const encrypt = async (value: Json, context: string) => ({
      [MARK]: await this.seal.encrypt(JSON.stringify(value), context),
    });
    const puts = await transformSealedRows(batch.puts, () => new SealedRowTransform(this.name, encrypt));
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
    return this.#decryptRows(await this.snapshot.get(keys));
  }

  async list(range: Range) {
    return this.#decryptRows(await this.snapshot.list(range));
  }

  #decryptRows<Row extends KeyedValue | undefined>(rows: readonly Row[]) {
    const decrypt = (value: Json, context: string) => this.#decrypt(value, context);
    return transformSealedRows(rows, () => new SealedRowTransform(this.name, decrypt));
  }

  /** Returns the clear value; undefined if it cannot be decrypted. A value that is not sealed is returned as it is. */
  async #decrypt(value: Json, context: string): Promise<Json | undefined> {
    if (!isSealed(value)) return value;
    try {
      return JSON.parse(await this.seal.decrypt(value[MARK], context)) as Json;
    } catch {
      return undefined;
    }
  }
}

/** The members of an entry that are needed to transform it. */
interface KeyedValue {
  readonly key: Key;
  readonly value: Json;
}

function transformSealedRows<Row extends KeyedValue | undefined>(
  rows: readonly Row[],
  createTransform: () => SealedRowTransform,
): readonly Row[] | Promise<readonly Row[]> {
  const hasSealed = rows.some((row) => row !== undefined && declaredMembers.has(getDeclaredPrefix(row.key)));
  return hasSealed ? createTransform().apply(rows) : rows;
}

/** The number of rows that are resealed together. They fit into a commit, whatever their size. */
const PAGE_SIZE = 10;

/** Encrypts with the current secret everything in a partition that is sealed with an older one. May be interrupted at any time. */
export async function resealPartition(storage: Storage, name: string, seal: Resealer): Promise<void> {
  const partition = storage.partition(name);
  const resealMembers = new SealedRowTransform(name, async (value, context) => {
    const sealed = isSealed(value) ? await seal.reseal(value[MARK], context) : undefined;
    return sealed === undefined ? value : { [MARK]: sealed };
  });
  const resealText = async (row: Entry) => {
    const text = findSealedText(row);
    const resealed = text && (await seal.reseal(text.sealed, text.context));
    return resealed === undefined
      ? row
      : { ...row, value: { ...(row.value as SealableObject), [text!.name]: resealed } };
  };
  for (const under of [...declaredMembers.keys(), ...declaredTexts.keys()]) {
    let after: Key | undefined;
    for (;;) {
      const rows = await (await partition.snapshot()).list({ under, after, limit: PAGE_SIZE });
      const resealed = await Promise.all((await resealMembers.apply(rows)).map(resealText));
      const changed = resealed.filter(({ value }, i) => JSON.stringify(value) !== JSON.stringify(rows[i]!.value));
      const checks = changed.map(({ key, version }) => ({ key, version }));
      const puts = changed.map(({ key, value }) => ({ key, value }));
      const isDone = puts.length === 0 || (await partition.commit({ checks, puts, deletes: [], adds: [] })).ok;
      if (isDone && rows.length < PAGE_SIZE) break;
      if (isDone) after = rows.at(-1)!.key;
    }
  }
}

/** Returns the sealed values of a row, with the contexts for decrypting them. */
export async function findSealedValues(
  partition: string,
  row: Entry,
): Promise<{ readonly sealed: string; readonly context: string }[]> {
  const found: { sealed: string; context: string }[] = [];
  const collect = new SealedRowTransform(partition, async (value, context) => {
    if (isSealed(value)) found.push({ sealed: value[MARK], context });
    return value;
  });
  await collect.apply([row]);
  const text = findSealedText(row);
  if (text) found.push({ sealed: text.sealed, context: text.context });
  return found;
}

/** Returns the text of a row that its resource has encrypted, with its name and context. */
function findSealedText({ key, value }: Entry): { name: string; sealed: string; context: string } | undefined {
  const declared = declaredTexts.get(getDeclaredPrefix(key)) as SealedText<SealableObject> | undefined;
  if (!declared || !isJsonObject(value)) return undefined;
  const sealed = value[declared.name];
  return typeof sealed === "string" ? { name: declared.name, sealed, context: declared.context(value) } : undefined;
}

function isSealed(value: Json): value is { readonly [MARK]: string } {
  return isJsonObject(value) && typeof value[MARK] === "string" && Object.keys(value).length === 1;
}

type SealableObject = { readonly [name: string]: Json };

class SealedRowTransform {
  constructor(
    private readonly partition: string,
    private readonly transform: (value: Json, context: string) => Promise<Json | undefined>,
  ) {}

  apply<Row extends KeyedValue | undefined>(rows: readonly Row[]): Promise<readonly Row[]> {
    return Promise.all(
      rows.map((row) => {
        const members = row && declaredMembers.get(getDeclaredPrefix(row.key));
        return members ? this.#transformRow(row, members) : row;
      }),
    );
  }

  async #transformRow<Row extends KeyedValue>(row: Row, members: readonly SealedMember[]) {
    let { value } = row;
    for (const member of members) {
      const context = `${this.partition} ${row.key} ${member.path.join(".")}`;
      value = await this.#transformPath(value, member.path, context, member.lost);
    }
    return { ...row, value };
  }

  async #transformPath(
    value: Json,
    [name, ...rest]: readonly string[],
    context: string,
    lost: Json | undefined,
  ): Promise<Json> {
    if (!isJsonObject(value) || name === undefined || value[name] === undefined) return value;
    const { [name]: member, ...others } = value;
    if (rest.length > 0) return { ...value, [name]: await this.#transformPath(member!, rest, context, lost) };
    if (member === null) return value;
    const transformed = (await this.transform(member!, context)) ?? lost;
    return transformed === undefined ? others : { ...value, [name]: transformed };
  }
}

/** Returns the first part of a key, and also the second one if the first says that the key belongs to a set of records. */
function getDeclaredPrefix(key: Key): Key {
  const first = key.indexOf("\0") + 1;
  return key[1] === "r" && first === 3 ? key.slice(0, key.indexOf("\0", first) + 1) : key.slice(0, first);
}
