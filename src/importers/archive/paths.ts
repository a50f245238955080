// Relative paths between the files of a folder: the file that a path names, and the path that names a file.

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
