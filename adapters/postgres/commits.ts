// The commits of a partition. All that wait become one round, which is one statement; what comes meanwhile waits for the
// next one. A round that meets a stale check is told the versions that are there, answers those who are refused by them,
// and is sent again with the rest: so each time it is smaller, and no process can keep another from writing.

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
import { type CommitRequest, type KeyDraft, type KeyVersions, Round, toCommitted } from "./round";
import { COMMIT } from "./schema";
import { decodeKeyText, encodeArray, encodeKeyText } from "./text";

interface QueuedCommit extends CommitRequest {
  /** Whether it is part of a round that may have been sent. */
  mayHappen: boolean;
  /** Whether its caller was told that it took too long. */
  isGivenUp: boolean;
  answer(committed: Committed): void;
  fail(error: unknown): void;
}

/** What PostgreSQL calls a sum that is too large. */
const OUT_OF_RANGE = "22003";

export class Commits {
  readonly #partition: string;
  readonly #database: Database;
  readonly #records: Records;
  readonly #roundBytes: number;
  #queue: QueuedCommit[] = [];
  #running: Promise<void> | undefined;

  /** `roundBytes` is the most that one round takes on, in characters of keys and values, about. */
  constructor(partition: string, database: Database, records: Records, roundBytes: number) {
    this.#partition = partition;
    this.#database = database;
    this.#records = records;
    this.#roundBytes = roundBytes;
  }

