// The commits of a partition. All waiting commits form a round, which is one statement; commits that arrive in the meantime wait for
// the next one. If a check of a round is stale, the database returns the current versions. The commits that they refuse are answered,
// and the round is sent again with the rest. So it shrinks each time, and no process can keep another from writing.

import {
  type Batch,
  type Committed,
  checkBatch,
  type Key,
  parseFrozen,
  StorageError,
  TooLarge,
  Unavailable,
  type Version,
} from "../adapter";
import type { PostgresRow } from "./client";
import type { Database } from "./database";
import { getErrorCode } from "./failure";
import type { Records } from "./records";
import { type CommitRequest, type KeyVersions, Round, toCommitted } from "./round";
import { COMMIT } from "./schema";
import { encodeArray, keyText } from "./text";

interface QueuedCommit extends CommitRequest {
  /** True if the commit is part of a round that may have been sent. */
  mayHappen: boolean;
  /** True if the commit has timed out for its caller. */
  isGivenUp: boolean;
  answer(committed: Committed): void;
  fail(error: unknown): void;
}

/** The SQLSTATE for a sum that is too large. */
const OUT_OF_RANGE = "22003";

export class Commits {
  readonly #partition: string;
  readonly #database: Database;
  readonly #records: Records;
  readonly #roundBytes: number;
  #queue: QueuedCommit[] = [];
  #running: Promise<void> | undefined;

  /** `roundBytes` is the approximate maximum size of a round, in characters of keys and values. */
  constructor(partition: string, database: Database, records: Records, roundBytes: number) {
    this.#partition = partition;
    this.#database = database;
    this.#records = records;
    this.#roundBytes = roundBytes;
  }

  /** Queues a batch. If it has not been sent when the call times out, it is never sent. */
  async commit(batch: Batch): Promise<Committed> {
    const texts = checkBatch(batch);
    return new Promise((resolve, reject) => {
      const alarm = setTimeout(() => {
        waiting.isGivenUp = true;
        reject(this.#database.createTimeoutError(waiting.mayHappen ? "unknown" : "none"));
      }, this.#database.timeoutMs);
      const waiting: QueuedCommit = {
        batch,
        texts,
        mayHappen: false,
        isGivenUp: false,
        answer(committed) {
          clearTimeout(alarm);
          resolve(committed);
        },
        fail(error) {
          clearTimeout(alarm);
          reject(error);
        },
      };
      this.#queue.push(waiting);
      this.#running ??= this.#run();
    });
  }

  /** Resolves once every commit has been answered. */
  async waitUntilIdle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    // Commits of the same turn join the first round.
    await Promise.resolve();
    while (this.#queue.length > 0) await this.#commitRound(this.#takeRound());
    this.#running = undefined;
  }

  #takeRound(): QueuedCommit[] {
    this.#queue = this.#queue.filter(({ isGivenUp }) => !isGivenUp);
    let size = 0;
    let count = 0;
    while (count < this.#queue.length && size < this.#roundBytes) {
      const { batch, texts } = this.#queue[count++]!;
      size += 100 * (1 + batch.puts.length + batch.deletes.length + batch.adds.length + batch.checks.length);
      for (const text of texts) size += text.length;
    }
    return this.#queue.splice(0, count);
  }

  /** Decides and sends a round until all of its commits are answered or have to wait for the next one. */
  async #commitRound(commits: readonly QueuedCommit[]): Promise<void> {
    let left = commits;
    let versions: KeyVersions = new Map();
    while (left.length > 0) {
      const round = new Round(left, versions);
      try {
        if (round.count === 0) {
          const current = await this.#readVersions(left);
          const confirmed = new Round(left, current.versions);
          if (confirmed.count === 0) return this.#answer(confirmed, current.version);
          versions = current.versions;
        } else {
          const written = await this.#write(round);
          if ("base" in written) {
            this.#cacheWrites(round, written.base, written.sums);
            return this.#answer(round, written.base);
          }
          versions = written.versions;
        }
      } catch (error) {
        if (getErrorCode(error) === OUT_OF_RANGE) return this.#commitIndividually(left, error);
        for (const commit of left) {
          const isInDoubt = error instanceof Unavailable && error.outcome === "unknown";
          if (isInDoubt && !round.writes(commit))
            // It wrote nothing, but it depends on a write that may not have happened.
            commit.fail(new Unavailable("A write failed that others depend on.", { outcome: "none", cause: error }));
          else if (error instanceof StorageError) commit.fail(error);
          else commit.fail(new Unavailable(String(error), { outcome: "unknown", cause: error }));
        }
        return;
      }
      // A commit that the stored versions refuse is answered now, because no pending commit can change that.
      const next = new Round(left, versions);
      left = left.filter((commit) => {
        const verdict = next.verdicts.get(commit)!;
        if (commit.isGivenUp) return false;
        if (verdict === "later" || !("conflict" in verdict) || !verdict.isSure) return true;
        commit.answer(toCommitted(verdict, 0));
        return false;
      });
    }
  }

