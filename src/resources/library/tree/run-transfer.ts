/**
 * Carries a transfer of a space or a collection to another organization out: copies everything while it stays in use,
 * freezes it, copies what has changed since, and replaces it with a forward in one commit.
 *
 * Several processes may run the same transfer. Each begins from the stored state, and stops when another one was faster.
 */

import type { CanContinue, JobContext } from "../../../jobs/jobs";
import { iterateRows, type ReadRows } from "../../../operation/pagination";
import {
  generateRandomText,
  getPartitionByCode,
  getPartitionRef,
  type PartitionRef,
  parsePartitionCode,
} from "../../../storage/ids";
import { consumeAnnouncement, lastSweep } from "../../../storage/objects";
import { dropRanges, mirrorRanges } from "../../../storage/ranges";
import { Conflict } from "../../../storage/storage";
import type { Reader, Transaction } from "../../../storage/transaction";
import { processInCommits } from "../../../storage/transaction-budget";
import { omitUndefined } from "../../../utils/objects";
import { members } from "../../people/members/records";
import { grants } from "../grants/records";
import { content, dropFromSites, type SendContent } from "../spaces/content";
import { dropSpaceContents, enqueueSearchUpdate } from "../spaces/records";
import {
  type ArrivalRecord,
  arrivals,
  detachTranslation,
  findCollectionPath,
  findFreePosition,
  forwards,
  locateNode,
  type NodeRecord,
  nodes,
} from "./records";

/** The payload of the job: the organizations, the node, and the number of its transfer. */
export type TransferPayload = {
  readonly from: string;
  readonly to: string;
  readonly node: string;
  readonly number: number;
};

interface TransferRun {
  readonly jobContext: JobContext;
  readonly from: PartitionRef;
  readonly to: PartitionRef;
  readonly id: string;
  readonly number: number;
  /** Lets other calls run after some commits. Throws `TransferPausedError` when the job has to stop. */
  readonly checkpoint: () => Promise<void>;
}

/** The most times that a transfer starts again because others were faster. */
const MAX_ATTEMPTS = 20;
/** Other calls run after this many commits. */
const COMMITS_PER_CHECKPOINT = 4;
/**
 * The most times that a transfer checks whether another one of the same node has ended, a few hundredths of a second
 * apart. The limit lets two transfers that wait for each other continue: they then find nothing to do.
 */
const MAX_WAITS = 200;
/** Rows that are read at once from a list of the tree. */
const ROWS_PER_READ = 500;
const MAX_GRANTS = 100_000;

/** Another process runs the same transfer and was faster, or the state has changed: start again from the stored state. */
class TransferRaceError extends Error {}
/** The job has run long enough, and continues later. */
class TransferPausedError extends Error {}
/** The transfer was cancelled before the switch. */
class TransferCancelledError extends Error {}

/** Runs a transfer for as long as `canContinue` allows. Returns true if something is left to do. */
export async function runTransfer(
  jobContext: JobContext,
  { from, to, node, number }: TransferPayload,
  canContinue: CanContinue | undefined,
): Promise<boolean> {
  let commits = 0;
  const run: TransferRun = {
    jobContext,
    from: getPartitionRef(from),
    to: getPartitionRef(to),
    id: node,
    number,
    async checkpoint() {
      if (++commits % COMMITS_PER_CHECKPOINT !== 0) return;
      if (canContinue && !(await canContinue({ done: commits, step: "copying" }))) throw new TransferPausedError();
      await new Promise((done) => setTimeout(done, 0));
    },
  };
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    try {
      await runAlone(run);
      return false;
    } catch (error) {
      if (error instanceof TransferPausedError) return true;
      if (!(error instanceof TransferRaceError)) throw error;
      await jobContext.store.pause(attempt);
    }
  }
  throw new Conflict(`Others worked on the same transfer ${MAX_ATTEMPTS} times in a row.`);
}

/** The ids of the nodes that this process transfers. Two transfers of one node would take the arrival from each other. */
const runningTransfers = new WeakMap<JobContext, Set<string>>();

