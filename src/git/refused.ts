// The one error of the Git client. Its sentences are written in this folder and never copied from a URL, so no name or
// password of a repository gets into a log, an answer or an event.

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

/** A repository could not be read or written. The message says why, in a sentence for people. */
export class GitRefused extends Error {
  override readonly name = "GitRefused";
  readonly reason: GitReason;

  constructor(reason: GitReason, sentence: string) {
    super(sentence);
    this.reason = reason;
  }
}
