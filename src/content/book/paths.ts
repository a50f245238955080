// Paths of files in a book: names between single `/`, from the book's root. One that leads out of the root begins with `..`;
// nothing else in a path is ever `.`, `..` or empty.

import type { ContentRef } from "../document";

/** The longest path and the longest name in one, in UTF-16 units. */
export const MAX_PATH = 1024;
const MAX_NAME = 255;

const UNUSABLE = /[\0-\x1f\x7f\\]|\p{Surrogate}/u;

/** Why a path of a tree cannot be used, in a sentence; undefined when it can. */
export function unusable(path: string): string | undefined {
  if (path.length > MAX_PATH) return `Its path is longer than ${MAX_PATH} characters.`;
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) return "Its path is an absolute one.";
  if (UNUSABLE.test(path)) return "Its path has a character that no path may have.";
  const names = path.split("/");
  if (names.some((name) => name === "" || name === "." || name === "..")) return "Its path does not name a file.";
  if (names.some((name) => name.length > MAX_NAME)) return `Its name is longer than ${MAX_NAME} characters.`;
  return undefined;
}

/** The path that a relative one means, seen from a folder; one from the root begins with `/`, and leads no higher. */
export function joined(folder: string, path: string): string {
  const isFromRoot = path.startsWith("/");
  const way = folder === "" || isFromRoot ? [] : folder.split("/");
  for (const name of path.split("/")) {
    if (name === "" || name === "." || (name === ".." && isFromRoot && way.length === 0)) continue;
    if (name !== ".." || way.length === 0 || way.at(-1) === "..") way.push(name);
    else way.pop();
  }
  return way.join("/");
}

/** The folder that a path is in; the root is the empty text. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** The last name of a path. */
export function lastNameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** How a file names another one. */
export function relativePath(from: string, to: string): string {
  const [here, there] = [from.split("/").slice(0, -1), to.split("/")];
  let shared = 0;
  while (shared < here.length && shared < there.length - 1 && here[shared] === there[shared]) shared++;
  return [...here.slice(shared).map(() => ".."), ...there.slice(shared)].join("/");
}

/** Whether a path names a text in Markdown. */
export function isMarkdown(path: string): boolean {
  return /\.(?:md|markdown|mdx)$/i.test(path);
}

/** Whether a file stands for the folder that it is in. */
export function isReadme(path: string): boolean {
  return /(?:^|\/)(?:readme|_?index)\.(?:md|markdown|mdx)$/i.test(path);
}

/** Whether a link leads out of the book, by the scheme of its address. */
export function isUrl(href: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(href) || href.startsWith("//");
}

/** The path and the anchor of a link; undefined when it has none. An anchor may be empty. */
export function splitHref(href: string): { readonly path: string; readonly anchor: string | undefined } {
  const hash = href.indexOf("#");
  const whole = hash < 0 ? href : href.slice(0, hash);
  const query = whole.indexOf("?");
  return {
    path: decoded(query < 0 ? whole : whole.slice(0, query)),
    anchor: hash < 0 ? undefined : decoded(href.slice(hash + 1)),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A path as the target of a link in Markdown. */
export function encodedPath(path: string): string {
  return path
    .replace(/[\s<>"`%\\#?|]/g, encodeURIComponent)
    .replaceAll("(", "%28")
    .replaceAll(")", "%29");
}

/**
 * The files that a link of a file may mean, the likeliest first. A folder is meant as its own page. A link from the root
 * may start at any folder above its file, because generators have their texts in one: `content/en`, `docs`.
 */
export function filesMeant(from: string, path: string): string[] {
  if (!path.startsWith("/")) return filesMeantIn(folderOf(from), path);
  const names = from.split("/").slice(0, -1);
  const roots = ["", ...names.map((_, i) => names.slice(0, i + 1).join("/"))];
  const way = joined("", path);
  const inside = way !== "" && path.endsWith("/") ? `${way}/` : way;
  return roots.flatMap((root) => [
    ...filesMeantIn(root, inside),
    ...(/\.(?!md|html?)\w+$/i.test(path) ? SERVED.map((folder) => joined(root, `${folder}/${inside}`)) : []),
  ]);
}

/** Folders whose files generators serve from the root. */
const SERVED = ["static", "public"];

function filesMeantIn(folder: string, path: string): string[] {
  const there = joined(folder, path);
  if (there === "") return ["README.md", "index.md", "_index.md"];
  const readmes = [`${there}/README.md`, `${there}/index.md`, `${there}/_index.md`];
  if (path === "") return readmes;
  const page = there.replace(/\.html?$/i, "");
  const texts = [`${there}.md`, `${there}.mdx`];
  if (path.endsWith("/")) return [...readmes, ...texts];
  return [there, ...(page === there ? [] : [`${page}.md`, ...readmesOf(page)]), ...texts, ...readmes];
}

/** A page of HTML is made of the text beside it; that of a folder, of its README. */
function readmesOf(page: string): string[] {
  return lastNameOf(page) === "index" ? [joined(folderOf(page), "README.md")] : [];
}

const OUTSIDE = /^\/(spaces|collections|users|openapi)\/([A-Za-z0-9_-]{1,64})(?:\/pages\/([A-Za-z0-9_-]{1,64}))?$/;

/** What an address means that names something outside of the book by its id. */
export function outsideRef(href: string): ContentRef | undefined {
  const [, kind, id = "", page] = OUTSIDE.exec(href) ?? [];
  if (kind === "spaces") return page === undefined ? { kind: "space", space: id } : { kind: "page", page, space: id };
  if (kind === undefined || page !== undefined) return undefined;
  if (kind === "collections") return { kind: "collection", collection: id };
  return kind === "users" ? { kind: "user", user: id } : { kind: "openapi", spec: id };
}
