// Walks everything that a storage holds, and reports what is not as it should be. It is safe while the API is running: each partition
// is checked at one version. It writes only if it is asked to repair, and only data that follows from other data.

import { verifyAuditLog } from "../../audit/verify";
import type { MarkReachable } from "../../execution/maintain";
import type { JobType } from "../../jobs/jobs";
import { type ClaimKind, getClaimingPartition, type NameReservation, repairDirectoryEntry } from "../../storage/claims";
import { createPooledRandom, DIRECTORY } from "../../storage/ids";
import { decodeKey, encodeKey } from "../../storage/key";
import { findSealedValues } from "../../storage/sealed-storage";
import { createSecrets, type Secrets } from "../../storage/secrets";
import { Corrupt, type Entry, type Json, type Storage } from "../../storage/storage";
import { createJitteredPause, createStore, type Store } from "../../storage/store";
import { SnapshotReader } from "../../storage/transaction";
import { yieldToEventLoop } from "../../utils/concurrency/event-loop";
import { isJsonObject } from "../../utils/objects";
import { type OnProgress, ProgressCounter } from "../progress";
import { checkObjects } from "./check-objects";
import { checkRecords, recordPrefixes } from "./check-records";
import { checkReflections } from "./check-reflections";
import { DamagedSnapshot } from "./damaged-snapshot";
import { formatKey, type ReportFinding, type StorageFinding } from "./finding";

export interface VerifyOptions {
  /** The secret of the data, as the API gets it. Without it, sealed fields and the audit log are not checked. */
  readonly secret?: string | readonly string[] | undefined;
  /** Repairs data that follows from other data: indexes, unique names, totals, claims. Default: false. */
  readonly repair?: boolean | undefined;
  readonly onProgress?: OnProgress | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface VerifyResult {
  readonly partitions: number;
  readonly entries: number;
  readonly records: number;
  readonly objects: number;
  readonly blobs: number;
  /** The sealed fields and audit logs that were not checked, because no secret was given. */
  readonly notLookedInto: number;
  /** Objects and blobs that nothing refers to. The daily sweep deletes them. */
  readonly unreachable: { readonly objects: number; readonly blobs: number };
  /** The first thousand findings. */
  readonly findings: readonly StorageFinding[];
  /** The number of findings, including those that were repaired. */
  readonly damaged: number;
  readonly repaired: number;
}

const MAX_FINDINGS = 1000;

/** Checks a storage. An undamaged storage has no findings. */
export async function verify(storage: Storage, options: VerifyOptions = {}): Promise<VerifyResult> {
  // These modules declare every set of records. They are loaded completely, because a bundler leaves out what nobody names.
  const [operations] = await Promise.all([
    import("../../operations"),
    import("../../api/provision"),
    import("../../sign-in/saml/records"),
  ]);
  return new Verification(storage, options, operations).run();
}

class Verification {
  readonly #storage: Storage;
  readonly #options: VerifyOptions;
  readonly #store: Store;
  readonly #secrets: Secrets | undefined;
  readonly #counter: ProgressCounter;
  readonly #jobTypes: ReadonlyMap<string, Pick<JobType<never>, "run">>;
  readonly #reachable: readonly MarkReachable[];
  readonly #findings: StorageFinding[] = [];
  readonly #reachableBlobs = new Set<string>();
  readonly #counts = { partitions: 0, entries: 0, records: 0, objects: 0, notLookedInto: 0, damaged: 0, repaired: 0 };
  readonly #unreachable = { objects: 0, blobs: 0 };

  constructor(
    storage: Storage,
    options: VerifyOptions,
    { steps, reachable }: Pick<typeof import("../../operations"), "steps" | "reachable">,
  ) {
    const { secret, onProgress } = options;
    const random = createPooledRandom();
    this.#storage = storage;
    this.#options = options;
    this.#jobTypes = new Map(steps.map((step) => [step.name, step]));
    this.#reachable = reachable;
    this.#counter = new ProgressCounter(onProgress);
    this.#store = createStore(storage, { now: () => new Date(), random, pause: createJitteredPause(random) });
    if (secret !== undefined) this.#secrets = createSecrets(typeof secret === "string" ? [secret] : secret, random);
  }

