// Where links lead. A link is resolved when its text is written, and keeps the id that it found, which survives moves
// and renames. A link that found nothing is stored under the path it names, and finds its page when one comes to that
// path.

import { omitUndefined } from "../../utils/objects";
import { listCandidatePathsByLanguage } from "../book/language-paths";
import type { ContentRef } from "../document";
import { specIn } from "../markdown/reader/reading";
import { createSlug } from "../slugs";
import { keys, type LanguagesEntry, type LinkEntry, linkTargets, type PageEntry, type PathEntry } from "./entries";
import type { RevisionView, WithId } from "./view";

/** Ids have no other form. */
const ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Where a link stands. */
export interface LinkContext {
  /** The page; undefined inside a reusable content. */
  readonly page: WithId<PageEntry> | undefined;
  /** The paths that a relative link may start from, the likeliest first; each is a list of slugs. */
  readonly bases: readonly (readonly string[])[];
  /** The file that the text is in a repository, for links that name other files. */
  readonly path?: string | undefined;
  /** The languages of the book that the file belongs to. Default: there is one alone. */
  readonly languages?: LanguagesEntry | undefined;
}

/** What a link leads to. */
export type ResolvedLink = Pick<LinkEntry, "to" | "ref" | "path">;

/** What decides about the target of a link in its place: the name of a specification may also be the path of a page. */
export function getLinkKey({ href, as }: Pick<LinkEntry, "href" | "as">): string {
  return as === "openapi" ? `openapi ${href}` : `link ${href}`;
}

/** Where relative links of a page start: beside it, as from `guides/setup.md`, or below it, as from `guides/setup/README.md`. */
export async function getPageLinkContext(view: RevisionView, page: WithId<PageEntry>): Promise<LinkContext> {
  const way = (await view.getAncestry(page.id)).toReversed().map(({ slug }) => slug);
  // The README at the top is a page beside the others; they are not below it.
  const isReadme = page.git !== undefined && /\/(readme|_?index)\.mdx?$/i.test(page.git.path);
  const [beside, below] = [way.slice(0, -1), way];
  return { page, bases: isReadme ? [below, beside] : [beside, below], ...(await getFileContext(view, page)) };
}

/** Where a text is a file: its path, and the languages of its book. */
export async function getFileContext(
  view: RevisionView,
  { git }: Pick<PageEntry, "git">,
): Promise<Partial<LinkContext>> {
  return git ? { path: git.path, languages: (await view.get(keys.languages)) as LanguagesEntry | undefined } : {};
}

/** Finds out where a link leads; `as` is what its address is used for. */
export async function resolveLink(
  view: RevisionView,
  place: LinkContext,
  href: string,
  as?: string,
): Promise<ResolvedLink> {
  const spec = as === "openapi" ? specIn(href) : undefined;
  if (spec) return elsewhere(spec);
  if (/^[a-z][a-z0-9+.-]*:/i.test(href) || href.startsWith("//")) return elsewhere({ kind: "url", url: href });
  const { path, anchor } = splitHref(href);
  if (path === "")
    return anchor !== undefined && place.page ? toPage(place.page.id, anchor, place) : missing(href, href);
  const byId =
    /^\/(files|pages|spaces|collections|users|reusable-contents|openapi)\/([^/]+)(?:\/pages\/([^/]+))?$/.exec(path);
  if (byId) {
    const found = await resolveId(view, place, byId[1]!, byId[2]!, byId[3], anchor);
    if (found) return found;
  }
  return (await resolvePath(view, place, path, anchor)) ?? missing(candidates(place, path)[0] ?? path, href);
}

/**
 * The present target of a link. A link that found nothing when it was written may have a page by now. Names of
 * specifications were once stored as paths. `ref` has the anchor that the target has, by whatever rule the link names it.
 */
export async function resolveStoredLink(view: RevisionView, link: LinkEntry): Promise<ResolvedLink> {
  return resolveAnchor(view, link.to.startsWith("n:") ? await comeSince(view, link) : link);
}

/** A target whose reference has the anchor that its heading has; a title is the page itself. */
export async function resolveAnchor(view: RevisionView, found: ResolvedLink): Promise<ResolvedLink> {
  const { ref } = found;
  const [kind, page = ""] = found.to.split(":");
  if (ref.kind !== "anchor" || ref.space !== undefined || kind !== "p") return found;
  const anchor = await view.findAnchor(page, ref.anchor);
  if (anchor === undefined || anchor === ref.anchor) return found;
  return { ...found, ref: anchor === "" ? { kind: "page", page } : { ...ref, anchor } };
}

async function comeSince(view: RevisionView, link: LinkEntry): Promise<ResolvedLink> {
  const spec = link.as === "openapi" ? specIn(link.href) : undefined;
  if (spec) return elsewhere(spec);
  const { path, anchor } = splitHref(link.href);
  const known = link.path === undefined ? undefined : await view.findPageByPath(link.path);
  if (known && path !== "") return toPage(known.id, anchor);
  return link;
}

