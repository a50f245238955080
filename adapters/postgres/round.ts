// Decides a round of commits without reading the database. Each check is assumed to succeed unless an earlier commit of the round or a
// response of the database says otherwise. The database then verifies all assumed checks under its lock, and writes nothing if one
// fails.

import {
  addToCounter,
  type Batch,
  type Committed,
  isReadOnlyBatch,
  type Key,
  parseFrozen,
  type Version,
} from "../adapter";

/** A commit with the texts of its values. */
export interface CommitRequest {
  readonly batch: Batch;
  readonly texts: readonly string[];
}

/** The outcome of a commit if the round is written. `rank` is its version relative to the version before the round. */
export type CommitVerdict =
  | { readonly ok: true; readonly rank: number }
  | { readonly ok: false; readonly conflict: Key; readonly isSure: boolean }
  | { readonly error: unknown }
  /** The commit contradicts another one, or its checks refer to two different times. It waits for the next round. */
  | "later";

/** The content of a key after the round: a text, nothing, or the previous content with amounts added. */
export type KeyDraft =
  | { readonly rank: number; readonly text: string | undefined }
  | { readonly rank: number; readonly amounts: readonly { readonly rank: number; readonly amount: number }[] };

/** The versions of keys as the database has reported them; null for an absent key. */
export type KeyVersions = ReadonlyMap<Key, Version | null>;

export class Round<Commit extends CommitRequest> {
  readonly verdicts = new Map<Commit, CommitVerdict>();
  readonly assumed = new Map<Key, Version | null>();
  readonly drafts = new Map<Key, KeyDraft>();
  readonly #reported: KeyVersions;
  /** The number of commits that write. */
  count = 0;

  constructor(commits: readonly Commit[], reported: KeyVersions) {
    this.#reported = reported;
    for (const commit of commits) this.verdicts.set(commit, this.#decide(commit));
  }

  /** Returns whether a commit is written with the round. */
  writes(commit: Commit): boolean {
    const verdict = this.verdicts.get(commit);
    return typeof verdict === "object" && "ok" in verdict && verdict.ok && !isReadOnlyBatch(commit.batch);
  }

  #decide({ batch, texts }: CommitRequest): CommitVerdict {
    const needed = new Map<Key, Version | null>();
    let isSure = true;
    for (const { key, version } of batch.checks) {
      const draft = this.drafts.get(key);
      if (draft) {
        isSure = false;
        // The version of a draft is newer than any that could have been read.
        if (version === null && "text" in draft && draft.text === undefined) continue;
      } else if (this.#reported.has(key)) {
        if (this.#reported.get(key) === version) {
          needed.set(key, version);
          continue;
        }
        // The reported version is from an earlier time than the rest, and the two may never have been true together.
        if (!isSure) return "later";
      } else {
        isSure = false;
        const other = needed.has(key) ? needed.get(key) : this.assumed.has(key) ? this.assumed.get(key) : version;
        if (other !== version) return "later";
        needed.set(key, version);
        continue;
      }
      for (const [key, version] of needed) this.assumed.set(key, version);
      return { ok: false, conflict: key, isSure };
    }
    return this.#accept(batch, texts, needed);
  }

  #accept(batch: Batch, texts: readonly string[], needed: ReadonlyMap<Key, Version | null>): CommitVerdict {
    const rank = this.count + 1;
    let sums: readonly KeyDraft[];
    try {
      sums = batch.adds.map(({ key, amount }) => {
        const before = this.drafts.get(key);
        if (before === undefined) return { rank, amounts: [{ rank, amount }] };
        if ("amounts" in before) return { rank, amounts: [...before.amounts, { rank, amount }] };
        const value = before.text === undefined ? undefined : parseFrozen(before.text);
        return { rank, text: JSON.stringify(addToCounter(value, amount)) };
      });
    } catch (error) {
      return { error };
    }
    for (const [key, version] of needed) this.assumed.set(key, version);
    if (isReadOnlyBatch(batch)) return { ok: true, rank: this.count };
    batch.puts.forEach(({ key }, i) => {
      this.drafts.set(key, { rank, text: texts[i]! });
    });
    for (const key of batch.deletes) this.drafts.set(key, { rank, text: undefined });
    batch.adds.forEach(({ key }, i) => {
      this.drafts.set(key, sums[i]!);
    });
    this.count = rank;
    return { ok: true, rank };
  }
}

/** Returns the result of a commit, given the version before the round. */
export function toCommitted(
  verdict: { ok: true; rank: number } | { ok: false; conflict: Key },
  base: Version,
): Committed {
  return verdict.ok ? { ok: true, version: base + verdict.rank } : { ok: false, conflict: verdict.conflict };
}
