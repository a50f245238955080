// Checks whether the targets of links exist. For targets in the content, the result depends on the revision alone. Targets
// outside the content are left to the caller, who may not be allowed to see all of them.

import type { ContentRef } from "../document";
import { keys } from "./entries";
import type { RevisionView } from "./view";

/** The state of a link target, as far as the content itself can tell. */
export type LinkHealth = "ok" | "broken" | { readonly outside: ContentRef };

/** Checks targets, as `linkTargets` builds them, and returns their states in the same order. */
export async function checkLinkTargets(view: RevisionView, targets: readonly string[]): Promise<LinkHealth[]> {
  const parsedTargets = targets.map(parseLinkTarget);
  const entries = await view.getMany(parsedTargets.map(({ key }) => key));
  return Promise.all(
    parsedTargets.map(async (target, i): Promise<LinkHealth> => {
      if (target.outside) return { outside: target.outside };
      if (target.path !== undefined) return (await view.findPageByPath(target.path)) ? "ok" : "broken";
      if (entries[i] === undefined) return "broken";
      if (target.page === undefined || target.anchor === undefined) return "ok";
      return (await view.findAnchor(target.page, target.anchor)) === undefined ? "broken" : "ok";
    }),
  );
}

const MISSING_KEY = "-";

function parseLinkTarget(target: string) {
  const [kind, first = "", second] = target.split(":");
  if (kind === "f") return { key: keys.file(first) };
  if (kind === "r") return { key: keys.reusable(first) };
  if (kind === "p") return { key: keys.page(first), page: first, anchor: second ? decodeName(second) : undefined };
  if (kind === "n") return { key: MISSING_KEY, path: decodeName(first) };
  // Only URLs are ever too long for a key, and are replaced by a hash.
  const members = first.startsWith("~") ? ["url", ""] : (JSON.parse(decodeName(first)) as string[]);
  const [outsideKind, id = "", space] = members;
  let outside: ContentRef = { kind: "url", url: id };
  if (outsideKind === "page") outside = { kind: "page", page: id, space: space! };
  else if (outsideKind === "space") outside = { kind: "space", space: id };
  else if (outsideKind === "collection") outside = { kind: "collection", collection: id };
  else if (outsideKind === "user") outside = { kind: "user", user: id };
  else if (outsideKind === "openapi") outside = { kind: "openapi", spec: id };
  return { key: MISSING_KEY, outside };
}

/** Decodes a user's text in a key. A text that was too long for a key cannot be restored, so it leads nowhere. */
function decodeName(encoded: string): string {
  return encoded.startsWith("~") ? encoded : decodeURIComponent(encoded);
}
