// Moving things to another organization, which is another partition. Nothing is atomic across the two, so the order of
// the steps keeps the promise that a thing lives in one place at a time and is never lost:
//
//  1. The thing is marked as leaving, in the commit that the request makes, together with the job.
//  2. The other organization writes down what is coming, and gets a copy of the content. Nobody sees it yet.
//  3. If the thing is still what was written down, it is exchanged for a forward, in one commit; if not, back to 2.
//  4. A space goes off the sites of the organization that it left. What may have changed until then follows: the last
//     revisions, what was said, and the grants of those who are members over there.
//  5. What has come gets its place. From here on it is seen there.
//
// A crash leaves the job, and the job looks at how far it got. A collection is opened on the other side first, and what is
// in it follows piece by piece; when it is empty it goes the same way.

import { placeOf } from "../../store/ids";
import { sweepSoon } from "../../store/objects";
import type { Reader, Transaction } from "../../store/transaction";
import { later, step, type Work } from "../../work/jobs";
import { copyDiscussions } from "../comments/transfer";
import { dropGrants, grants } from "../grants/records";
import { members } from "../members/records";
import { copyContent } from "../revisions/transfer";
import { dropIndex, feedEngine } from "../search/jobs";
import { dropFromSites } from "../sites/jobs";
import { dropInside } from "../spaces/records";
import { arrivals, forwards, isTrashed, type NodeRecord, nodes, pathOf, positionIn, unfollowing } from "./records";

type Transfer = { readonly from: string; readonly to: string; readonly node: string; readonly parent: string | null };

/** Grants that one transaction brings along; each is several entries of a batch. */
const AT_ONCE = 40;

/** Brings a space or a collection to another organization. */
export const transferNode = step<Transfer>("transfer-node", async (work, transfer) => {
  const { store } = work;
  const [from, to] = [placeOf(transfer.from), placeOf(transfer.to)];
  const view = await store.read(from.partition);
  const node = await nodes.get(view, transfer.node);
  if (node?.leaving === transfer.to) {
    if (node.deletedAt !== null) {
      if (await store.write(to.partition, (tx) => forget(work, to, tx, node.id))) return true;
      return store.write(from.partition, (tx) => stay(tx, node.id));
    }
    await store.write(to.partition, (tx) => announce(tx, node, transfer));
    if (node.type === "space") await copyContent(store, from.partition, to.partition, node.id, isComing(node.id));
    else {
      await bringGrants(work, view, transfer);
      await store.write(to.partition, (tx) => settle(work, to, tx, node.id));
      if (await sendChildren(work, from, transfer)) return true;
    }
    const isGone = await store.write(from.partition, (tx) => leave(tx, node, to.partition));
    if (!isGone) return true;
  }
  while (await store.write(from.partition, (tx) => leaveSites(tx, transfer.node)));
  await bringRest(work, from.partition, transfer);
  await store.write(to.partition, (tx) => settle(work, to, tx, transfer.node));
  await feedEngine.run(work, { partition: from.partition, space: transfer.node });
  await feedEngine.run(work, { partition: to.partition, space: transfer.node });
  return store.write(from.partition, (tx) => clearUp(work, from, tx, transfer.node));
});

/** Whether a thing has come but has no place yet: then, and only then, what belongs to it is still brought after it. */
const isComing = (id: string) => async (tx: Reader) => (await arrivals.get(tx, id)) !== undefined;

/**
 * Brings what may have changed until the thing was exchanged for its forward: its last revisions, what was said and
 * proposed, and who may do what. Nobody can reach it on either side meanwhile.
 */
async function bringRest(work: Work, from: string, transfer: Transfer): Promise<void> {
  const { store } = work;
  const to = placeOf(transfer.to).partition;
  if (!(await isComing(transfer.node)(await store.read(to)))) return;
  await copyContent(store, from, to, transfer.node, isComing(transfer.node));
  await copyDiscussions(store, from, to, transfer.node, isComing(transfer.node));
  await bringGrants(work, await store.read(from), transfer);
}

/** Takes a space that has left off the sites of this organization; true when it may be on more of them. */
async function leaveSites(tx: Transaction, id: string): Promise<boolean> {
  if ((await nodes.get(tx, id)) || (await arrivals.get(tx, id))) return false;
  return dropFromSites(tx, id);
}

/** Takes away what a thing has left behind; true when there is more. */
async function clearUp(work: Work, at: ReturnType<typeof placeOf>, tx: Transaction, id: string): Promise<boolean> {
  if ((await nodes.get(tx, id)) || (await arrivals.get(tx, id))) return false;
  if (await dropGrants(tx, "ofNode", [id])) return true;
  if (await dropInside(work, at, tx, id)) return true;
  await dropIndex(tx, id);
  sweepSoon(tx);
  return false;
}

