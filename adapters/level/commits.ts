// The commits, joined: all that wait are decided one after the other, each against the records and against those just
// accepted, and go to the disk in one synced write. So a sync, the slow part, is paid once for all of them, and what
// comes meanwhile waits for the next round.

import {
  type Batch,
  type Committed,
  Corrupt,
  checkBatch,
  decide,
  type Entry,
  type Key,
  Unavailable,
  type Write,
  writesNothing,
} from "../adapter";
import type { Database, WriteOperation } from "./database";
import type { HistoryNode } from "./history";
import { appendCheck, encodeRecord, encodeVersionKey } from "./layout";
import type { PartitionRecords } from "./records";

/** The most that one round writes, so that a burst of large commits is not in memory twice. */
const ROUND_CHARACTERS = 4 * 1024 * 1024;

/** A partition as its writer sees it. */
export interface Writable {
  readonly name: string;
  readonly records: PartitionRecords;
  /** The present; `undefined` until `load` has come back. */
  moment: HistoryNode | undefined;
  load(): Promise<HistoryNode>;
}

interface PendingCommit {
  readonly partition: Writable;
  readonly batch: Batch;
  readonly texts: readonly string[];
  answer(committed: Committed): void;
  fail(error: unknown): void;
}

/** What a round is about to make of a partition. */
interface PartitionDraft {
  readonly partition: Writable;
  readonly moment: HistoryNode;
  version: number;
  /** What the keys of the round hold; a damaged record fails only the commits that touch it. */
  readonly entries: Map<Key, Entry | undefined | Corrupt>;
  readonly writes: Map<Key, Write>;
  readonly overwritten: Map<Key, Entry | undefined>;
}

export class Commits {
  readonly #database: Database;
  readonly #ready: () => Promise<void>;
  readonly #doubt: (partition: Writable) => void;
  readonly #queue: PendingCommit[] = [];
  #running: Promise<void> | undefined;

  /** `ready` makes the partitions what the database says; `doubt` tells that one may not be any more. */
  constructor(database: Database, ready: () => Promise<void>, doubt: (partition: Writable) => void) {
    this.#database = database;
    this.#ready = ready;
    this.#doubt = doubt;
  }

  /** Queues a batch. */
  async commit(partition: Writable, batch: Batch): Promise<Committed> {
    const texts = checkBatch(batch);
    return new Promise((answer, fail) => {
      this.#queue.push({ partition, batch, texts, answer, fail });
      this.#running ??= this.#run();
    });
  }

