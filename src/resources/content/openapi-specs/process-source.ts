// Processes a source of a specification. A source that differs from the latest version becomes a new version. A source
// that cannot be read is reported and removed.

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
import { readSpecification, type Specification, type SpecificationSource } from "../../../openapi/specifications";
import { SpecificationError } from "../../../openapi/specifications/errors";
import { CODE_LENGTH, deriveId, type PartitionRef } from "../../../storage/ids";
import { addStagedObjects, findObjectBytes, type StagedSet, stageObjects } from "../../../storage/objects";
import { sealContexts } from "../../../storage/seal-contexts";
import type { Transaction } from "../../../storage/transaction";
import { pauseUntilNextTurn, runSteps } from "../../../utils/concurrency/event-loop";
import { stringifyJsonInSteps } from "../../../utils/concurrency/json-steps";
import { omitUndefined } from "../../../utils/objects";
import { sha256Hex } from "../../../utils/sha256";
import { incrementComputedVersion } from "../revisions/records";
import { feedComputed } from "../search/jobs";
import { type SourceRecord, type SpecRecord, sources, specs, type VersionRecord, versions } from "./records";

export type SpecJobPayload = { readonly organization: string; readonly spec: string };
type SpecCheckJob = JobType<SpecJobPayload & { readonly due: number }>;

/** The most attempts of a source, so that a source that crashes the process does not block all others. */
const MAX_TRIES = 5;
/** The delay before a URL is fetched again after a failure. It doubles with each further failure. */
const FIRST_RETRY_MS = 5 * 60_000;

export interface TakenSource {
  /** The specification, whose `runner` is the worker that has taken the source. */
  readonly spec: SpecRecord;
  readonly source: SourceRecord;
}

