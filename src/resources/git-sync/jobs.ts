// The requests of a space, one after the other in the order of their times. One that fails for good is told of and gone; one
// that meets an outage is tried again by the job, for a while, and then gone as well: none stops those behind it for ever.

import { BookRefused } from "../../content/book/refused";
import type { GitAuth } from "../../git/port";
import { type GitReason, GitRefused } from "../../git/refused";
import { Outdated } from "../../kernel/outdated";
import { placeOf, randomText } from "../../store/ids";
import type { Transaction } from "../../store/transaction";
import { later, type Step, step, type Work } from "../../work/jobs";
import { DEADLY, following, isDeadly } from "../../work/runners";
import { nodes, spaceIn } from "../tree/records";
import { dropGitSync, type GitRequest, type GitSyncRecord, gitRequests, gitSyncs } from "./records";
import { withRemote } from "./remote";
import { look, Over, type Run } from "./run";

type OfSpace = { readonly organization: string; readonly space: string };
type At = Run["at"];

/** How often a request is tried: with the gaps of a job, for about a quarter of an hour. */
const MAX_TRIES = 10;
/** How often an attempt is begun again because the world has moved. */
const MAX_ATTEMPTS = 10;
/** Time beyond that of a call to a repository in which whoever took a request is left alone. */
const MARGIN_MS = 60_000;

/** What reads and writes books is loaded by the first who needs it: most processes never do. */
const importing = () => import("./importing");
const exporting = () => import("./exporting");

/** Carries out the oldest request of a space. */
export const syncGit: Step<OfSpace> = step<OfSpace>(
  "sync-git",
  async (work, payload) => {
    const at = placeOf(payload.organization);
    const runner = randomText(work.store.random, 16);
    const request = await work.store.write(at.partition, (tx) => take(work, at, tx, payload, runner));
    if (request === undefined) return false;
    if (request !== "dropped") await carryOut(work, at, request, runner);
    return true;
  },
  { isLong: true, hasRunner: true },
);

/** Takes the oldest request, or drops it; undefined when none waits, or somebody is at it. */
async function take(
  work: Work,
  at: At,
  tx: Transaction,
  payload: OfSpace,
  runner: string,
): Promise<GitRequest | "dropped" | undefined> {
  const { space } = payload;
  const sync = await gitSyncs.get(tx, space);
  if (!sync) return undefined;
  const now = work.store.now().getTime();
  if (sync.runner && sync.runner.until > now) {
    // Should they never come to an end, this one takes over.
    later(work, at, tx, syncGit, payload, new Date(sync.runner.until));
    return undefined;
  }
  const { runner: _, ...idle } = sync;
  if (!(await spaceIn(tx, space))) {
    await dropGitSync(tx, space);
    // In the trash it may come back: then only what waits is gone.
    if (await nodes.get(tx, space)) await gitSyncs.put(tx, stopped(idle));
    return undefined;
  }
  const [row] = await gitRequests.list(tx, "inOrder", { under: [space], limit: 1 });
  if (!row) {
    if (sync.runner) await gitSyncs.put(tx, idle);
    return undefined;
  }
  const request = row.record;
  if (sync.newest !== undefined && request.timestamp < sync.newest && !request.force) {
    await gitRequests.delete(tx, space, request.number);
    await gitSyncs.put(tx, idle);
    return "dropped";
  }
  const next = following(sync.runner, { id: runner, until: now + work.parts.git.milliseconds + MARGIN_MS });
  if (isDeadly(next) || request.attempts >= MAX_TRIES) {
    // None of them has said why it ended.
    const sentence = isDeadly(next) ? DEADLY : "It was tried too often without coming to an end.";
    await giveUp(work, at, tx, idle, request, sentence);
    return "dropped";
  }
  const taken = { ...request, attempts: request.attempts + 1 };
  await gitRequests.put(tx, taken);
  await gitSyncs.put(tx, {
    ...idle,
    runner: next,
    last: { direction: request.direction, status: "running", requestedAt: request.requestedAt },
  });
  if (taken.attempts === 1)
    work.outbox.emit(at, tx, { type: "space_gitsync_started", spaceId: space, direction: request.direction });
  return taken;
}

function stopped({ last, ...rest }: GitSyncRecord): GitSyncRecord {
  if (last?.status !== "running") return last ? { ...rest, last } : rest;
  return { ...rest, last: { ...last, status: "failed", error: "The space was deleted." } };
}

