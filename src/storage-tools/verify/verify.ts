// Walks everything that a storage holds, and tells what is not as it should be. It is safe while the API is running: each
// partition is checked at one version. It writes only when it is asked to repair, and only what follows from the rest.

import { verifyAuditLog } from "../../audit/verify";
import type { MarkReachable } from "../../execution/maintain";
import type { JobType } from "../../jobs/jobs";
import { type ClaimKind, claimant, pointAt, type Wish } from "../../storage/claims";
import { createPooledRandom, DIRECTORY } from "../../storage/ids";
import { decodeKey, encodeKey } from "../../storage/key";
import { sealedIn } from "../../storage/sealed-storage";
import { createSecrets, type Secrets } from "../../storage/secrets";
import { Corrupt, type Entry, type Key, type Storage } from "../../storage/storage";
import { createStore, jitter, type Store } from "../../storage/store";
import { createReader } from "../../storage/transaction";
import { yieldToEventLoop } from "../../utils/concurrency/event-loop";
import { type OnProgress, ProgressCounter } from "../progress";
import { checkObjects } from "./check-objects";
import { checkRecords, recordKinds } from "./check-records";
import { checkReflections } from "./check-reflections";
import { DamagedSnapshot } from "./damaged-snapshot";
import { entryChecks } from "./entry-checks";
import { type Finding, formatKey, type ReportFinding } from "./finding";

export interface VerifyOptions {
  /** The secret of the data, as the API gets it. Without it, sealed fields and the audit log are not looked into. */
  readonly secret?: string | readonly string[] | undefined;
  /** Puts right what follows from the rest: indexes, unique names, totals, claims. Default: false. */
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
  /** Sealed fields and audit logs that were not looked into, because no secret was given. */
  readonly notLookedInto: number;
  /** What nothing refers to, and the daily sweep deletes. */
  readonly unreachable: { readonly objects: number; readonly blobs: number };
  /** What is wrong, the first thousand. */
  readonly findings: readonly Finding[];
  /** How much is wrong, with what was put right. */
  readonly damaged: number;
  readonly repaired: number;
}

const MOST_FINDINGS = 1000;

/** Checks a storage. A storage that is whole has no findings. */
export async function verify(storage: Storage, options: VerifyOptions = {}): Promise<VerifyResult> {
  return new Verification(storage, options, await everyDeclaration()).run();
}

/** Every set of records is declared by what is loaded here. It is loaded as a whole: a bundler leaves out what nobody names. */
async function everyDeclaration() {
  const [operations] = await Promise.all([
    import("../../operations"),
    import("../../api/provision"),
    import("../../sign-in/saml/records"),
  ]);
  return operations;
}

class Verification {
  readonly #storage: Storage;
  readonly #options: VerifyOptions;
  readonly #store: Store;
  readonly #secrets: Secrets | undefined;
  readonly #counter: ProgressCounter;
  readonly #steps: ReadonlyMap<string, Pick<JobType<never>, "run">>;
  readonly #reachable: readonly MarkReachable[];
  readonly #findings: Finding[] = [];
  readonly #blobs = new Set<string>();
  readonly #numbers = { partitions: 0, entries: 0, records: 0, objects: 0, notLookedInto: 0, damaged: 0, repaired: 0 };
  readonly #unreachable = { objects: 0, blobs: 0 };

  constructor(
    storage: Storage,
    options: VerifyOptions,
    { steps, reachable }: Pick<typeof import("../../operations"), "steps" | "reachable">,
  ) {
    this.#steps = new Map(steps.map((step) => [step.name, step]));
    this.#reachable = reachable;
    this.#storage = storage;
    this.#options = options;
    this.#counter = new ProgressCounter(options.onProgress);
    const random = createPooledRandom();
    this.#store = createStore(storage, { now: () => new Date(), random, pause: jitter(random) });
    const { secret } = options;
    this.#secrets =
      secret === undefined ? undefined : createSecrets(typeof secret === "string" ? [secret] : secret, random);
  }

