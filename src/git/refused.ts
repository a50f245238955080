// The one error of the Git client. Its sentences are written here and in the client, never copied from a URL, so that no
// name or password of a repository can get into a log, an answer or an event.

/** Why nothing was read or pushed. */
export type GitReason =
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

/** A repository that was not read or not written, and why, in a sentence for people. */
export class GitRefused extends Error {
  override readonly name = "GitRefused";
  readonly reason: GitReason;

  constructor(reason: GitReason, sentence: string) {
    super(sentence);
    this.reason = reason;
  }
}
