// Paths of files in a book: names between single `/`, from the book's root. A path that leads out of the root begins with
// `..`; apart from that, no name in a path is ever `.`, `..` or empty.

import { tryDecodeUriComponent } from "../../utils/url";
import type { ContentRef } from "../document";

/** The longest path, and the longest name in a path, in UTF-16 units. */
const MAX_PATH_LENGTH = 1024;
const MAX_NAME_LENGTH = 255;

const UNUSABLE_CHARACTER = /[\0-\x1f\x7f\\]|\p{Surrogate}/u;

/** Returns why a path of a tree cannot be used, in a sentence, or undefined if it can. */
export function findPathProblem(path: string): string | undefined {
  if (path.length > MAX_PATH_LENGTH) return `Its path is longer than ${MAX_PATH_LENGTH} characters.`;
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) return "Its path is absolute.";
  if (UNUSABLE_CHARACTER.test(path)) return "Its path contains a character that isn't allowed in paths.";
  const names = path.split("/");
  if (names.some((name) => name === "" || name === "." || name === "..")) return "Its path does not name a file.";
  if (names.some((name) => name.length > MAX_NAME_LENGTH))
    return `Its name is longer than ${MAX_NAME_LENGTH} characters.`;
  return undefined;
}

/** Returns the path that a relative path means in a folder. A path that begins with `/` starts at the root, and leads no higher. */
export function joinPath(folder: string, path: string): string {
  const isFromRoot = path.startsWith("/");
  const names = folder === "" || isFromRoot ? [] : folder.split("/");
  for (const name of path.split("/")) {
    if (name === "" || name === "." || (name === ".." && isFromRoot && names.length === 0)) continue;
    if (name !== ".." || names.length === 0 || names.at(-1) === "..") names.push(name);
    else names.pop();
  }
  return names.join("/");
}

/** Returns the folder that a path is in. The root is the empty string. */
export function getParentFolder(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

export function getBaseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Returns the path by which one file names another. */
export function getRelativePath(from: string, to: string): string {
  const [folder, target] = [from.split("/").slice(0, -1), to.split("/")];
  let shared = 0;
  while (shared < folder.length && shared < target.length - 1 && folder[shared] === target[shared]) shared++;
  return [...folder.slice(shared).map(() => ".."), ...target.slice(shared)].join("/");
}

export function isMarkdown(path: string): boolean {
  return /\.(?:md|markdown|mdx)$/i.test(path);
}

/** Returns whether a file represents the folder that it is in. */
export function isReadme(path: string): boolean {
  return /(?:^|\/)(?:readme|_?index)\.(?:md|markdown|mdx)$/i.test(path);
}

/** Returns whether a link leads out of the book, by the scheme of its URL. */
export function isUrl(href: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(href) || href.startsWith("//");
}

/** Returns the path and the anchor of a link. The anchor is undefined if there is none, and may be empty. */
export function splitHref(href: string): { readonly path: string; readonly anchor: string | undefined } {
  const hash = href.indexOf("#");
  const address = hash < 0 ? href : href.slice(0, hash);
  const query = address.indexOf("?");
  return {
    path: decodePercent(query < 0 ? address : address.slice(0, query)),
    anchor: hash < 0 ? undefined : decodePercent(href.slice(hash + 1)),
  };
}

/** Decodes percent escapes. A text with a malformed escape stays as it is. */
export function decodePercent(text: string): string {
  return tryDecodeUriComponent(text) ?? text;
}

/** Escapes a path as the target of a link in Markdown. */
export function encodeLinkPath(path: string): string {
  return path
    .replace(/[\s<>"`%\\#?|]/g, encodeURIComponent)
    .replaceAll("(", "%28")
    .replaceAll(")", "%29");
}

/** Folders whose files generators serve from the root. */
const SERVED_FOLDERS = ["static", "public"];

/**
 * Returns the files that a link of a file may mean, the likeliest first. A link to a folder means the page of that folder. A
 * link from the root may start at any folder above its file, because generators have their texts in one: `content/en`, `docs`.
 */
export function listCandidatePaths(from: string, path: string): string[] {
  if (!path.startsWith("/")) return listCandidatesFromFolder(getParentFolder(from), path);

  const names = from.split("/").slice(0, -1);
  const roots = ["", ...names.map((_, i) => names.slice(0, i + 1).join("/"))];
  const plainPath = joinPath("", path);
  const inside = plainPath !== "" && path.endsWith("/") ? `${plainPath}/` : plainPath;
  const isServed = /\.(?!md|html?)\w+$/i.test(path);
  return roots.flatMap((root) => [
    ...listCandidatesFromFolder(root, inside),
    ...(isServed ? SERVED_FOLDERS.map((folder) => joinPath(root, `${folder}/${inside}`)) : []),
  ]);
}

/** Returns the files that a relative path may mean in a folder. */
function listCandidatesFromFolder(folder: string, path: string): string[] {
  const target = joinPath(folder, path);
  if (target === "") return ["README.md", "index.md", "_index.md"];
  const readmes = [`${target}/README.md`, `${target}/index.md`, `${target}/_index.md`];
  if (path === "") return readmes;
  const texts = [`${target}.md`, `${target}.mdx`];
  if (path.endsWith("/")) return [...readmes, ...texts];

  const stem = target.replace(/\.html?$/i, "");
  if (stem === target) return [target, ...texts, ...readmes];
  // A page of HTML is made of the text at the same place; the `index.html` of a folder may be made of its README.
  const sources = [`${stem}.md`];
  if (getBaseName(stem) === "index") sources.push(joinPath(getParentFolder(stem), "README.md"));
  return [target, ...sources, ...texts, ...readmes];
}

const RESOURCE_HREF =
  /^\/(spaces|collections|users|openapi)\/([A-Za-z0-9_-]{1,64})(?:\/pages\/([A-Za-z0-9_-]{1,64}))?$/;

/** Parses an href that names something outside of the book by its id. Returns undefined for every other href. */
export function parseResourceHref(href: string): ContentRef | undefined {
  const [, kind, id = "", page] = RESOURCE_HREF.exec(href) ?? [];
  if (kind === "spaces") return page === undefined ? { kind: "space", space: id } : { kind: "page", page, space: id };
  if (kind === undefined || page !== undefined) return undefined;
  if (kind === "collections") return { kind: "collection", collection: id };
  return kind === "users" ? { kind: "user", user: id } : { kind: "openapi", spec: id };
}
