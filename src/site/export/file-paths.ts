// The files of an export, and the links between them. Links are relative, so that the folder can be placed anywhere.

import { tryDecodeUriComponent } from "../../utils/url";

/** Returns the file of a page, by its path below the site: an index in a folder, as static hosts serve it. */
export function getPageFile(path: string): string {
  return path === "" ? "index.html" : `${decodePath(path)}/index.html`;
}

export function getMarkdownFile(path: string): string {
  return path === "" ? "index.md" : `${decodePath(path)}.md`;
}

export function toRelativeUrl(from: string, to: string): string {
  const [start, end] = [from.split("/").slice(0, -1), to.split("/")];
  let shared = 0;
  while (shared < start.length && shared < end.length - 1 && start[shared] === end[shared]) shared++;
  const up = start.slice(shared).map(() => "..");
  return [...up, ...end.slice(shared).map(encodeURIComponent)].join("/");
}

function decodePath(path: string): string {
  const parts = path.split("/").map((part) => tryDecodeUriComponent(part) ?? part);
  return parts.join("/");
}
