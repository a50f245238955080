import type { CanContinue, JobContext } from "../../../jobs/jobs";
import {
  generateRandomText,
  getPartitionByCode,
  getPartitionRef,
  type PartitionRef,
  parsePartitionCode,
} from "../../../storage/ids";
import { removeAnnouncements, scheduleSweep } from "../../../storage/objects";
import { dropRanges, mirrorRanges } from "../../../storage/ranges";
import { Conflict, type Key } from "../../../storage/storage";
import type { Reader, Transaction } from "../../../storage/transaction";
import { processInCommits } from "../../../storage/transaction-budget";
import { omitUndefined } from "../../../utils/objects";
import { members } from "../../people/members/records";
import { dropGrants, type GrantRecord, grants } from "../grants/records";
import { content, dropFromSites, type SendContent } from "../spaces/content";
import { dropInside, followLater } from "../spaces/records";
import {
  type ArrivalRecord,
  arrivals,
  forwards,
  type NodeRecord,
  nodes,
  positionIn,
  unfollowing,
  wayTo,
  whereIs,
} from "./records";

/** What the step of a transfer is given. */
export type Transfer = { readonly from: string; readonly to: string; readonly node: string; readonly number: number };

/** A transfer in progress, with what a process needs to carry it out. */
interface Move {
  readonly jobContext: JobContext;
  readonly from: PartitionRef;
  readonly to: PartitionRef;
  readonly id: string;
  readonly number: number;
  readonly breathe: () => Promise<void>;
}

/** How often others may have been faster. */
const MAX_ATTEMPTS = 20;
/** Other calls get their turn after this many commits. */
const COMMITS = 4;

/** Another process works on the same transfer and was faster, or the state has changed: read it again. */
class Late extends Error {}
/** The answer has waited long enough. */
class Enough extends Error {}
/** The transfer ended before the switch. */
class CalledOff extends Error {}

/** Carries a transfer out, as far as it may go on. True: something is left to do. */
export async function carryTransfer(
  work: JobContext,
  transfer: Transfer,
  mayGoOn: CanContinue | undefined,
): Promise<boolean> {
  const move = moveOf(work, transfer, mayGoOn);
  for (let tries = 1; tries <= MAX_ATTEMPTS; tries++) {
    try {
      await carry(move);
      return false;
    } catch (error) {
      if (error instanceof Enough) return true;
      if (!(error instanceof Late)) throw error;
      await work.store.pause(tries);
    }
  }
  throw new Conflict(`Others worked on the same transfer ${MAX_ATTEMPTS} times in a row.`);
}

function moveOf(work: JobContext, { from, to, node, number }: Transfer, mayGoOn: CanContinue | undefined): Move {
  let commits = 0;
  const breathe = async () => {
    if (++commits % COMMITS !== 0) return;
    if (mayGoOn && !(await mayGoOn({ done: commits, step: "copying" }))) throw new Enough();
    await new Promise((done) => setTimeout(done, 0));
  };
  return {
    jobContext: work,
    from: getPartitionRef(from),
    to: getPartitionRef(to),
    id: node,
    number,
    breathe,
  };
}

/** Transfers that run in this process. Two that bring the same thing would only take the arrival from each other. */
const underWay = new WeakMap<JobContext, Set<string>>();
/**
 * How often one transfer checks whether the other is done, a few hundredths of a second apart. The wait is bounded, so
 * two that wait for each other go on, and find nothing to do.
 */
const MAX_WAITS = 200;

/** Carries a transfer on. Transfers of one thing run one after the other in this process. */
async function carry(move: Move): Promise<void> {
  const { jobContext, id } = move;
  const others = underWay.get(jobContext) ?? new Set();
  underWay.set(jobContext, others);
  for (let waits = 0; others.has(id); waits++) {
    if (waits === MAX_WAITS) throw new Late();
    await new Promise((done) => setTimeout(done, 0));
    await jobContext.store.pause(MAX_ATTEMPTS);
  }
  others.add(id);
  try {
    await carryOn(move);
  } finally {
    others.delete(id);
  }
}

