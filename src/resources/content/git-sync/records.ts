// The repository that a space is synchronized with, and the queued requests. Names and passwords are only in the
// requests, sealed, and are deleted with them.

import type { MergeConflict } from "../../../content/merge";
import type { MapRoot } from "../../../content/prolly-tree";
import type { Runner } from "../../../jobs/leased-queue";
import { deleteProgress } from "../../../jobs/progress";
import type { Objects } from "../../../storage/objects";
import { defineRecordSet } from "../../../storage/records";
import type { Reader, Transaction } from "../../../storage/transaction";
import { createContentReporter } from "../revisions/records";

export type Provider = "github" | "gitlab" | "github-legacy";

/** A branch of a repository, and the folder in it that holds the content. */
export interface RepositoryFolder {
  /** Without name, password and query. */
  readonly url: string;
  readonly ref: string;
  /** Empty: the top of the repository. */
  readonly directory: string;
}

/** The URLs of the repository for people. */
export interface Shown {
  readonly provider?: Provider;
  /** The integration that asked for it, if one did. */
  readonly integration?: string;
  /** The web page of the repository. */
  readonly page?: string;
  /** The prefix of the URLs of folders. */
  readonly treeUrl?: string;
  /** The prefix of the URLs of commits. */
  readonly commitUrl?: string;
}

/** The last common state of the space and the repository, except for differences that one side has kept. */
export interface Agreed extends RepositoryFolder {
  /** Undefined: an export whose commit is not known. */
  readonly commit?: string;
  /** The content of the repository. */
  readonly root: MapRoot;
  /** The object with the Git client's state for this commit. */
  readonly state?: string;
  /** The object with files of the repository that are not content but are read every time. */
  readonly kept?: string;
}

/** An export whose push may have succeeded although its answer was lost. */
export interface Pushing extends RepositoryFolder {
  /** The content of the repository if it succeeded. */
  readonly root: MapRoot;
  /** Some of the files that only this push can have written, as paths with their oids. */
  readonly signs: readonly (readonly [path: string, oid: string])[];
}

export type Direction = "import" | "export";

/** The result or the progress of the last request. */
export interface LastRun {
  readonly direction: Direction;
  readonly status: "running" | "completed" | "failed";
  /** When it was requested. */
  readonly requestedAt: string;
  /** Why it failed, or is tried again: a sentence. */
  readonly error?: string;
  readonly commit?: string;
  readonly revision?: string;
  /** The object that says what of the repository was not taken, and why. Before it was told by name, it was counted. */
  readonly skipped?: string | number;
}

/** What both sides changed in different ways, without the texts. */
export type KnownConflict = Omit<MergeConflict, "base" | "ours" | "theirs">;

export interface GitSyncRecord extends RepositoryFolder, Shown {
  readonly space: string;
  readonly updatedAt: string;
  /** The number of requests so far. Adding a request changes it, so a worker cannot stop while one waits. */
  readonly asked: number;
  /** The time of the newest finished request. */
  readonly newest?: string;
  readonly last?: LastRun;
  readonly agreed?: Agreed;
  readonly pushing?: Pushing;
  /** The revision with the repository's version of what could not be merged. */
  readonly conflicts?: {
    readonly revision: string;
    readonly list: readonly KnownConflict[];
    readonly count: number;
    /** The number of the request that met them. */
    readonly request?: number;
  };
  /** What the import told that the export of a request began with: the object that names what was skipped. */
  readonly brought?: { readonly request: number; readonly skipped: string };
  /** The worker of the requests, and the end of its lease. */
  readonly runner?: Runner;
}

export const gitSyncs = defineRecordSet("git-sync", {
  key: (it: GitSyncRecord) => [it.space],
  indexes: { all: () => [] },
});

export interface GitRequest extends RepositoryFolder, Shown {
  readonly space: string;
  /** Counts up in its space. */
  readonly number: number;
  readonly direction: Direction;
  /** The time by which requests are ordered. */
  readonly timestamp: string;
  readonly requestedAt: string;
  readonly by: string;
  /** Name and password, sealed. */
  readonly sealed?: string;
  readonly force: boolean;
  /** An import that makes a revision and does not change the space. */
  readonly standalone: boolean;
  /** Only for an export. */
  readonly message?: string;
  /** The number of attempts. */
  readonly attempts: number;
}

/** The context with which a name and a password are sealed. */
export const sealedFor = (space: string) => `git ${space}`;

export const gitRequests = defineRecordSet("git-request", {
  key: (it: GitRequest) => [it.space, it.number],
  sealedText: { name: "sealed", context: (it) => sealedFor(it.space) },
  indexes: { inOrder: (it) => [it.space, it.timestamp, it.number] },
});

/** Whether both are the same branch and folder. */
export function isSameFolder(a: RepositoryFolder, b: RepositoryFolder): boolean {
  return a.url === b.url && a.ref === b.ref && a.directory === b.directory;
}

/**
 * Ends the synchronization of a space, and removes its queued requests, as many as there is room for. True: there are
 * more.
 */
export async function dropGitSync(tx: Transaction, space: string): Promise<boolean> {
  await gitSyncs.delete(tx, space);
  deleteProgress(tx, "git", space);
  return gitRequests.drain(tx, "inOrder", [space]);
}

/** Tells the objects that synchronizations reference: contents of repositories, and states of the Git client. */
export async function gitObjects(view: Reader, objects: Objects, tell: (hash: string) => void): Promise<void> {
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
