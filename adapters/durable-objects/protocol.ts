// The protocol between a storage and the objects of its partitions. All messages are plain data (texts, numbers and lists), so they are
// the same in every isolate. Values are sent as JSON texts, so their depth is not limited.

import type { Key, KeySpan, Version } from "../adapter";

/** A batch with the JSON text of each value. */
export interface SentBatch {
  readonly checks: readonly (readonly [key: Key, version: Version | null])[];
  readonly puts: readonly (readonly [key: Key, text: string])[];
  readonly deletes: readonly Key[];
  readonly adds: readonly (readonly [key: Key, amount: number])[];
}

/** Commits that are sent together. Each is decided individually, in their order. */
export interface SentRound {
  /** A round is written only once under the same token. */
  readonly token: string;
  /** True if the round was sent before and may have been written. */
  readonly isDoubtful: boolean;
  /** True if the partition is known to be registered. */
  readonly isRegistered: boolean;
  readonly batches: readonly SentBatch[];
}

export type SentBatchOutcome =
  | { readonly version: Version }
  | { readonly conflict: Key }
  | { readonly tooLarge: string };

/** An entry with the JSON text of its value. */
export type EntryTuple = readonly [key: Key, version: Version, text: string];

/** A range of entries at a version. */
export interface SentRange extends KeySpan {
  readonly version: Version;
  readonly isReverse: boolean;
  readonly limit: number;
}

/** The response of a method that failed. It had no effect, and nothing is in doubt. */
export interface Failed {
  readonly failed: "unavailable" | "corrupt";
  readonly message: string;
}

/** The methods of a partition's object. One class serves partitions, the registry of their names, and the clock. */
export interface PartitionMethods {
  /** Writes a round. Returns `mustRegister` if it is the first one of a partition that is not registered yet. */
  writeRound(
    round: SentRound,
  ): { readonly told: readonly SentBatchOutcome[] } | { readonly mustRegister: true } | Failed;
  /** Returns the version of the last commit; 0 if there is none. */
  currentVersion(): { readonly version: Version } | Failed;
  /** Returns the entries of the first keys at a version, as many as fit into one response. */
  readEntries(version: Version, keys: readonly Key[]): { readonly entries: readonly (EntryTuple | null)[] } | Failed;
  /** Returns the first entries of a range, as many as fit into one response. */
  listEntries(range: SentRange): { readonly entries: readonly EntryTuple[]; readonly isCut: boolean } | Failed;
}

export interface RegistryMethods {
  /** Registers a name, before its partition is written to. */
  register(name: string): Failed | undefined;
  /** Returns the names after another one, in order, and whether each partition is known to have a commit. */
  names(
    after: string,
    limit: number,
  ): { readonly names: readonly (readonly [name: string, isSure: boolean])[] } | Failed;
  /** Confirms that each of these partitions has a commit. */
  confirm(names: readonly string[]): Failed | undefined;
}

export interface ClockMethods {
  /** Makes the background work run at a time (in milliseconds), unless it is due earlier. */
  wake(at: number): Promise<Failed | undefined>;
}

export type ObjectMethods = PartitionMethods & RegistryMethods & ClockMethods;

/** The names of objects, which follow the prefix of the storage. */
export const getPartitionObjectName = (partition: string): string => `p/${partition}`;
export const REGISTRY = "registry";
export const CLOCK = "clock";

/** The size at which a response is cut, in characters. With at most four bytes each, this is half of what a call can return. */
export const ANSWER_CHARACTERS: number = 4 * 1024 * 1024;
/** The maximum number of characters of keys and values in a round, unless it is a single batch. It equals the byte limit of a batch. */
export const ROUND_CHARACTERS: number = 800 * 1024;
/** The maximum number of commits in a round. */
export const ROUND_COMMITS = 200;
