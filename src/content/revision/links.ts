// Resolves links. A link is resolved when its text is written, and keeps the id that it found, which survives moves and
// renames. A link that finds nothing is stored under the path that it names, and finds its page when one comes to that path.

import { omitUndefined } from "../../utils/objects";
import { listCandidatePathsByLanguage } from "../book/language-paths";
import { splitHref } from "../book/paths";
import type { ContentRef } from "../document";
import { resolveAsWritten } from "../markdown/hrefs";
import { createSlug } from "../slugs";
import { keys, type LanguagesEntry, type LinkEntry, linkTargets, type PageEntry, type PathEntry } from "./entries";
import type { RevisionView, WithId } from "./view";

const idPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** The position of a text, from which its links are resolved. */
export interface LinkContext {
  /** The page. Undefined inside a reusable content. */
  readonly page: WithId<PageEntry> | undefined;
  /** The paths that a relative link may start from, the most likely one first. Each is a list of slugs. */
  readonly bases: readonly (readonly string[])[];
  /** The path of the text's file in a repository, for links that name other files. */
  readonly path?: string | undefined;
  /** The languages of the book of that file. Default: the book has one language. */
  readonly languages?: LanguagesEntry | undefined;
}

export type ResolvedLink = Pick<LinkEntry, "to" | "ref" | "path">;

/** Creates links by the kind of their target. */
const createLink = {
  page(page: string, anchor: string | undefined, context?: LinkContext): ResolvedLink {
    const to = linkTargets.page(page, anchor);
    if (anchor === undefined) return { to, ref: { kind: "page", page } };
    const isSamePage = context?.page?.id === page;
    return { to, ref: { kind: "anchor", anchor, ...omitUndefined({ page: isSamePage ? undefined : page }) } };
  },
  file: (file: string): ResolvedLink => ({ to: linkTargets.file(file), ref: { kind: "file", file } }),
  reusable: (reusableContent: string): ResolvedLink => {
    return { to: linkTargets.reusable(reusableContent), ref: { kind: "reusable-content", reusableContent } };
  },
  external: (ref: ContentRef): ResolvedLink => {
    return { to: linkTargets.external(JSON.stringify(Object.values(ref))), ref };
  },
  broken: (path: string, href: string): ResolvedLink => {
    return { to: linkTargets.missing(path), ref: { kind: "url", url: href }, path };
  },
};

/** Returns a key for what decides a link's target: the name of a specification may also be a page's path. */
export function getLinkKey({ href, as }: Pick<LinkEntry, "href" | "as">): string {
  return as === "openapi" ? `openapi ${href}` : `link ${href}`;
}

/** Returns the context of a page's links: relative ones start beside the page, or below `setup/README.md`. */
export async function getPageLinkContext(view: RevisionView, page: WithId<PageEntry>): Promise<LinkContext> {
  const slugs = (await view.getAncestry(page.id)).toReversed().map(({ slug }) => slug);
  // The README at the top is a page beside the others: they are not below it.
  const isReadme = page.git !== undefined && /\/(readme|_?index)\.mdx?$/i.test(page.git.path);
  const [beside, below] = [slugs.slice(0, -1), slugs];
  return { page, bases: isReadme ? [below, beside] : [beside, below], ...(await getFileContext(view, page)) };
}

/** Returns the part of a link context that depends on the text's file: its path, and the languages of its book. */
export async function getFileContext(
  view: RevisionView,
  { git }: Pick<PageEntry, "git">,
): Promise<Partial<LinkContext>> {
  return git ? { path: git.path, languages: (await view.get(keys.languages)) as LanguagesEntry | undefined } : {};
}

/** Resolves a link. `as` is its purpose. */
export async function resolveLink(
  view: RevisionView,
  context: LinkContext,
  href: string,
  as?: string,
): Promise<ResolvedLink> {
  const spec = as === "openapi" ? resolveAsWritten(href, as) : undefined;
  if (spec?.kind === "openapi") return createLink.external(spec);
  if (/^[a-z][a-z0-9+.-]*:/i.test(href) || href.startsWith("//"))
    return createLink.external({ kind: "url", url: href });
  const { path, anchor: anchorText } = splitHref(href);
  const anchor = anchorText || undefined;
  if (path === "")
    return anchor !== undefined && context.page
      ? createLink.page(context.page.id, anchor, context)
      : createLink.broken(href, href);
  return (
    (await resolveIdPath(view, context, path, anchor)) ??
    (await resolveRelativePath(view, context, path, anchor)) ??
    createLink.broken(listCandidateSlugPaths(context, path)[0] ?? path, href)
  );
}

/**
 * Returns the present target of a stored link. A link that found nothing when it was written may have a page by now. Names
 * of specifications were once stored as paths. The `ref` has the anchor that the target has, whichever rule the link's
 * anchor follows.
 */
export async function resolveStoredLink(view: RevisionView, link: LinkEntry): Promise<ResolvedLink> {
  if (!link.to.startsWith("n:")) return resolveAnchor(view, link);
  const spec = link.as === "openapi" ? resolveAsWritten(link.href, link.as) : undefined;
  if (spec?.kind === "openapi") return resolveAnchor(view, createLink.external(spec));
  const { path, anchor } = splitHref(link.href);
  const page = link.path === undefined ? undefined : await view.findPageByPath(link.path);
  return resolveAnchor(view, page && path !== "" ? createLink.page(page.id, anchor || undefined) : link);
}