  /** Queues a batch. Its caller waits no longer than a call may take; what was not sent until then never is. */
  async commit(batch: Batch): Promise<Committed> {
    const texts = checkBatch(batch);
    return new Promise((resolve, reject) => {
      const alarm = setTimeout(() => {
        waiting.isGivenUp = true;
        reject(this.#database.late(waiting.mayHappen ? "unknown" : "none"));
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

  /** Resolves when every commit was answered. */
  async waitUntilIdle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    // Those who were called in the same turn come along.
    await Promise.resolve();
    while (this.#queue.length > 0) await this.#settle(this.#take());
    this.#running = undefined;
  }

  #take(): QueuedCommit[] {
    this.#queue = this.#queue.filter(({ isGivenUp }) => !isGivenUp);
    let size = 0;
    let count = 0;
    while (count < this.#queue.length && size < this.#roundBytes) size += sizeOf(this.#queue[count++]!);
    return this.#queue.splice(0, count);
  }

  /** Decides the round as often as it takes, and answers. */
  async #settle(commits: readonly QueuedCommit[]): Promise<void> {
    let left = commits;
    let facts: KeyVersions = new Map();
    while (left.length > 0) {
      const round = new Round(left, facts);
      try {
        if (round.count === 0) {
          const looked = await this.#look(left);
          const sure = new Round(left, looked.facts);
          if (sure.count === 0) return this.#answer(sure, looked.version);
          facts = looked.facts;
        } else {
          const told = await this.#write(round);
          if ("base" in told) {
            this.#remember(round, told.base, told.sums);
            return this.#answer(round, told.base);
          }
          facts = told.facts;
        }
      } catch (error) {
        if (getErrorCode(error) === OUT_OF_RANGE) return this.#oneByOne(left, error);
        for (const commit of left) commit.fail(asFailure(round, commit, error));
        return;
      }
      // Refused by what is there: nothing that is still open can change that.
      const next = new Round(left, facts);
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

  /** A sum of the round is too large. On its own, each commit finds out whether it was the one. */
  async #oneByOne(commits: readonly QueuedCommit[], error: unknown): Promise<void> {
    if (commits.length === 1) commits[0]!.fail(new TooLarge("A counter cannot grow so large.", { cause: error }));
    else for (const commit of commits) await this.#settle([commit]);
  }

  /** What the keys are that the commits check, and the version of the partition at that moment. */
  async #look(commits: readonly QueuedCommit[]): Promise<{ version: Version; facts: KeyVersions }> {
    const keys = new Set(commits.flatMap(({ batch }) => batch.checks.map(({ key }) => key)));
    const { schema } = this.#database;
    const rows = await this.#database.query(
      `SELECT (SELECT version::text FROM ${schema}.partition WHERE name = $1) AS version, k.key, e.version::text AS its
      FROM (SELECT) one LEFT JOIN unnest($2::text::text[]) k (key) ON true
      LEFT JOIN LATERAL (SELECT version FROM ${schema}.entry WHERE partition = $1 AND key = k.key LIMIT 1) e ON true`,
      [this.#partition, encodeArray([...keys].map(encodeKeyText))],
    );
    const facts = new Map<Key, Version | null>();
    for (const { key, its } of rows) if (key !== null) facts.set(decodeKeyText(key!), its == null ? null : Number(its));
    return { version: Number(rows[0]?.version ?? 0), facts };
  }

  /** Sends the round. It can be sent again under its token: whichever arrives first is the only one. */
  async #write(
    round: Round<QueuedCommit>,
  ): Promise<{ base: Version; sums: readonly PostgresRow[] } | { facts: KeyVersions }> {
    const token = crypto.randomUUID();
    const checks = [...round.assumed];
    const puts: [Key, number, string | null][] = [];
    const adds: [Key, number, number][] = [];
    for (const [key, draft] of round.drafts) {
      if ("text" in draft) puts.push([key, draft.rank, draft.text ?? null]);
      else for (const { rank, amount } of draft.amounts) adds.push([key, rank, amount]);
    }
    const arrays = [
      encodeArray(checks.map(([key]) => encodeKeyText(key))),
      encodeArray(checks.map(([, version]) => version)),
      encodeArray(puts.map(([key]) => encodeKeyText(key))),
      encodeArray(puts.map(([, rank]) => rank)),
      encodeArray(puts.map(([, , text]) => text)),
      encodeArray(adds.map(([key]) => encodeKeyText(key))),
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
      facts: new Map(
        rows.map(({ at_key, at_version }) => [decodeKeyText(at_key!), at_version === null ? null : Number(at_version)]),
      ),
    };
  }

  /** Keeps what was written for readers, if all of it is known. */
  #remember(round: Round<QueuedCommit>, base: Version, sums: readonly PostgresRow[]): void {
    const texts = new Map(sums.map(({ at_key, its_value }) => [decodeKeyText(at_key!), its_value!]));
    const textOf = (key: Key, draft: KeyDraft) => ("text" in draft ? draft.text : texts.get(key));
    // The sums are not told again to a round that was sent twice.
    for (const [key, draft] of round.drafts) if (!("text" in draft) && !texts.has(key)) return;
    if (!this.#records.advanceByCommit(base, base + round.count)) return;
    for (const [key, draft] of round.drafts) {
      const text = textOf(key, draft);
      if (text === undefined) this.#records.cacheWritten(key, undefined, "");
      else {
        const entry = Object.freeze({ key, value: parseFrozen(text), version: base + draft.rank });
        this.#records.cacheWritten(key, entry, text);
      }
    }
  }
}

function sizeOf({ batch, texts }: CommitRequest): number {
  let size = 100 * (1 + batch.puts.length + batch.deletes.length + batch.adds.length + batch.checks.length);
  for (const text of texts) size += text.length;
  return size;
}

/** Those who were not to be written are in no doubt: they depend on a write that may not have happened. */
function asFailure(round: Round<QueuedCommit>, commit: QueuedCommit, error: unknown): unknown {
  const isInDoubt = error instanceof Unavailable && error.outcome === "unknown";
  if (!isInDoubt || round.writes(commit))
    return error instanceof StorageError ? error : new Unavailable(String(error), { outcome: "unknown", cause: error });
  return new Unavailable("A write failed that others depend on.", { outcome: "none", cause: error });
}
