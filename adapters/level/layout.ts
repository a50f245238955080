// Where everything lies in the database. All keys are strings of bytes, one a character, as the contract's keys are:
//
//   f                        "octavo-level 1": what the database is, and the format it is written in
//   v <partition>            the version of the partition's last commit, in decimals
//   r <partition> 00 <key>   a record: the version of its commit, a space, the JSON text
//   b <blob>                 a blob's manifest, {"size":…,"chunk":…}; without one the blob does not exist
//   c <blob> 00 <index>      a chunk of the blob's bytes; the index has four bytes, the highest first
//   u <blob>                 the blob has chunks but no manifest: an upload or a delete is on its way, or was torn
//
// Names hold no byte 00, so it ends them; and it is below all bytes of names, so names and indexes sort as they should.

import { Corrupt, type Entry, type Key, parseFrozen, type Version } from "../adapter";

/** The key of the format marker, and what it says. */
export const FORMAT_KEY = "f";
export const FORMAT = "octavo-level 1";

/** The first letters of the keys whose rest is a name, for listing the names. */
export const VERSIONS = "v";
export const MANIFESTS = "b";
export const UNFINISHED = "u";

export const versionKey = (partition: string): string => VERSIONS + partition;
export const recordPrefix = (partition: string): string => `r${partition}\x00`;
export const manifestKey = (blob: string): string => MANIFESTS + blob;
export const unfinishedKey = (blob: string): string => UNFINISHED + blob;
export const chunkPrefix = (blob: string): string => `c${blob}\x00`;

export function chunkKey(blob: string, index: number): string {
  return chunkPrefix(blob) + String.fromCharCode(index >>> 24, (index >>> 16) & 255, (index >>> 8) & 255, index & 255);
}

export function recordText(version: Version, json: string): string {
  return `${version} ${json}`;
}

/** The version of a record, without parsing the rest. */
export function recordVersion(row: string, partition: string, key: Key): Version {
  const version = Number(row.slice(0, row.indexOf(" ")));
  if (!Number.isSafeInteger(version) || version < 1) throw corruptRecord(partition, key);
  return version;
}

/** The entry of a record, frozen. */
export function parseRecord(row: string, partition: string, key: Key): Entry {
  const version = recordVersion(row, partition, key);
  try {
    return Object.freeze({ key, value: parseFrozen(row.slice(row.indexOf(" ") + 1)), version });
  } catch (cause) {
    throw corruptRecord(partition, key, cause);
  }
}

function corruptRecord(partition: string, key: Key, cause?: unknown): Corrupt {
  return new Corrupt(`The record ${JSON.stringify(key)} of partition ${partition} is damaged.`, { cause });
}

/** The version of a partition: 0 when it was never committed to. */
export function parseVersion(row: string | undefined, partition: string): Version {
  const version = Number(row ?? 0);
  if (!Number.isSafeInteger(version) || version < 0)
    throw new Corrupt(`The version of partition ${partition} is damaged.`);
  return version;
}
