// Processes a source of a specification. A source that differs from the latest version becomes a new version. A source that
// cannot be read is reported and removed.

import { enqueueJob, type JobContext, type JobType } from "../../../jobs/jobs";
import {
  DIED_TOO_OFTEN_MESSAGE,
  hasDiedTooOften,
  hasLease,
  type Lease,
  type Runner,
  removeRunner,
} from "../../../jobs/leased-queue";
import { endProgress, reportProgress } from "../../../jobs/progress";
import { readSpecification, type Source, type Specification } from "../../../openapi/specifications";
import { SpecificationRefused } from "../../../openapi/specifications/refused";
import type { PartitionRef } from "../../../storage/ids";
import { addStagedObjects, findObjectBytes, hashBytes, type StagedSet, stageObjects } from "../../../storage/objects";
import type { Transaction } from "../../../storage/transaction";
import { pauseUntilNextTurn, runSteps } from "../../../utils/concurrency/event-loop";
import { stringifyJsonInSteps } from "../../../utils/concurrency/json-steps";
import { omitUndefined } from "../../../utils/objects";
import { incrementComputedVersion } from "../revisions/records";
import { followComputed } from "../search/jobs";
import { type SourceRecord, type SpecRecord, sources, specs, type VersionRecord, versionId, versions } from "./records";

type OfSpec = { readonly organization: string; readonly spec: string };
type CheckStep = JobType<OfSpec & { readonly due: number }>;

/** The most attempts of a source. A source that crashes the process must not block all others. */
const MAX_TRIES = 5;
/** The delay before a URL is fetched again after a failure. It doubles with each further failure. */
const FIRST_GAP_MS = 5 * 60_000;

/** A source that this process has taken. */
export interface Taken {
  /** Its runner is the worker that has taken it. */
  readonly spec: SpecRecord;
  readonly source: SourceRecord;
}

/** Takes the oldest source; undefined when none waits. */
export async function take(
  { jobContext }: Lease,
  tx: Transaction,
  spec: SpecRecord | undefined,
  runner: Runner,
): Promise<Taken | undefined> {
  if (!spec) return undefined;
  const [row] = await sources.list(tx, "inOrder", { under: [spec.id], limit: 1 });
  if (!row) return undefined;
  const source = { ...row.record, attempts: row.record.attempts + 1 };
  await sources.put(tx, source);
  const taken: SpecRecord = { ...spec, state: "progress", runner };
  await specs.put(tx, taken);
  reportProgress(tx, spec.id, {
    ...{ done: 0, total: 1, step: source.url === undefined ? "reading" : "fetching" },
    work: "openapi-spec",
    params: { specSlug: spec.slug },
    at: jobContext.store.now().getTime(),
  });
  return { spec: taken, source };
}

/** The result of processing a source. */
interface Came {
  /** Undefined: it has not changed. */
  readonly version?: Pick<VersionRecord, "format" | "text" | "filesystem">;
  /** The validators for the next conditional request. */
  readonly known?: string;
  readonly error?: NonNullable<SpecRecord["error"]>;
  readonly objects: ReadonlyMap<string, Uint8Array>;
}

/** Processes a source that was taken. `validate` is the step that fetches its URL again. */
export async function carryOut(lease: Lease<OfSpec>, taken: Taken, check: CheckStep): Promise<true> {
  const { jobContext, place: at } = lease;
  const came = await outcomeOf(jobContext, at, taken);
  const staged = await stageObjects(jobContext.store, at.partition, came.objects);
  await jobContext.store.write(at.partition, (tx) => finish(lease, tx, taken.source, came, staged, check));
  return true;
}

async function outcomeOf(work: JobContext, at: PartitionRef, { spec, source }: Taken): Promise<Came> {
  const nothing = new Map<string, Uint8Array>();
  if (source.attempts > MAX_TRIES) {
    const message = "It was tried too often without coming to an end.";
    return { error: { code: "PARSE_ERROR", message }, objects: nothing };
  }
  if (hasDiedTooOften(spec.runner!))
    return { error: { code: "PARSE_ERROR", message: DIED_TOO_OFTEN_MESSAGE }, objects: nothing };
  // The validators of another source do not apply to this one.
  const known = source.isCheck && spec.known !== undefined ? { known: spec.known } : {};
  try {
    const found = await read(work, at, spec, source);
    return found ? await versionFrom(work, spec, found) : { ...omitUndefined({ known: spec.known }), objects: nothing };
  } catch (error) {
    if (!(error instanceof SpecificationRefused)) throw error;
    return { ...known, error: { code: error.code, message: error.message.slice(0, 500) }, objects: nothing };
  }
}

/** Reads a source; undefined when it has not changed. */
async function read(
  work: JobContext,
  { partition }: PartitionRef,
  spec: SpecRecord,
  source: SourceRecord,
): Promise<Specification | undefined> {
  const view = await work.store.read(partition);
  const specText = async (hash: string) => new TextDecoder().decode(await findObjectBytes(work.store, view, hash));
  const given: Source = source.url === undefined ? { text: await specText(source.text!) } : { url: source.url };
  const isSame = source.isCheck && spec.known !== undefined && spec.url === source.url;
  const known = isSame ? await knownOf(work, spec, await specText(spec.known!)) : undefined;
  const reach = { fetch: work.ports.fetch, milliseconds: work.ports.openApiSpecs.timeoutMs, inTurns: runSteps };
  return readSpecification(given, reach, known);
}

