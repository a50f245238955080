// The interface of a Git client, for code that reads and writes repositories. Types only: importing them loads no
// client.

/** A name and a password, or a token in the place of either. */
export interface GitAuth {
  readonly username: string;
  readonly password: string;
}

/** How much of a repository is read. More is refused as `too_large`, with the name of the limit. */
export interface GitLimits {
  /** Bytes of one answer. Default: 50 MiB. */
  readonly maxBytes?: number;
  /** Objects of one pack. Default: 100,000, or 5 × `maxFiles`. */
  readonly maxObjects?: number;
  /** Bytes of one file or directory. Default: 25 MiB, or half of `maxBytes`. */
  readonly maxObjectBytes?: number;
  /** Bytes of all objects, unpacked. Default: 160 MiB, or 4 × `maxBytes`. */
  readonly maxUnpackedBytes?: number;
  /** Files, and directories, in the tree of the commit. Default: 20,000 of each. */
  readonly maxFiles?: number;
  /** Directories inside one another. Default: 64. */
  readonly maxDepth?: number;
}

/** A branch of a repository, and how to reach it. */
export interface GitPlace {
  /** All requests go through this guarded fetch. */
  readonly fetch: typeof fetch;
  /** The repository's address over https or http, without a name and a password. */
  readonly url: string;
  /** A branch, as `refs/heads/main`. */
  readonly ref: string;
  /** Sent only to the origin of `url`. */
  readonly auth?: GitAuth | undefined;
  readonly limits?: GitLimits | undefined;
  /** Ends the call early, with the reason `timeout`. */
  readonly signal?: AbortSignal | undefined;
}

export interface GitRead extends GitPlace {
  /** The `state` of the last read or push: only what is new since then is transferred. */
  readonly known?: Uint8Array | undefined;
}

export interface GitPerson {
  readonly name: string;
  readonly email: string;
}

export interface GitCommit {
  readonly oid: string;
  readonly message: string;
  readonly author: GitPerson;
  readonly authoredAt: Date;
}

/** The kind of an entry. The content of a symbolic link is its target; a submodule has no content. */
export type GitMode = "100644" | "100755" | "120000" | "160000";

export interface GitFile {
  /** From the root of the repository, with `/` between the names: relative, and without `.`, `..` and `.git`. */
  readonly path: string;
  readonly oid: string;
  readonly mode: GitMode;
}

/** An entry of the repository whose name cannot be a path here. A push leaves it untouched. */
export interface GitLeftOut {
  /** For display: shortened, with `�` for bytes that are not text. */
  readonly path: string;
  readonly why: "not_text" | "forbidden_character" | "too_long";
}

/** A branch as it is now. */
export interface GitContent {
  readonly commit: GitCommit;
  /** In Git's order: by the bytes of their names. */
  readonly files: readonly GitFile[];
  readonly leftOut: readonly GitLeftOut[];
  /** The bytes of a file, by its path or its oid; undefined when they were not transferred because they were known. */
  read(pathOrOid: string): Promise<Uint8Array | undefined>;
  /** Passed as `known` to the next call. It holds no file content and no secret. */
  readonly state: Uint8Array;
}

/** New bytes for a path; null removes the file. A function reads them when they are sent: those of a large space are not
 * held all at once. It may be called more than once. */
export interface GitChange {
  readonly path: string;
  readonly bytes: Uint8Array | (() => Promise<Uint8Array>) | null;
  /** The name that Git has for the bytes, where it is known. */
  readonly oid?: string;
}

export interface GitPush extends GitPlace {
  /** The commit that the new one follows; undefined for the first one of a branch. */
  readonly parent: string | undefined;
  /** The `state` that belongs to `parent`. */
  readonly known?: Uint8Array | undefined;
  readonly changes: readonly GitChange[];
  readonly message: string;
  readonly author: GitPerson;
  readonly at: Date;
  /** Replaces the branch whatever commit it holds. Default: false. */
  readonly force?: boolean | undefined;
}

/** The commit that the branch holds now; or there was nothing to push. */
export type GitPushed = { readonly oid: string; readonly state: Uint8Array } | { readonly result: "nothing" };

/** A Git client. Both calls throw `GitRefused`. */
export interface GitClient {
  readRemote(options: GitRead): Promise<GitContent>;
  pushRemote(options: GitPush): Promise<GitPushed>;
}
