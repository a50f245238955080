// Joins commits into rounds. All waiting commits are decided one after the other, each against the records and the commits accepted
// before it, and are written to the disk in one synced write. So they share the cost of the sync, which is the slow part. Commits
// that arrive in the meantime wait for the next round.

import {
  type Batch,
  type Committed,
  Corrupt,
  checkBatch,
  decideBatch,
  type Entry,
  isReadOnlyBatch,
  type Key,
  Unavailable,
  type Write,
} from "../adapter";
import type { Database, WriteOperation } from "./database";
import type { HistoryNode } from "./history";
import { appendCheck, encodeRecord, keys } from "./layout";
import type { PartitionRecords } from "./records";

/** The approximate maximum size of a round, so that a burst of large commits is not in memory twice. */
const MAX_ROUND_CHARACTERS = 4 * 1024 * 1024;

/** A partition as its writer sees it. */
export interface Writable {
  readonly name: string;
  readonly records: PartitionRecords;
  /** The current state; `undefined` until `load` has resolved. */
  state: HistoryNode | undefined;
  load(): Promise<HistoryNode>;
}

/** A commit that waits for its round. */
interface PendingCommit {
  readonly partition: Writable;
  readonly batch: Batch;
  readonly texts: readonly string[];
  answer(committed: Committed): void;
  fail(error: unknown): void;
}

/** The changes that a round is about to make to a partition. */
interface PartitionDraft {
  readonly partition: Writable;
  readonly state: HistoryNode;
  version: number;
  /** The entries under the keys of the round. A damaged record fails only the commits that touch it. */
  readonly entries: Map<Key, Entry | undefined | Corrupt>;
  readonly writes: Map<Key, Write>;
  readonly overwritten: Map<Key, Entry | undefined>;
}

export class Commits {
  readonly #database: Database;
  readonly #ready: () => Promise<void>;
  readonly #onDoubt: (partition: Writable) => void;
  readonly #queue: PendingCommit[] = [];
  #running: Promise<void> | undefined;

  /** `ready` brings the partitions in line with the database; `onDoubt` is called if one may no longer be. */
  constructor(database: Database, ready: () => Promise<void>, onDoubt: (partition: Writable) => void) {
    this.#database = database;
    this.#ready = ready;
    this.#onDoubt = onDoubt;
  }

  async commit(partition: Writable, batch: Batch): Promise<Committed> {
    const texts = checkBatch(batch);
    return new Promise((answer, fail) => {
      this.#queue.push({ partition, batch, texts, answer, fail });
      this.#running ??= this.#run();
    });
  }