/** Runs a transfer after the other transfers of the same node in this process. */
async function runAlone(run: TransferRun): Promise<void> {
  const { jobContext, id } = run;
  const running = runningTransfers.get(jobContext) ?? new Set();
  runningTransfers.set(jobContext, running);
  for (let waits = 0; running.has(id); waits++) {
    if (waits === MAX_WAITS) throw new TransferRaceError();
    await new Promise((done) => setTimeout(done, 0));
    await jobContext.store.pause(MAX_ATTEMPTS);
  }
  running.add(id);
  try {
    await advanceTransfer(run);
  } finally {
    running.delete(id);
  }
}

/** Continues a transfer from its stored state: copies and switches, or cancels; then places what has arrived. */
async function advanceTransfer(run: TransferRun): Promise<void> {
  const { store } = run.jobContext;
  const node = await nodes.get(await store.read(run.from.partition), run.id);
  if (node && node.moves === run.number) {
    try {
      // Deleting a node ends its transfer.
      if (node.leaving === undefined || node.deletedAt !== null) throw new TransferCancelledError();
      await copyAndSwitch(run, node);
    } catch (error) {
      if (!(error instanceof TransferCancelledError)) throw error;
      await cancelTransfer(run, node);
      return;
    }
  }
  const forward = await forwards.get(await store.read(run.from.partition), run.id);
  if (forward?.number !== run.number) {
    await cancelTransfer(run, undefined);
    return;
  }
  // As many nodes are placed at once as a transaction has room for, and the root of the transfer last.
  const placeArrivals = async (tx: Transaction) => {
    const arrival = await arrivals.get(tx, run.id);
    // A cancellation has no effect any more: the node has left.
    if (arrival?.number !== run.number) return false;
    const hasMore = await arrivals.each(tx, "ofRoot", [run.id], async (other) => {
      if (other.id !== run.id) await placeArrival(run, tx, other, other.parent);
    });
    if (hasMore) return true;
    const parents = arrival.parent === null ? [] : await findCollectionPath(tx, arrival.parent);
    const isParentOpen = parents.length > 0 && !parents.some(({ leaving }) => leaving?.frozen !== undefined);
    await placeArrival(run, tx, arrival, isParentOpen ? arrival.parent : null);
    return false;
  };
  while (await store.write(run.to.partition, placeArrivals)) await run.checkpoint();
  await clearRemains(run, run.from, run.id);
}

/** Copies a node with everything in it, and replaces it with a forward. */
async function copyAndSwitch(run: TransferRun, node: NodeRecord): Promise<void> {
  const { jobContext, from, to, id, number, checkpoint } = run;
  const { store } = jobContext;
  const send = content.implementation.createSender();

  // Nodes in a collection that have their own transfers are transferred first.
  for (;;) {
    const { leavingNodes } = await listSubtree(await store.read(from.partition), node);
    if (leavingNodes.length === 0) break;
    for (const { id: other, leaving, moves } of leavingNodes) {
      const otherPlace = getPartitionRef(leaving!.organization);
      await runAlone({ jobContext, from, to: otherPlace, id: other, number: moves!, checkpoint });
    }
  }

  const copiedVersion = await copySubtree(run, node, send, 0);
  // From here on nobody changes the node or its content: every writer reads the path from it to the top.
  const frozen = await store.write(from.partition, async (tx) => {
    const present = await nodes.get(tx, id);
    if (!present?.leaving || present.deletedAt !== null || present.moves !== number) throw new TransferRaceError();
    const leaving = { ...present.leaving, frozen: generateRandomText(store.random, 16) };
    const changed = { ...present, leaving };
    await nodes.put(tx, changed);
    return changed;
  });
  try {
    await copySubtree(run, frozen, send, copiedVersion);
    const isSwitched = await store.write(from.partition, async (tx) => {
      if (JSON.stringify(await nodes.get(tx, id)) !== JSON.stringify(frozen)) return false;
      await nodes.delete(tx, id);
      await forwards.put(tx, { id, partition: to.partition, number });
      return true;
    });
    if (!isSwitched) throw new TransferRaceError();
  } catch (error) {
    await store.write(from.partition, (tx) => releaseNode(tx, frozen)).catch(jobContext.onError);
    throw error;
  }
}