async function carryOut(work: Work, at: At, request: GitRequest, runner: string): Promise<void> {
  try {
    const run: Run = { work, at, request, runner, auth: await authOf(work, request) };
    await untilUpToDate(run);
    await work.store.write(at.partition, (tx) => release(tx, request, runner));
  } catch (error) {
    if (error instanceof Over) return;
    const isOver = isFinal(error) || request.attempts >= MAX_TRIES;
    await work.store.write(at.partition, (tx) => fail(work, at, tx, request, runner, error, isOver));
    if (!isOver || !isForeseen(error)) throw error;
  }
}

async function untilUpToDate(run: Run): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      const moment = await look(run);
      if (run.request.direction === "export") return await (await exporting()).exportTo(run, moment);
      const { importFrom } = await importing();
      return await withRemote(run, moment, (remote) => importFrom(run, moment, remote, true));
    } catch (error) {
      if (!(error instanceof Outdated)) throw error;
      if (tries === MAX_ATTEMPTS) throw new GitRefused("diverged", "The space and the repository keep changing.");
      await run.work.store.pause(tries);
    }
  }
}

/** The context that a name and a password are sealed with. */
export const sealedFor = (space: string) => `git ${space}`;

async function authOf({ parts }: Work, { sealed, space }: GitRequest): Promise<GitAuth | undefined> {
  if (sealed === undefined) return undefined;
  try {
    return JSON.parse(await parts.git.secrets.decrypt(sealed, sealedFor(space))) as GitAuth;
  } catch {
    throw new GitRefused("unauthorized", "The name and the password were sealed with another secret: send them again.");
  }
}

/** Reasons that will not be others the next time. */
const FINAL = new Set<GitReason>(["unauthorized", "not_found", "ref_not_found", "too_large", "not_git", "rejected"]);

function isFinal(error: unknown): boolean {
  return error instanceof BookRefused || (error instanceof GitRefused && FINAL.has(error.reason));
}

function isForeseen(error: unknown): boolean {
  return error instanceof BookRefused || error instanceof GitRefused;
}

async function release(tx: Transaction, { space }: GitRequest, runner: string): Promise<void> {
  const sync = await gitSyncs.get(tx, space);
  if (sync?.runner?.id !== runner) return;
  const { runner: _, ...idle } = sync;
  await gitSyncs.put(tx, idle);
}

/** Tells why a request failed; one that is over goes, and so does one that a later one of its kind makes needless. */
async function fail(
  work: Work,
  at: At,
  tx: Transaction,
  request: GitRequest,
  runner: string,
  error: unknown,
  isOver: boolean,
): Promise<void> {
  const { space, number, direction, requestedAt } = request;
  const sync = await gitSyncs.get(tx, space);
  if (sync?.runner?.id !== runner) return;
  // It was done, and only the answer to that was lost.
  if (!(await gitRequests.get(tx, space, number))) return release(tx, request, runner);
  const { runner: _, pushing, ...idle } = sync;
  // What was refused has not gone through unheard.
  const kept = pushing && !isFinal(error) ? { pushing } : {};
  const sentence = isForeseen(error) ? (error as Error).message.slice(0, 500) : "Something went wrong here.";
  if (isOver || (await isNeedless(tx, request))) return giveUp(work, at, tx, { ...idle, ...kept }, request, sentence);
  await gitSyncs.put(tx, { ...idle, ...kept, last: { direction, status: "running", requestedAt, error: sentence } });
}

/** Takes a request away that is not done, and tells why. */
async function giveUp(
  work: Work,
  at: At,
  tx: Transaction,
  idle: GitSyncRecord,
  { space, number, direction, requestedAt }: GitRequest,
  error: string,
): Promise<void> {
  await gitSyncs.put(tx, { ...idle, last: { direction, status: "failed", requestedAt, error } });
  await gitRequests.delete(tx, space, number);
  work.outbox.emit(at, tx, { type: "space_gitsync_completed", spaceId: space, direction, state: "failure" });
}

/** Whether a request behind this one does the same. */
async function isNeedless(tx: Transaction, { space, number, direction, standalone, url, ref, directory }: GitRequest) {
  if (standalone) return false;
  const rows = await gitRequests.list(tx, "inOrder", { under: [space], limit: 100 });
  return rows.some(({ record: it }) => {
    const isSame = it.url === url && it.ref === ref && it.directory === directory && it.direction === direction;
    return it.number !== number && isSame && !it.standalone;
  });
}
