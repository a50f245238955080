// A folder on a disk: its files, served on a port of this machine, or read as the branch of a repository.

import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, relative, sep } from "node:path";
import type { GitChange, GitClient, GitContent } from "../../src/git/port";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".htm": "text/html",
  ".xhtml": "application/xhtml+xml",
  ".css": "text/css",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".gif": "image/gif",
  ".svg": "image/svg+xml",
  ".xml": "application/xml",
  ".txt": "text/plain",
};

/** The paths of all files in a folder, with `/` between names; those of version control are left out. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !/(?:^|\/)(?:\.git|\.hg|node_modules)(?:\/|$)/.test(path))
    .sort();
}

/** A server for the files of a folder. */
export interface Served {
  readonly origin: string;
  close(): void;
}

/** Serves a folder on a free port. A path that ends in a slash is that of its `index.html`. */
export async function serveFolder(folder: string): Promise<Served> {
  const known = new Set(await filesIn(folder));
  const server = createServer(async (request, response) => {
    const asked = pathOf(request.url ?? "/");
    const path = asked === "" || asked.endsWith("/") ? `${asked}index.html` : asked;
    const bytes = known.has(path) ? await readFile(join(folder, path)).catch(() => undefined) : undefined;
    if (!bytes) response.writeHead(404).end();
    else
      response.setHeader("content-type", TYPES[extname(path).toLowerCase()] ?? "application/octet-stream").end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The path that a request names, without a slash before it. */
function pathOf(url: string): string {
  try {
    return decodeURIComponent(new URL(url, "http://localhost").pathname).slice(1);
  } catch {
    return "/";
  }
}

/** A folder as a repository: what is read is on the disk, and what is pushed is only taken note of. */
export interface FolderClient extends GitClient {
  readonly pushed: readonly GitChange[];
}

/** A Git client whose every repository is a folder. */
export function folderClient(folder: string): FolderClient {
  const pushed: GitChange[] = [];
  return {
    pushed,
    readRemote: () => readRemote(folder),
    async pushRemote({ changes }) {
      pushed.push(...changes);
      return { oid: "f".repeat(40), state: new Uint8Array() };
    },
  };
}

async function readRemote(folder: string): Promise<GitContent> {
  const bytesOf = new Map<string, Uint8Array>();
  const files: GitContent["files"][number][] = [];
  for (const path of await filesIn(folder)) {
    const bytes = await readFile(join(folder, path));
    const oid = createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
    bytesOf.set(path, bytes).set(oid, bytes);
    files.push({ path, oid, mode: "100644" });
  }
  const author = { name: "Corpus", email: "corpus@localhost.localdomain" };
  return {
    commit: { oid: "e".repeat(40), message: "The folder", author, authoredAt: new Date(0) },
    files,
    skippedEntries: [],
    read: async (name) => bytesOf.get(name),
    state: new Uint8Array(),
  };
}