/** Lists a node with everything that moves with it, from the top down, and the nodes in it that have own transfers. */
async function listSubtree(
  view: Reader,
  root: NodeRecord,
): Promise<{ readonly subtree: readonly NodeRecord[]; readonly leavingNodes: readonly NodeRecord[] }> {
  const subtree: NodeRecord[] = [root];
  const leavingNodes: NodeRecord[] = [];
  for (const node of subtree) {
    if (node.type !== "collection") continue;
    const readChildren: ReadRows<NodeRecord> = (slice) => nodes.list(view, "children", { under: [node.id], ...slice });
    for await (const { record } of iterateRows(readChildren, ROWS_PER_READ))
      (record.leaving ? leavingNodes : subtree).push(record);
  }
  return { subtree, leavingNodes };
}

/** Copies a node with everything in it. Content that has not changed after the version `since` is left alone. Returns the version that was copied. */
async function copySubtree(run: TransferRun, root: NodeRecord, send: SendContent, since: number): Promise<number> {
  const { jobContext, from, to } = run;
  const { store } = jobContext;
  const mark = generateRandomText(store.random, 16);
  await clearRemains(run, to, root.id);
  await store.write(to.partition, (tx) => recordArrival(run, tx, root, mark));
  const view = await store.read(from.partition);
  const { subtree, leavingNodes } = await listSubtree(view, root);
  if (leavingNodes.length > 0) throw new TransferRaceError();
  const guard = async (tx: Reader) => {
    if ((await arrivals.get(tx, root.id))?.pass !== mark) throw new TransferRaceError();
    await run.checkpoint();
  };
  for (const node of subtree.slice(1)) {
    await clearRemains(run, to, node.id);
    await store.write(to.partition, async (tx) => {
      await guard(tx);
      await recordArrival(run, tx, node);
    });
  }

  // The copies of nodes that were moved out of the collection meanwhile are removed.
  const ids = new Set(subtree.map(({ id }) => id));
  for (const id of await listArrivals(await store.read(to.partition), root.id)) {
    const dropSome = async (tx: Transaction) => {
      await guard(tx);
      return (await arrivals.get(tx, id))?.root === root.id && dropArrival(tx, id);
    };
    if (!ids.has(id)) while (await store.write(to.partition, dropSome));
  }

  for (const node of subtree) {
    // The grants of users who are members of the other organization are copied. Those of other users and of teams are dropped.
    const sent = await grants.list(view, "ofNode", { under: [node.id, "user"], limit: MAX_GRANTS });
    const sentByUser = new Map(sent.map(({ record }) => [record.grantee, record]));
    const present = await grants.list(await store.read(to.partition), "ofNode", {
      under: [node.id],
      limit: MAX_GRANTS,
    });
    const users = new Set([...sentByUser.keys(), ...present.map(({ record }) => record.grantee)]);
    const copyGrant = async (tx: Transaction, user: string) => {
      const grant = (await members.get(tx, user)) ? sentByUser.get(user) : undefined;
      if (grant) await grants.put(tx, grant);
      else await grants.delete(tx, node.id, "user", user);
    };
    await processInCommits(store, to.partition, users, copyGrant, guard);
    if (node.type !== "space") continue;
    const announcements = await send(store, view, to.partition, node.id, guard);
    await mirrorRanges(store, view, to.partition, content.implementation.listRanges(node.id), { guard, since });
    await processInCommits(store, to.partition, announcements, consumeAnnouncement);
  }
  return view.version;
}

/**
 * Records in the other organization that a node arrives. The root of the transfer gets the mark of the process that
 * brings it. A translation arrives as an ordinary space, because its source stays behind.
 */