/** Carries a transfer on from its current state. */
async function carryOn(move: Move): Promise<void> {
  const { store } = move.jobContext;
  const node = await nodes.get(await store.read(move.from.partition), move.id);
  if (node && node.moves === move.number) {
    try {
      if (!isStillLeaving(node)) throw new CalledOff();
      await bring(move, node);
    } catch (error) {
      if (!(error instanceof CalledOff)) throw error;
      await callOff(move, node);
      return;
    }
  }
  const forward = await forwards.get(await store.read(move.from.partition), move.id);
  if (forward?.number !== move.number) {
    await callOff(move, undefined);
    return;
  }
  while (await store.write(move.to.partition, (tx) => settleSome(move, tx))) await move.breathe();
  await clear(move, move.from, move.id);
}

/** Whether a thing is still to be sent. Deleting it ends its transfer. */
function isStillLeaving(node: NodeRecord): boolean {
  return node.leaving !== undefined && node.deletedAt === null;
}

/** Copies what is leaving to the other side, and makes the switch. */
async function bring(move: Move, node: NodeRecord): Promise<void> {
  const { store } = move.jobContext;
  const send = content.implementation.sending();
  await pushOthers(move, node);
  const seen = await pass(move, node, send, 0);
  const frozen = await store.write(move.from.partition, (tx) => freeze(move, tx));
  try {
    await pass(move, frozen, send, seen);
    if (!(await store.write(move.from.partition, (tx) => exchange(move, tx, frozen)))) throw new Late();
  } catch (error) {
    await store.write(move.from.partition, (tx) => thaw(tx, frozen)).catch(move.jobContext.onError);
    throw error;
  }
}

/** A thing in a collection that has its own transfer is transferred first. */
async function pushOthers(move: Move, root: NodeRecord): Promise<void> {
  const { jobContext, from } = move;
  for (;;) {
    const { others } = await subtree(await jobContext.store.read(from.partition), root);
    if (others.length === 0) return;
    for (const { id, leaving, moves } of others) {
      const other = {
        jobContext,
        from,
        to: getPartitionRef(leaving!.organization),
        id,
        number: moves!,
        breathe: move.breathe,
      };
      await carry(other);
    }
  }
}

/**
 * A thing with everything that moves with it, from the top down; and the things in it that have transfers of their own.
 */
async function subtree(
  view: Reader,
  root: NodeRecord,
): Promise<{ readonly things: readonly NodeRecord[]; readonly others: readonly NodeRecord[] }> {
  const things: NodeRecord[] = [root];
  const others: NodeRecord[] = [];
  for (const thing of things) {
    if (thing.type !== "collection") continue;
    let after: Key | undefined;
    for (;;) {
      const rows = await nodes.list(view, "children", { under: [thing.id], after, limit: 500 });
      for (const { record } of rows) (record.leaving ? others : things).push(record);
      if (rows.length < 500) break;
      after = rows.at(-1)!.position;
    }
  }
  return { things, others };
}

/** Copies everything to the other side. Returns the version at which it was read. */
async function pass(move: Move, root: NodeRecord, send: SendContent, since: number): Promise<number> {
  const { jobContext, from, to } = move;
  const { store } = jobContext;
  const mark = generateRandomText(store.random, 16);
  await clear(move, to, root.id);
  await store.write(to.partition, (tx) => takeArrival(move, tx, root, mark));
  const view = await store.read(from.partition);
  const { things, others } = await subtree(view, root);
  if (others.length > 0) throw new Late();
  const guard = async (tx: Reader) => {
    if ((await arrivals.get(tx, root.id))?.pass !== mark) throw new Late();
    await move.breathe();
  };
  for (const thing of things.slice(1)) {
    await clear(move, to, thing.id);
    await store.write(to.partition, async (tx) => {
      await guard(tx);
      await expect(move, tx, thing);
    });
  }
  await forgetOthers(move, new Set(things.map(({ id }) => id)), guard);
  for (const thing of things) {
    await bringGrants(move, view, thing.id, guard);
    if (thing.type !== "space") continue;
    const announcements = await send(store, view, to.partition, thing.id, guard);
    await mirrorRanges(store, view, to.partition, content.implementation.ranges(thing.id), { guard, since });
    await removeAnnouncements(store, to.partition, announcements);
  }
  return view.version;
}

/**
 * A thing as it will be in the other organization. A translation arrives as an ordinary space: its source stays behind.
 */
