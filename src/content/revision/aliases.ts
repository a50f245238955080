// The old paths that the texts of pages state. Each page has a list of its own, so that what a text no longer states goes,
// and each path is a redirect, unless something else leads from it.

import { isUrl, joinPath } from "../book/paths";
import { parseAliases } from "../page-source/aliases";
import type { Draft } from "./draft";
import { keys, type RedirectEntry } from "./entries";
import { normalizeRedirectPath } from "./view";

/** Makes the old paths of a page those that its text states; `folder` is the path that it stands under. */
export async function indexAliases(draft: Draft, page: string, text: string, folder: string): Promise<void> {
  const stated = parseAliases(text)
    .filter(({ path }) => !isUrl(path) && !path.includes("#"))
    .map(({ path, isRelative }) =>
      normalizeRedirectPath(isRelative ? joinPath(folder, path) : joinPath("", `/${path}`)),
    )
    .filter((path) => path !== "" && !path.startsWith(".."));
  await putAliases(draft, page, [...new Set(stated)]);
}

/** Takes away the old paths of a page. */
export function dropAliases(draft: Draft, page: string): Promise<void> {
  return putAliases(draft, page, []);
}

/** Makes these the old paths of a page. */
export async function putAliases(draft: Draft, page: string, paths: readonly string[]): Promise<void> {
  const before = ((await draft.get(keys.aliases(page))) ?? []) as readonly string[];
  if (before.length === 0 && paths.length === 0) return;
  for (const path of before) {
    const entry = (await draft.get(keys.redirect(path))) as RedirectEntry | undefined;
    if (!paths.includes(path) && entry && isAliasOfPage(entry, page)) draft.delete(keys.redirect(path));
  }
  for (const path of paths)
    if ((await draft.get(keys.redirect(path))) === undefined)
      draft.put(keys.redirect(path), createAliasEntry(path, page));
  if (paths.length === 0) draft.delete(keys.aliases(page));
  else draft.put(keys.aliases(page), paths);
}

/** The redirect of an old path to its page. */
export function createAliasEntry(from: string, page: string): RedirectEntry {
  return { from, to: { kind: "page", page }, isAlias: true };
}

/** Whether a redirect is an old path of a page. */
export function isAliasOfPage({ to, isAlias }: RedirectEntry, page: string): boolean {
  return isAlias === true && to.kind === "page" && to.page === page;
}
