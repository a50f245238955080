// The repository that a space is synchronized with, and the requests to do so that wait. Names and passwords are in the
// requests alone, sealed, and are gone with them.

import { type Root, reach } from "../../../content/map";
import type { Conflict } from "../../../content/merge";
import { objectIn } from "../../../content/revision/entries";
import type { Objects } from "../../../store/objects";
import { records } from "../../../store/records";
import type { Reader, Transaction } from "../../../store/transaction";
import type { Runner } from "../../../work/leased-queue";
import { nodesOf } from "../revisions/records";

export type Provider = "github" | "gitlab" | "github-legacy";

/** A branch of a repository, and the folder of it that has the book. */
export interface RepositoryFolder {
  /** Without name, password and query. */
  readonly url: string;
  readonly ref: string;
  /** Empty: the top of the repository. */
  readonly directory: string;
}

/** How people get to the repository. */
export interface Shown {
  readonly provider?: Provider;
  /** The page of the repository. */
  readonly page?: string;
  /** What the addresses of folders begin with. */
  readonly treeUrl?: string;
  /** What the addresses of commits begin with. */
  readonly commitUrl?: string;
}

/** The last point at which the space and the repository held the same, but for what one side has kept for itself. */
export interface Agreed extends RepositoryFolder {
  /** Undefined: an export of which it is not known which commit it made. */
  readonly commit?: string;
  /** What the repository holds, as content. */
  readonly root: Root;
  /** The object with what the Git client remembers of the commit. */
  readonly state?: string;
  /** The object with files of the repository that are no content, and are read every time. */
  readonly kept?: string;
}

/** An export whose push may have gone through although nobody heard of it. */
export interface Pushing extends RepositoryFolder {
  /** What the repository holds if it did. */
  readonly root: Root;
  /** Some of the files that only that push can have brought there, as paths with the names that Git has for them. */
  readonly signs: readonly (readonly [path: string, oid: string])[];
}

export type Direction = "import" | "export";

/** How the last request ended, or how it goes. */
export interface LastRun {
  readonly direction: Direction;
  readonly status: "running" | "completed" | "failed";
  /** When it was asked for. */
  readonly requestedAt: string;
  /** Why it failed, or will be tried again: a sentence. */
  readonly error?: string;
  readonly commit?: string;
  readonly revision?: string;
  /** What of the repository could not be taken. */
  readonly skipped?: number;
}

/** What both sides changed in their own ways, without what they say. */
export type KnownConflict = Omit<Conflict, "base" | "ours" | "theirs">;

export interface GitSyncRecord extends RepositoryFolder, Shown {
  readonly space: string;
  readonly updatedAt: string;
  /** Requests so far: whoever adds one touches this, so that nobody stops while one waits. */
  readonly asked: number;
  /** The time of the newest request that was carried out. */
  readonly newest?: string;
  readonly last?: LastRun;
  readonly agreed?: Agreed;
  readonly pushing?: Pushing;
  /** The repository's side of what could not be brought together: a revision. */
  readonly conflicts?: { readonly revision: string; readonly list: readonly KnownConflict[]; readonly count: number };
  /** Whoever works on the requests, and until when they are left alone. */
  readonly runner?: Runner;
}

export const gitSyncs = records("git-sync", {
  key: (it: GitSyncRecord) => [it.space],
  indexes: { all: () => [] },
});

export interface GitRequest extends RepositoryFolder, Shown {
  readonly space: string;
  /** Counts up in its space. */
  readonly number: number;
  readonly direction: Direction;
  /** When it is to have been made, as far as the order goes. */
  readonly timestamp: string;
  readonly requestedAt: string;
  readonly by: string;
  /** Name and password, sealed. */
  readonly sealed?: string;
  readonly force: boolean;
  /** An import that makes a revision and leaves the space as it is. */
  readonly standalone: boolean;
  /** Of an export. */
  readonly message?: string;
  /** How often it was tried. */
  readonly attempts: number;
}

export const gitRequests = records("git-request", {
  key: (it: GitRequest) => [it.space, it.number],
  indexes: { inOrder: (it) => [it.space, it.timestamp, it.number] },
});

/** Whether two are the same branch and folder. */
export function isSameFolder(a: RepositoryFolder, b: RepositoryFolder): boolean {
  return a.url === b.url && a.ref === b.ref && a.directory === b.directory;
}

/** Ends the synchronization of a space, and takes away the requests that wait, as far as there is room; true when there are
 * more. */
export async function dropGitSync(tx: Transaction, space: string): Promise<boolean> {
  await gitSyncs.delete(tx, space);
  return gitRequests.drain(tx, "inOrder", [space]);
}

/** The objects that synchronizations lead to: what the repositories hold, and what is remembered of them. */
export async function gitObjects(view: Reader, objects: Objects): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const inside = new Set<string>();
  let after: string | undefined;
  for (;;) {
    const rows = await gitSyncs.list(view, "all", { after, limit: 500 });
    for (const { record } of rows) {
      const { agreed, pushing } = record;
      for (const hash of [agreed?.state, agreed?.kept]) if (hash !== undefined) inside.add(hash);
      for (const root of [agreed?.root, pushing?.root]) {
        if (root === undefined) continue;
        await reach(nodesOf(objects), root, found, (entry) => {
          const object = objectIn(entry);
          if (object !== undefined) inside.add(object);
        });
      }
    }
    if (rows.length < 500) break;
    after = rows.at(-1)!.position;
  }
  for (const object of inside) found.add(object);
  return found;
}
