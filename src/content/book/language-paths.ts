// Paths in a book that is written in several languages: which language a file is in, which pages say the same in another
// one, and what links mean there.

import type { LanguagesEntry } from "../revision/entries";
import { filesMeant, folderOf, isReadme, joined, relativePath } from "./paths";

/** The language of a path, and the rest of the path in the folder of that language. */
interface Place {
  readonly code: string;
  readonly folder: string;
  readonly inside: string;
}

function placeOf({ root, folders }: LanguagesEntry, path: string): Place | undefined {
  const whole = joined(root, path);
  const [code, folder] = Object.entries(folders)
    .filter(([, it]) => whole.startsWith(`${it}/`))
    .reduce((a, b) => (b[1].length > a[1].length ? b : a), ["", ""]);
  return code === "" ? undefined : { code, folder, inside: whole.slice(folder.length + 1) };
}

/** Pages at the same path in the folders of two languages, by path: the ids of all of them by language. */
export function translationsOf(
  languages: LanguagesEntry,
  pages: ReadonlyMap<string, string>,
): Map<string, Record<string, string>> {
  const same = new Map<string, Record<string, string>>();
  const found = new Map<string, Record<string, string>>();
  for (const [path, id] of pages) {
    const place = placeOf(languages, path);
    if (!place) continue;
    const { code, inside } = place;
    const name = isReadme(inside) ? joined(folderOf(inside), "README.md") : inside;
    const all = same.get(name) ?? {};
    same.set(name, all);
    all[code] ??= id;
    found.set(path, all[code] === id ? all : { [code]: id });
  }
  return found;
}

/** The path that a page of the first language has if it says the same as the page at another path. */
export function firstPathOf(languages: LanguagesEntry, path: string): string | undefined {
  const place = placeOf(languages, path);
  return place && place.folder !== languages.root ? place.inside : undefined;
}

/**
 * The files that a link of a file may mean, as `filesMeant` has them. With several languages, a path from the root starts in
 * the folder of the file's own language. A file that this language does not have is meant in the first one.
 */
export function filesMeantIn(languages: LanguagesEntry | undefined, from: string, path: string): string[] {
  const meant = filesMeant(from, path);
  if (!languages) return meant;
  const { root } = languages;
  const fromRoot = (it: string) => relativePath(`${root}/x`, joined(root, it));
  const place = placeOf(languages, from);
  if (!place || place.folder === root) return meant.map(fromRoot);
  const ownRoot = relativePath(`${root}/x`, place.folder);
  const own = path.startsWith("/") ? filesMeant(place.inside, path).map((it) => joined(ownRoot, it)) : [];
  const all = [...own, ...meant].map(fromRoot);
  const first = all.flatMap((it) => (it.startsWith(`${ownRoot}/`) ? it.slice(ownRoot.length + 1) : []));
  return [...new Set([...all, ...first])];
}