function coming(node: NodeRecord, number: number): NodeRecord {
  const { leaving, sentBy: _, ...rest } = node.type === "space" ? unfollowing(node) : node;
  return { ...rest, moves: number, ...omitUndefined({ sentBy: leaving?.by }) } as NodeRecord;
}

/** Records an arrival, with the mark of the process that brings it. */
async function takeArrival(move: Move, tx: Transaction, root: NodeRecord, pass: string): Promise<void> {
  const { id, number, from } = move;
  const present = await arrivals.get(tx, id);
  if (present?.number === number && present.isCalledOff) throw new CalledOff();
  const forward = await forwards.get(tx, id);
  const isLate = (present?.number ?? 0) > number || (forward?.number ?? 0) >= number;
  if (isLate || (await nodes.get(tx, id))) throw new Late();
  const node = coming(root, number);
  await arrivals.put(tx, { id, number, from: from.partition, root: id, node, parent: root.leaving!.parent, pass });
}

/** Records the arrival of a thing that is in the collection being sent. */
async function expect({ id: root, from }: Move, tx: Transaction, thing: NodeRecord): Promise<void> {
  const { id, parent } = thing;
  const number = (thing.moves ?? 0) + 1;
  const present = await arrivals.get(tx, id);
  const isOthers = present && present.root !== root && !present.isCalledOff && present.number >= number;
  const forward = await forwards.get(tx, id);
  if (isOthers || (present?.number ?? 0) > number || (forward?.number ?? 0) >= number || (await nodes.get(tx, id)))
    throw new Late();
  await arrivals.put(tx, { id, number, from: from.partition, root, node: coming(thing, number), parent });
}

/** Removes the copies of things that were moved out of the collection meanwhile. */
async function forgetOthers(
  { jobContext, to, id: root }: Move,
  things: ReadonlySet<string>,
  guard: (tx: Reader) => Promise<void>,
): Promise<void> {
  for (const id of await arrivingWith(await jobContext.store.read(to.partition), root)) {
    if (things.has(id)) continue;
    const forgetSome = async (tx: Transaction) => {
      await guard(tx);
      return (await arrivals.get(tx, id))?.root === root && forget(tx, id);
    };
    while (await jobContext.store.write(to.partition, forgetSome));
  }
}

async function arrivingWith(view: Reader, root: string): Promise<string[]> {
  const found: string[] = [];
  let after: Key | undefined;
  for (;;) {
    const rows = await arrivals.list(view, "ofRoot", { under: [root], after, limit: 500 });
    found.push(...rows.map(({ record }) => record.id));
    if (rows.length < 500) return found;
    after = rows.at(-1)!.position;
  }
}

/** Removes the copy of a thing that stays where it is. True: there is more. */
async function forget(tx: Transaction, id: string): Promise<boolean> {
  if (await forgetInside(tx, id)) return true;
  await arrivals.delete(tx, id);
  return false;
}

/** The same, except for the arrival itself. */
async function forgetInside(tx: Transaction, id: string): Promise<boolean> {
  if (await dropGrants(tx, "ofNode", [id])) return true;
  if (await dropRanges(tx, content.implementation.ranges(id))) return true;
  scheduleSweep(tx);
  return false;
}

/**
 * Grants of users who are members of the other organization are copied; those of other users and of teams are dropped.
 */
async function bringGrants(
  { jobContext, to }: Move,
  view: Reader,
  node: string,
  guard: (tx: Reader) => Promise<void>,
): Promise<void> {
  const wanted = new Map((await grantsOn(view, [node, "user"])).map((grant) => [grant.grantee, grant]));
  const present = await grantsOn(await jobContext.store.read(to.partition), [node]);
  const users = new Set([...wanted.keys(), ...present.map(({ grantee }) => grantee)]);
  const bring = async (tx: Transaction, user: string) => {
    const grant = (await members.get(tx, user)) ? wanted.get(user) : undefined;
    if (grant) await grants.put(tx, grant);
    else await grants.delete(tx, node, "user", user);
  };
  await processInCommits(jobContext.store, to.partition, users, bring, guard);
}

async function grantsOn(view: Reader, under: readonly string[]): Promise<GrantRecord[]> {
  return (await grants.list(view, "ofNode", { under, limit: 100_000 })).map(({ record }) => record);
}

