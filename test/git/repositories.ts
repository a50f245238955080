// Repositories for tests, written with `git fast-import`, which makes any commit without a working copy.

import { join } from "node:path";
import { AUTH, type GitServer, git } from "./server";

/** Bytes of a plain file, or what another mode holds: `{ mode: "120000", data: "target" }`; null removes. */
export type Given = string | Uint8Array | { readonly mode: string; readonly data: string | Uint8Array } | null;

export interface Written {
  readonly branch?: string;
  readonly message?: string;
  /** The commit before this one; null for none. Default: the tip of the branch. */
  readonly from?: string | null;
  /** Whether the files are all there is. Default: false. */
  readonly only?: boolean;
}

export class Repository {
  private constructor(
    readonly folder: string,
    readonly url: string,
  ) {}

  static async on(server: GitServer, name = "one.git"): Promise<Repository> {
    await git(server.root, ["init", "-q", "--bare", "-b", "main", name]);
    const folder = join(server.root, name);
    await git(folder, ["config", "http.receivepack", "true"]);
    return new Repository(folder, `${server.origin}/${name}`);
  }

  git(...args: string[]): Promise<string> {
    return git(this.folder, args);
  }

  /** A commit with these changes; gives its oid. */
  async commit(files: Readonly<Record<string, Given>>, options: Written = {}): Promise<string> {
    const { branch = "main", message = "A change", from, only = false } = options;
    const tip = await this.git("rev-parse", "-q", "--verify", `refs/heads/${branch}`).catch(() => undefined);
    const parent = from === undefined ? tip : (from ?? undefined);
    const parts: (string | Uint8Array)[] = [];
    const time = 1_700_000_000 + commits++ * 60;
    if (from === null) parts.push(`reset refs/heads/${branch}\n`);
    parts.push(`commit refs/heads/${branch}\ncommitter Ada Lovelace <ada@example.org> ${time} +0100\n`);
    parts.push(`data ${Buffer.byteLength(message)}\n${message}\n`);
    if (parent) parts.push(`from ${parent}\n`);
    if (only) parts.push("deleteall\n");
    for (const [path, given] of Object.entries(files)) parts.push(...fileCommand(path, given));
    await git(this.folder, ["fast-import", "--quiet", "--force", "--date-format=raw"], bytesOf(parts));
    return this.tip(branch);
  }

  tip(branch = "main"): Promise<string> {
    return this.git("rev-parse", `refs/heads/${branch}`);
  }

  /** The bytes of a file as Git shows them. */
  show(path: string, branch = "main"): Promise<string> {
    return this.git("cat-file", "-p", `refs/heads/${branch}:${path}`);
  }
}

let commits = 0;

function fileCommand(path: string, given: Given): (string | Uint8Array)[] {
  const quoted = `"${path.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`;
  if (given === null) return [`D ${quoted}\n`];
  const { mode, data } =
    typeof given === "string" || given instanceof Uint8Array ? { mode: "100644", data: given } : given;
  if (mode === "160000") return [`M ${mode} ${data} ${quoted}\n`];
  const bytes = typeof data === "string" ? Buffer.from(data) : data;
  return [`M ${mode} inline ${quoted}\ndata ${bytes.length}\n`, bytes, "\n"];
}

function bytesOf(parts: readonly (string | Uint8Array)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
}

/** A fetch that counts what comes in and goes out. */
export function countingFetch() {
  const counts = { requests: 0, received: 0, sent: 0 };
  const counting: typeof fetch = async (input, init) => {
    counts.requests++;
    if (init?.body instanceof Uint8Array) counts.sent += init.body.length;
    const response = await fetch(input, init);
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        counts.received += chunk.length;
        controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers, url } = response;
    const counted = new Response(response.body?.pipeThrough(counter) ?? null, { status, statusText, headers });
    return Object.defineProperty(counted, "url", { value: url });
  };
  return { counts, fetch: counting };
}

export const MAIN = "refs/heads/main";

/** Where a repository's main branch is, with the right to it. */
export function at(repository: Repository, ref = MAIN) {
  return { fetch, url: repository.url, ref, auth: AUTH };
}