  /** Resolves once every commit has been answered. */
  async waitUntilIdle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      let round: PendingCommit[] = this.#queue;
      try {
        await this.#ready();
        // A damaged partition fails only its own commits.
        const loaded: PendingCommit[] = [];
        for (const pending of this.#takeRound()) {
          try {
            if (!pending.partition.state) await pending.partition.load();
            loaded.push(pending);
          } catch (error) {
            pending.fail(error);
          }
        }
        round = loaded;
        await this.#commitRound(round, await this.#readDrafts(round));
      } catch (error) {
        // Nothing has been decided yet.
        for (const pending of round.splice(0)) pending.fail(error);
      }
    }
    this.#running = undefined;
  }

  #takeRound(): PendingCommit[] {
    let characters = 0;
    let count = 0;
    while (count < this.#queue.length && characters < MAX_ROUND_CHARACTERS) {
      for (const text of this.#queue[count]!.texts) characters += text.length;
      count++;
    }
    return this.#queue.splice(0, count);
  }

  /** Reads all entries that the round needs in one request, except for those in the cache. */
  async #readDrafts(round: readonly PendingCommit[]): Promise<Map<Writable, PartitionDraft>> {
    const drafts = new Map<Writable, PartitionDraft>();
    const missing: { draft: PartitionDraft; key: Key }[] = [];
    for (const { partition, batch } of round) {
      const state = partition.state!;
      const draft = drafts.get(partition) ?? {
        partition,
        state,
        version: state.version,
        entries: new Map(),
        writes: new Map(),
        overwritten: new Map(),
      };
      drafts.set(partition, draft);
      const request = (key: Key) => {
        if (draft.entries.has(key)) return;
        const cached = partition.records.getCached(key);
        draft.entries.set(key, cached ?? undefined);
        if (cached === null) missing.push({ draft, key });
      };
      for (const { key } of batch.checks) request(key);
      for (const { key, isNew } of batch.puts) if (!isNew) request(key);
      for (const key of batch.deletes) request(key);
      for (const { key } of batch.adds) request(key);
    }
    if (missing.length === 0) return drafts;
    const rows = await this.#database.read(missing.map(({ draft, key }) => draft.partition.records.encodeKey(key)));
    missing.forEach(({ draft, key }, i) => {
      const row = rows[i];
      // An absent entry is not cached, because it is about to be written.
      if (row === undefined) return;
      try {
        draft.entries.set(key, draft.partition.records.parseAndCache(key, row));
      } catch (error) {
        if (!(error instanceof Corrupt)) throw error;
        draft.entries.set(key, error);
      }
    });
    return drafts;
  }

  /** Decides a round, writes it and answers its commits. */
  async #commitRound(round: readonly PendingCommit[], drafts: ReadonlyMap<Writable, PartitionDraft>): Promise<void> {
    const outcomes = round.map((pending): { pending: PendingCommit; committed?: Committed; error?: unknown } => {
      const { partition, batch, texts } = pending;
      const draft = drafts.get(partition)!;
      const getEntry = (key: Key) => {
        const entry = draft.entries.get(key);
        if (entry instanceof Corrupt) throw entry;
        return entry;
      };
      try {
        const decision = decideBatch(batch, texts, draft.version + 1, getEntry);
        if ("conflict" in decision) return { pending, committed: { ok: false, conflict: decision.conflict } };
        if (isReadOnlyBatch(batch)) return { pending, committed: { ok: true, version: draft.version } };
        const before = decision.writes.map(({ key }) => getEntry(key));
        decision.writes.forEach((write, i) => {
          if (!draft.overwritten.has(write.key)) draft.overwritten.set(write.key, before[i]);
          draft.entries.set(write.key, write.entry);
          draft.writes.set(write.key, write);
        });
        draft.version++;
        return { pending, committed: { ok: true, version: draft.version } };
      } catch (error) {
        return { pending, error };
      }
    });
    const failure = await this.#write([...drafts.values()].filter(({ writes }) => writes.size > 0));
    for (const { pending, committed, error } of outcomes) {
      if (error !== undefined) pending.fail(error);
      else if (failure === undefined) pending.answer(committed!);
      else if (committed!.ok && !isReadOnlyBatch(pending.batch)) pending.fail(failure);
      // It wrote nothing, but its decision depends on a write that may not have happened.
      else pending.fail(new Unavailable("A write failed that others depend on.", { outcome: "none", cause: failure }));
    }
  }

  /** Writes the changed partitions. Returns the error if that fails. */
  async #write(changed: readonly PartitionDraft[]): Promise<unknown> {
    if (changed.length === 0) return undefined;
    const operations: WriteOperation[] = [];
    for (const { partition, state, version, writes, overwritten } of changed) {
      state.end = { overwritten, next: { version } };
      operations.push({
        type: "put",
        key: keys.version(partition.name),
        value: appendCheck(keys.version(partition.name), String(version)),
      });
      for (const { key, entry, text } of writes.values()) {
        const recordKey = partition.records.encodeKey(key);
        if (entry)
          operations.push({ type: "put", key: recordKey, value: encodeRecord(recordKey, entry.version, text!) });
        else operations.push({ type: "del", key: recordKey });
      }
    }
    let failure: unknown;
    try {
      await this.#database.write(operations);
    } catch (error) {
      failure = error;
    }
    // The code from here to the answers is synchronous, so no reader sees a state that the cache does not contain.
    for (const { partition, state, writes } of changed) {
      // Until the outcome of a failed write is known, readers see the state before it.
      if (failure !== undefined) {
        this.#onDoubt(partition);
        continue;
      }
      partition.state = state.end!.next;
      for (const { key, entry, text } of writes.values()) partition.records.updateCached(key, entry, text);
    }
    return failure;
  }
}