  #answer(round: Round<QueuedCommit>, base: Version): void {
    const later: QueuedCommit[] = [];
    for (const [commit, verdict] of round.verdicts) {
      if (verdict === "later") later.push(commit);
      else if ("error" in verdict) commit.fail(verdict.error);
      else commit.answer(toCommitted(verdict, base));
    }
    this.#queue.unshift(...later);
  }

  /** Commits one by one, to find the commit whose sum is too large. */
  async #commitIndividually(commits: readonly QueuedCommit[], error: unknown): Promise<void> {
    if (commits.length === 1) commits[0]!.fail(new TooLarge("A counter cannot grow so large.", { cause: error }));
    else for (const commit of commits) await this.#commitRound([commit]);
  }

  /** Reads the versions of the keys that the commits check, and that of the partition. */
  async #readVersions(commits: readonly QueuedCommit[]): Promise<{ version: Version; versions: KeyVersions }> {
    const keys = new Set(commits.flatMap(({ batch }) => batch.checks.map(({ key }) => key)));
    const { schema } = this.#database;
    const rows = await this.#database.query(
      `SELECT (SELECT version::text FROM ${schema}.partition WHERE name = $1) AS version, k.key, e.version::text AS its
      FROM (SELECT) one LEFT JOIN unnest($2::text::text[]) k (key) ON true
      LEFT JOIN LATERAL (SELECT version FROM ${schema}.entry WHERE partition = $1 AND key = k.key LIMIT 1) e ON true`,
      [this.#partition, encodeArray([...keys].map(keyText.encode))],
    );
    const versions = new Map<Key, Version | null>();
    for (const { key, its } of rows)
      if (key !== null) versions.set(keyText.decode(key!), its == null ? null : Number(its));
    return { version: Number(rows[0]?.version ?? 0), versions };
  }

  /** Sends a round. It can be sent again under its token, because only the first one that arrives is applied. */
  async #write(
    round: Round<QueuedCommit>,
  ): Promise<{ base: Version; sums: readonly PostgresRow[] } | { versions: KeyVersions }> {
    const token = crypto.randomUUID();
    const checks = [...round.assumed];
    const puts: [Key, number, string | null][] = [];
    const adds: [Key, number, number][] = [];
    for (const [key, draft] of round.drafts) {
      if ("text" in draft) puts.push([key, draft.rank, draft.text ?? null]);
      else for (const { rank, amount } of draft.amounts) adds.push([key, rank, amount]);
    }
    const arrays = [
      encodeArray(checks.map(([key]) => keyText.encode(key))),
      encodeArray(checks.map(([, version]) => version)),
      encodeArray(puts.map(([key]) => keyText.encode(key))),
      encodeArray(puts.map(([, rank]) => rank)),
      encodeArray(puts.map(([, , text]) => text)),
      encodeArray(adds.map(([key]) => keyText.encode(key))),
      encodeArray(adds.map(([, rank]) => rank)),
      encodeArray(adds.map(([, , amount]) => amount)),
    ];
    for (const commit of round.verdicts.keys()) commit.mayHappen = round.writes(commit);
    const rows = await this.#database.sendWithRetries(
      `SELECT * FROM ${this.#database.schema}.${COMMIT}($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      (isDoubtful) => [this.#partition, token, String(isDoubtful), String(round.count), ...arrays],
    );
    const written = rows.find(({ outcome }) => outcome === "written");
    if (written) return { base: Number(written.at_version), sums: rows.filter(({ outcome }) => outcome === "sum") };
    for (const commit of round.verdicts.keys()) commit.mayHappen = false;
    return {
      versions: new Map(
        rows.map(({ at_key, at_version }) => [
          keyText.decode(at_key!),
          at_version === null ? null : Number(at_version),
        ]),
      ),
    };
  }

  /** Caches the written entries, if all of them are known. */
  #cacheWrites(round: Round<QueuedCommit>, base: Version, sums: readonly PostgresRow[]): void {
    const texts = new Map(sums.map(({ at_key, its_value }) => [keyText.decode(at_key!), its_value!]));
    // The sums are not returned again to a round that was sent twice.
    for (const [key, draft] of round.drafts) if (!("text" in draft) && !texts.has(key)) return;
    if (!this.#records.advanceByCommit(base, base + round.count)) return;
    for (const [key, draft] of round.drafts) {
      const text = "text" in draft ? draft.text : texts.get(key);
      if (text === undefined) this.#records.cacheWritten(key, undefined, "");
      else {
        const entry = Object.freeze({ key, value: parseFrozen(text), version: base + draft.rank });
        this.#records.cacheWritten(key, entry, text);
      }
    }
  }
}
