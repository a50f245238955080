// The old paths that the texts of pages state. Each page has a list of its old paths, so that a path that the text no longer
// states is removed. Each path is a redirect, unless another redirect leads from it.

import { isUrl, joinPath } from "../book/paths";
import { parseAliases } from "../page-source/aliases";
import type { Draft } from "./draft";
import { keys, type RedirectEntry } from "./entries";
import { normalizeRedirectPath } from "./view";

/** Sets the old paths of a page to those that its text states. `folder` is the path of the folder of the page. */
export async function indexAliases(draft: Draft, page: string, text: string, folder: string): Promise<void> {
  const paths = parseAliases(text)
    .filter(({ path }) => !isUrl(path) && !path.includes("#"))
    .map(({ path, isRelative }) =>
      normalizeRedirectPath(isRelative ? joinPath(folder, path) : joinPath("", `/${path}`)),
    )
    .filter((path) => path !== "" && !path.startsWith(".."));
  await putAliases(draft, page, [...new Set(paths)]);
}

export async function putAliases(draft: Draft, page: string, paths: readonly string[]): Promise<void> {
  const pathsBefore = ((await draft.get(keys.aliases(page))) ?? []) as readonly string[];
  if (pathsBefore.length === 0 && paths.length === 0) return;
  for (const path of pathsBefore) {
    const entry = (await draft.get(keys.redirect(path))) as RedirectEntry | undefined;
    const isOwn = entry?.isAlias === true && entry.to.kind === "page" && entry.to.page === page;
    if (isOwn && !paths.includes(path)) draft.delete(keys.redirect(path));
  }
  for (const path of paths)
    if ((await draft.get(keys.redirect(path))) === undefined)
      draft.put(keys.redirect(path), { from: path, to: { kind: "page", page }, isAlias: true });
  if (paths.length === 0) draft.delete(keys.aliases(page));
  else draft.put(keys.aliases(page), paths);
}