  async run(): Promise<VerifyResult> {
    const names: string[] = [];
    for await (const name of this.#storage.partitions()) names.push(name);
    this.#counter.beginStep("check", names.length);
    for (const name of names) {
      await this.#checkPartition(name);
      this.#counter.addOne();
    }

    let blobs = 0;
    for await (const name of this.#storage.blobs.list()) {
      blobs++;
      if (!this.#reachableBlobs.has(name)) this.#unreachable.blobs++;
    }
    return { ...this.#counts, blobs, unreachable: this.#unreachable, findings: this.#findings };
  }

  async #checkPartition(name: string): Promise<void> {
    this.#counts.partitions++;
    const report = this.#createReport(name);
    let snapshot: DamagedSnapshot;
    try {
      snapshot = new DamagedSnapshot(await this.#storage.partition(name).snapshot(), report);
    } catch (error) {
      if (error instanceof Corrupt) return report("unreadable", error.message);
      throw error;
    }
    await this.#checkEntries(name, snapshot, report);

    // The walk over everything has reported unreadable entries. The checks that follow meet them again.
    const reportOnce: ReportFinding = async (damage, says, repair) => {
      const isReported = damage === "unreadable" && this.#findings.some((finding) => finding.says === says);
      if (!isReported) await report(damage, says, repair);
    };
    const quietSnapshot = new DamagedSnapshot(snapshot.snapshot, reportOnce);
    this.#counts.records += await checkRecords(quietSnapshot, reportOnce, (entry) =>
      this.#checkSealedFields(name, entry, report),
    );
    const { objects, unreachable } = await checkObjects(
      this.#store,
      name,
      quietSnapshot,
      this.#reachable,
      this.#reachableBlobs,
      reportOnce,
    );
    this.#counts.objects += objects;
    this.#unreachable.objects += unreachable;
    await this.#checkClaims(name, quietSnapshot, report);
    if (name.startsWith("org-")) {
      const createReport = (partition: string) => this.#createReport(partition);
      const context = {
        store: this.#store,
        home: name,
        snapshot: quietSnapshot,
        jobTypes: this.#jobTypes,
        createReport,
      };
      await checkReflections(context, name.replace("org-", "org_"));
    }
    await this.#checkAuditLog(name, quietSnapshot, report);
  }

  /** Checks that every entry is of a known kind, and has the form of its kind. */
  async #checkEntries(name: string, snapshot: DamagedSnapshot, report: ReportFinding): Promise<void> {
    let count = 0;
    for await (const entry of snapshot.entries("")) {
      this.#counts.entries++;
      if (++count % 1000 === 0) {
        this.#counter.addEntries(1000, name);
        this.#options.signal?.throwIfAborted();
        await yieldToEventLoop();
      }
      if (recordPrefixes.some((prefix) => entry.key.startsWith(prefix))) continue;

      let kind: string | undefined;
      try {
        const [first] = decodeKey(entry.key);
        if (typeof first === "string") kind = first;
      } catch {
        // A key in another form is of no known kind.
      }
      const isValid = kind !== undefined && Object.hasOwn(entryChecks, kind) ? entryChecks[kind] : undefined;
      if (!isValid) await report("unknown", `Nobody knows what ${formatKey(entry.key)} is.`);
      else if (!isValid(entry.value))
        await report("unreadable", `The entry ${formatKey(entry.key)} has not the form of its kind.`);
      else if (kind === "job" || kind === "parked-job") {
        const { step } = entry.value as { step: string };
        if (!this.#jobTypes.has(step))
          await report("unknown", `The job ${formatKey(entry.key)} is for an unknown step, ${step}.`);
      } else await this.#checkSealedFields(name, entry, report);
    }
  }

  /** Checks that the sealed fields of an entry can be opened. */
  async #checkSealedFields(name: string, entry: Entry, report: ReportFinding): Promise<void> {
    for (const { sealed, context } of await findSealedValues(name, entry)) {
      if (!this.#secrets) this.#counts.notLookedInto++;
      else
        await this.#secrets.decrypt(sealed, context).catch(() => {
          return report("sealed", `A sealed field of ${formatKey(entry.key)} cannot be opened with this secret.`);
        });
    }
  }

