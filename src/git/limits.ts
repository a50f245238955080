// The limits of a call, with defaults filled in.

import type { GitLimits } from "./port";

const MIB = 1024 * 1024;

/** The limits that were asked for, and the defaults for the rest. */
export function completeLimits(limits: GitLimits = {}): Required<GitLimits> {
  return {
    maxBytes: limits.maxBytes ?? 50 * MIB,
    maxObjects: limits.maxObjects ?? 100_000,
    maxObjectBytes: limits.maxObjectBytes ?? 25 * MIB,
    maxUnpackedBytes: limits.maxUnpackedBytes ?? 160 * MIB,
    maxFiles: limits.maxFiles ?? 20_000,
    maxDepth: limits.maxDepth ?? 64,
  };
}
