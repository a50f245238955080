// What a storage and the objects of its partitions say to each other. Everything is plain data: texts, numbers and lists, so
// an answer is the same whichever isolate gives it. Values travel as their JSON texts, which may be nested however deep.

import type { Key, KeySpan, Version } from "../adapter";

/** A batch, with the text of each value. */
export interface SentBatch {
  readonly checks: readonly (readonly [key: Key, version: Version | null])[];
  readonly puts: readonly (readonly [key: Key, text: string])[];
  readonly deletes: readonly Key[];
  readonly adds: readonly (readonly [key: Key, amount: number])[];
}

/** Commits that travel together. Each is decided on its own, in their order. */
export interface SentRound {
  /** Under the same token, a round is written once. */
  readonly token: string;
  /** Whether it was sent before and may have been written. */
  readonly isDoubtful: boolean;
  /** Whether the registry has the name of the partition. */
  readonly isRegistered: boolean;
  readonly batches: readonly SentBatch[];
}

/** What became of one batch. */
export type BatchOutcome = { readonly version: Version } | { readonly conflict: Key } | { readonly tooLarge: string };

/** An entry with the text of its value. */
export type EntryTuple = readonly [key: Key, version: Version, text: string];

/** A range of the entries at a version. */
export interface SentRange extends KeySpan {
  readonly version: Version;
  readonly isReverse: boolean;
  readonly limit: number;
}

/** An answer that is none: nothing was done, and nothing is in doubt. */
export interface Failed {
  readonly failed: "unavailable" | "corrupt";
  readonly message: string;
}

/** The methods of an object. One class serves partitions, the registry of their names, and the clock. */
export interface PartitionMethods {
  /** Writes a round; `mustRegister` when this is the first one, and the registry does not have the name yet. */
  writeRound(round: SentRound): { readonly told: readonly BatchOutcome[] } | { readonly mustRegister: true } | Failed;
  /** The version of the last commit; 0 when there was none. */
  currentVersion(): { readonly version: Version } | Failed;
  /** What the first of these keys hold at a version, as many as one answer takes. */
  readEntries(version: Version, keys: readonly Key[]): { readonly entries: readonly (EntryTuple | null)[] } | Failed;
  /** The first entries of a range, as many as one answer takes. */
  listEntries(range: SentRange): { readonly entries: readonly EntryTuple[]; readonly isCut: boolean } | Failed;
}

export interface RegistryMethods {
  /** Writes a name down before its partition is written to. */
  register(name: string): Failed | undefined;
  /** Names after another, in order, and whether a commit is known to have been made there. */
  names(
    after: string,
    limit: number,
  ): { readonly names: readonly (readonly [name: string, isSure: boolean])[] } | Failed;
  /** A commit was made in each of these. */
  confirm(names: readonly string[]): Failed | undefined;
}

export interface ClockMethods {
  /** Has the work that waits done at this time (in ms), if it would be done later otherwise. */
  wake(at: number): Promise<Failed | undefined>;
}

export type ObjectMethods = PartitionMethods & RegistryMethods & ClockMethods;

/** The names of objects, behind the prefix of the storage. */
export const getPartitionObjectName = (partition: string): string => `p/${partition}`;
export const REGISTRY = "registry";
export const CLOCK = "clock";

/** An answer stops growing at so many characters: at most four bytes each, that is half of what a call may carry. */
export const ANSWER_CHARACTERS: number = 4 * 1024 * 1024;
/** A round holds no more characters of keys and values than a batch may have bytes, unless it is a single batch. */
export const ROUND_CHARACTERS: number = 800 * 1024;
/** The most commits of a round. */
export const ROUND_COMMITS = 200;
