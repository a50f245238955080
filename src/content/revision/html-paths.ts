// Former paths of pages in a book that a static site generator turned into HTML: `guides/setup.html` for `guides/setup.md`,
// and `guides/index.html` for `guides/README.md`.

import { getRelativePath, joinPath } from "../book/paths";
import { keys, type LanguagesEntry, type PageEntry, type PathEntry } from "./entries";
import type { RevisionView, WithId } from "./view";

/** Matches the path of the HTML page of its folder. */
export const htmlIndex = /(?:^|\/)index\.html?$/i;

export async function findPageByHtmlPath(view: RevisionView, path: string): Promise<WithId<PageEntry> | undefined> {
  if (!/\.html?$/i.test(path)) return undefined;
  const withoutExtension = joinPath("", path).replace(/\.html?$/i, "");
  const folder = withoutExtension.slice(0, -"index".length);
  const names = [`${withoutExtension}.md`];
  if (htmlIndex.test(path)) names.unshift(`${folder}README.md`);
  // The paths of a book with several languages start from the folder of its first language.
  const languages = (await view.get(keys.languages)) as LanguagesEntry | undefined;
  const namesInRoot = languages ? names.map((name) => getRelativePath(`${languages.root}/x`, name)) : [];
  for (const name of [...namesInRoot, ...names]) {
    const entry = (await view.get(keys.filePath(name))) as PathEntry | undefined;
    if (entry?.page !== undefined) return view.getPage(entry.page);
  }
  return undefined;
}