async function recordArrival(run: TransferRun, tx: Transaction, node: NodeRecord, mark?: string): Promise<void> {
  const { id } = node;
  const isRoot = id === run.id;
  const number = isRoot ? run.number : (node.moves ?? 0) + 1;
  const present = await arrivals.get(tx, id);
  if (isRoot && present?.number === number && present.isCalledOff) throw new TransferCancelledError();
  const isTakenByOther =
    !isRoot && present && present.root !== run.id && !present.isCalledOff && present.number >= number;
  const forward = await forwards.get(tx, id);
  const isOutdated = (present?.number ?? 0) > number || (forward?.number ?? 0) >= number;
  if (isTakenByOther || isOutdated || (await nodes.get(tx, id))) throw new TransferRaceError();

  const { leaving, sentBy: _, ...rest } = node.type === "space" ? detachTranslation(node) : node;
  const arriving = { ...rest, moves: number, ...omitUndefined({ sentBy: leaving?.by }) } as NodeRecord;
  const parent = isRoot ? node.leaving!.parent : node.parent;
  const arrival = { id, number, from: run.from.partition, root: run.id, node: arriving, parent };
  await arrivals.put(tx, { ...arrival, ...omitUndefined({ pass: mark }) });
}

/** Lists the ids of the nodes that arrive with a root. */
async function listArrivals(view: Reader, root: string): Promise<string[]> {
  const ids: string[] = [];
  const readArrivals: ReadRows<ArrivalRecord> = (slice) => arrivals.list(view, "ofRoot", { under: [root], ...slice });
  for await (const { record } of iterateRows(readArrivals, ROWS_PER_READ)) ids.push(record.id);
  return ids;
}

/** Removes an arrival and the copy of its node, as much as there is room for. Returns true if there is more. */
async function dropArrival(tx: Transaction, id: string): Promise<boolean> {
  if (await dropArrivedContent(tx, id)) return true;
  await arrivals.delete(tx, id);
  return false;
}

/** Removes the copy of a node, and leaves its arrival. Returns true if there is more. */
async function dropArrivedContent(tx: Transaction, id: string): Promise<boolean> {
  if (await grants.drain(tx, "ofNode", [id])) return true;
  if (await dropRanges(tx, content.implementation.listRanges(id))) return true;
  lastSweep.forget(tx);
  return false;
}

/** Unfreezes a node, unless another process has frozen it since. */
async function releaseNode(tx: Transaction, { id, leaving }: NodeRecord): Promise<void> {
  const node = await nodes.get(tx, id);
  if (!node?.leaving || node.leaving.frozen !== leaving!.frozen) return;
  const { frozen: _, ...rest } = node.leaving;
  await nodes.put(tx, { ...node, leaving: rest });
}

/** Turns an arrival into a node of the tree, in a collection or at the top. */
async function placeArrival(
  { jobContext, to }: TransferRun,
  tx: Transaction,
  { id, node, root, parent: plannedParent }: ArrivalRecord,
  parent: string | null,
): Promise<void> {
  const keepsPosition = id !== root && (await nodes.find(tx, "place", parent, node.position)) === undefined;
  const position = keepsPosition ? node.position : (await findFreePosition(tx, id, parent))!;
  // The collection that it was meant for is gone, and nobody decided to open it to all members: so it is closed.
  const isClosed = parent !== plannedParent && node.defaultLevel === "inherit";
  const placed = { ...node, parent, position, defaultLevel: isClosed ? null : node.defaultLevel };
  if (placed.type === "space" && parent === null && placed.visibility === "in-collection") {
    const change = { previousVisibility: placed.visibility, visibility: "private" };
    jobContext.outbox.emit(to, tx, { type: "space_visibility_updated", spaceId: id, ...change });
    await nodes.put(tx, { ...placed, visibility: "private" });
  } else await nodes.put(tx, placed);
  await arrivals.delete(tx, id);
  await forwards.delete(tx, id);
  if (node.type === "space") enqueueSearchUpdate(jobContext, to, tx, id);
}

/**
 * Ends a transfer before the switch, because the node was deleted or is gone. The other organization records this first,
 * so no process takes the arrival any more, and a process that had frozen the node finds it unfrozen. Only then is
 * anything removed.
 */
