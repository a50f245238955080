// Pushes one commit. It is built here from known trees and changes, without a checkout, and only new objects are sent.
// The server is told which commit the branch must still hold, so of two concurrent pushes only one succeeds.

import { concatBytes } from "../utils/bytes";
import { yieldToEventLoop } from "../utils/concurrency/event-loop";
import { writeCommit } from "./commits";
import { GitConnection } from "./connection";
import { editTree } from "./edit-tree";
import { completeLimits } from "./limits";
import { hashObject } from "./objects";
import { encodeLines, FLUSH, parseResponse, splitPackets } from "./packets";
import { GitError, type GitPushOptions, type GitPushResult } from "./port";
import { fetchPushInfo, fetchTip } from "./refs";
import { type KnownCommit, readState, writeState } from "./state";
import { isDirectoryMode, parseTree } from "./trees";
import { writePack } from "./write-pack";

const NO_COMMIT = "0".repeat(40);
const DIVERGED = "The branch has new commits since it was last read.";
/** The messages by which servers report that another push came first. */
const CONFLICT_MESSAGE =
  /non-fast-forward|fetch first|stale info|(?:failed to (?:update|lock)|cannot lock) ref|incorrect old value/i;

/** Commits the changes to a branch, and creates the branch if there is none. Throws `GitError`. */
export async function pushRemote(options: GitPushOptions): Promise<GitPushResult> {
  const { ref, parent, changes } = options;
  const connection = new GitConnection(options, completeLimits(options.limits).maxBytes);

  let known: KnownCommit | undefined;
  if (parent !== undefined) {
    known = options.knownState && (await readState(options.knownState));
    if (known?.commit.oid !== parent)
      throw new GitError(
        "damaged",
        "The saved state of the repository doesn't match the commit. Read the repository again.",
      );
  }

  const trees = known?.trees ?? new Map<string, Uint8Array>();
  const edited = await editTree(known?.commit.tree, trees, changes);
  const hasChanges = known ? edited.root !== known.commit.tree : changes.some(({ bytes }) => bytes !== null);
  if (!hasChanges) return { result: "nothing" };
  const bytes = writeCommit({ ...options, tree: edited.root });
  const oid = hashObject("commit", bytes);

  // The trees of the new commit, without those that only the old commit had.
  const newTrees = new Map<string, Uint8Array>();
  for (const { type, oid, bytes } of edited.newObjects) if (type === "tree") newTrees.set(oid, bytes);
  const collected = new Map<string, Uint8Array>();
  const stack = [edited.root];
  for (let oid = stack.pop(); oid !== undefined; oid = stack.pop()) {
    const bytes = newTrees.get(oid) ?? trees.get(oid);
    if (!bytes || collected.has(oid)) continue;
    collected.set(oid, bytes);
    for (const entry of parseTree(bytes)) if (isDirectoryMode(entry.mode)) stack.push(entry.oid);
    await yieldToEventLoop();
  }
  const result = { oid, state: await writeState(bytes, collected.values()) };

  const { tip, capabilities } = await fetchPushInfo(connection, ref);
  // The branch already holds this commit: an earlier push succeeded, and its response was lost.
  if (tip === oid) return result;
  if (tip !== undefined && tip !== parent && !options.force) throw new GitError("diverged", DIVERGED);

  async function* writeRequest() {
    const wanted = ["report-status", "side-band-64k"].filter((capability) => capabilities.has(capability));
    yield concatBytes([encodeLines(`${tip ?? NO_COMMIT} ${oid} ${ref}\0${wanted.join(" ")}\n`), FLUSH]);
    yield* writePack([{ type: "commit", bytes }, ...edited.newObjects]);
  }
  const response = parseResponse(await connection.postStream("git-receive-pack", writeRequest()));
  let { failure } = response;
  if (failure === undefined) {
    // The report of the server comes in the side band, or as plain lines.
    const decoder = new TextDecoder();
    const packets = [...splitPackets(response.data)];
    const bandLines = packets.map((packet) => decoder.decode(packet ?? new Uint8Array()).trimEnd());
    const report = response.data.length > 0 ? bandLines : response.lines;
    if (report.includes(`ok ${ref}`) && report.includes("unpack ok")) return result;
    const rejection = report.find((line) => line.startsWith(`ng ${ref} `))?.slice(`ng ${ref} `.length);
    failure = rejection ?? report.find((line) => line.startsWith("unpack ")) ?? "it did not say why";
  }
  if (CONFLICT_MESSAGE.test(failure) || (await fetchTip(connection, ref)) !== tip)
    throw new GitError("diverged", DIVERGED);
  throw new GitError("rejected", `${connection.host} rejected the push: ${connection.quote(failure)}`);
}
