// A space in memory, inside the command. The library imports folders and archives into it and exports folders from it, so the
// command line has no formats of its own.

import { createDocsApi, type GitClient, type Resources } from "octavo";
import { memoryStorage } from "octavo/memory";
import { omitUndefined } from "../../src/utils/objects";
import { type ApiConnection, createConnection } from "../connection/connection";
import { createDirectTransport } from "../connection/direct-transport";
import { CommandError } from "../framework/command";
import type { OmittedItem } from "./omitted-items";
import { readSpaceSnapshot, type SpaceSnapshot } from "./space-snapshot";

export interface ScratchSpace {
  readonly connection: ApiConnection;
  readonly space: string;
  /** The URL from which the source can be imported. */
  readonly sourceUrl: string;
}

/** A file to import, such as an archive. */
export interface ImportFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

const MAX_BYTES = 1024 ** 3;
const HOST = "https://folder.invalid";

/** Creates an empty space. Its imports can fetch `source` only, and its exports are pushed to `git`. */
export async function createScratchSpace(
  signal: AbortSignal,
  { source, git }: { readonly source?: ImportFile; readonly git?: GitClient },
): Promise<ScratchSpace> {
  const fetchSource = async () => {
    if (!source) throw new TypeError("Nothing to fetch.");
    const headers = { "content-type": source.contentType, "content-length": String(source.bytes.length) };
    return new Response(new Uint8Array(source.bytes), { headers });
  };
  const api = createDocsApi(memoryStorage(), {
    fetch: fetchSource,
    imports: { maxBytes: MAX_BYTES, maxPages: 20_000, maxSeconds: 3600 },
    ...omitUndefined({ git: git ? { client: git } : undefined }),
  });
  const { organization } = await api.provision({
    user: { displayName: "Command line", email: "command-line@localhost.localdomain" },
    organization: { title: "Command line" },
  });
  const connection = createConnection(await createDirectTransport(api, undefined), signal);
  const { id } = await connection.ask("createSpace", {
    params: { organizationId: organization! },
    body: { title: "Content" },
  });
  return { connection, space: id, sourceUrl: `${HOST}/${encodeURIComponent(source?.name ?? "")}` };
}

/** Reads a file, such as the archive of a book, as the content of a space. */
export async function readBookContent(
  signal: AbortSignal,
  source: Resources.ImportSource,
  file: ImportFile,
): Promise<{ readonly content: SpaceSnapshot; readonly leftOut: readonly OmittedItem[] }> {
  const { connection, space: spaceId, sourceUrl } = await createScratchSpace(signal, { source: file });
  const body = { source, url: sourceUrl };
  const { revision: revisionId } = await connection.ask("importContent", { params: { spaceId }, body });
  const { skipped } = await connection.ask("getImportReport", { params: { spaceId, revisionId } });
  return { content: await readSpaceSnapshot(connection, spaceId), leftOut: skipped };
}

/** Exports a scratch space as the files that a Git synchronization would commit. */
export async function exportScratchSpace(
  { connection, space }: ScratchSpace,
  client: MemoryGitClient,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const params = { spaceId: space };
  const body = { url: `${HOST}/book.git`, ref: "refs/heads/main", commitMessage: "Export" };
  await connection.ask("exportToGit", { params, body });
  const { lastRun } = await connection.ask("getGitInfo", { params });
  if (lastRun?.status !== "completed")
    throw new CommandError(`Cannot write the files: ${lastRun?.error ?? "the export did not finish"}`);
  return client.files;
}

/** A Git client that stores the pushed files in memory. */
export interface MemoryGitClient extends GitClient {
  readonly files: ReadonlyMap<string, Uint8Array>;
}

export function createMemoryGitClient(): MemoryGitClient {
  const files = new Map<string, Uint8Array>();
  const state = new Uint8Array();
  const author = { name: "Octavo", email: "octavo@localhost.localdomain" };
  return {
    files,
    // The branch has an empty tree.
    readRemote: async () => ({
      commit: { oid: "0".repeat(40), message: "", author, authoredAt: new Date(0) },
      files: [],
      skippedEntries: [],
      read: async () => undefined,
      state,
    }),
    async pushRemote({ changes }) {
      for (const { path, bytes } of changes)
        if (bytes) files.set(path, typeof bytes === "function" ? await bytes() : bytes);
      return { oid: "1".repeat(40), state };
    },
  };
}
