// A Git server as the client's callers see it, in memory: branches, a name and a password, and the client that reads and
// pushes. What is known already is not handed out again.

import type { GitChange, GitClient, GitFile } from "octavo";
import { computeBlobOid } from "../../../src/content/book/hashes";
import { GitError } from "../../../src/git/port";

export const REPOSITORY = "https://git.example/acme/docs.git";
export const WITH_PASSWORD = "https://ada:s3cret@git.example/acme/docs.git";

interface Commit {
  readonly oid: string;
  readonly message: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

const utf8 = new TextEncoder();
let commits: Commit[] = [];
let isDown = false;
let beforePush: (() => void) | undefined;

/** The repository of the stories, which every story begins anew. */
export const remote = {
  reset(files: Readonly<Record<string, string>> = {}): void {
    commits = [];
    isDown = false;
    beforePush = undefined;
    if (Object.keys(files).length > 0) this.commit(files);
  },
  /** Changes files; null removes one. */
  commit(files: Readonly<Record<string, string | Uint8Array | null>>, message = "Over there"): void {
    const changes = Object.entries(files).map(([path, it]) => ({
      path,
      bytes: typeof it === "string" ? utf8.encode(it) : it,
    }));
    commits.push(made(changes, message));
  },
  /** Gives what brings the repository back to what it is now. */
  remember(): () => void {
    const now = [...commits];
    return () => {
      commits = [...now];
    };
  },
  down(): void {
    isDown = true;
  },
  up(): void {
    isDown = false;
  },
  /** Has something happen just before the next push. */
  beforePush(run: () => void): void {
    beforePush = run;
  },
  get commits(): readonly Commit[] {
    return commits;
  },
  text(path: string): string | undefined {
    const bytes = commits.at(-1)?.files.get(path);
    return bytes && new TextDecoder().decode(bytes);
  },
};

function made(
  changes: readonly { readonly path: string; readonly bytes: Uint8Array | null }[],
  message: string,
): Commit {
  const files = new Map(commits.at(-1)?.files);
  for (const { path, bytes } of changes) bytes === null ? files.delete(path) : files.set(path, bytes);
  const tree = [...files].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, bytes]) => [path, computeBlobOid(bytes)]);
  return { oid: computeBlobOid(JSON.stringify([commits.length, message, tree])), message, files };
}

async function read({ path, bytes }: GitChange): Promise<{ path: string; bytes: Uint8Array | null }> {
  return { path, bytes: typeof bytes === "function" ? await bytes() : bytes };
}

function check(url: string, auth: { username: string; password: string } | undefined): void {
  if (isDown) throw new GitError("unreachable", "git.example could not be reached.");
  if (url !== REPOSITORY) throw new GitError("not_found", "git.example has no such repository.");
  if (auth && (auth.username !== "ada" || auth.password !== "s3cret"))
    throw new GitError("unauthorized", "git.example does not accept the name and the password.");
}

const filesOf = ({ files }: Commit): GitFile[] =>
  [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, bytes]) => ({ path, oid: computeBlobOid(bytes), mode: "100644" }));
const stateOf = (commit: Commit) => utf8.encode(JSON.stringify([commit.oid, ...filesOf(commit).map(({ oid }) => oid)]));

/** The client that reaches the repository, and nothing else. */
export const client: GitClient = {
  async readRemote({ url, ref, auth, knownState: known }) {
    check(url, auth);
    const tip = ref === "refs/heads/main" ? commits.at(-1) : undefined;
    if (!tip) throw new GitError("ref_not_found", `The repository has no branch ${ref}.`);
    const has = new Set<string>(known ? JSON.parse(new TextDecoder().decode(known)) : []);
    const byOid = new Map([...tip.files.values()].map((bytes) => [computeBlobOid(bytes), bytes]));
    const oids = new Map(filesOf(tip).map(({ path, oid }) => [path, oid]));
    return {
      commit: {
        oid: tip.oid,
        message: tip.message,
        author: { name: "Ada", email: "ada@example.org" },
        authoredAt: new Date(0),
      },
      files: filesOf(tip),
      skippedEntries: [],
      async read(pathOrOid) {
        const oid = oids.get(pathOrOid) ?? pathOrOid;
        return has.has(oid) ? undefined : byOid.get(oid);
      },
      state: stateOf(tip),
    };
  },
  async pushRemote({ url, auth, parent, changes, message }) {
    check(url, auth);
    const run = beforePush;
    beforePush = undefined;
    run?.();
    if (commits.at(-1)?.oid !== parent) throw new GitError("diverged", "The branch has moved on.");
    const next = made(await Promise.all(changes.map(read)), message);
    commits.push(next);
    return { oid: next.oid, state: stateOf(next) };
  },
};
