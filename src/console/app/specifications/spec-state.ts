// The state of a specification, and its slug.

import type { OpenApiSpec } from "../../../generated/resources";

export type SpecState = "working" | "failed" | "ready";

export function getSpecState({ processingState, lastProcessErrorCode }: OpenApiSpec): SpecState {
  if (processingState !== "complete") return "working";
  return lastProcessErrorCode === undefined ? "ready" : "failed";
}

/** Suggests a slug for a specification from the name of its file or its URL. */
export function suggestSlug(name: string): string {
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
