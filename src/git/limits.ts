// The limits of a call, with defaults filled in, and the error that names the one that was reached.

import type { GitLimits } from "./port";
import { GitRefused } from "./refused";

const MIB = 1024 * 1024;

/** The limits that were asked for, and the defaults for the rest. Those that follow from others grow with them. */
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

/** The limits that have a variable of `octavo serve`. */
const VARIABLES: { readonly [limit in keyof GitLimits]: string } = {
  maxBytes: "GIT_MAX_BYTES",
  maxObjectBytes: "GIT_MAX_BYTES",
  maxUnpackedBytes: "GIT_MAX_BYTES",
  maxFiles: "GIT_MAX_FILES",
  maxObjects: "GIT_MAX_FILES",
};

/** Refuses what is beyond a limit; says what it is and how the limit is raised. */
export function overLimit(what: string, limit: keyof GitLimits): GitRefused {
  return new GitRefused("too_large", `${what} ${howToRaise(limit)}`);
}

/** What whoever runs the server can set. */
export function howToRaise(limit: keyof GitLimits): string {
  const variable = VARIABLES[limit];
  return `The option \`git.limits.${limit}\`${variable ? `, or ${variable} of \`octavo serve\`,` : ""} raises this limit.`;
}
