// The repository that a space is synchronized with, and the queued requests. Names and passwords are stored only in the
// requests, sealed, and are deleted with them.

import type { MergeConflict } from "../../../content/merge";
import type { MapRoot } from "../../../content/prolly-tree";
import type { Runner } from "../../../jobs/leased-queue";
import { getProgressKey } from "../../../jobs/progress";
import type { Objects } from "../../../storage/objects";
import { defineRecordSet } from "../../../storage/records";
import { sealContexts } from "../../../storage/seal-contexts";
import type { Reader, Transaction } from "../../../storage/transaction";
import { createContentReporter } from "../revisions/records";

/** A branch of a repository, and the folder in it that holds the content. */
export interface RepositoryFolder {
  /** Without name, password and query. */
  readonly url: string;
  readonly ref: string;
  /** Empty: the top of the repository. */
  readonly directory: string;
}

/** The URLs of the repository for people. */
export interface RepositoryLinks {
  readonly provider?: "github" | "gitlab" | "github-legacy";
  /** The integration that requested the synchronization, if one did. */
  readonly integration?: string;
  /** The web page of the repository. */
  readonly page?: string;
  /** The prefix of the URLs of folders. */
  readonly treeUrl?: string;
  readonly commitUrl?: string;
}

/** The last common state of the space and the repository, except for differences that were resolved for one side. */
export interface CommonState extends RepositoryFolder {
  /** Undefined: an export whose commit is not known. */
  readonly commit?: string;
  readonly root: MapRoot;
  /** The object with the Git client's state for this commit. */
  readonly state?: string;
  /** The object with the files of the repository that are not content but are read every time. */
  readonly kept?: string;
}

/** An export whose push may have succeeded although its answer was lost. */
export interface PendingPush extends RepositoryFolder {
  /** The content of the repository if it succeeded. */
  readonly root: MapRoot;
  /** Some of the files that only this push can have written, as paths with their oids. */
  readonly signs: readonly (readonly [path: string, oid: string])[];
}

export type GitSyncDirection = "import" | "export";

/** The result or the progress of the last request. */
export interface LastRun {
  readonly direction: GitSyncDirection;
  readonly status: "running" | "completed" | "failed";
  readonly requestedAt: string;
  /** The reason why it failed or is retried, as a sentence. */
  readonly error?: string;
  readonly commit?: string;
  readonly revision?: string;
  /** The object with the report of skipped items. Older versions stored only their number. */
  readonly skipped?: string | number;
}

/** A conflict between the changes of both sides, without the texts. */
export type StoredConflict = Omit<MergeConflict, "base" | "ours" | "theirs">;

export interface GitSyncRecord extends RepositoryFolder, RepositoryLinks {
  readonly space: string;
  readonly updatedAt: string;
  /** The number of requests so far. Adding a request changes it, so a worker cannot stop while one waits. */
  readonly asked: number;
  /** The time of the newest finished request. */
  readonly newest?: string;
  readonly last?: LastRun;
  readonly agreed?: CommonState;
  readonly pushing?: PendingPush;
  /** The revision with the repository's version of what could not be merged. */
  readonly conflicts?: {
    readonly revision: string;
    readonly list: readonly StoredConflict[];
    readonly count: number;
    /** The number of the request that met them. */
    readonly request?: number;
  };
  /** The object with the items that were skipped by the import with which the export of this request began. */
  readonly brought?: { readonly request: number; readonly skipped: string };
  /** The worker of the requests, and the end of its lease. */
  readonly runner?: Runner;
}

export const gitSyncs = defineRecordSet("git-sync", {
  key: (it: GitSyncRecord) => [it.space],
  indexes: { all: () => [] },
});

export interface GitRequest extends RepositoryFolder, RepositoryLinks {
  readonly space: string;
  /** Counts up in its space. */
  readonly number: number;
  readonly direction: GitSyncDirection;
  /** The time by which requests are ordered. */
  readonly timestamp: string;
  readonly requestedAt: string;
  readonly by: string;
  /** The name and the password, sealed. */
  readonly sealed?: string;
  readonly force: boolean;
  /** An import that only creates a revision and does not change the space. */
  readonly standalone: boolean;
  /** Only for an export. */
  readonly message?: string;
  readonly attempts: number;
}

export const gitRequests = defineRecordSet("git-request", {
  key: (it: GitRequest) => [it.space, it.number],
  sealedText: { name: "sealed", context: (it) => sealContexts.gitRequests(it.space) },
  indexes: { inOrder: (it) => [it.space, it.timestamp, it.number] },
});

/** Checks whether two folders are the same folder of the same branch. */
export function isSameFolder(a: RepositoryFolder, b: RepositoryFolder): boolean {
  return a.url === b.url && a.ref === b.ref && a.directory === b.directory;
}

/** Removes the synchronization of a space with its queued requests. Returns true if there are more. */
export async function dropGitSync(tx: Transaction, space: string): Promise<boolean> {
  await gitSyncs.delete(tx, space);
  tx.delete(getProgressKey("git", space));
  return gitRequests.drain(tx, "inOrder", [space]);
}

/** Reports the objects that synchronizations refer to: contents of repositories, and states of the Git client. */
export async function reportGitObjects(view: Reader, objects: Objects, tell: (hash: string) => void): Promise<void> {
  const tellContent = createContentReporter(objects, tell);
  let after: string | undefined;
  for (;;) {
    const rows = await gitSyncs.list(view, "all", { after, limit: 500 });
    for (const { record } of rows) {
      const { agreed, last, brought } = record;
      for (const hash of [agreed?.state, agreed?.kept, last?.skipped, brought?.skipped])
        if (typeof hash === "string") tell(hash);
    }
    await tellContent(rows.flatMap(({ record: { agreed, pushing } }) => [agreed?.root ?? null, pushing?.root ?? null]));
    if (rows.length < 500) return;
    after = rows.at(-1)!.position;
  }
}