/** From here on nobody changes the thing or its content: every writer reads the path from it to the top. */
async function freeze({ jobContext, id, number }: Move, tx: Transaction): Promise<NodeRecord> {
  const node = await nodes.get(tx, id);
  if (!node || node.moves !== number || !isStillLeaving(node)) throw new Late();
  const frozen = { ...node, leaving: { ...node.leaving!, frozen: generateRandomText(jobContext.store.random, 16) } };
  await nodes.put(tx, frozen);
  return frozen;
}

/** Unfreezes a thing, unless another process has frozen it since. */
async function thaw(tx: Transaction, { id, leaving }: NodeRecord): Promise<void> {
  const node = await nodes.get(tx, id);
  if (!node?.leaving || node.leaving.frozen !== leaving!.frozen) return;
  const { frozen: _, ...rest } = node.leaving;
  await nodes.put(tx, { ...node, leaving: rest });
}

/** The switch: replaces a thing with a forward, if it is still frozen by this process. */
async function exchange({ id, number, to }: Move, tx: Transaction, frozen: NodeRecord): Promise<boolean> {
  if (JSON.stringify(await nodes.get(tx, id)) !== JSON.stringify(frozen)) return false;
  await nodes.delete(tx, id);
  await forwards.put(tx, { id, partition: to.partition, number });
  return true;
}

/**
 * Gives arrived things their positions, as many as there is room for, and the root of the transfer last. True: there
 * are more.
 */
async function settleSome(move: Move, tx: Transaction): Promise<boolean> {
  const arrival = await arrivals.get(tx, move.id);
  // A cancellation does not matter any more: the thing has left.
  if (arrival?.number !== move.number) return false;
  const hasMore = await arrivals.each(tx, "ofRoot", [move.id], async (it) => {
    if (it.id !== move.id) await settle(move, tx, it, it.parent);
  });
  if (hasMore) return true;
  const home = arrival.parent === null ? [] : await wayTo(tx, arrival.parent);
  const isOpen = home.length > 0 && !home.some(({ leaving }) => leaving?.frozen !== undefined);
  await settle(move, tx, arrival, isOpen ? arrival.parent : null);
  return false;
}

async function settle(
  { jobContext, to }: Move,
  tx: Transaction,
  { id, node, root, parent: wanted }: ArrivalRecord,
  parent: string | null,
): Promise<void> {
  const isKept = id !== root && (await nodes.find(tx, "place", parent, node.position)) === undefined;
  const position = isKept ? node.position : (await positionIn(tx, id, parent))!;
  // The collection that it was meant for is gone, and nobody decided to open it to all members: so it is closed.
  const isAstray = parent !== wanted && node.defaultLevel === "inherit";
  const settled = { ...node, parent, position, defaultLevel: isAstray ? null : node.defaultLevel };
  if (settled.type === "space" && parent === null && settled.visibility === "in-collection") {
    const change = { previousVisibility: settled.visibility, visibility: "private" };
    jobContext.outbox.emit(to, tx, { type: "space_visibility_updated", spaceId: id, ...change });
    await nodes.put(tx, { ...settled, visibility: "private" });
  } else await nodes.put(tx, settled);
  await arrivals.delete(tx, id);
  await forwards.delete(tx, id);
  if (node.type === "space") followLater(jobContext, to, tx, id);
}

/**
 * Ends a transfer before the switch, because the thing was deleted or is gone. The other side is told first, so no
 * process takes the arrival any more, and a process that had frozen the thing finds it unfrozen. Only then is anything
 * removed.
 */
async function callOff(move: Move, node: NodeRecord | undefined): Promise<void> {
  const { from, to, id, number } = move;
  const { store } = move.jobContext;
  if (!(await store.write(to.partition, (tx) => sayCalledOff(move, tx, node)))) return stay(move);
  await store.write(from.partition, async (tx) => {
    // Another process has made the switch meanwhile: it is too late to cancel.
    if ((await forwards.get(tx, id))?.number === number) throw new Late();
    const present = await nodes.get(tx, id);
    if (present?.leaving && present.moves === number) await thaw(tx, present);
  });
  const forgetSome = async (tx: Transaction, it: string) => {
    const arrival = await arrivals.get(tx, id);
    if (arrival?.number !== number || !arrival.isCalledOff) return false;
    if (it === id) return forgetInside(tx, it);
    return (await arrivals.get(tx, it))?.root === id && forget(tx, it);
  };
  for (const it of await arrivingWith(await store.read(to.partition), id))
    while (await store.write(to.partition, (tx) => forgetSome(tx, it)));
  await stay(move);
}