  /** Resolves when every commit was answered. */
  async waitUntilIdle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      let round: PendingCommit[] = this.#queue;
      try {
        await this.#ready();
        round = await loadPartitions(this.#take());
        await this.#settle(round, await this.#read(round));
      } catch (error) {
        // Nothing was decided yet.
        for (const waiting of round.splice(0)) waiting.fail(error);
      }
    }
    this.#running = undefined;
  }

  #take(): PendingCommit[] {
    let characters = 0;
    let count = 0;
    while (count < this.#queue.length && characters < ROUND_CHARACTERS) {
      for (const text of this.#queue[count]!.texts) characters += text.length;
      count++;
    }
    return this.#queue.splice(0, count);
  }

  /** Reads, at once, all that the round will ask for and the cache does not know. */
  async #read(round: readonly PendingCommit[]): Promise<Map<Writable, PartitionDraft>> {
    const drafts = new Map<Writable, PartitionDraft>();
    const missing: { draft: PartitionDraft; key: Key }[] = [];
    for (const { partition, batch } of round) {
      const moment = partition.moment!;
      const draft = drafts.get(partition) ?? {
        partition,
        moment,
        version: moment.version,
        entries: new Map(),
        writes: new Map(),
        overwritten: new Map(),
      };
      drafts.set(partition, draft);
      const ask = (key: Key) => {
        if (draft.entries.has(key)) return;
        const known = partition.records.getCached(key);
        draft.entries.set(key, known ?? undefined);
        if (known === null) missing.push({ draft, key });
      };
      for (const { key } of batch.checks) ask(key);
      for (const { key, isNew } of batch.puts) if (!isNew) ask(key);
      for (const key of batch.deletes) ask(key);
      for (const { key } of batch.adds) ask(key);
    }
    if (missing.length === 0) return drafts;
    const rows = await this.#database.read(missing.map(({ draft, key }) => draft.partition.records.encodeKey(key)));
    missing.forEach(({ draft, key }, i) => {
      const row = rows[i];
      // What is absent is not kept: it is about to be written.
      if (row === undefined) return;
      const entry = sound(() => draft.partition.records.parseAndCache(key, row));
      draft.entries.set(key, entry);
    });
    return drafts;
  }

  /** Decides the round, writes it and answers. */
  async #settle(round: readonly PendingCommit[], drafts: ReadonlyMap<Writable, PartitionDraft>): Promise<void> {
    const outcomes = round.map((waiting) => {
      try {
        return { waiting, committed: decideCommit(drafts.get(waiting.partition)!, waiting) };
      } catch (error) {
        return { waiting, error };
      }
    });
    const failure = await this.#write([...drafts.values()].filter(({ writes }) => writes.size > 0));
    for (const { waiting, committed, error } of outcomes) {
      if (error !== undefined) waiting.fail(error);
      else if (failure === undefined) waiting.answer(committed!);
      else if (committed!.ok && !writesNothing(waiting.batch)) waiting.fail(failure);
      // Neither written nor decided: the decision depends on a write that may not have happened.
      else waiting.fail(new Unavailable("A write failed that others depend on.", { outcome: "none", cause: failure }));
    }
  }

  /** Writes what changed; gives the error when that fails. */
  async #write(changed: readonly PartitionDraft[]): Promise<unknown> {
    if (changed.length === 0) return undefined;
    const operations: WriteOperation[] = [];
    for (const { partition, moment, version, writes, overwritten } of changed) {
      moment.end = { overwritten, next: { version } };
      operations.push({
        type: "put",
        key: encodeVersionKey(partition.name),
        value: appendCheck(encodeVersionKey(partition.name), String(version)),
      });
      for (const { key, entry, text } of writes.values()) {
        const at = partition.records.encodeKey(key);
        if (entry) operations.push({ type: "put", key: at, value: encodeRecord(at, entry.version, text!) });
        else operations.push({ type: "del", key: at });
      }
    }
    let failure: unknown;
    try {
      await this.#database.write(operations);
    } catch (error) {
      failure = error;
    }
    // From here to the answers nothing waits, so no reader sees a state that the cache does not know.
    for (const { partition, moment, writes } of changed) {
      // Until it is known what became of a failed write, readers stay at the moment before it.
      if (failure !== undefined) {
        this.#doubt(partition);
        continue;
      }
      partition.moment = moment.end!.next;
      for (const { key, entry, text } of writes.values()) partition.records.updateCached(key, entry, text);
    }
    return failure;
  }
}

/** Those whose partition could be loaded. A damaged one fails only its own commits. */
async function loadPartitions(round: readonly PendingCommit[]): Promise<PendingCommit[]> {
  const fit: PendingCommit[] = [];
  for (const waiting of round) {
    try {
      if (!waiting.partition.moment) await waiting.partition.load();
      fit.push(waiting);
    } catch (error) {
      waiting.fail(error);
    }
  }
  return fit;
}

/** Decides one commit and notes what it changes. */
function decideCommit(draft: PartitionDraft, { batch, texts }: PendingCommit): Committed {
  const entryAt = (key: Key) => {
    const entry = draft.entries.get(key);
    if (entry instanceof Corrupt) throw entry;
    return entry;
  };
  const decision = decide(batch, texts, draft.version + 1, entryAt);
  if ("conflict" in decision) return { ok: false, conflict: decision.conflict };
  if (writesNothing(batch)) return { ok: true, version: draft.version };
  const before = decision.writes.map(({ key }) => entryAt(key));
  decision.writes.forEach((write, i) => {
    if (!draft.overwritten.has(write.key)) draft.overwritten.set(write.key, before[i]);
    draft.entries.set(write.key, write.entry);
    draft.writes.set(write.key, write);
  });
  draft.version++;
  return { ok: true, version: draft.version };
}

function sound(read: () => Entry | undefined): Entry | undefined | Corrupt {
  try {
    return read();
  } catch (error) {
    if (error instanceof Corrupt) return error;
    throw error;
  }
}
