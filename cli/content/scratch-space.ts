// A space in memory, inside the command. The library itself reads folders and archives into it, and writes folders from it, so
// that the command line knows no format of its own.

import { createDocsApi, type GitClient } from "octavo";
import { memoryStorage } from "octavo/memory";
import { omitUndefined } from "../../src/utils/objects";
import { type Connection, connectionOn } from "../connection/connection";
import { directLine } from "../connection/open-direct-connection";
import { CommandFailed } from "../framework/errors";

export interface Scratch {
  readonly connection: Connection;
  readonly space: string;
}

/** What is imported: bytes under a name, such as those of an archive. */
export interface Source {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

const MAX_BYTES = 1024 ** 3;
const HOST = "https://folder.invalid";

/** An empty space. Its imports fetch the source and nothing else; its exports go to the client. */
export async function openScratch(
  signal: AbortSignal,
  { source, git }: { readonly source?: Source; readonly git?: GitClient },
): Promise<Scratch> {
  const fetchSource = async () => {
    if (!source) throw new TypeError("There is nothing to fetch.");
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
  const connection = connectionOn(await directLine(api, undefined), signal);
  const { id } = await connection.ask("createSpace", {
    params: { organizationId: organization! },
    body: { title: "Content" },
  });
  return { connection, space: id };
}

/** Where the source is fetched from. */
export function addressOf({ name }: Source): string {
  return `${HOST}/${encodeURIComponent(name)}`;
}

/** A book as files: what a synchronization with Git would commit. */
export async function filesOf(
  { connection, space }: Scratch,
  taken: Written,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const params = { spaceId: space };
  const body = { url: `${HOST}/book.git`, ref: "refs/heads/main", commitMessage: "Export" };
  await connection.ask("exportToGit", { params, body });
  const { lastRun } = await connection.ask("getGitInfo", { params });
  if (lastRun?.status !== "completed")
    throw new CommandFailed(`The files could not be written: ${lastRun?.error ?? "the export did not end"}`);
  return taken.files;
}

/** A Git client that keeps what is pushed. */
export interface Written extends GitClient {
  readonly files: ReadonlyMap<string, Uint8Array>;
}

export function keepingClient(): Written {
  const files = new Map<string, Uint8Array>();
  const state = new Uint8Array();
  const author = { name: "Octavo", email: "octavo@localhost.localdomain" };
  return {
    files,
    // A branch with an empty tree.
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