/** Takes away what had come of a thing that stays where it is; true when there is more. */
async function forget(work: Work, at: ReturnType<typeof placeOf>, tx: Transaction, id: string): Promise<boolean> {
  if (await nodes.get(tx, id)) return false;
  await arrivals.delete(tx, id);
  if (await dropInside(work, at, tx, id)) return true;
  sweepSoon(tx);
  return false;
}

/** A thing that was deleted on its way goes nowhere. */
async function stay(tx: Transaction, id: string): Promise<void> {
  const node = await nodes.get(tx, id);
  if (!node) return;
  const { leaving: _, ...rest } = node;
  await nodes.put(tx, rest as NodeRecord);
}

/** Grants to users who are members over there go along; those of others, and of teams, fall away. */
async function bringGrants({ store }: Work, view: Reader, { to, node }: Transfer): Promise<void> {
  let after: string | undefined;
  for (;;) {
    const rows = await grants.list(view, "ofNode", { under: [node, "user"], after, limit: AT_ONCE });
    await store.write(placeOf(to).partition, async (tx) => {
      if (!(await isComing(node)(tx))) return;
      for (const { record } of rows) if (await members.get(tx, record.grantee)) await grants.put(tx, record);
    });
    if (rows.length < AT_ONCE) return;
    after = rows.at(-1)!.position;
  }
}

/**
 * Writes down what is coming. A collection may be here already, open for what follows it: then it is brought up to date. A
 * translation comes as a space like any other: what it follows stays behind.
 */
async function announce(tx: Transaction, node: NodeRecord, { parent }: Transfer): Promise<void> {
  const { leaving: _, ...coming } = node.type === "space" ? unfollowing(node) : node;
  const here = await nodes.get(tx, node.id);
  if (here) await nodes.put(tx, { ...(coming as NodeRecord), parent: here.parent, position: here.position });
  else await arrivals.put(tx, { id: node.id, node: coming as NodeRecord, parent });
}

/** Exchanges a thing for a forward, unless it has changed since it was written down, or has something in it. */
async function leave(tx: Transaction, node: NodeRecord, partition: string): Promise<boolean> {
  const present = await nodes.get(tx, node.id);
  if (JSON.stringify(present) !== JSON.stringify(node)) return false;
  if (
    (await nodes.total(tx, "children", node.id, "space")) + (await nodes.total(tx, "children", node.id, "collection")) >
    0
  )
    return false;
  await nodes.delete(tx, node.id);
  await forwards.put(tx, { id: node.id, partition });
  return true;
}

/** Gives what has come its place: in the collection that was chosen, or at the top when that is gone, and closed then: nobody
 * chose to show it to all. */
async function settle(work: Work, place: ReturnType<typeof placeOf>, tx: Transaction, id: string): Promise<void> {
  const arrival = await arrivals.get(tx, id);
  if (!arrival) return;
  const home = arrival.parent === null ? undefined : await nodes.get(tx, arrival.parent);
  const parent = home && !isTrashed(await pathOf(tx, home)) ? home.id : null;
  const isAstray = parent !== arrival.parent && arrival.node.defaultLevel === "inherit";
  const defaultLevel = isAstray ? null : arrival.node.defaultLevel;
  const node = { ...arrival.node, parent, defaultLevel, position: (await positionIn(tx, id, parent))! };
  if (node.type === "space" && parent === null && node.visibility === "in-collection") {
    await nodes.put(tx, { ...node, visibility: "private" });
    const change = { previousVisibility: node.visibility, visibility: "private" };
    work.outbox.emit(place, tx, { type: "space_visibility_updated", spaceId: id, ...change });
  } else await nodes.put(tx, node);
  await arrivals.delete(tx, id);
  await forwards.delete(tx, id);
}

/**
 * Sends what is in a collection after it, some of it at a time, each with a job of its own: what has left must still find
 * its place when this process is gone. What was sent before and is still here is pushed. True when there may be more.
 */
async function sendChildren(work: Work, from: ReturnType<typeof placeOf>, transfer: Transfer): Promise<boolean> {
  const waiting = await work.store.write(from.partition, async (tx) => {
    const children = await nodes.list(tx, "children", { under: [transfer.node], limit: 20 });
    for (const { record } of children) {
      if (record.leaving === transfer.to) continue;
      await nodes.put(tx, { ...record, leaving: transfer.to });
      later(work, from, tx, transferNode, { ...transfer, node: record.id, parent: transfer.node });
    }
    return children.filter(({ record }) => record.leaving === transfer.to).map(({ record }) => record.id);
  });
  for (const node of waiting) {
    while ((await transferNode.run(work, { ...transfer, node, parent: transfer.node })) === true);
  }
  const left = await nodes.list(await work.store.read(from.partition), "children", {
    under: [transfer.node],
    limit: 1,
  });
  return left.length > 0;
}
