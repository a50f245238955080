/**
 * Reads a branch as the files of a book. Only new objects are transferred.
 *
 * The bytes of an unchanged file come from the stored content, by the oid of the file; the few files that are not content
 * are stored separately. If a file is not found, the whole branch is read again.
 */

import type { FileTree } from "../../../content/book/repository-files";
import { iterateEntryBatches } from "../../../content/book/revision-contents";
import { createStoredView } from "../../../content/revision/draft";
import { keys, type PathEntry } from "../../../content/revision/entries";
import { type GitContent, GitError, type GitRemote } from "../../../git/port";
import { fromBase64url, toBase64url } from "../../../storage/secrets";
import { runSteps, yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { createNodeSource } from "../revisions/records";
import type { SyncRun, SyncState } from "./run";

export interface RemoteBranch {
  readonly content: GitContent;
  readonly tree: FileTree;
  /** The oids of files that were read, in their order. */
  readonly readOids: ReadonlySet<string>;
  readonly readObject: (oid: string) => Promise<Uint8Array>;
}

/** The largest file that is not content and is stored, and the limit of all of them. */
const MAX_EXTRA_FILE_BYTES = 256 * 1024;
const MAX_EXTRA_BYTES = 2 * 1024 * 1024;

/** Creates the connection to the repository of a request. */
export function createGitRemote({ jobContext, request, auth }: SyncRun): GitRemote {
  const { fetch, git } = jobContext.ports;
  if (!fetch) throw new GitError("unreachable", "This server can't reach other hosts.");
  const { url, ref } = request;
  return { fetch, url, ref, auth, limits: git.limits, signal: AbortSignal.timeout(git.timeoutMs) };
}

/** Reads the branch of a request and calls `use` with it. `use` may be called twice. */
export async function useRemoteBranch<T>(
  run: SyncRun,
  syncState: SyncState,
  use: (remote: RemoteBranch) => Promise<T>,
): Promise<T> {
  const { agreed, objects } = syncState;
  const client = await run.jobContext.ports.git.client();
  if (agreed?.state !== undefined) {
    try {
      const knownState = await objects.bytes(agreed.state);
      const content = await client.readRemote({ ...createGitRemote(run), knownState });
      return await use(await openRemoteBranch(syncState, content));
    } catch (error) {
      if (!(error instanceof MissingFileError)) throw error;
    }
  }
  return use(await openRemoteBranch(syncState, await client.readRemote(createGitRemote(run))));
}

/** A file was not transferred because it is known, but its bytes were not found. */
class MissingFileError extends Error {}

/** Creates the file tree of a branch, whose files are the transferred and the stored ones. */
async function openRemoteBranch({ agreed, sync, objects }: SyncState, content: GitContent): Promise<RemoteBranch> {
  // The hashes of the stored parts, by their oids. The current revision is left out: its texts may have changed since.
  const hashes = new Map<string, string>();
  const roots = new Set([agreed?.root, sync.pushing?.root].filter((root) => root !== undefined));
  for (const root of roots) {
    const view = createStoredView(createNodeSource(objects), root);
    for await (const rows of iterateEntryBatches(view, keys.filePaths, runSteps))
      for (const { value } of rows) {
        const { oid, hash } = value as PathEntry;
        if (oid !== undefined && hash !== undefined) hashes.set(oid, hash);
      }
  }

  const extraFiles = new Map<string, Uint8Array>();
  if (agreed?.kept !== undefined)
    for (const [oid, bytes] of JSON.parse(await objects.text(agreed.kept)) as [string, string][])
      extraFiles.set(oid, fromBase64url(bytes));
  const oids = new Map(content.files.map(({ path, oid }) => [path, oid]));
  const readOids = new Set<string>();

  const remote: RemoteBranch = {
    content,
    readOids,
    tree: {
      list: async () => content.files,
      async read(path) {
        const oid = oids.get(path);
        if (oid === undefined) return undefined;
        readOids.add(oid);
        return remote.readObject(oid);
      },
    },
    async readObject(oid) {
      const found = (await content.read(oid)) ?? extraFiles.get(oid);
      if (found) return found;
      const hash = hashes.get(oid);
      if (hash === undefined) throw new MissingFileError();
      return hash === "" ? new Uint8Array() : objects.bytes(hash);
    },
  };
  return remote;
}

/** Serializes the files that were read but are not content (`contentOids`), and those of `more`, as one text. */
export async function packExtraFiles(
  remote: Pick<RemoteBranch, "readOids" | "readObject"> | undefined,
  contentOids: ReadonlySet<string>,
  more: ReadonlyMap<string, () => Promise<Uint8Array>> = new Map(),
): Promise<string> {
  let remainingBytes = MAX_EXTRA_BYTES;
  const rows: [string, string][] = [];
  for (const oid of new Set([...(remote?.readOids ?? []), ...more.keys()])) {
    await yieldToEventLoop();
    if (contentOids.has(oid) || remainingBytes <= 0) continue;
    const bytes = await (more.get(oid)?.() ?? remote!.readObject(oid));
    if (bytes.length > MAX_EXTRA_FILE_BYTES || bytes.length > remainingBytes) continue;
    remainingBytes -= bytes.length;
    rows.push([oid, toBase64url(bytes)]);
  }
  return JSON.stringify(rows.sort(([a], [b]) => (a < b ? -1 : 1)));
}
