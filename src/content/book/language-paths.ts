// Paths in a book of several languages: the language of a file, its translations, and the meaning of links.

import type { LanguagesEntry } from "../revision/entries";
import { getParentFolder, getRelativePath, isReadme, joinPath, listCandidatePaths } from "./paths";

/** Returns the language of a path, by the longest folder that contains it. */
export function findLanguagePath({ root, folders }: LanguagesEntry, path: string) {
  const fullPath = joinPath(root, path);
  const [code, folder] = Object.entries(folders)
    .filter(([, candidate]) => fullPath.startsWith(`${candidate}/`))
    .reduce((a, b) => (b[1].length > a[1].length ? b : a), ["", ""]);
  return code === "" ? undefined : { code, folder, inside: fullPath.slice(folder.length + 1) };
}

/**
 * Groups pages that are at the same path in the folders of different languages. Takes page ids by path, and returns for each
 * path the ids of all its translations by language. The page itself is one of them.
 */
export function groupTranslations(
  languages: LanguagesEntry,
  pageIds: ReadonlyMap<string, string>,
): Map<string, Record<string, string>> {
  const groups = new Map<string, Record<string, string>>();
  const translations = new Map<string, Record<string, string>>();
  for (const [path, id] of pageIds) {
    const place = findLanguagePath(languages, path);
    if (!place) continue;
    const { code, inside } = place;
    const name = isReadme(inside) ? joinPath(getParentFolder(inside), "README.md") : inside;
    const group = groups.get(name) ?? {};
    groups.set(name, group);
    group[code] ??= id;
    // A second page of the same language is a translation of nothing.
    translations.set(path, group[code] === id ? group : { [code]: id });
  }
  return translations;
}

/**
 * Returns the files that a link of a file may mean, as `listCandidatePaths` does. With several languages, a path from the
 * root starts in the folder of the file's own language. A file that this language does not have is looked up in the first one.
 */
export function listCandidatePathsByLanguage(
  languages: LanguagesEntry | undefined,
  from: string,
  path: string,
): string[] {
  const candidates = listCandidatePaths(from, path);
  if (!languages) return candidates;

  const { root } = languages;
  const toBookPath = (candidate: string) => getRelativePath(`${root}/x`, joinPath(root, candidate));
  const place = findLanguagePath(languages, from);
  if (!place || place.folder === root) return candidates.map(toBookPath);

  const ownRoot = getRelativePath(`${root}/x`, place.folder);
  const ownCandidates = path.startsWith("/")
    ? listCandidatePaths(place.inside, path).map((candidate) => joinPath(ownRoot, candidate))
    : [];
  const own = [...ownCandidates, ...candidates].map(toBookPath);
  const first = own.flatMap((candidate) =>
    candidate.startsWith(`${ownRoot}/`) ? candidate.slice(ownRoot.length + 1) : [],
  );
  return [...new Set([...own, ...first])];
}