  async run(): Promise<VerifyResult> {
    const names: string[] = [];
    for await (const name of this.#storage.partitions()) names.push(name);
    this.#counter.begin("check", names.length);
    for (const name of names) {
      await this.#partition(name);
      this.#counter.one();
    }
    let blobs = 0;
    for await (const name of this.#storage.blobs.list()) {
      blobs++;
      if (!this.#blobs.has(name)) this.#unreachable.blobs++;
    }
    return { ...this.#numbers, blobs, unreachable: this.#unreachable, findings: this.#findings };
  }

  async #partition(name: string): Promise<void> {
    this.#numbers.partitions++;
    const report = this.#reportOn(name);
    let readable: DamagedSnapshot;
    try {
      readable = new DamagedSnapshot(await this.#storage.partition(name).snapshot(), report);
    } catch (error) {
      if (error instanceof Corrupt) return report("unreadable", error.message);
      throw error;
    }
    // What cannot be read is told once, by the walk over everything; the checks that follow meet it again.
    const quiet = new DamagedSnapshot(readable.snapshot, async (damage, says, repair) => {
      if (damage !== "unreadable" || !this.#findings.some((it) => it.says === says)) await report(damage, says, repair);
    });
    await this.#walk(name, readable, report);
    this.#numbers.records += await checkRecords(quiet, quiet.report, (entry) => this.#openSealed(name, entry, report));
    const { objects, unreachable } = await checkObjects(
      this.#store,
      name,
      quiet,
      this.#reachable,
      this.#blobs,
      quiet.report,
    );
    this.#numbers.objects += objects;
    this.#unreachable.objects += unreachable;
    await this.#claims(name, quiet, report);
    await this.#reflections(name, quiet);
    await this.#audit(name, quiet, report);
  }

  /** Every entry is of a kind that is known, and has the form of its kind. */
  async #walk(name: string, readable: DamagedSnapshot, report: ReportFinding): Promise<void> {
    let count = 0;
    for await (const entry of readable.entries("")) {
      this.#numbers.entries++;
      if (++count % 1000 === 0) {
        this.#counter.entries(1000, name);
        this.#options.signal?.throwIfAborted();
        await yieldToEventLoop();
      }
      if (recordKinds.some((kind) => entry.key.startsWith(kind))) continue;
      const kind = kindOf(entry.key);
      const check = kind === undefined ? undefined : Object.hasOwn(entryChecks, kind) && entryChecks[kind];
      if (!check) await report("unknown", `Nobody knows what ${formatKey(entry.key)} is.`);
      else if (!check(entry.value))
        await report("unreadable", `The entry ${formatKey(entry.key)} has not the form of its kind.`);
      else if (kind === "job" || kind === "parked-job") {
        const { step } = entry.value as { step: string };
        if (!this.#steps.has(step))
          await report("unknown", `The job ${formatKey(entry.key)} is for an unknown step, ${step}.`);
      } else await this.#openSealed(name, entry, report);
    }
  }

  async #openSealed(name: string, entry: Entry, report: ReportFinding): Promise<void> {
    for (const { sealed, context } of await sealedIn(name, entry)) {
      if (!this.#secrets) this.#numbers.notLookedInto++;
      else
        await this.#secrets.decrypt(sealed, context).catch(() => {
          return report("sealed", `A sealed field of ${formatKey(entry.key)} cannot be opened with this secret.`);
        });
    }
  }

  /** A name that is held leads to its holder. The directory is read later than the holder, and so knows of it. */
  async #claims(name: string, readable: DamagedSnapshot, report: ReportFinding): Promise<void> {
    for await (const entry of readable.entries(encodeKey("claim"))) {
      if (!(entry.value as Wish).held) continue;
      const [, kind, text] = decodeKey(entry.key) as [string, ClaimKind, string];
      const claim = { kind, name: text };
      const holder = await claimant(createReader(await this.#storage.partition(DIRECTORY).snapshot()), claim);
      if (holder === name) continue;
      await report(
        "claim",
        `The name ${JSON.stringify(text)} (${kind}) is held here, and the directory leads to ${holder ?? "nobody"}.`,
        { bySteps: () => pointAt(this.#store, name, claim) },
      );
    }
  }

  async #reflections(name: string, readable: DamagedSnapshot): Promise<void> {
    if (!name.startsWith("org-")) return;
    const reportOn = (partition: string) => this.#reportOn(partition);
    const reflected = { store: this.#store, home: name, readable, steps: this.#steps, reportOn };
    await checkReflections(reflected, name.replace("org-", "org_"));
  }

  async #audit(name: string, readable: DamagedSnapshot, report: ReportFinding): Promise<void> {
    if (name !== DIRECTORY && !name.startsWith("org-")) return;
    if (!this.#secrets) return void this.#numbers.notLookedInto++;
    try {
      const { problems } = await verifyAuditLog(createReader(readable.snapshot), name, this.#secrets);
      for (const problem of problems) await report("audit", problem);
    } catch (error) {
      await report("audit", `The audit log cannot be read: ${(error as Error).message}`);
    }
  }

  #reportOn(partition: string): ReportFinding {
    return async (damage, says, repair) => {
      this.#numbers.damaged++;
      const finding = { damage, partition, says, isDerived: repair !== undefined, isRepaired: false };
      if (this.#findings.length < MOST_FINDINGS) this.#findings.push(finding);
      if (!repair || !this.#options.repair) return;
      const isRight =
        typeof repair === "function" ? await this.#store.write(partition, repair) : await repair.bySteps();
      if (isRight) this.#repaired(finding);
    };
  }

  #repaired(finding: Finding): void {
    this.#numbers.repaired++;
    const at = this.#findings.indexOf(finding);
    if (at >= 0) this.#findings[at] = { ...finding, isRepaired: true };
  }
}

/** The first part of a key; undefined when it is none. */
function kindOf(at: Key): string | undefined {
  try {
    const [kind] = decodeKey(at);
    return typeof kind === "string" ? kind : undefined;
  } catch {
    return undefined;
  }
}
