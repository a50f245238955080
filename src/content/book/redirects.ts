// Redirects as the settings of a book have them: old paths of readers, and what is meant today. One that cannot work is
// reported with its reason.

import { normalizeRedirectPath } from "../revision/view";
import type { Redirects } from "./book";
import { folderOf, isUrl, joined, splitHref } from "./paths";
import type { Files } from "./tree";
import { isClosed } from "./yaml-values";

const MAX_REDIRECTS = 5000;

/** Redirects as settings have them. Their targets are relative to the root, or to the folder of the old path. */
export function redirectsFrom(
  files: Files,
  given: ReadonlyMap<string, unknown>,
  relativeTo: "root" | "folder",
): Redirects {
  const found = new Map<string, string>();
  for (const [written, target] of given) {
    const from = normalizeRedirectPath(splitHref(written).path);
    const to = typeof target === "string" ? target.trim() : "";
    const skip = (why: string) => files.skip(written, `This redirect cannot work: ${why}.`);
    if (to === "") skip("it names no target");
    else if (written.includes("#")) skip("a browser does not send what is behind a #");
    else if (from === "") skip("the book itself begins at this path");
    else if (isClosed(from) || from.startsWith("..")) skip("no page can have had this path");
    else if (found.has(from)) skip("there is another one from the same path");
    else if (found.size >= MAX_REDIRECTS) skip(`a book has at most ${MAX_REDIRECTS} of them`);
    else found.set(from, isUrl(to) ? to : fromRoot(written, to, relativeTo));
  }
  return Object.fromEntries(found);
}

function fromRoot(from: string, to: string, relativeTo: "root" | "folder"): string {
  const hash = to.indexOf("#");
  const [path, anchor] = hash < 0 ? [to, ""] : [to.slice(0, hash), to.slice(hash)];
  const folder = relativeTo === "root" ? "" : folderOf(joined("", from));
  return `${joined(folder, path)}${path.endsWith("/") ? "/" : ""}${anchor}`;
}
