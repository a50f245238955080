// Paths between the files of a folder: what a relative address in one of them names, and how one is written.

import { encodeLinkPath, getBaseName, getParentFolder, getRelativePath, joinPath } from "../../content/book/paths";

/** The path that a relative one means in a file; undefined when it leads out of the folder. */
export function pathFrom(file: string, relative: string): string | undefined {
  const path = joinPath(getParentFolder(file), relative).normalize("NFC");
  return path === ".." || path.startsWith("../") ? undefined : path;
}

/** The address of a file as it is written in another, in Markdown or in HTML. */
export function addressFrom(from: string, to: string, fragment = ""): string {
  const address = encodeLinkPath(getRelativePath(from, to)).replaceAll("&", "%26").replaceAll("'", "%27");
  return (/^[^/]*:/.test(address) ? `./${address}` : address) + fragment;
}

/** The name of a file, without its folder and its ending. */
export function stemOf(path: string): string {
  return getBaseName(path).replace(/(?<=[^.])\.[^.]*$/, "");
}

/** The ending of a file's name in lower case, without its dot; empty when it has none. */
export function endingOf(path: string): string {
  return /[^/.]\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
}
