// The interface of the Git client, for code that must not load the client: its types, its error, and the rules for
// repository URLs and branch names.

import { trimTrailingSlashes, tryDecodeUriComponent, tryParseUrl } from "../utils/url";

/** A Git client. Both calls throw `GitError`. */
export interface GitClient {
  readRemote(options: GitReadOptions): Promise<GitContent>;
  pushRemote(options: GitPushOptions): Promise<GitPushResult>;
}

/** A name and a password, or a token in the place of either. */
export interface GitAuth {
  readonly username: string;
  readonly password: string;
}

/** Limits on what is read from a repository. Exceeding one fails with `too_large`, and the message names the limit. */
export interface GitLimits {
  /** Bytes of one response. Default: 50 MiB. */
  readonly maxBytes?: number;
  /** Objects of one pack. Default: 100,000, or 5 × `maxFiles`. */
  readonly maxObjects?: number;
  /** Bytes of one file or directory. Default: 25 MiB, or half of `maxBytes`. */
  readonly maxObjectBytes?: number;
  /** Bytes of all objects, unpacked. Default: 160 MiB, or 4 × `maxBytes`. */
  readonly maxUnpackedBytes?: number;
  /** Files, and directories, in the tree of the commit. Default: 20,000 of each. */
  readonly maxFiles?: number;
  /** Depth of nested directories. Default: 64. */
  readonly maxDepth?: number;
}

/** A branch of a remote repository, and how to reach it. */
export interface GitRemote {
  /** All requests go through this guarded fetch. */
  readonly fetch: typeof fetch;
  /** The repository's http(s) URL, without credentials. */
  readonly url: string;
  /** A branch, such as `refs/heads/main`. */
  readonly ref: string;
  /** Sent only to the origin of `url`. */
  readonly auth?: GitAuth | undefined;
  readonly limits?: GitLimits | undefined;
  /** Ends the call early, with the reason `timeout`. */
  readonly signal?: AbortSignal | undefined;
}

export interface GitReadOptions extends GitRemote {
  /** The `state` of the last read or push. Only objects that are newer are transferred. */
  readonly knownState?: Uint8Array | undefined;
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
  /** Relative to the root of the repository, separated by `/`, and without `.`, `..` and `.git`. */
  readonly path: string;
  readonly oid: string;
  readonly mode: GitMode;
}

/** An entry of the repository whose name cannot be a path here. A push leaves it untouched. */
export interface GitSkippedEntry {
  /** For display: shortened, with `�` for bytes that are not text. */
  readonly path: string;
  readonly reason: "not_text" | "forbidden_character" | "too_long";
}

/** The current content of a branch. */
export interface GitContent {
  readonly commit: GitCommit;
  /** In Git's order: by the bytes of their names. */
  readonly files: readonly GitFile[];
  readonly skippedEntries: readonly GitSkippedEntry[];
  /** Returns a file by its path or oid; undefined if it was not transferred because the known state has it. */
  read(pathOrOid: string): Promise<Uint8Array | undefined>;
  /** Passed as `knownState` to the next call. It holds no file content and no secret. */
  readonly state: Uint8Array;
}

export interface GitChange {
  readonly path: string;
  /**
   * The new content; null removes the file. A function reads the content when it is sent, so that a large space is
   * never held in memory as a whole. It may be called more than once.
   */
  readonly bytes: Uint8Array | (() => Promise<Uint8Array>) | null;
  /** The Git object id of the content, if it is known. */
  readonly oid?: string;
}

export interface GitPushOptions extends GitRemote {
  /** The commit that the new one follows; undefined for the first commit of a branch. */
  readonly parent: string | undefined;
  /** The `state` that belongs to `parent`. */
  readonly knownState?: Uint8Array | undefined;
  readonly changes: readonly GitChange[];
  readonly message: string;
  readonly author: GitPerson;
  readonly authoredAt: Date;
  /** Replaces the branch whatever commit it holds. Default: false. */
  readonly force?: boolean | undefined;
}

/** The commit that the branch now holds, or `nothing` if the changes left the tree as it was. */
export type GitPushResult = { readonly oid: string; readonly state: Uint8Array } | { readonly result: "nothing" };

/** The reason why a read or a push failed. */
export type GitErrorReason =
  | "unreachable"
  | "unauthorized"
  | "not_found"
  | "ref_not_found"
  | "too_large"
  | "not_git"
  | "diverged"
  | "rejected"
  | "timeout"
  | "damaged";

/**
 * The only error of the Git client. Its message is a sentence for people, which is written here and never copied from a
 * URL. So no credentials of a repository get into a log, a response or an event.
 */
export class GitError extends Error {
  override readonly name = "GitError";
  readonly reason: GitErrorReason;

  constructor(reason: GitErrorReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Splits a repository URL into its plain form, without credentials, query and fragment, and its credentials. */
export function splitCredentials(repositoryUrl: string): { url: string; auth: GitAuth | undefined } {
  // The messages do not repeat the URL: a mistyped one may still hold a password.
  const parsed = tryParseUrl(repositoryUrl);
  if (!parsed) throw new GitError("not_git", "The repository URL is invalid.");
  if (parsed.protocol !== "https:" && parsed.protocol !== "http:")
    throw new GitError("not_git", "A repository URL must begin with https:// or http://.");

  // Malformed percent-encoding is taken as it is.
  const username = tryDecodeUriComponent(parsed.username) ?? parsed.username;
  const password = tryDecodeUriComponent(parsed.password) ?? parsed.password;
  const auth = username === "" && password === "" ? undefined : { username, password };
  return { url: `${parsed.origin}${trimTrailingSlashes(parsed.pathname)}`, auth };
}

const MAX_REF_LENGTH = 255;
/** The last alternative is half of a surrogate pair. */
const FORBIDDEN_IN_REFS = /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\.$|\p{Cs}/u;

/** Checks that a text is the full name of a branch, `refs/heads/…`, by Git's own rules for names. */
export function isBranchRef(ref: string): boolean {
  const name = /^refs\/heads\/(.+)$/s.exec(ref)?.[1];
  if (name === undefined || ref.length > MAX_REF_LENGTH || FORBIDDEN_IN_REFS.test(name)) return false;
  const isWellFormed = (part: string) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock");
  // A Git command would take a leading dash for an option.
  return !name.startsWith("-") && name.split("/").every(isWellFormed);
}
