// Reads a branch: first only the oid of its commit; then, when that is new, one commit and its files. With a known
// state the server is told which commit is here, and sends only newer objects. The history of that commit is claimed as
// well, although only the commit itself is here; otherwise a server would send the history. When an object turns out to
// be missing, everything is fetched.

import { concatBytes } from "../utils/bytes";
import { checkRef, repositoryUrl } from "./address";
import { type ParsedCommit, parseCommit } from "./commits";
import { Breaks } from "./effort";
import { completeLimits } from "./limits";
import type { Objects } from "./objects";
import { FLUSH, lines, received } from "./packets";
import type { GitContent, GitLimits, GitRead } from "./port";
import { tipOf } from "./refs";
import { type GitReason, GitRefused } from "./refused";
import { type Known, readState, writeState } from "./state";
import { parseTree } from "./trees";
import { unpack } from "./unpack";
import { type Walked, walk } from "./walk";
import { Wire } from "./wire";

const CAPABILITIES = "side-band-64k ofs-delta no-progress";
/** The most attempts: the branch may move between the question and the fetch. */
const ATTEMPTS = 3;
/** Files that are looked at before others may have their turn. */
const FILES_A_TURN = 500;
/** After one of these failures of an incremental fetch, everything is fetched. */
const ASK_FOR_ALL = new Set<GitReason>(["damaged", "too_large", "rejected", "not_git"]);

interface Call {
  readonly wire: Wire;
  readonly limits: Required<GitLimits>;
  readonly known: Known | undefined;
}

/** The newest commit of a branch and its files. Throws `GitRefused`. */
export async function readRemote(options: GitRead): Promise<GitContent> {
  checkRef(options.ref);
  const limits = completeLimits(options.limits);
  const wire = new Wire(options, repositoryUrl(options.url), limits.maxBytes);
  const known = options.known && (await readState(options.known));
  let before: string | undefined;
  for (let attempt = 1; ; attempt++) {
    const tip = await tipOf(wire, options.ref);
    if (tip === undefined) throw new GitRefused("ref_not_found", `The repository has no branch ${options.ref}.`);
    try {
      return await contentAt(tip, { wire, limits, known });
    } catch (error) {
      const hasMoved = tip !== before && error instanceof GitRefused && error.reason === "rejected";
      if (!hasMoved || attempt === ATTEMPTS) throw error;
      before = tip;
    }
  }
}

async function contentAt(tip: string, call: Call): Promise<GitContent> {
  try {
    const content = call.known && (await withKnown(tip, call.known, call));
    if (content) return content;
  } catch (error) {
    if (!(error instanceof GitRefused) || !ASK_FOR_ALL.has(error.reason)) throw error;
  }
  return fetched(onlyThis(tip), tip, { ...call, known: undefined });
}

/** The content, fetched incrementally; undefined when that is not possible. */
async function withKnown(tip: string, known: Known, call: Call): Promise<GitContent | undefined> {
  const { commit, bytes, trees } = known;
  if (commit.oid === tip)
    return contentOf(commit, bytes, await walk(commit.tree, (oid) => trees.get(oid), call.limits), undefined);
  if (await leadsTo(tip, commit.oid, call.wire)) return fetched(sinceThen(tip, commit.oid), tip, call);
  return undefined;
}

/**
 * Whether the server has the known commit, and the new one follows it. Otherwise the answer could be the whole history.
 */
async function leadsTo(tip: string, known: string, wire: Wire): Promise<boolean> {
  const want = lines(`want ${tip} ${CAPABILITIES} multi_ack_detailed\n`);
  const answer = received(
    await wire.post("git-upload-pack", concatBytes([want, FLUSH, lines(`have ${known}\n`), FLUSH])),
  );
  return answer.lines.includes(`ACK ${known} ready`);
}

function sinceThen(tip: string, known: string): Uint8Array<ArrayBuffer> {
  return concatBytes([lines(`want ${tip} ${CAPABILITIES}\n`), FLUSH, lines(`have ${known}\n`, "done\n")]);
}

function onlyThis(tip: string): Uint8Array<ArrayBuffer> {
  return concatBytes([lines(`want ${tip} ${CAPABILITIES}\n`, "deepen 1\n"), FLUSH, lines("done\n")]);
}

async function fetched(request: Uint8Array<ArrayBuffer>, tip: string, call: Call): Promise<GitContent> {
  const objects = await receivePack(request, call);
  const bytes = await objects.read(tip, "commit");
  const commit = bytes && parseCommit(tip, bytes);
  if (!commit) throw incomplete();
  const { known, limits } = call;
  const walked = await walk(commit.tree, (oid) => known?.trees.get(oid) ?? objects.read(oid, "tree"), limits);
  const here = filesIn(known?.trees.values() ?? []);
  const breaks = new Breaks();
  for (const [i, { oid, mode }] of walked.files.entries()) {
    if (mode !== "160000" && !objects.has(oid) && !here.has(oid)) throw incomplete();
    if (i % FILES_A_TURN === 0) await breaks.take();
  }
  return contentOf(commit, bytes, walked, objects);
}

async function receivePack(request: Uint8Array<ArrayBuffer>, { wire, limits }: Call): Promise<Objects> {
  const { data, failure } = received(await wire.post("git-upload-pack", request));
  if (failure !== undefined)
    throw new GitRefused("rejected", `${wire.host} refused to send the branch: ${wire.quote(failure)}`);
  return unpack(data, limits);
}

/** Every oid that these trees name. */
function filesIn(trees: Iterable<Uint8Array>): Set<string> {
  const oids = new Set<string>();
  for (const tree of trees) for (const { oid } of parseTree(tree)) oids.add(oid);
  return oids;
}

async function contentOf(
  parsed: ParsedCommit,
  bytes: Uint8Array,
  walked: Walked,
  objects: Objects | undefined,
): Promise<GitContent> {
  const { tree: _, ...commit } = parsed;
  const { files, leftOut, trees } = walked;
  const byPath = new Map<string, string>();
  const breaks = new Breaks();
  for (const { path, oid } of files) if (byPath.set(path, oid).size % FILES_A_TURN === 0) await breaks.take();
  return {
    commit,
    files,
    leftOut,
    read: async (pathOrOid) => objects?.read(byPath.get(pathOrOid) ?? pathOrOid, "blob"),
    state: await writeState(bytes, trees.values()),
  };
}

function incomplete(): GitRefused {
  return new GitRefused("damaged", "The Git server did not send all of the repository.");
}
