// Where everything lies in the database. All keys are strings of bytes, one a character, as the contract's keys are:
//
//   f                        "octavo-level 2": what the database is, and the format it is written in
//   n                        the number of the last write, counted from the first one in a directory, ~ and its check
//   v <partition>            the version of the partition's last commit, in decimals, ~ and its check
//   r <partition> 00 <key>   a record: the version of its commit, ~, its check, a space, the JSON text
//   b <blob>                 a blob's manifest, {"size":…,"chunk":…,"checks":"…"}, ~ and its check; without one the
//                            blob does not exist. `checks` has the check of each chunk
//   c <blob> 00 <index>      a chunk of the blob's bytes; the index has four bytes, the highest first
//   u <blob>                 the blob has chunks but no manifest: an upload or a delete is on its way, or was torn
//
// Names hold no byte 00, so it ends them; and it is below all bytes of names, so names and indexes sort as they should.
//
// LevelDB has a checksum for each block, but classic-level does not let it compare them: a damaged disk would be read as if
// it were sound. So every value has a check of its own, over its key as well, and what does not fit is refused. Format 1 had
// none; what it wrote is read without.

import { Corrupt, crc32, type Entry, type Key, parseFrozen, type Version } from "../adapter";

/** The key of the format marker, and what it says. */
export const FORMAT_KEY = "f";
export const FORMAT = "octavo-level 2";
/** The format before. A database in it becomes one in this format when it is opened, and keeps its values as they are. */
export const PREVIOUS_FORMAT = "octavo-level 1";

/** The key of the number of the last write. */
export const NUMBER_KEY = "n";

/** The first letters of the keys whose rest is a name, for listing the names. */
export const VERSIONS = "v";
export const MANIFESTS = "b";
export const UNFINISHED = "u";

export const encodeVersionKey = (partition: string): string => VERSIONS + partition;
export const encodeRecordPrefix = (partition: string): string => `r${partition}\x00`;
export const encodeManifestKey = (blob: string): string => MANIFESTS + blob;
export const encodeUnfinishedKey = (blob: string): string => UNFINISHED + blob;
export const encodeChunkPrefix = (blob: string): string => `c${blob}\x00`;

export function encodeChunkKey(blob: string, index: number): string {
  return (
    encodeChunkPrefix(blob) + String.fromCharCode(index >>> 24, (index >>> 16) & 255, (index >>> 8) & 255, index & 255)
  );
}

export function encodeRecord(at: string, version: Version, json: string): string {
  return `${version}~${computeRecordCheck(at, version, json)} ${json}`;
}

/** The version of a record, without looking at the rest. */
export function parseRecordVersion(row: string, partition: string, key: Key): Version {
  const { version } = parseRecordHead(row);
  if (!Number.isSafeInteger(version) || version < 1) throw createCorruptRecordError(partition, key);
  return version;
}

/** The text of a record's value, and its version, if the record is sound. */
export function verifyRecord(row: string, partition: string, key: Key): { version: Version; json: string } {
  const version = parseRecordVersion(row, partition, key);
  const { check, end } = parseRecordHead(row);
  const json = row.slice(end + 1);
  if (check !== undefined && check !== computeRecordCheck(encodeRecordPrefix(partition) + key, version, json))
    throw createCorruptRecordError(partition, key);
  return { version, json };
}

/** The entry of a record, frozen. */
export function parseRecord(row: string, partition: string, key: Key): Entry {
  const { version, json } = verifyRecord(row, partition, key);
  try {
    return Object.freeze({ key, value: parseFrozen(json), version });
  } catch (cause) {
    throw createCorruptRecordError(partition, key, cause);
  }
}

function parseRecordHead(row: string): {
  readonly version: number;
  readonly check: string | undefined;
  readonly end: number;
} {
  const end = row.indexOf(" ");
  const at = row.indexOf("~");
  if (at < 0 || at > end) return { version: Number(row.slice(0, end)), check: undefined, end };
  return { version: Number(row.slice(0, at)), check: row.slice(at + 1, end), end };
}

function computeRecordCheck(at: string, version: Version, json: string): string {
  return crc32(json, crc32(`${at} ${version}`)).toString(36);
}

/** A value of one line with its check behind it. */
export function appendCheck(at: string, text: string): string {
  return `${text}~${crc32(text, crc32(at)).toString(36)}`;
}

/** Such a value; undefined when it is damaged. One of format 1 has no check. */
export function stripCheck(at: string, row: string): string | undefined {
  const end = row.lastIndexOf("~");
  if (end < 0) return row;
  const text = row.slice(0, end);
  return appendCheck(at, text) === row ? text : undefined;
}

/** The check of a chunk. */
export function computeChunkCheck(bytes: Uint8Array): string {
  return crc32(bytes).toString(36);
}

function createCorruptRecordError(partition: string, key: Key, cause?: unknown): Corrupt {
  return new Corrupt(`The record ${JSON.stringify(key)} of partition ${partition} is damaged.`, { cause });
}

/** The version of a partition: 0 when it was never committed to. */
export function parseVersion(row: string | undefined, partition: string): Version {
  const version = Number(row === undefined ? 0 : (stripCheck(encodeVersionKey(partition), row) ?? Number.NaN));
  if (!Number.isSafeInteger(version) || version < 0)
    throw new Corrupt(`The version of partition ${partition} is damaged.`);
  return version;
}
