// Parses stored JSON into values that can be returned many times: parsed once, and frozen at every level.

import { Corrupt, type Entry, type Json, type Key, type Version } from "../src/storage/storage";

/** Parses a JSON text and freezes the value at every level. It does not recurse, because a value may be nested more deeply than the stack. */
export function parseFrozen(text: string): Json {
  const value = JSON.parse(text) as Json;
  if (typeof value !== "object" || value === null) return value;
  const pending: object[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const member of Object.values(next)) if (typeof member === "object" && member !== null) pending.push(member);
    Object.freeze(next);
  }
  return value;
}

/** Parses the entry of a record. Throws `Corrupt` if its text is damaged. */
export function parseEntry(partition: string, key: Key, version: Version, text: string): Entry {
  try {
    return Object.freeze({ key, value: parseFrozen(text), version });
  } catch (cause) {
    throw createCorruptRecordError(partition, key, cause);
  }
}

export function createCorruptRecordError(partition: string, key: Key, cause?: unknown): Corrupt {
  return new Corrupt(`The record ${JSON.stringify(key)} of partition ${partition} is damaged.`, { cause });
}
