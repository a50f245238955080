// Checks batches, names and sums against the limits of the contract (promise 6). All adapters share these functions.

import {
  type Batch,
  type Json,
  type Key,
  MAX_BATCH_BYTES,
  MAX_BATCH_CHECKS,
  MAX_BATCH_ENTRIES,
  MAX_KEY_BYTES,
  MAX_VALUE_BYTES,
  TooLarge,
} from "./storage";

const utf8 = new TextEncoder();

/** Throws `TooLarge` if a batch exceeds a limit. Returns the JSON of each put, so that adapters needn't encode. */
export function checkBatch(batch: Batch): string[] {
  const entries = batch.puts.length + batch.deletes.length + batch.adds.length;
  if (entries > MAX_BATCH_ENTRIES) throw new TooLarge(`${entries} entries in a batch; at most ${MAX_BATCH_ENTRIES}.`);
  if (batch.checks.length > MAX_BATCH_CHECKS)
    throw new TooLarge(`${batch.checks.length} checks in a batch; at most ${MAX_BATCH_CHECKS}.`);

  let bytes = 0;
  let characters = 0;
  const written = new Set<Key>();
  const write = (key: Key) => {
    checkKey(key);
    if (written.has(key)) throw new TooLarge(`A batch writes the key ${JSON.stringify(key)} twice.`);
    written.add(key);
    bytes += key.length;
  };
  for (const { key } of batch.checks) checkKey(key);
  const texts = batch.puts.map(({ key, value }) => {
    write(key);
    let text: string | undefined;
    try {
      text = JSON.stringify(value) as string | undefined;
    } catch (cause) {
      throw new TooLarge("A value is nested too deeply to be written as JSON.", { cause });
    }
    if (text === undefined) throw new TooLarge("A value is not JSON.");
    const size = text.length * MAX_BYTES_PER_CHARACTER <= MAX_VALUE_BYTES ? 0 : getByteLength(text);
    if (size > MAX_VALUE_BYTES) throw new TooLarge(`A value of ${size} bytes; at most ${MAX_VALUE_BYTES}.`);
    characters += text.length;
    return text;
  });
  for (const key of batch.deletes) write(key);
  for (const { key, amount } of batch.adds) {
    write(key);
    if (!Number.isFinite(amount)) throw new TooLarge(`A counter cannot grow by ${amount}.`);
    bytes += 8;
  }
  if (bytes + characters * MAX_BYTES_PER_CHARACTER <= MAX_BATCH_BYTES) return texts;
  for (const text of texts) bytes += getByteLength(text);
  if (bytes > MAX_BATCH_BYTES) throw new TooLarge(`${bytes} bytes in a batch; at most ${MAX_BATCH_BYTES}.`);
  return texts;
}

/**
 * The maximum number of UTF-8 bytes that a character of a JavaScript string takes. A text that must be within a limit by this
 * bound is not measured, which makes every put cheaper.
 */
const MAX_BYTES_PER_CHARACTER = 3;

/** Throws `TooLarge` if a name is not a valid partition name. */
export function checkPartitionName(name: string): void {
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(name)) throw new TooLarge(`${JSON.stringify(name)} names no partition.`);
}

/** Throws `TooLarge` if a name is not a valid blob name. */
export function checkBlobName(name: string): void {
  if (!/^[a-z0-9][a-z0-9-]{0,127}$/.test(name)) throw new TooLarge(`${JSON.stringify(name)} names no blob.`);
}

/** Returns a counter after an addition. Throws `TooLarge` if JSON would store the sum as null. */
export function addToCounter(value: Json | undefined, amount: number): number {
  const sum = (typeof value === "number" ? value : 0) + amount;
  if (!Number.isFinite(sum)) throw new TooLarge(`A counter cannot grow to ${sum}.`);
  return sum;
}

function checkKey(key: Key): void {
  if (key.length === 0 || key.length > MAX_KEY_BYTES)
    throw new TooLarge(`A key of ${key.length} bytes; 1 to ${MAX_KEY_BYTES} are allowed.`);
  for (let i = 0; i < key.length; i++) {
    if (key.charCodeAt(i) > 255) throw new TooLarge(`Character ${i} of a key is not a byte.`);
  }
}

/** Returns the number of bytes of a text as UTF-8. */
export function getByteLength(text: string): number {
  return utf8.encode(text).length;
}
