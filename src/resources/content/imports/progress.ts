// The progress of an import. An import is one request with few commits, so while pages are read from another host, a small
// commit every few seconds records how many were read.

import type { JobContext } from "../../../jobs/jobs";
import { endProgress, type Progress, reportProgress } from "../../../jobs/progress";
import type { CallContext } from "../../../operation/operation";
import { getPartitionRef } from "../../../storage/ids";
import type { Transaction } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";

export interface ImportRun {
  readonly jobContext: JobContext;
  readonly organization: { readonly id: string };
  readonly params: { readonly spaceId: string; readonly changeRequestId?: string };
}

/** An import whose revision is being saved. */
export type ImportEndContext = Pick<ImportRun, "params"> & Pick<CallContext, "now" | "tx">;

/** The time between two reports while pages are read. */
const REPORT_INTERVAL_MS = 3000;

/** Formats the id of an import's progress. There is one for each space or change request. */
const formatProgressId = ({ spaceId, changeRequestId = "" }: ImportRun["params"]) => `${spaceId} ${changeRequestId}`;

/** Reports the progress of an import, in a commit that has another purpose. */
export function reportImportProgress(
  { jobContext, params: { spaceId, changeRequestId } }: Pick<ImportRun, "jobContext" | "params">,
  tx: Transaction,
  progress: Progress,
): void {
  const params = { spaceId, ...omitUndefined({ changeRequestId }) };
  reportProgress(tx, formatProgressId(params), {
    ...progress,
    work: "import",
    params,
    at: jobContext.store.now().getTime(),
  });
}

/** Reads a source, and reports the progress from time to time. */
export async function readWithProgress<Read>(
  run: ImportRun,
  read: (onProgress: (done: number, total: number) => void) => Promise<Read>,
): Promise<Read> {
  const { store, onError } = run.jobContext;
  const { partition } = getPartitionRef(run.organization.id);
  let lastReportedAt = performance.now();
  let lastReport: Promise<unknown> = Promise.resolve();
  let hasReported = false;
  const onProgress = (done: number, total: number) => {
    if (performance.now() - lastReportedAt < REPORT_INTERVAL_MS) return;
    lastReportedAt = performance.now();
    hasReported = true;
    const report = async (tx: Transaction) => reportImportProgress(run, tx, { done, total, step: "reading" });
    lastReport = lastReport.then(() => store.write(partition, report).catch(onError));
  };
  try {
    return await read(onProgress);
  } catch (error) {
    await lastReport;
    if (hasReported) await recordImportFailure(run);
    throw error;
  } finally {
    await lastReport;
  }
}

/** Records that an import failed, if it has reported progress. */
export async function recordImportFailure({ jobContext, organization, params }: ImportRun): Promise<void> {
  const { store, onError } = jobContext;
  const { partition } = getPartitionRef(organization.id);
  await store.write(partition, (tx) => endImportProgress({ tx, now: store.now(), params }, "failed")).catch(onError);
}

/** Records how an import ended, if it has reported progress. The event of the operation has its revision. */
export async function endImportProgress(
  { tx, now, params }: ImportEndContext,
  status: "completed" | "failed",
): Promise<void> {
  await endProgress(tx, "import", formatProgressId(params), { status, at: now.getTime() });
}
