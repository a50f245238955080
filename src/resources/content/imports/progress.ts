// How far an import is. It is one request, and its commits are few: while pages are read from another host, a small commit
// says every few seconds how many were.

import type { JobContext } from "../../../jobs/jobs";
import { endProgress, type Progress, reportProgress } from "../../../jobs/progress";
import { getPartitionRef } from "../../../storage/ids";
import type { Transaction } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";

/** An import that is under way. */
export interface Importing {
  readonly jobContext: JobContext;
  readonly organization: { readonly id: string };
  readonly params: { readonly spaceId: string; readonly changeRequestId?: string };
}

/** An import whose revision is being saved. */
export interface Ending extends Pick<Importing, "params"> {
  readonly tx: Transaction;
  readonly now: Date;
}

/** How often it is told how many pages were read. */
const EVERY_MS = 3000;

/** There is one row for each place that is imported into. */
const thingOf = ({ spaceId, changeRequestId = "" }: Importing["params"]) => `${spaceId} ${changeRequestId}`;

/** Says how far an import is, in a commit that is made anyway. */
export function reportImport(
  { jobContext, params: { spaceId, changeRequestId } }: Pick<Importing, "jobContext" | "params">,
  tx: Transaction,
  it: Progress,
): void {
  const params = { spaceId, ...omitUndefined({ changeRequestId }) };
  reportProgress(tx, thingOf(params), { ...it, work: "import", params, at: jobContext.store.now().getTime() });
}

/** Reads a source, and says now and then how far that is. */
export async function telling<Read>(
  it: Importing,
  read: (told: (done: number, total: number) => void) => Promise<Read>,
): Promise<Read> {
  const { store, onError } = it.jobContext;
  let last = performance.now();
  let saying: Promise<unknown> = Promise.resolve();
  let hasTold = false;
  const told = (done: number, total: number) => {
    if (performance.now() - last < EVERY_MS) return;
    last = performance.now();
    hasTold = true;
    const { partition } = getPartitionRef(it.organization.id);
    saying = saying.then(() =>
      store.write(partition, async (tx) => reportImport(it, tx, { done, total, step: "reading" })).catch(onError),
    );
  };
  try {
    return await read(told);
  } catch (error) {
    await saying;
    if (hasTold) await tellFailure(it);
    throw error;
  } finally {
    await saying;
  }
}

/** Says that an import failed, if it told how far it was. */
export async function tellFailure(it: Importing): Promise<void> {
  const { store, onError } = it.jobContext;
  const { partition } = getPartitionRef(it.organization.id);
  const { params } = it;
  await store.write(partition, (tx) => tellEnd({ tx, now: store.now(), params }, "failed")).catch(onError);
}

/** Says how an import ended, if it told how far it was. The event of the operation has its revision. */
export async function tellEnd({ tx, now, params }: Ending, status: "completed" | "failed"): Promise<void> {
  await endProgress(tx, "import", thingOf(params), { status, at: now.getTime() });
}