/** Records on the other side that a transfer has ended; false when nothing of it is, or can be, there. */
async function sayCalledOff({ id, number, from }: Move, tx: Transaction, node?: NodeRecord): Promise<boolean> {
  const present = await arrivals.get(tx, id);
  if (present ? present.number !== number : !node || (await nodes.get(tx, id))) return false;
  if (present?.isCalledOff) return true;
  const ended = {
    id,
    number,
    from: from.partition,
    root: id,
    node: present?.node ?? node!,
    parent: present?.parent ?? null,
  };
  await arrivals.put(tx, { ...ended, isCalledOff: true });
  return true;
}

/** Keeps a thing whose transfer has ended where it is. */
async function stay({ jobContext, from, id, number }: Move): Promise<void> {
  await jobContext.store.write(from.partition, async (tx) => {
    const present = await nodes.get(tx, id);
    if (!present?.leaving || present.moves !== number) return;
    const { leaving: _, ...rest } = present;
    await nodes.put(tx, rest as NodeRecord);
  });
}

/**
 * Removes what a thing has left behind in a partition, with everything that went with it. Things that live there are
 * left alone.
 */
async function clear(move: Move, at: PartitionRef, id: string): Promise<void> {
  const { store } = move.jobContext;
  for (;;) {
    const view = await store.read(at.partition);
    const forward = await wentTo(view, id);
    if (!forward) return;
    const rows = await nodes.list(view, "children", { under: [id], limit: 100 });
    if (rows.length === 0) {
      await shorten(move, at, id, forward);
      break;
    }
    for (const { record } of rows) await clear(move, at, record.id);
  }
  while (await store.write(at.partition, async (tx) => (await wentTo(tx, id)) && dropFromSites.implementation(tx, id)));
  while (await store.write(at.partition, (tx) => clearSome(move, at, tx, id))) await move.breathe();
}

/**
 * Where a thing has gone from here, and the number of the transfer; undefined: it is here, is arriving, or never was
 * here.
 */
async function wentTo(tx: Reader, id: string): Promise<{ partition: string; number: number } | undefined> {
  const node = await nodes.get(tx, id);
  if (!node) {
    const arrival = await arrivals.get(tx, id);
    const forward = arrival && !arrival.isCalledOff ? undefined : await forwards.get(tx, id);
    return forward && { partition: forward.partition, number: forward.number };
  }
  const found = await whereIs(tx, id);
  return found && "movedTo" in found ? { partition: found.movedTo, number: (node.moves ?? 0) + 1 } : undefined;
}

/** Removes some of what a thing has left behind. True: there is more. */
async function clearSome({ jobContext }: Move, at: PartitionRef, tx: Transaction, id: string): Promise<boolean> {
  const forward = await wentTo(tx, id);
  if (!forward) return false;
  if (await dropGrants(tx, "ofNode", [id])) return true;
  if (await dropInside(jobContext, at, tx, id)) return true;
  await content.implementation.dropRest(jobContext, tx, id);
  scheduleSweep(tx);
  // Until now, things that went with a collection were found through it. From here on each has its own forward.
  await nodes.delete(tx, id);
  await forwards.put(tx, { id, ...forward });
  followLater(jobContext, at, tx, id);
  return false;
}

/**
 * Makes the partition in which the id was made forward directly to the current one, however often the thing was sent
 * on.
 */
async function shorten(
  move: Move,
  at: PartitionRef,
  id: string,
  { partition, number }: { readonly partition: string; readonly number: number },
): Promise<void> {
  const code = (parsePartitionCode("space", id) ?? parsePartitionCode("collection", id))!;
  const born = { partition: getPartitionByCode(code), code };
  if (born.partition === at.partition || born.partition === partition) return;
  await clear(move, born, id);
  await move.jobContext.store.write(born.partition, async (tx) => {
    const forward = await forwards.get(tx, id);
    if (forward && forward.number < number) await forwards.put(tx, { id, partition, number });
  });
}
