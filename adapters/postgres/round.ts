// What a round of commits would do, decided without a look at the database: each check is taken for true, unless an earlier
// commit of the round or an answer of the database says otherwise. The database then compares all checks that were taken
// for true, under its lock, and writes nothing if one is not.

import { type Batch, type Committed, type Key, parseFrozen, sumOf, type Version, writesNothing } from "../adapter";

/** A commit with the texts of its values. */
export interface CommitRequest {
  readonly batch: Batch;
  readonly texts: readonly string[];
}

/** What a commit of the round is told if the round is written. Versions are counted from the one before the round. */
export type CommitVerdict =
  | { readonly ok: true; readonly rank: number }
  | { readonly ok: false; readonly conflict: Key; readonly isSure: boolean }
  | { readonly error: unknown }
  /** It contradicts another, so that one of both cannot be right, or it rests on two moments: it waits for the next round. */
  | "later";

/** What a key holds after the round: a text, nothing, or what it held before and so much more. */
export type KeyDraft =
  | { readonly rank: number; readonly text: string | undefined }
  | { readonly rank: number; readonly amounts: readonly { readonly rank: number; readonly amount: number }[] };

/** Versions of keys by an answer of the database; null: there is nothing. */
export type KeyVersions = ReadonlyMap<Key, Version | null>;

export class Round<Commit extends CommitRequest> {
  readonly verdicts = new Map<Commit, CommitVerdict>();
  /** What was taken for true. */
  readonly assumed = new Map<Key, Version | null>();
  readonly drafts = new Map<Key, KeyDraft>();
  readonly #facts: KeyVersions;
  /** How many commits write. */
  count = 0;

  constructor(commits: readonly Commit[], facts: KeyVersions) {
    this.#facts = facts;
    for (const commit of commits) this.verdicts.set(commit, this.#decide(commit));
  }

  /** Whether a commit is written with the round. */
  writes(commit: Commit): boolean {
    const verdict = this.verdicts.get(commit);
    return typeof verdict === "object" && "ok" in verdict && verdict.ok && !writesNothing(commit.batch);
  }

  #decide({ batch, texts }: CommitRequest): CommitVerdict {
    const needed = new Map<Key, Version | null>();
    let isSure = true;
    for (const { key, version } of batch.checks) {
      const draft = this.drafts.get(key);
      if (draft) {
        isSure = false;
        // The version of a draft is younger than any that somebody could have read.
        if (version === null && "text" in draft && draft.text === undefined) continue;
      } else if (this.#facts.has(key)) {
        if (this.#facts.get(key) === version) {
          needed.set(key, version);
          continue;
        }
        // The answer tells of an earlier moment than the rest: what both say together may never have been so.
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
      sums = batch.adds.map(({ key, amount }) => added(this.drafts.get(key), rank, amount));
    } catch (error) {
      return { error };
    }
    for (const [key, version] of needed) this.assumed.set(key, version);
    if (writesNothing(batch)) return { ok: true, rank: this.count };
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

function added(before: KeyDraft | undefined, rank: number, amount: number): KeyDraft {
  if (before === undefined) return { rank, amounts: [{ rank, amount }] };
  if ("amounts" in before) return { rank, amounts: [...before.amounts, { rank, amount }] };
  const value = before.text === undefined ? undefined : parseFrozen(before.text);
  return { rank, text: JSON.stringify(sumOf(value, amount)) };
}

/** What a commit is told, once the version before the round is known. */
export function toCommitted(
  verdict: { ok: true; rank: number } | { ok: false; conflict: Key },
  base: Version,
): Committed {
  return verdict.ok ? { ok: true, version: base + verdict.rank } : { ok: false, conflict: verdict.conflict };
}
