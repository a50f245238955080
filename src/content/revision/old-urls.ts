// Addresses that a book had where a tool made HTML of its files: `guides/setup.html` for `guides/setup.md`, and
// `guides/index.html` for `guides/README.md`.

import { joined, relativePath } from "../book/paths";
import { keys, type LanguagesEntry, type PageEntry, type Standing } from "./entries";
import type { Identified, View } from "./view";

/** Whether a path is one of HTML that stands for its folder. */
export function isIndex(path: string): boolean {
  return /(?:^|\/)index\.html?$/i.test(path);
}

/** The page of the file that a path of HTML was made of. */
export async function pageOfHtml(view: View, path: string): Promise<Identified<PageEntry> | undefined> {
  if (!/\.html?$/i.test(path)) return undefined;
  const bare = joined("", path).replace(/\.html?$/i, "");
  const folder = bare.slice(0, -"index".length);
  const names = isIndex(path) ? [`${folder}README.md`, `${bare}.md`] : [`${bare}.md`];
  const languages = (await view.get(keys.languages)) as LanguagesEntry | undefined;
  const inRoot = languages ? names.map((name) => relativePath(`${languages.root}/x`, name)) : [];
  for (const name of [...inRoot, ...names]) {
    const standing = (await view.get(keys.filePath(name))) as Standing | undefined;
    if (standing?.page !== undefined) return view.page(standing.page);
  }
  return undefined;
}
