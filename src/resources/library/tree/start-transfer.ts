// Decides that a space or a collection goes to another organization, and declares the job that transfers it. The work of
// the job, and the rules that hold meanwhile, are in run-transfer.ts.

import { createError } from "../../../errors";
import { defineJob, type JobType } from "../../../jobs/jobs";
import type { TargetContext } from "../../../operation/target";
import type { Json } from "../../../storage/storage";
import type { Transaction } from "../../../storage/transaction";
import { callLazily, loadLazily } from "../../../utils/lazy";
import { type NodeRecord, nodes } from "./records";
import { findTransferDestination, type NodeContext, type TransferDestination } from "./rules";
import type { TransferPayload } from "./run-transfer";

interface TransferContext extends NodeContext, Pick<TargetContext, "actor" | "peek"> {
  readonly tx: Transaction;
  readonly enqueueJob: <Payload extends Json>(step: JobType<Payload>, payload: Payload) => string;
}

/**
 * Marks a node as leaving and enqueues the job that transfers it. Returns the destination and the marked node. A
 * repeated request changes nothing. Returns undefined if the node is already there and this caller sent it.
 *
 * A transfer counts from the moment it was decided, even if its job has not run. It is therefore checked before the
 * current place of the node: a response must never describe a state that a waiting job is about to change.
 */
export async function startTransfer(
  context: TransferContext,
  destination: { readonly organization: string; readonly collection?: string | undefined },
): Promise<{ readonly there: TransferDestination; readonly node: NodeRecord } | undefined> {
  const { tx, path, organization, actor, enqueueJob } = context;
  const [node] = path;
  const to = destination.organization;
  const parent = destination.collection ?? null;
  if (node.leaving?.organization === to && node.leaving.parent === parent)
    return { there: await findTransferDestination(context, destination), node };
  if (path.some(({ leaving }) => leaving !== undefined)) throw createError("transfer_under_way");
  const isThere = to === organization.id && (parent === null || parent === node.parent);
  if (isThere && node.sentBy === actor.user.id) return undefined;
  const there = await findTransferDestination(context, destination);
  if (context.isArriving) throw createError("transfer_under_way");
  const number = (node.moves ?? 0) + 1;
  const job = enqueueJob(transferNode, { from: organization.id, to, node: node.id, number });
  const leaving = { ...node, moves: number, leaving: { organization: to, parent, by: actor.user.id, job } };
  await nodes.put(tx, leaving);
  return { there, node: leaving };
}

const loadRunTransfer = loadLazily(() => import("./run-transfer"));

/** The job that transfers a space, or a collection with everything in it, to another organization. */
export const transferNode: JobType<TransferPayload> = defineJob<TransferPayload>(
  "transfer-node",
  callLazily(loadRunTransfer, (module) => module.runTransfer),
  { isLong: true, isResumed: true },
);
