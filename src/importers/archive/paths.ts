// Paths between the files of a folder: the file that a path names, and the path that names a file.

import { encodeLinkPath, getBaseName, getParentFolder, getRelativePath, joinPath } from "../../content/book/paths";

/** Returns the path that a relative path means in a file, or undefined if it leads out of the folder. */
export function resolveRelativePath(file: string, relativePath: string): string | undefined {
  const path = joinPath(getParentFolder(file), relativePath).normalize("NFC");
  return path === ".." || path.startsWith("../") ? undefined : path;
}

/** Returns the href of a file as it is written in another one, in Markdown or in HTML. */
export function formatRelativeHref(from: string, to: string, fragment = ""): string {
  const href = encodeLinkPath(getRelativePath(from, to)).replaceAll("&", "%26").replaceAll("'", "%27");
  return (/^[^/]*:/.test(href) ? `./${href}` : href) + fragment;
}

/** Returns the name of a file, without its folder and its extension. */
export function getStem(path: string): string {
  return getBaseName(path).replace(/(?<=[^.])\.[^.]*$/, "");
}

/** Returns the extension of a file in lower case, without its dot, or an empty string if it has none. */
export function getExtension(path: string): string {
  return /[^/.]\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
}

/** Finds files by names that people wrote: by their exact spelling, or else regardless of case. */
export class PathIndex {
  /** Paths that are their own normalized form. Most are, and need nothing more. */
  readonly #normalizedPaths = new Set<string>();
  /** The first path of every other normalized form. */
  readonly #pathsByForm = new Map<string, string>();
  /** Further paths with the same normalized form. */
  readonly #others = new Set<string>();

  constructor(paths: Iterable<string> = []) {
    for (const path of paths) this.add(path);
  }

  /** Adds a path. Of two that differ only in case, the first is found. */
  add(path: string): void {
    const form = path.normalize("NFC").toLowerCase();
    const first = this.#findFirst(form);
    if (first !== undefined) {
      if (first !== path) this.#others.add(path);
    } else if (form === path) this.#normalizedPaths.add(path);
    else this.#pathsByForm.set(form, path);
  }

  /** Returns a path as it is spelled in the index, or undefined if there is none. */
  find(path: string): string | undefined {
    return this.#others.has(path) ? path : this.#findFirst(path.normalize("NFC").toLowerCase());
  }

  #findFirst(form: string): string | undefined {
    return this.#normalizedPaths.has(form) ? form : this.#pathsByForm.get(form);
  }
}