type Known = NonNullable<Specification["known"]>;

/** The validators are sealed, because a URL may hold a secret. Older versions stored them as a plain list. */
async function knownOf({ ports }: JobContext, { id }: SpecRecord, text: string): Promise<Known | undefined> {
  if (text.startsWith("[")) return JSON.parse(text);
  return ports.openApiSpecs.secrets.decrypt(text, knownContext(id)).then(JSON.parse, () => undefined);
}

function knownContext(spec: string): string {
  return `openapi-known ${spec}`;
}

async function versionFrom(
  { ports }: JobContext,
  { id }: SpecRecord,
  { text, format, filesystem, known }: Specification,
): Promise<Came> {
  const objects = new Map<string, Uint8Array>();
  const add = async (content: string) => {
    // Each of them may have megabytes.
    await pauseUntilNextTurn();
    const bytes = new TextEncoder().encode(content);
    await pauseUntilNextTurn();
    const hash = hashBytes(bytes);
    objects.set(hash, bytes);
    return hash;
  };
  const documents: string[] = [];
  for (const document of filesystem) documents.push(await runSteps(stringifyJsonInSteps(document)));
  return {
    version: { format, text: await add(text), filesystem: await add(`[${documents.join()}]`) },
    ...omitUndefined({
      known:
        known === undefined
          ? undefined
          : await add(await ports.openApiSpecs.secrets.encrypt(JSON.stringify(known), knownContext(id))),
    }),
    objects,
  };
}

/** Removes a source from the queue, and saves its result, in one commit. */
async function finish(
  lease: Lease<OfSpec>,
  tx: Transaction,
  source: SourceRecord,
  came: Came,
  staged: StagedSet,
  check: CheckStep,
): Promise<void> {
  const { jobContext } = lease;
  const spec = await specs.get(tx, source.spec);
  // Another worker has taken it, or it is gone: then nothing of this attempt is saved.
  if (!hasLease(lease, spec)) return;
  await addStagedObjects(tx, staged);
  await sources.delete(tx, spec.id, source.number);
  const status = came.error ? "failed" : "completed";
  await endProgress(tx, "openapi-spec", spec.id, { status, at: jobContext.store.now().getTime() });
  const [waiting] = await sources.list(tx, "inOrder", { under: [spec.id], limit: 1 });
  const { error: _, failures: __, known: ___, nextCheck, ...rest } = removeRunner(spec);
  const isMade = came.version && (await isNew(tx, spec, came.version));
  const number = spec.versions + 1;
  const failures = came.error ? (spec.failures ?? 0) + 1 : 0;
  const processed: SpecRecord = {
    ...rest,
    state: waiting ? "pending" : "complete",
    lastProcessedAt: jobContext.store.now().toISOString(),
    ...(isMade ? { versions: number, lastVersion: versionId(spec, number) } : {}),
    ...(came.error ? { error: came.error, failures } : {}),
    ...omitUndefined({ known: came.known }),
  };
  if (isMade) {
    const { spec: id, askedAt: createdAt, url } = source;
    const made = { spec: id, id: versionId(spec, number), number, createdAt, ...came.version! };
    await versions.put(tx, url === undefined ? made : { ...made, url });
    incrementComputedVersion(tx);
    followComputed(
      jobContext,
      (step, payload) => enqueueJob(jobContext, lease.place, tx, step, payload),
      lease.place.partition,
    );
  }
  await specs.put(tx, checkLater(lease, tx, processed, failures, nextCheck, check));
}

/** Whether a document differs from the latest version, in its text or in the documents it refers to. */
async function isNew(tx: Transaction, spec: SpecRecord, came: NonNullable<Came["version"]>): Promise<boolean> {
  const newest = await versions.get(tx, spec.id, spec.lastVersion ?? "");
  return newest?.text !== came.text || newest.filesystem !== came.filesystem;
}

/** Schedules the next fetch of a URL, sooner after a failure. An earlier scheduled fetch is kept. */
function checkLater(
  { jobContext, place: at, payload }: Lease<OfSpec>,
  tx: Transaction,
  spec: SpecRecord,
  failures: number,
  planned: number | undefined,
  check: CheckStep,
): SpecRecord {
  const { refreshAfterMs: checkEvery } = jobContext.ports.openApiSpecs;
  if (spec.url === undefined || checkEvery === 0) return spec;
  const now = jobContext.store.now().getTime();
  const gap = failures === 0 ? checkEvery : Math.min(checkEvery, FIRST_GAP_MS * 2 ** (failures - 1));
  if (planned !== undefined && planned > now && planned <= now + gap) return { ...spec, nextCheck: planned };
  const due = now + gap;
  enqueueJob(jobContext, at, tx, check, { ...payload, due }, new Date(due));
  return { ...spec, nextCheck: due };
}
