// Addresses that a book had where a tool made HTML of its files: `guides/setup.html` for `guides/setup.md`, and
// `guides/index.html` for `guides/README.md`.

import { getRelativePath, joinPath } from "../book/paths";
import { keys, type LanguagesEntry, type PageEntry, type PathEntry } from "./entries";
import type { RevisionView, WithId } from "./view";

/** Whether a path is one of HTML that stands for its folder. */
export function isHtmlIndex(path: string): boolean {
  return /(?:^|\/)index\.html?$/i.test(path);
}

/** The page of the file that a path of HTML was made of. */
export async function findPageByHtmlPath(view: RevisionView, path: string): Promise<WithId<PageEntry> | undefined> {
  if (!/\.html?$/i.test(path)) return undefined;
  const bare = joinPath("", path).replace(/\.html?$/i, "");
  const folder = bare.slice(0, -"index".length);
  const names = isHtmlIndex(path) ? [`${folder}README.md`, `${bare}.md`] : [`${bare}.md`];
  const languages = (await view.get(keys.languages)) as LanguagesEntry | undefined;
  const inRoot = languages ? names.map((name) => getRelativePath(`${languages.root}/x`, name)) : [];
  for (const name of [...inRoot, ...names]) {
    const standing = (await view.get(keys.filePath(name))) as PathEntry | undefined;
    if (standing?.page !== undefined) return view.getPage(standing.page);
  }
  return undefined;
}