async function cancelTransfer(run: TransferRun, node: NodeRecord | undefined): Promise<void> {
  const { from, to, id, number } = run;
  const { store } = run.jobContext;

  // False: the other organization has nothing of this transfer, and can have nothing of it.
  const isRecorded = await store.write(to.partition, async (tx) => {
    const present = await arrivals.get(tx, id);
    if (present ? present.number !== number : !node || (await nodes.get(tx, id))) return false;
    if (present?.isCalledOff) return true;
    const parent = present?.parent ?? null;
    const ended = { id, number, from: from.partition, root: id, node: present?.node ?? node!, parent };
    await arrivals.put(tx, { ...ended, isCalledOff: true });
    return true;
  });

  if (isRecorded) {
    await store.write(from.partition, async (tx) => {
      // Another process has made the switch meanwhile: it is too late to cancel.
      if ((await forwards.get(tx, id))?.number === number) throw new TransferRaceError();
      const present = await nodes.get(tx, id);
      if (present?.leaving && present.moves === number) await releaseNode(tx, present);
    });
    const dropSome = async (tx: Transaction, arrived: string) => {
      const arrival = await arrivals.get(tx, id);
      if (arrival?.number !== number || !arrival.isCalledOff) return false;
      if (arrived === id) return dropArrivedContent(tx, arrived);
      return (await arrivals.get(tx, arrived))?.root === id && dropArrival(tx, arrived);
    };
    for (const arrived of await listArrivals(await store.read(to.partition), id))
      while (await store.write(to.partition, (tx) => dropSome(tx, arrived)));
  }

  // The node stays in its organization.
  await store.write(from.partition, async (tx) => {
    const present = await nodes.get(tx, id);
    if (!present?.leaving || present.moves !== number) return;
    const { leaving: _, ...rest } = present;
    await nodes.put(tx, rest as NodeRecord);
  });
}

/** Removes from a partition what a node that has left it, and everything that went with it, left behind. */
async function clearRemains(run: TransferRun, place: PartitionRef, id: string): Promise<void> {
  const { jobContext } = run;
  const { store } = jobContext;
  for (;;) {
    const view = await store.read(place.partition);
    const forward = await findForward(view, id);
    if (!forward) return;
    const rows = await nodes.list(view, "children", { under: [id], limit: 100 });
    for (const { record } of rows) await clearRemains(run, place, record.id);
    if (rows.length > 0) continue;

    // The partition in which the id was made forwards directly to the current one, however often the node was sent on.
    const code = (parsePartitionCode("space", id) ?? parsePartitionCode("collection", id))!;
    const birthplace = { partition: getPartitionByCode(code), code };
    if (birthplace.partition !== place.partition && birthplace.partition !== forward.partition) {
      await clearRemains(run, birthplace, id);
      await store.write(birthplace.partition, async (tx) => {
        const first = await forwards.get(tx, id);
        if (first && first.number < forward.number) await forwards.put(tx, { id, ...forward });
      });
    }
    break;
  }

  const dropSomeFromSites = async (tx: Transaction) =>
    (await findForward(tx, id)) && dropFromSites.implementation(tx, id);
  while (await store.write(place.partition, dropSomeFromSites));

  const clearSome = async (tx: Transaction) => {
    const forward = await findForward(tx, id);
    if (!forward) return false;
    if (await grants.drain(tx, "ofNode", [id])) return true;
    if (await dropSpaceContents(jobContext, place, tx, id)) return true;
    await content.implementation.dropRest(jobContext, tx, id);
    lastSweep.forget(tx);
    // Until now, nodes that went with a collection were found through it. From here on each has its own forward.
    await nodes.delete(tx, id);
    await forwards.put(tx, { id, ...forward });
    enqueueSearchUpdate(jobContext, place, tx, id);
    return false;
  };
  while (await store.write(place.partition, clearSome)) await run.checkpoint();
}

/** Finds the partition that a node has left for, and the number of the transfer. Returns undefined if the node is here, arrives here, or never was here. */
async function findForward(tx: Reader, id: string): Promise<{ partition: string; number: number } | undefined> {
  const node = await nodes.get(tx, id);
  if (!node) {
    const arrival = await arrivals.get(tx, id);
    const forward = arrival && !arrival.isCalledOff ? undefined : await forwards.get(tx, id);
    return forward && { partition: forward.partition, number: forward.number };
  }
  const location = await locateNode(tx, id);
  if (!location || !("movedTo" in location)) return undefined;
  return { partition: location.movedTo, number: (node.moves ?? 0) + 1 };
}
