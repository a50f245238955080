// The limits of a call: their defaults, the error that names the limit that was exceeded, and the budget for bytes.

import { GitError, type GitLimits } from "./port";

const MIB = 1024 * 1024;

/** Fills in the default limits. Limits that follow from others grow with them. */
export function completeLimits(limits: GitLimits = {}): Required<GitLimits> {
  const { maxBytes = 50 * MIB, maxFiles = 20_000 } = limits;
  return {
    maxBytes,
    maxObjects: limits.maxObjects ?? Math.max(100_000, 5 * maxFiles),
    maxObjectBytes: limits.maxObjectBytes ?? Math.max(25 * MIB, maxBytes / 2),
    maxUnpackedBytes: limits.maxUnpackedBytes ?? Math.max(160 * MIB, 4 * maxBytes),
    maxFiles,
    maxDepth: limits.maxDepth ?? 64,
  };
}

/** The environment variables of `octavo serve` that set a limit. */
const VARIABLES: { readonly [limit in keyof GitLimits]: string } = {
  maxBytes: "GIT_MAX_BYTES",
  maxObjectBytes: "GIT_MAX_BYTES",
  maxUnpackedBytes: "GIT_MAX_BYTES",
  maxFiles: "GIT_MAX_FILES",
  maxObjects: "GIT_MAX_FILES",
};

/** Creates the error for an exceeded limit. It says how an operator can raise the limit. */
export function createLimitError(problem: string, limit: keyof GitLimits): GitError {
  const variable = VARIABLES[limit];
  const remedy = `The option \`git.limits.${limit}\`${variable ? `, or ${variable} of \`octavo serve\`,` : ""} raises this limit.`;
  return new GitError("too_large", `${problem} ${remedy}`);
}

/** Counts bytes before memory is allocated for them. */
export class ByteBudget {
  private spentBytes = 0;

  constructor(
    private readonly maxBytes: number,
    private readonly createError: () => GitError,
  ) {}

  spend(bytes: number): void {
    this.spentBytes += bytes;
    if (this.spentBytes > this.maxBytes) throw this.createError();
  }
}
