// Decides that a space or a collection goes to another organization, and declares the step that brings it there. What the
// step does, and which rules hold meanwhile, is in carry-transfer.ts.

import { createError } from "../../../errors";
import { defineJob, type JobType } from "../../../jobs/jobs";
import type { TargetContext } from "../../../operation/target";
import type { Json } from "../../../storage/storage";
import type { Transaction } from "../../../storage/transaction";
import { callLazily, loadLazily } from "../../../utils/lazy";
import type { Transfer } from "./carry-transfer";
import { type NodeRecord, nodes } from "./records";
import { type Destination, destinationIn, type InTree } from "./rules";

/** What deciding needs. */
interface Sending extends InTree, Pick<TargetContext, "actor" | "peek"> {
  readonly tx: Transaction;
  readonly enqueueJob: <Payload extends Json>(step: JobType<Payload>, payload: Payload) => string;
}

/**
 * Decides a transfer: returns the destination, and the thing marked as leaving. A repeated request changes nothing.
 * Returns undefined if the thing is already there and this caller sent it.
 *
 * A transfer that was decided counts from that moment on, whether its job has run or not. So it is looked at before
 * the place in which the thing still is: an answer must never describe what a waiting job is about to undo.
 */
export async function decideTransfer(
  context: Sending,
  wanted: { readonly organization: string; readonly collection?: string | undefined },
): Promise<{ readonly there: Destination; readonly node: NodeRecord } | undefined> {
  const { tx, path, organization, actor, enqueueJob } = context;
  const [node] = path;
  const to = wanted.organization;
  const parent = wanted.collection ?? null;
  if (node.leaving?.organization === to && node.leaving.parent === parent)
    return { there: await destinationIn(context, wanted), node };
  if (path.some(({ leaving }) => leaving !== undefined)) throw createError("transfer_under_way");
  const isThere = to === organization.id && (parent === null || parent === node.parent);
  if (isThere && node.sentBy === actor.user.id) return undefined;
  const there = await destinationIn(context, wanted);
  if (context.isArriving) throw createError("transfer_under_way");
  const number = (node.moves ?? 0) + 1;
  const job = enqueueJob(transferNode, { from: organization.id, to, node: node.id, number });
  const sent = { ...node, moves: number, leaving: { organization: to, parent, by: actor.user.id, job } };
  await nodes.put(tx, sent);
  return { there, node: sent };
}

const carrying = loadLazily(() => import("./carry-transfer"));

/** Brings a space, or a collection with everything in it, to another organization. */
export const transferNode: JobType<Transfer> = defineJob<Transfer>(
  "transfer-node",
  callLazily(carrying, (it) => it.carryTransfer),
  { isLong: true, isResumed: true },
);
