// The text of a page as a file: fields of the page that the text does not state are added to it, and its links lead to files. A
// text that needs none of this stays as it is.

import { parsePageSource, updatePageSource } from "../page-source";
import { skipByteOrderMark } from "../page-source/find-front-matter";
import { parseFrontMatter } from "../page-source/front-matter";
import { escapeHeadingText } from "../page-source/title";
import { findTopLevelEnd, formatTomlMember } from "../page-source/toml";
import { createYamlNode, type FrontMatterValue, formatYaml } from "../page-source/yaml";
import type { LanguagesEntry, LinkEntry, PageEntry } from "../revision/entries";
import { toPageSourceChanges } from "../revision/fields";
import { replaceLinkTargets } from "../revision/link-targets";
import { listCandidatePathsByLanguage } from "./language-paths";
import { encodeLinkPath, getRelativePath, isUrl, splitHref } from "./paths";

/** The href of a link that leads nowhere. */
export const BROKEN_HREF = "broken-reference";

/** The fields that people set for a page, except for its title and its place. */
export const PAGE_FIELDS = [
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

/** The paths of everything that links of a book may lead to. */
export interface BookPathIndex {
  getPath(id: string): string | undefined;
  findId(path: string): string | undefined;
  /** Default: the book has one language. */
  readonly languages?: LanguagesEntry | undefined;
}

export function getUnstatedFields(page: PageEntry): Partial<PageEntry> {
  const names = PAGE_FIELDS.filter((name) => page[name] !== undefined && !page.stated?.includes(name));
  return Object.fromEntries(names.map((name) => [name, page[name]]));
}

export function addFrontMatterFields(text: string, fields: Partial<PageEntry>, title: string | undefined): string {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  let titledText = text;
  if (title !== undefined) {
    const bodyStart = parseFrontMatter(text)?.after ?? skipByteOrderMark(text);
    const body = text.slice(bodyStart);
    const gap = bodyStart > skipByteOrderMark(text) ? newline : "";
    const heading = `${gap}# ${escapeHeadingText(title)}${newline}${body.trim() === "" ? "" : newline}`;
    titledText = `${text.slice(0, bodyStart)}${heading}${body}`;
  }

  const values = Object.fromEntries(
    Object.entries(toPageSourceChanges(fields)).filter(([, value]) => value !== undefined && value !== null),
  ) as Record<string, FrontMatterValue>;
  if (Object.keys(values).length === 0) return titledText;

  const front = parseFrontMatter(titledText);
  const source = front?.isToml
    ? Object.entries(values).map(formatTomlMember).join("\n")
    : formatYaml(createYamlNode(values));
  const lines = `${source}\n`.replaceAll("\n", newline);
  let position = skipByteOrderMark(titledText);
  let added = `---${newline}${lines}---${newline}${newline}`;
  if (front) {
    position = front.isToml ? front.start + findTopLevelEnd(titledText.slice(front.start, front.end)) : front.end;
    added = lines;
  }
  const result = titledText.slice(0, position) + added + titledText.slice(position);
  // Front matter that cannot be read back would hide the fields that it had.
  const isReadable = parsePageSource(result).issues.length <= parsePageSource(titledText).issues.length;
  return isReadable ? result : titledText;
}

/** Rewrites the links of a text so that they lead to the files of their targets. */
export function rewriteLinks(text: string, path: string, links: readonly LinkEntry[], index: BookPathIndex): string {
  const linksByHref = new Map(links.map((link) => [link.href, link]));
  return replaceLinkTargets(text, (href) => {
    const link = linksByHref.get(href);
    if (!link) return undefined;
    if (link.to.startsWith("n:")) return /^\/(?:pages|files|reusable-contents)\//.test(href) ? BROKEN_HREF : undefined;
    const id = getRefId(link.ref);
    if (id === undefined) return undefined;
    const targetPath = index.getPath(id);
    if (targetPath === undefined) return BROKEN_HREF;

    // A link that names its target already stays as it is written.
    if (!isUrl(href)) {
      const candidates = listCandidatePathsByLanguage(index.languages, path, splitHref(href).path);
      if (candidates.map((candidate) => index.findId(candidate)).find(Boolean) === id) return undefined;
    }
    const hash = href.indexOf("#");
    return encodeLinkPath(getRelativePath(path, targetPath)) + (hash < 0 ? "" : href.slice(hash));
  });
}

/** Returns the id of the page, file or reusable content of this space that a reference means. */
export function getRefId(ref: LinkEntry["ref"]): string | undefined {
  if ("space" in ref && ref.space !== undefined) return undefined;
  if (ref.kind === "page" || ref.kind === "anchor") return ref.page;
  if (ref.kind === "file") return ref.file;
  return ref.kind === "reusable-content" ? ref.reusableContent : undefined;
}

/** Rewrites the cover that a text states so that it names the path of its file. */
export function rewriteCover(text: string, path: string, { cover }: PageEntry, index: BookPathIndex): string {
  const stated = parsePageSource(text).fields.cover;
  const id = cover && getRefId(cover.ref);
  if (stated === undefined || id === undefined) return text;
  if (!isUrl(stated)) {
    const candidates = listCandidatePathsByLanguage(index.languages, path, splitHref(stated).path);
    if (candidates.some((candidate) => index.findId(candidate) === id)) return text;
  }
  const targetPath = index.getPath(id);
  return targetPath === undefined ? text : updatePageSource(text, { cover: getRelativePath(path, targetPath) });
}