  /** Checks that names that are held lead to their holder. The directory is read later than the holder, and so is at least as new. */
  async #checkClaims(name: string, snapshot: DamagedSnapshot, report: ReportFinding): Promise<void> {
    for await (const entry of snapshot.entries(encodeKey("claim"))) {
      if (!(entry.value as NameReservation).held) continue;
      const [, kind, text] = decodeKey(entry.key) as [string, ClaimKind, string];
      const claim = { kind, name: text };
      const holder = await getClaimingPartition(
        new SnapshotReader(await this.#storage.partition(DIRECTORY).snapshot()),
        claim,
      );
      if (holder === name) continue;
      await report(
        "claim",
        `The name ${JSON.stringify(text)} (${kind}) is held here, and the directory leads to ${holder ?? "nobody"}.`,
        { bySteps: () => repairDirectoryEntry(this.#store, name, claim) },
      );
    }
  }

  async #checkAuditLog(name: string, { snapshot }: DamagedSnapshot, report: ReportFinding): Promise<void> {
    if (name !== DIRECTORY && !name.startsWith("org-")) return;
    if (!this.#secrets) return void this.#counts.notLookedInto++;
    try {
      const { problems } = await verifyAuditLog(new SnapshotReader(snapshot), name, this.#secrets);
      for (const problem of problems) await report("audit", problem);
    } catch (error) {
      await report("audit", `The audit log cannot be read: ${(error as Error).message}`);
    }
  }

  /** Returns the function that reports findings about a partition, and repairs them if the options say so. */
  #createReport(partition: string): ReportFinding {
    return async (damage, says, repair) => {
      this.#counts.damaged++;
      const finding = { damage, partition, says, isDerived: repair !== undefined, isRepaired: false };
      if (this.#findings.length < MAX_FINDINGS) this.#findings.push(finding);
      if (!repair || !this.#options.repair) return;

      const isRepaired =
        typeof repair === "function" ? await this.#store.write(partition, repair) : await repair.bySteps();
      if (!isRepaired) return;
      this.#counts.repaired++;
      const index = this.#findings.indexOf(finding);
      if (index >= 0) this.#findings[index] = { ...finding, isRepaired };
    };
  }
}

type EntryCheck = (value: Json) => boolean;

const is = {
  number: (value: Json) => typeof value === "number",
  string: (value: Json) => typeof value === "string",
  true: (value: Json) => value === true,
};

function hasMembers(...members: readonly string[]): EntryCheck {
  return (value) => isJsonObject(value) && members.every((name) => name in value);
}

/**
 * Checks of the values of entries that are not records of a set, by the first part of their keys. Other entries are reported as
 * unknown. A test compares the table with the keys that the code makes.
 */
export const entryChecks: Readonly<Record<string, EntryCheck>> = {
  // The directory
  secret: hasMembers("check", "older", "since"),
  ready: () => true,
  claimed: hasMembers("partition"),
  // Objects, whose bytes are checked separately
  object: hasMembers("size"),
  use: is.true,
  upload: hasMembers("since"),
  swept: is.number,
  claim: hasMembers("attempt", "since", "held"),
  // Jobs and events
  job: hasMembers("step", "payload", "attempts"),
  "parked-job": hasMembers("step", "payload", "attempts"),
  "jobs-changed": is.true,
  event: hasMembers("eventId", "createdAt"),
  progress: hasMembers("work", "params", "status", "at"),
  "heard-event": (value) => is.true(value) || is.string(value),
  "told-views": is.true,
  // Results that are stored for a repeated request: the record, and the parts of the text
  idempotent: (value) => is.string(value) || hasMembers("request", "until", "parts")(value),
  "idempotent-until": hasMembers("head", "parts"),
  // The audit log, whose chain is checked separately
  audit: is.string,
  "audit-total": is.number,
  "audit-head": hasMembers("start", "end", "mac"),
  "audit-segment": hasMembers("sequence", "before", "lines"),
  "audit-summary": hasMembers("sequence", "before", "count"),
  // Counters
  "computed-state": is.number,
  starvation: is.number,
  // The progress of maintenance
  maintenance: hasMembers("after", "until", "size", "isOpen"),
  insight: is.number,
  "insights-forgotten": is.string,
};
