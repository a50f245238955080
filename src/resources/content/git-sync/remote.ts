// Reads a branch as files of a book. Only new objects are transferred. An unchanged file is found among the stored
// content by its oid; the few files that are not content are stored separately. When a file is not found, the whole
// branch is read again.

import type { FileTree } from "../../../content/book/repository-files";
import { iterateEntryBatches } from "../../../content/book/revision-contents";
import type { MapRoot } from "../../../content/prolly-tree";
import { createStoredView } from "../../../content/revision/draft";
import { keys, type PathEntry } from "../../../content/revision/entries";
import { type GitContent, GitError, type GitRemote } from "../../../git/port";
import { fromBase64url, toBase64url } from "../../../storage/secrets";
import { runSteps, yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { createNodeSource } from "../revisions/records";
import type { Moment, Run } from "./run";

/** A branch that was read. */
export interface Remote {
  readonly content: GitContent;
  readonly tree: FileTree;
  /** The oids of files that were read, in their order. */
  readonly asked: ReadonlySet<string>;
  /** The bytes of a file by its oid. */
  readonly bytes: (oid: string) => Promise<Uint8Array>;
}

/** How to reach the repository of a request. */
export function gitPlaceOf({ jobContext, request, auth }: Run): GitRemote {
  const { fetch, git } = jobContext.ports;
  if (!fetch) throw new GitError("unreachable", "This server reaches no other hosts.");
  const { url, ref } = request;
  return { fetch, url, ref, auth, limits: git.limits, signal: AbortSignal.timeout(git.timeoutMs) };
}

/** Reads the branch of a request and calls `use` with it. `use` may be called twice. */
export async function withRemote<T>(run: Run, moment: Moment, use: (remote: Remote) => Promise<T>): Promise<T> {
  const { agreed, objects } = moment;
  const client = await run.jobContext.ports.git.client();
  if (agreed?.state !== undefined) {
    try {
      const known = await objects.bytes(agreed.state);
      const content = await client.readRemote({ ...gitPlaceOf(run), knownState: known });
      return await use(await remoteOf(moment, content));
    } catch (error) {
      if (!(error instanceof NotTransferred)) throw error;
    }
  }
  return use(await remoteOf(moment, await client.readRemote(gitPlaceOf(run))));
}

/** A file was not transferred because it is known, but its bytes were not found. */
class NotTransferred extends Error {}

async function remoteOf(moment: Moment, content: GitContent): Promise<Remote> {
  const { agreed, sync, objects } = moment;
  // Not those of the current revision: its texts may have changed since.
  const roots = new Set([agreed?.root, sync.pushing?.root].filter((root) => root !== undefined));
  const hashes = await hashesIn(moment, roots);
  const kept = agreed?.kept === undefined ? new Map<string, Uint8Array>() : unpack(await objects.text(agreed.kept));
  const oids = new Map(content.files.map(({ path, oid }) => [path, oid]));
  const asked = new Set<string>();

  async function bytesOf(oid: string): Promise<Uint8Array> {
    const found = (await content.read(oid)) ?? kept.get(oid);
    if (found) return found;
    const hash = hashes.get(oid);
    if (hash === undefined) throw new NotTransferred();
    return hash === "" ? new Uint8Array() : objects.bytes(hash);
  }
  const tree: FileTree = {
    list: async () => content.files,
    async read(path) {
      const oid = oids.get(path);
      if (oid === undefined) return undefined;
      asked.add(oid);
      return bytesOf(oid);
    },
  };
  return { content, tree, asked, bytes: bytesOf };
}

/** The hashes of the parts of some revisions, by their oids in Git. */
async function hashesIn({ objects }: Moment, roots: Iterable<MapRoot>): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const root of roots)
    for await (const rows of iterateEntryBatches(
      createStoredView(createNodeSource(objects), root),
      keys.filePaths,
      runSteps,
    ))
      for (const { value } of rows) {
        const { oid, hash } = value as PathEntry;
        if (oid !== undefined && hash !== undefined) found.set(oid, hash);
      }
  return found;
}

const MAX_KEPT_FILE = 256 * 1024;
const MAX_KEPT = 2 * 1024 * 1024;

/** Those of the files that were read which are not content of `standings`, and `more`, as one text. */
export async function pack(
  remote: Pick<Remote, "asked" | "bytes"> | undefined,
  standings: ReadonlySet<string>,
  more: ReadonlyMap<string, () => Promise<Uint8Array>> = new Map(),
): Promise<string> {
  let room = MAX_KEPT;
  const rows: [string, string][] = [];
  for (const oid of new Set([...(remote?.asked ?? []), ...more.keys()])) {
    await yieldToEventLoop();
    if (standings.has(oid) || room <= 0) continue;
    const bytes = await (more.get(oid)?.() ?? remote!.bytes(oid));
    if (bytes.length > MAX_KEPT_FILE || bytes.length > room) continue;
    room -= bytes.length;
    rows.push([oid, toBase64url(bytes)]);
  }
  return JSON.stringify(rows.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function unpack(text: string): Map<string, Uint8Array> {
  return new Map((JSON.parse(text) as [string, string][]).map(([oid, bytes]) => [oid, fromBase64url(bytes)]));
}