async function resolveId(
  view: RevisionView,
  place: LinkContext,
  kind: string,
  id: string,
  page: string | undefined,
  anchor: string | undefined,
): Promise<ResolvedLink | undefined> {
  if (![id, page ?? id].every((it) => ID.test(it))) return undefined;
  if (kind === "spaces") return elsewhere(page ? { kind: "page", page, space: id } : { kind: "space", space: id });
  if (page !== undefined) return undefined;
  if (kind === "pages") return (await view.getPage(id)) ? toPage(id, anchor, place) : undefined;
  if (kind === "files") return (await view.getFile(id)) ? toFile(id) : undefined;
  if (kind === "reusable-contents") return (await view.getReusable(id)) ? toReusable(id) : undefined;
  if (kind === "collections") return elsewhere({ kind: "collection", collection: id });
  if (kind === "users") return elsewhere({ kind: "user", user: id });
  return elsewhere({ kind: "openapi", spec: id });
}

async function resolvePath(
  view: RevisionView,
  place: LinkContext,
  path: string,
  anchor: string | undefined,
): Promise<ResolvedLink | undefined> {
  const beside = place.path === undefined ? [] : listCandidatePathsByLanguage(place.languages, place.path, path);
  for (const meant of beside) {
    const found = await resolveFilePath(view, meant, place, anchor);
    if (found) return found;
  }
  const asset = path.indexOf(".gitbook/");
  if (asset >= 0) return resolveFilePath(view, path.slice(asset), place, anchor);
  const id = withoutEnding(path.replace(/^\.\//, ""));
  if (!id.includes("/") && (await view.getPage(id))) return toPage(id, anchor, place);
  for (const candidate of candidates(place, path)) {
    const page = await view.findPageByPath(candidate);
    if (page) return toPage(page.id, anchor, place);
  }
  return undefined;
}

async function resolveFilePath(
  view: RevisionView,
  path: string,
  place: LinkContext,
  anchor: string | undefined,
): Promise<ResolvedLink | undefined> {
  const found = (await view.get(keys.filePath(path))) as PathEntry | undefined;
  if (found?.page !== undefined) return toPage(found.page, anchor, place);
  if (found?.file !== undefined) return toFile(found.file);
  return found?.reusable === undefined ? undefined : toReusable(found.reusable);
}

/**
 * The slug paths that a path may mean, the likeliest first. One from the root may start at any page above its own, as
 * files do. A path without an ending is an address of a page, and those are slugs too, by other rules.
 */
function candidates({ bases }: LinkContext, path: string): string[] {
  const above = bases[0] ?? [];
  const starts = path.startsWith("/") ? [[], ...above.map((_, i) => above.slice(0, i + 1))] : bases;
  const names = withoutEnding(path).split("/");
  const folded = /\.(?:md|mdx|markdown|html?)$/i.test(path) ? [] : [names.map(foldedName)];
  const all = [names, ...folded].flatMap((way) => starts.map((base) => walk(base, way)));
  return [...new Set(all.filter((it) => it !== undefined && it !== ""))] as string[];
}

function foldedName(name: string): string {
  return /^\.{0,2}$|[\0-\x1f\\]/.test(name) ? name : createSlug(name);
}

/** Steps along names from a base; undefined when they lead above the top. */
function walk(base: readonly string[], names: readonly string[]): string | undefined {
  const at = [...base];
  for (const name of names) {
    if (name === "" || name === ".") continue;
    if (name !== "..") at.push(name);
    else if (at.pop() === undefined) return undefined;
  }
  return at.join("/");
}

/** A page's file is named after its slug, or stands for the folder that it is in. */
function withoutEnding(path: string): string {
  return path.replace(/\.(md|mdx|markdown)$/i, "").replace(/(^|\/)(readme|_?index)$/i, "$1");
}

function splitHref(href: string): { readonly path: string; readonly anchor: string | undefined } {
  const [whole, anchor] = cut(href, "#");
  const [path] = cut(whole, "?");
  return { path: decoded(path), anchor: anchor === undefined || anchor === "" ? undefined : decoded(anchor) };
}

function cut(text: string, at: string): [string, string | undefined] {
  const index = text.indexOf(at);
  return index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function toPage(page: string, anchor: string | undefined, place?: LinkContext): ResolvedLink {
  const to = linkTargets.page(page, anchor);
  if (anchor === undefined) return { to, ref: { kind: "page", page } };
  const isHere = place?.page?.id === page;
  return { to, ref: { kind: "anchor", anchor, ...omitUndefined({ page: isHere ? undefined : page }) } };
}

function toFile(file: string): ResolvedLink {
  return { to: linkTargets.file(file), ref: { kind: "file", file } };
}

function toReusable(reusableContent: string): ResolvedLink {
  return { to: linkTargets.reusable(reusableContent), ref: { kind: "reusable-content", reusableContent } };
}

function elsewhere(ref: ContentRef): ResolvedLink {
  return { to: linkTargets.external(JSON.stringify(Object.values(ref))), ref };
}

function missing(path: string, href: string): ResolvedLink {
  return { to: linkTargets.missing(path), ref: { kind: "url", url: href }, path };
}
