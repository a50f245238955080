// In which state a specification is, in words.

import type { OpenApiSpec } from "../../../generated/resources";
import type { Words } from "../words/words";

export type SpecState = "working" | "failed" | "ready";

export function stateOf({ processingState, lastProcessErrorCode }: OpenApiSpec): SpecState {
  if (processingState !== "complete") return "working";
  return lastProcessErrorCode === undefined ? "ready" : "failed";
}

export function stateWords(words: Words): Readonly<Record<SpecState, readonly [label: string, tone: string]>> {
  return {
    working: [words.specWorking, "open"],
    failed: [words.specFailed, "failed"],
    ready: [words.specReady, "merged"],
  };
}

/** Why the last run failed, in plain words. */
export function errorWords(words: Words): Readonly<Record<NonNullable<OpenApiSpec["lastProcessErrorCode"]>, string>> {
  return {
    FETCH_TIMEOUT: words.specTimeout,
    FETCH_ERROR: words.specUnreachable,
    PARSE_ERROR: words.specUnreadable,
  };
}

/** A name for a specification, made of what it came from: a file or an address. */
export function slugOf(name: string): string {
  const [path = ""] = name.split(/[?#]/);
  const last = path.split("/").filter(Boolean).at(-1) ?? "";
  return last
    .toLowerCase()
    .replace(/\.(?:json|ya?ml|txt)$/, "")
    .split(/[^a-z0-9]/)
    .filter(Boolean)
    .join("-")
    .slice(0, 64);
}
