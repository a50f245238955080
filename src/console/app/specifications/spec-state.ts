// The state of a specification and its labels.

import type { OpenApiSpec } from "../../../generated/resources";
import type { Messages } from "../messages/messages";

export type SpecState = "working" | "failed" | "ready";

export function getSpecState({ processingState, lastProcessErrorCode }: OpenApiSpec): SpecState {
  if (processingState !== "complete") return "working";
  return lastProcessErrorCode === undefined ? "ready" : "failed";
}

export function getSpecStateLabels(
  messages: Messages,
): Readonly<Record<SpecState, readonly [label: string, tone: string]>> {
  return {
    working: [messages.specWorking, "open"],
    failed: [messages.specFailed, "failed"],
    ready: [messages.specReady, "merged"],
  };
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