/** Takes the oldest source. Returns undefined if none waits. */
export async function takeSource(
  { jobContext }: Lease,
  tx: Transaction,
  spec: SpecRecord | undefined,
  runner: Runner,
): Promise<TakenSource | undefined> {
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

interface ProcessedSource {
  /** Undefined: the source has not changed. */
  readonly version?: Pick<VersionRecord, "format" | "text" | "filesystem">;
  /** The validators for the next conditional request. */
  readonly known?: string;
  readonly error?: NonNullable<SpecRecord["error"]>;
  readonly objects: ReadonlyMap<string, Uint8Array>;
}

/** Processes a source that was taken. `check` is the job that fetches its URL again. */
export async function processSource(
  lease: Lease<SpecJobPayload>,
  taken: TakenSource,
  check: SpecCheckJob,
): Promise<true> {
  const { jobContext, place } = lease;
  const result = await readTakenSource(jobContext, place, taken);
  const staged = await stageObjects(jobContext.store, place.partition, result.objects);
  await jobContext.store.write(place.partition, (tx) => finishSource(lease, tx, taken.source, result, staged, check));
  return true;
}

/** Reads a source into a version, or into the error to report. */
async function readTakenSource(
  jobContext: JobContext,
  { partition }: PartitionRef,
  { spec, source }: TakenSource,
): Promise<ProcessedSource> {
  const { store, ports } = jobContext;
  const noObjects = new Map<string, Uint8Array>();
  if (source.attempts > MAX_TRIES) {
    const message = "It didn't finish after several attempts. Try again, or contact the operator of the server.";
    return { error: { code: "PARSE_ERROR", message }, objects: noObjects };
  }
  if (hasDiedTooOften(spec.runner!))
    return { error: { code: "PARSE_ERROR", message: DIED_TOO_OFTEN_MESSAGE }, objects: noObjects };
  try {
    const view = await store.read(partition);
    const readText = async (hash: string) => new TextDecoder().decode(await findObjectBytes(store, view, hash));
    const input: SpecificationSource =
      source.url === undefined ? { text: await readText(source.text!) } : { url: source.url };

    // The validators are sealed, because a URL may contain a secret. Older versions stored them as a plain list.
    let validators: Specification["known"];
    if (source.isCheck && spec.known !== undefined && spec.url === source.url) {
      const text = await readText(spec.known);
      const { secrets } = ports.openApiSpecs;
      if (text.startsWith("[")) validators = JSON.parse(text);
      else
        validators = await secrets
          .decrypt(text, sealContexts.sourceValidators(spec.id))
          .then(JSON.parse, () => undefined);
    }
    const access = { fetch: ports.fetch, milliseconds: ports.openApiSpecs.timeoutMs, inTurns: runSteps };
    const found = await readSpecification(input, access, validators);
    if (!found) return { ...omitUndefined({ known: spec.known }), objects: noObjects };

    // A new version is stored as objects, and its validators as a sealed object.
    const objects = new Map<string, Uint8Array>();
    const add = async (content: string) => {
      // Each text may have megabytes.
      await pauseUntilNextTurn();
      const bytes = new TextEncoder().encode(content);
      await pauseUntilNextTurn();
      const hash = sha256Hex(bytes);
      objects.set(hash, bytes);
      return hash;
    };
    const documents: string[] = [];
    for (const document of found.filesystem) documents.push(await runSteps(stringifyJsonInSteps(document)));
    const version = {
      format: found.format,
      text: await add(found.text),
      filesystem: await add(`[${documents.join()}]`),
    };
    let known: string | undefined;
    if (found.known !== undefined) {
      const { secrets } = ports.openApiSpecs;
      known = await add(await secrets.encrypt(JSON.stringify(found.known), sealContexts.sourceValidators(spec.id)));
    }
    return { version, ...omitUndefined({ known }), objects };
  } catch (error) {
    if (!(error instanceof SpecificationError)) throw error;
    const message = error.message.slice(0, 500);
    // The validators of another source do not apply to this one.
    const known = source.isCheck ? spec.known : undefined;
    return { ...omitUndefined({ known }), error: { code: error.code, message }, objects: noObjects };
  }
}

/** Removes a source from the queue, and saves its result, in one commit. */
async function finishSource(
  lease: Lease<SpecJobPayload>,
  tx: Transaction,
  source: SourceRecord,
  result: ProcessedSource,
  staged: StagedSet,
  check: SpecCheckJob,
): Promise<void> {
  const { jobContext, place, payload } = lease;
  const spec = await specs.get(tx, source.spec);
  // If another worker has taken the source, or the specification is gone, nothing of this attempt is saved.
  if (!hasLease(lease, spec)) return;
  await addStagedObjects(tx, staged);
  await sources.delete(tx, spec.id, source.number);
  const status = result.error ? "failed" : "completed";
  await endProgress(tx, "openapi-spec", spec.id, { status, at: jobContext.store.now().getTime() });
  const [waiting] = await sources.list(tx, "inOrder", { under: [spec.id], limit: 1 });
  const { error: _, failures: __, known: ___, nextCheck, ...rest } = removeRunner(spec);
  // A version is new if its text or a document that it refers to differs from the latest version.
  const latest = result.version && (await versions.get(tx, spec.id, spec.lastVersion ?? ""));
  const isNew =
    result.version !== undefined &&
    (latest?.text !== result.version.text || latest.filesystem !== result.version.filesystem);
  const number = spec.versions + 1;
  // The id is the same for every worker, so a version that is created twice is stored once.
  const [, ownId] = spec.id.split("_") as [string, string];
  const versionId = deriveId("openApiSpecVersion", ownId.slice(0, CODE_LENGTH), `${spec.id} ${number}`);
  const failures = result.error ? (spec.failures ?? 0) + 1 : 0;
  const processed: SpecRecord = {
    ...rest,
    state: waiting ? "pending" : "complete",
    lastProcessedAt: jobContext.store.now().toISOString(),
    versions: isNew ? number : rest.versions,
    ...omitUndefined({
      lastVersion: isNew ? versionId : rest.lastVersion,
      error: result.error,
      failures: result.error && failures,
      known: result.known,
    }),
  };
  if (isNew) {
    const { spec: id, askedAt: createdAt, url } = source;
    const version = { spec: id, id: versionId, number, createdAt, ...result.version! };
    await versions.put(tx, url === undefined ? version : { ...version, url });
    incrementComputedVersion(tx);
    if (jobContext.ports.search.engine) enqueueJob(jobContext, place, tx, feedComputed, { partition: place.partition });
  }

  // Schedule the next fetch of a URL, sooner after a failure. A fetch that is scheduled earlier stays.
  const { refreshAfterMs } = jobContext.ports.openApiSpecs;
  let due: number | undefined;
  if (processed.url !== undefined && refreshAfterMs !== 0) {
    const now = jobContext.store.now().getTime();
    const delay = failures === 0 ? refreshAfterMs : Math.min(refreshAfterMs, FIRST_RETRY_MS * 2 ** (failures - 1));
    const isPlanned = nextCheck !== undefined && nextCheck > now && nextCheck <= now + delay;
    due = isPlanned ? nextCheck : now + delay;
    if (!isPlanned) enqueueJob(jobContext, place, tx, check, { ...payload, due }, new Date(due));
  }
  await specs.put(tx, { ...processed, ...omitUndefined({ nextCheck: due }) });
}
