// The keys and values of the database. All keys are strings of bytes, one per character, like the keys of the contract:
//
//   f                        "octavo-level 2": identifies the database and its format
//   n                        the number of the last write in the directory, ~ and its check
//   v <partition>            the version of the partition's last commit in decimal, ~ and its check
//   r <partition> 00 <key>   a record: the version of its commit, ~, its check, a space, the JSON text
//   b <blob>                 a blob's manifest, {"size":…,"chunk":…,"checks":"…"}, ~ and its check. A blob without a
//                            manifest does not exist. `checks` contains the check of each chunk
//   c <blob> 00 <index>      a chunk of the blob's bytes; the index has four bytes, big-endian
//   u <blob>                 the blob has chunks but no manifest: an upload or a delete is running or was interrupted
//
// Names contain no byte 00, so it terminates them. It is lower than all bytes of names, so names and indexes sort correctly.
//
// LevelDB has a checksum for each block, but classic-level does not enable its verification, so data from a damaged disk would be
// returned as valid. Therefore every value has a check of its own, which includes its key, and a mismatch is an error. Format 1 had
// no checks, and its values are read without them.

import { Corrupt, crc32, createCorruptRecordError, type Entry, type Key, parseEntry, type Version } from "../adapter";

/** The key of the format marker, and its value. */
export const FORMAT_KEY = "f";
export const FORMAT = "octavo-level 2";
/** The previous format. A database of that format is upgraded when it is opened. Its existing values are not changed. */
export const PREVIOUS_FORMAT = "octavo-level 1";

/** The key of the number of the last write. */
export const NUMBER_KEY = "n";

/** The first letters of keys that end in a name, for listing the names. */
export const VERSIONS = "v";
export const MANIFESTS = "b";
export const UNFINISHED = "u";

/** The keys of partitions and blobs. Those of records and of chunks begin with a prefix. */
export const keys = {
  version: (partition: string) => VERSIONS + partition,
  recordPrefix: (partition: string) => `r${partition}\x00`,
  manifest: (blob: string) => MANIFESTS + blob,
  unfinished: (blob: string) => UNFINISHED + blob,
  chunkPrefix: (blob: string) => `c${blob}\x00`,
  chunk: (blob: string, index: number) =>
    keys.chunkPrefix(blob) + String.fromCharCode(index >>> 24, (index >>> 16) & 255, (index >>> 8) & 255, index & 255),
};

/** Encodes a record. `recordKey` is its key in the database. */
export function encodeRecord(recordKey: string, version: Version, json: string): string {
  return `${version}~${computeRecordCheck(recordKey, version, json)} ${json}`;
}

/** Returns the version of a record and the text of its value. Throws `Corrupt` if its check does not match. */
export function verifyRecord(row: string, partition: string, key: Key): { version: Version; json: string } {
  const { version, check, end } = parseRecordHead(row, partition, key);
  const json = row.slice(end + 1);
  if (check !== undefined && check !== computeRecordCheck(keys.recordPrefix(partition) + key, version, json))
    throw createCorruptRecordError(partition, key);
  return { version, json };
}

/** Returns the frozen entry of a record. */
export function parseRecord(row: string, partition: string, key: Key): Entry {
  const { version, json } = verifyRecord(row, partition, key);
  return parseEntry(partition, key, version, json);
}

/** Returns the version of a record, without verifying the rest, and where its text begins. */
export function parseRecordHead(
  row: string,
  partition: string,
  key: Key,
): { readonly version: Version; readonly check: string | undefined; readonly end: number } {
  const end = row.indexOf(" ");
  const checkStart = row.indexOf("~");
  const hasCheck = checkStart >= 0 && checkStart <= end;
  const version = Number(row.slice(0, hasCheck ? checkStart : end));
  if (!Number.isSafeInteger(version) || version < 1) throw createCorruptRecordError(partition, key);
  return { version, check: hasCheck ? row.slice(checkStart + 1, end) : undefined, end };
}

function computeRecordCheck(recordKey: string, version: Version, json: string): string {
  return crc32(json, crc32(`${recordKey} ${version}`)).toString(36);
}

/** Returns a text with its check appended. The check includes the key. */
export function appendCheck(key: string, text: string): string {
  return `${text}~${crc32(text, crc32(key)).toString(36)}`;
}

/** Returns the text of a value without its check; undefined if the value is damaged. Values of format 1 have no check. */
export function stripCheck(key: string, row: string): string | undefined {
  const end = row.lastIndexOf("~");
  if (end < 0) return row;
  const text = row.slice(0, end);
  return appendCheck(key, text) === row ? text : undefined;
}

export function computeChunkCheck(bytes: Uint8Array): string {
  return crc32(bytes).toString(36);
}

/** Returns the version of a partition; 0 if it was never committed to. */
export function parseVersion(row: string | undefined, partition: string): Version {
  const version = Number(row === undefined ? 0 : (stripCheck(keys.version(partition), row) ?? Number.NaN));
  if (!Number.isSafeInteger(version) || version < 0)
    throw new Corrupt(`The version of partition ${partition} is damaged.`);
  return version;
}
