// Pushes one commit. It is built here from known trees and changes, without a checkout, and only new objects are sent.
// The server is told which commit the branch must still hold, so of two concurrent pushes only one succeeds.

import { concatBytes } from "../utils/bytes";
import { checkRef, repositoryUrl } from "./address";
import { type Changed, changedTree } from "./changes";
import { writeCommit } from "./commits";
import { Breaks } from "./effort";
import { completeLimits } from "./limits";
import { objectId } from "./objects";
import { packOf } from "./pack";
import { FLUSH, lines, packets, received } from "./packets";
import type { GitPush, GitPushed } from "./port";
import { pushInfo, tipOf } from "./refs";
import { GitRefused } from "./refused";
import { type Known, readState, writeState } from "./state";
import { isFolder, parseTree } from "./trees";
import { Wire } from "./wire";

const NO_COMMIT = "0".repeat(40);
/** How servers report that another push came first. */
const WAS_QUICKER =
  /non-fast-forward|fetch first|stale info|(?:failed to (?:update|lock)|cannot lock) ref|incorrect old value/i;

/** Commits the changes to a branch; creates the branch when there is none. Throws `GitRefused`. */
export async function pushRemote(options: GitPush): Promise<GitPushed> {
  checkRef(options.ref);
  const wire = new Wire(options, repositoryUrl(options.url), completeLimits(options.limits).maxBytes);
  const known = await knownParent(options);
  const trees = known?.trees ?? new Map<string, Uint8Array>();
  const changed = await changedTree(known?.commit.tree, trees, options.changes);
  if (isNothing(options, known, changed)) return { result: "nothing" };
  const bytes = writeCommit({ ...options, tree: changed.root });
  const oid = objectId("commit", bytes);
  const done = { oid, state: await writeState(bytes, await treesOf(changed, trees)) };

  const { tip, can } = await pushInfo(wire, options.ref);
  // The branch already holds this commit: an earlier push succeeded, and its answer was lost.
  if (tip === oid) return done;
  if (tip !== undefined && tip !== options.parent && !options.force) throw diverged();
  const wanted = ["report-status", "side-band-64k"].filter((capability) => can.has(capability));
  const command = lines(`${tip ?? NO_COMMIT} ${oid} ${options.ref}\0${wanted.join(" ")}\n`);
  const report = await wire.postPieces(
    "git-receive-pack",
    following(concatBytes([command, FLUSH]), packOf([{ type: "commit", bytes }, ...changed.fresh])),
  );
  const refusal = refusalIn(report, options.ref);
  if (refusal === undefined) return done;
  if (WAS_QUICKER.test(refusal) || (await tipOf(wire, options.ref)) !== tip) throw diverged();
  throw new GitRefused("rejected", `${wire.host} did not accept the push: ${wire.quote(refusal)}`);
}

async function* following<Piece>(first: Piece, rest: AsyncIterable<Piece>): AsyncGenerator<Piece, void> {
  yield first;
  yield* rest;
}

async function knownParent({ parent, known }: GitPush): Promise<Known | undefined> {
  if (parent === undefined) return undefined;
  const state = known && (await readState(known));
  if (state?.commit.oid === parent) return state;
  throw new GitRefused(
    "damaged",
    "The saved state of the repository does not belong to the commit: read the repository again.",
  );
}

function isNothing({ changes }: GitPush, known: Known | undefined, { root }: Changed): boolean {
  return known ? root === known.commit.tree : changes.every(({ bytes }) => bytes === null);
}

/** The trees of the new commit, without those that only the old commit had. */
async function treesOf(
  { root, fresh }: Changed,
  before: ReadonlyMap<string, Uint8Array>,
): Promise<Iterable<Uint8Array>> {
  const breaks = new Breaks();
  const made = new Map<string, Uint8Array>();
  for (const { type, oid, bytes } of fresh) if (type === "tree") made.set(oid, bytes);
  const found = new Map<string, Uint8Array>();
  const open = [root];
  for (let oid = open.pop(); oid !== undefined; oid = open.pop()) {
    const bytes = made.get(oid) ?? before.get(oid);
    if (!bytes || found.has(oid)) continue;
    found.set(oid, bytes);
    for (const entry of parseTree(bytes)) if (isFolder(entry.mode)) open.push(entry.oid);
    await breaks.take();
  }
  return found.values();
}

/** Why the server did not update the branch; undefined when it did. */
function refusalIn(answer: Uint8Array<ArrayBuffer>, ref: string): string | undefined {
  const { lines: plain, data, failure } = received(answer);
  if (failure !== undefined) return failure;
  const decoder = new TextDecoder();
  const inBand = [...packets(data)].map((packet) => decoder.decode(packet ?? new Uint8Array()).trimEnd());
  const report = data.length > 0 ? inBand : plain;
  if (report.includes(`ok ${ref}`) && report.includes("unpack ok")) return undefined;
  const refused = report.find((line) => line.startsWith(`ng ${ref} `))?.slice(`ng ${ref} `.length);
  return refused ?? report.find((line) => line.startsWith("unpack ")) ?? "it did not say why";
}

function diverged(): GitRefused {
  return new GitRefused("diverged", "The branch has moved on since it was last read.");
}