/** Returns the link with the anchor of its heading in place of its own. The anchor of the title stands for the page itself. */
export async function resolveAnchor(view: RevisionView, link: ResolvedLink): Promise<ResolvedLink> {
  const { ref } = link;
  const [kind, page = ""] = link.to.split(":");
  if (ref.kind !== "anchor" || ref.space !== undefined || kind !== "p") return link;
  const anchor = await view.findAnchor(page, ref.anchor);
  if (anchor === undefined || anchor === ref.anchor) return link;
  return { ...link, ref: anchor === "" ? { kind: "page", page } : { ...ref, anchor } };
}

/** Resolves a path that names something by its id, such as `/pages/<id>` and `/spaces/<id>/pages/<id>`. */
async function resolveIdPath(
  view: RevisionView,
  context: LinkContext,
  path: string,
  anchor: string | undefined,
): Promise<ResolvedLink | undefined> {
  const match =
    /^\/(files|pages|spaces|collections|users|reusable-contents|openapi)\/([^/]+)(?:\/pages\/([^/]+))?$/.exec(path);
  if (!match) return undefined;
  const [, kind, id = "", page] = match;
  if (!idPattern.test(id) || !idPattern.test(page ?? id)) return undefined;
  if (kind === "spaces")
    return createLink.external(page ? { kind: "page", page, space: id } : { kind: "space", space: id });
  if (page !== undefined) return undefined;
  if (kind === "pages") return (await view.getPage(id)) ? createLink.page(id, anchor, context) : undefined;
  if (kind === "files") return (await view.getFile(id)) ? createLink.file(id) : undefined;
  if (kind === "reusable-contents") return (await view.getReusable(id)) ? createLink.reusable(id) : undefined;
  if (kind === "collections") return createLink.external({ kind: "collection", collection: id });
  if (kind === "users") return createLink.external({ kind: "user", user: id });
  return createLink.external({ kind: "openapi", spec: id });
}

/** Resolves a path that names a file or slugs. */
async function resolveRelativePath(
  view: RevisionView,
  context: LinkContext,
  path: string,
  anchor: string | undefined,
): Promise<ResolvedLink | undefined> {
  const filePaths =
    context.path === undefined ? [] : listCandidatePathsByLanguage(context.languages, context.path, path);
  for (const filePath of filePaths) {
    const link = await resolveFilePath(view, filePath, context, anchor);
    if (link) return link;
  }
  const assetStart = path.indexOf(".gitbook/");
  if (assetStart >= 0) return resolveFilePath(view, path.slice(assetStart), context, anchor);
  const id = removeFileEnding(path.replace(/^\.\//, ""));
  if (!id.includes("/") && (await view.getPage(id))) return createLink.page(id, anchor, context);
  for (const candidate of listCandidateSlugPaths(context, path)) {
    const page = await view.findPageByPath(candidate);
    if (page) return createLink.page(page.id, anchor, context);
  }
  return undefined;
}

async function resolveFilePath(
  view: RevisionView,
  path: string,
  context: LinkContext,
  anchor: string | undefined,
): Promise<ResolvedLink | undefined> {
  const entry = (await view.get(keys.filePath(path))) as PathEntry | undefined;
  if (entry?.page !== undefined) return createLink.page(entry.page, anchor, context);
  if (entry?.file !== undefined) return createLink.file(entry.file);
  return entry?.reusable === undefined ? undefined : createLink.reusable(entry.reusable);
}

/**
 * Returns the slug paths that a path may mean, the most likely one first. A path from the root may start at any page above
 * its own, as in repositories. A path without a file ending is the URL of a page, and slugs of other tools follow other
 * rules.
 */
function listCandidateSlugPaths({ bases }: LinkContext, path: string): string[] {
  const above = bases[0] ?? [];
  const starts = path.startsWith("/") ? [[], ...above.map((_, i) => above.slice(0, i + 1))] : bases;
  const names = removeFileEnding(path).split("/");
  const variants = [names];
  if (!/\.(?:md|mdx|markdown|html?)$/i.test(path))
    variants.push(names.map((name) => (/^\.{0,2}$|[\0-\x1f\\]/.test(name) ? name : createSlug(name))));

  const candidates = new Set<string>();
  for (const variant of variants)
    for (const start of starts) {
      const slugs = [...start];
      let isAboveTop = false;
      for (const name of variant) {
        if (name === "" || name === ".") continue;
        if (name !== "..") slugs.push(name);
        else if (slugs.pop() === undefined) isAboveTop = true;
      }
      if (!isAboveTop && slugs.length > 0) candidates.add(slugs.join("/"));
    }
  return [...candidates];
}

/** Removes the ending of a page's file, which is named after the page's slug or stands for the folder that it is in. */
function removeFileEnding(path: string): string {
  return path.replace(/\.(md|mdx|markdown)$/i, "").replace(/(^|\/)(readme|_?index)$/i, "$1");
}
