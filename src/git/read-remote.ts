// Reads a branch: first only the oid of its commit; then, when that is new, one commit and its files. With a known
// state the server is told which commit is known, and sends only newer objects. The history of that commit is claimed as
// well, although only the commit itself is known; otherwise a server would send the history. When an object turns out to
// be missing, everything is fetched.

import { concatBytes } from "../utils/bytes";
import { yieldToEventLoop } from "../utils/concurrency/event-loop";
import { type ParsedCommit, parseCommit } from "./commits";
import { GitConnection } from "./connection";
import { completeLimits } from "./limits";
import { INCOMPLETE, listTreeFiles, type TreeListing } from "./list-tree-files";
import type { PackObjects } from "./objects";
import { encodeLines, FLUSH, parseResponse } from "./packets";
import { type GitContent, GitError, type GitErrorReason, type GitLimits, type GitReadOptions } from "./port";
import { fetchTip } from "./refs";
import { type KnownCommit, readState, writeState } from "./state";
import { parseTree } from "./trees";
import { unpackObjects } from "./unpack";

const CAPABILITIES = "side-band-64k ofs-delta no-progress";
/** The branch may move between the request for its tip and the fetch. */
const MAX_ATTEMPTS = 3;
/** Files that are checked between two yields to the event loop. */
const FILES_PER_YIELD = 500;
/** After one of these failures of an incremental fetch, everything is fetched. */
const REASONS_TO_FETCH_ALL = new Set<GitErrorReason>(["damaged", "too_large", "rejected", "not_git"]);

interface ReadContext {
  readonly connection: GitConnection;
  readonly limits: Required<GitLimits>;
}

/** Reads the newest commit of a branch and its files. Throws `GitError`. */
export async function readRemote(options: GitReadOptions): Promise<GitContent> {
  const { ref, knownState } = options;
  const limits = completeLimits(options.limits);
  const context = { connection: new GitConnection(options, limits.maxBytes), limits };
  const known = knownState && (await readState(knownState));
  let lastTip: string | undefined;
  for (let attempt = 1; ; attempt++) {
    const tip = await fetchTip(context.connection, ref);
    if (tip === undefined) throw new GitError("ref_not_found", `The repository has no branch ${ref}.`);
    try {
      return await fetchContent(context, tip, known);
    } catch (error) {
      const hasMoved = tip !== lastTip && error instanceof GitError && error.reason === "rejected";
      if (!hasMoved || attempt === MAX_ATTEMPTS) throw error;
      lastTip = tip;
    }
  }
}

async function fetchContent(context: ReadContext, tip: string, known: KnownCommit | undefined): Promise<GitContent> {
  const { connection, limits } = context;
  const want = `want ${tip} ${CAPABILITIES}`;
  if (known) {
    const { commit, bytes, trees } = known;
    const have = encodeLines(`have ${commit.oid}\n`);
    try {
      if (commit.oid === tip) {
        const listing = await listTreeFiles(commit.tree, (oid) => trees.get(oid), limits);
        return await createContent(commit, bytes, listing, undefined);
      }

      // The server must have the known commit, and the new one must follow it. Otherwise it could send the whole history.
      const question = concatBytes([encodeLines(`${want} multi_ack_detailed\n`), FLUSH, have, FLUSH]);
      const { lines } = parseResponse(await connection.post("git-upload-pack", question));
      if (lines.includes(`ACK ${commit.oid} ready`)) {
        const request = concatBytes([encodeLines(`${want}\n`), FLUSH, have, encodeLines("done\n")]);
        return await fetchCommit(context, request, tip, trees);
      }
    } catch (error) {
      if (!(error instanceof GitError) || !REASONS_TO_FETCH_ALL.has(error.reason)) throw error;
    }
  }

  const request = concatBytes([encodeLines(`${want}\n`, "deepen 1\n"), FLUSH, encodeLines("done\n")]);
  return fetchCommit(context, request, tip, new Map());
}

/** Fetches the pack with the commit at the tip, and checks that all of its files are in the pack or known. */
async function fetchCommit(
  { connection, limits }: ReadContext,
  request: Uint8Array<ArrayBuffer>,
  tip: string,
  knownTrees: ReadonlyMap<string, Uint8Array>,
): Promise<GitContent> {
  const { data, failure } = parseResponse(await connection.post("git-upload-pack", request));
  if (failure !== undefined)
    throw new GitError("rejected", `${connection.host} refused to send the branch: ${connection.quote(failure)}`);
  const objects = await unpackObjects(data, limits);
  const bytes = await objects.read(tip, "commit");
  const commit = bytes && parseCommit(tip, bytes);
  if (!commit) throw new GitError("damaged", INCOMPLETE);

  const listing = await listTreeFiles(commit.tree, (oid) => knownTrees.get(oid) ?? objects.read(oid, "tree"), limits);
  const knownOids = new Set<string>();
  for (const tree of knownTrees.values()) for (const { oid } of parseTree(tree)) knownOids.add(oid);
  for (const [index, { oid, mode }] of listing.files.entries()) {
    if (mode !== "160000" && !objects.has(oid) && !knownOids.has(oid)) throw new GitError("damaged", INCOMPLETE);
    if (index % FILES_PER_YIELD === 0) await yieldToEventLoop();
  }
  return createContent(commit, bytes, listing, objects);
}

async function createContent(
  parsed: ParsedCommit,
  bytes: Uint8Array,
  { files, skippedEntries, trees }: TreeListing,
  objects: PackObjects | undefined,
): Promise<GitContent> {
  const { tree: _, ...commit } = parsed;
  const oidsByPath = new Map<string, string>();
  for (const { path, oid } of files)
    if (oidsByPath.set(path, oid).size % FILES_PER_YIELD === 0) await yieldToEventLoop();
  return {
    commit,
    files,
    skippedEntries,
    read: async (pathOrOid) => objects?.read(oidsByPath.get(pathOrOid) ?? pathOrOid, "blob"),
    state: await writeState(bytes, trees.values()),
  };
}
