// The text of a page as a file: what its page has and it does not state is added to it, and its links lead to files. A text
// that needs nothing of this comes out as it went in.

import { parsePageSource, updatePageSource } from "../page-source";
import { skipByteOrderMark } from "../page-source/find-front-matter";
import { parseFrontMatter } from "../page-source/front-matter";
import { formatTitleHeading } from "../page-source/title";
import { findTopLevelEnd, formatTomlLines } from "../page-source/toml";
import { createYamlNode, type FrontMatterValue, formatYaml } from "../page-source/yaml";
import type { LanguagesEntry, LinkEntry, PageEntry } from "../revision/entries";
import { toPageSourceChanges } from "../revision/fields";
import { replaceLinkTargets } from "../revision/texts";
import { filesMeantIn } from "./language-paths";
import { encodedPath, isUrl, relativePath, splitHref } from "./paths";

/** What a link that leads nowhere leads to. */
export const BROKEN = "broken-reference";

/** The fields that people set for a page, except for its title and its place. */
export const FIELDS = [
  "icon",
  "emoji",
  "description",
  "cover",
  "hidden",
  "noIndex",
  "noRobotsIndex",
  "condition",
  "variables",
  "layout",
] as const satisfies (keyof PageEntry)[];

/** The fields of a page that its text does not state. */
export function unstated(page: PageEntry): Partial<PageEntry> {
  const names = FIELDS.filter((name) => page[name] !== undefined && !page.stated?.includes(name));
  return Object.fromEntries(names.map((name) => [name, page[name]]));
}

/** Where everything stands that links may lead to. */
export interface Stands {
  /** The path of a page, a file or a reusable content. */
  pathOf(id: string): string | undefined;
  /** What stands at a path. */
  idAt(path: string): string | undefined;
  /** Default: the book has one language. */
  readonly languages?: LanguagesEntry | undefined;
}

/** A text with fields that it does not state added to its front matter, and a title if one is given. */
export function withFields(text: string, fields: Partial<PageEntry>, title: string | undefined): string {
  const values = Object.fromEntries(
    Object.entries(toPageSourceChanges(fields)).filter(([, value]) => value !== undefined && value !== null),
  ) as Record<string, FrontMatterValue>;
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const titled = title === undefined ? text : withTitle(text, title, newline);
  if (Object.keys(values).length === 0) return titled;
  const front = parseFrontMatter(titled);
  const inside = front && titled.slice(front.start, front.end);
  const lines = (front?.isToml ? formatTomlLines(values) : `${formatYaml(createYamlNode(values))}\n`).replaceAll(
    "\n",
    newline,
  );
  const at = front ? (front.isToml ? front.start + findTopLevelEnd(inside!) : front.end) : skipByteOrderMark(titled);
  const added = front ? lines : `---${newline}${lines}---${newline}${newline}`;
  const next = titled.slice(0, at) + added + titled.slice(at);
  const isRead = parsePageSource(next).issues.length <= parsePageSource(titled).issues.length;
  return isRead ? next : titled;
}

function withTitle(text: string, title: string, newline: string): string {
  const at = parseFrontMatter(text)?.after ?? skipByteOrderMark(text);
  const rest = text.slice(at);
  const gap = at > skipByteOrderMark(text) ? newline : "";
  return `${text.slice(0, at)}${gap}${formatTitleHeading(title)}${newline}${rest.trim() === "" ? "" : newline}${rest}`;
}

/** A text of a file whose links lead to the files of what they lead to. */
export function withFileLinks(text: string, path: string, links: readonly LinkEntry[], stands: Stands): string {
  const known = new Map(links.map((link) => [link.href, link]));
  const targetFor = (href: string) => {
    const link = known.get(href);
    return link && fileHref(link, path, stands);
  };
  return replaceLinkTargets(text, targetFor);
}

/** How a file names what a link leads to; undefined when it is named well already. */
function fileHref({ href, ref, to }: LinkEntry, path: string, stands: Stands): string | undefined {
  if (to.startsWith("n:")) return /^\/(?:pages|files|reusable-contents)\//.test(href) ? BROKEN : undefined;
  const id = idIn(ref);
  if (id === undefined) return undefined;
  const there = stands.pathOf(id);
  if (there === undefined) return BROKEN;
  if (!isUrl(href) && filesMeantIn(stands.languages, path, splitHref(href).path).map(stands.idAt).find(Boolean) === id)
    return undefined;
  const hash = href.indexOf("#");
  return encodedPath(relativePath(path, there)) + (hash < 0 ? "" : href.slice(hash));
}

/** The page, file or reusable content of this space that a reference means. */
export function idIn(ref: LinkEntry["ref"]): string | undefined {
  if ("space" in ref && ref.space !== undefined) return undefined;
  if (ref.kind === "page" || ref.kind === "anchor") return ref.page;
  if (ref.kind === "file") return ref.file;
  return ref.kind === "reusable-content" ? ref.reusableContent : undefined;
}

/** A text whose cover is named by the path of its file. */
export function withFileCover(text: string, path: string, { cover }: PageEntry, stands: Stands): string {
  const stated = parsePageSource(text).fields.cover;
  const id = cover && idIn(cover.ref);
  if (stated === undefined || id === undefined) return text;
  if (
    !isUrl(stated) &&
    filesMeantIn(stands.languages, path, splitHref(stated).path).some((it) => stands.idAt(it) === id)
  )
    return text;
  const there = stands.pathOf(id);
  return there === undefined ? text : updatePageSource(text, { cover: relativePath(path, there) });
}
