// Resolves a URL of the application or of a published site to its content, with the rights of the caller.

import { findPageByHtmlPath } from "../../../content/revision/html-paths";
import { createError, DocsError } from "../../../errors";
import { followMoves } from "../../../operation/moved-error";
import type { CallContext } from "../../../operation/operation";
import type { Target, TargetContext } from "../../../operation/target";
import { CODE_LENGTH } from "../../../storage/ids";
import { tryParseUrl } from "../../../utils/url";
import { changeRequest } from "../../content/change-requests/rules";
import { getShownContent } from "../../content/revisions/computed-content";
import { content, revision, type ShownContentContext } from "../../content/revisions/rules";
import { collection } from "../../library/collections/rules";
import { organization } from "../../people/organizations/rules";
import { site } from "../rules";
import { readStructure } from "../structure/structure";
import { locateSite, removeBasePath } from "./locate-site";
import { matchSiteSpace } from "./site-urls";
import { parseUrlPath } from "./url-paths";

/** The content that a URL leads to, by its ids, and its path in the API. */
interface ContentLocation {
  readonly type: "organization" | "collection" | "space" | "page" | "change-request" | "revision" | "file" | "site";
  readonly organization: string;
  readonly collection?: string;
  readonly site?: string;
  readonly siteSpace?: string;
  readonly space?: string;
  readonly changeRequest?: string | undefined;
  readonly revision?: string;
  readonly page?: string;
  readonly file?: string;
  readonly apiPath: string;
}

type UrlLookupContext = Pick<TargetContext, "directory" | "actor" | "now" | "peek" | "secrets" | "objects"> &
  Pick<CallContext, "urls" | "jobContext">;

export async function resolveContentUrl(context: UrlLookupContext & { readonly query: { readonly url: string } }) {
  const { url } = context.query;
  let location = await resolveAppUrl(context, url);
  // A URL of a site may be published or not. A share key in it isn't checked.
  const located = location ? undefined : await locateSite(context, url);
  if (located) {
    const { tx, organization, site, segments } = located;
    const path = site.visibility === "share-link" ? segments.slice(1) : segments;
    const match = matchSiteSpace(await readStructure(tx, site, context.jobContext.ports), path);
    const siteLocation = await findSiteById(context, organization.id, site.id);
    location = match && (await findInSpace(context, match.siteSpace.space, match.rest));
    if (!location) location = path.length === 0 ? siteLocation : undefined;
    else if (siteLocation) location = { ...location, site: site.id, siteSpace: match!.siteSpace.id };
  }
  if (!location) throw createError("url_not_found");
  const { apiPath, ...ids } = location;
  return { object: "content-url" as const, ...ids, urls: { location: context.urls.api(apiPath) } };
}

/** Resolves a URL of the application, which has the form of `urls.app` in responses. */
async function resolveAppUrl(context: UrlLookupContext, url: string): Promise<ContentLocation | undefined> {
  const parsedUrl = tryParseUrl(url);
  const segments = parsedUrl && parseUrlPath(parsedUrl.pathname);
  const path = (segments && removeBasePath(context.urls.app(""), parsedUrl, segments)) ?? [];
  const [prefix, organizationId, kind, id, ...rest] = path;
  if (prefix !== "o" || organizationId === undefined) return undefined;
  if (kind === undefined) {
    const found = await loadVisibleTarget(context, organization, { organizationId });
    return found && { type: "organization", organization: organizationId, apiPath: `/orgs/${organizationId}` };
  }
  if (id === undefined) return undefined;
  if (kind === "s") return findInSpace(context, id, rest);
  if (rest.length > 0) return undefined;
  if (kind === "sites") return findSiteById(context, organizationId, id);
  const found = kind === "c" ? await loadVisibleTarget(context, collection, { collectionId: id }) : undefined;
  if (!found) return undefined;
  const ids = { organization: found.loaded.organization.id, collection: id };
  return { type: "collection", ...ids, apiPath: `/collections/${id}` };
}

async function findSiteById(
  context: UrlLookupContext,
  organizationId: string,
  siteId: string,
): Promise<ContentLocation | undefined> {
  const found = await loadVisibleTarget(context, site, { organizationId, siteId });
  const ids = { organization: organizationId, site: siteId };
  return found && { type: "site", ...ids, apiPath: `/orgs/${organizationId}/sites/${siteId}` };
}

/**
 * Finds a space, or content in it. The rest of the path is that of a page, or begins with `~` and names a change request, a revision
 * or a file. Behind the first two, the path of a page may follow.
 */
async function findInSpace(
  context: UrlLookupContext,
  spaceId: string,
  rest: readonly string[],
): Promise<ContentLocation | undefined> {
  const [marker, kind, id, ...path] = rest;
  const spacePath = `/spaces/${spaceId}`;
  if (marker !== "~") {
    const found = await loadVisibleTarget(context, content, { spaceId });
    const itself = { type: "space", apiPath: spacePath } as const;
    return found && findPageInContent(context, found, `${spacePath}/content`, rest, itself);
  }
  if (id === undefined) return undefined;
  if (kind === "changes") {
    const found = await loadVisibleTarget(context, changeRequest, { spaceId, changeRequestId: id });
    // The path may have the number of the change request instead of its id.
    const changeRequestId = found?.loaded.changeRequest.id;
    const apiPath = `${spacePath}/change-requests/${changeRequestId}`;
    const itself = { type: "change-request", changeRequest: changeRequestId, apiPath } as const;
    return found && findPageInContent(context, found, `${apiPath}/content`, path, itself);
  }
  if (kind === "revisions") {
    const found = await loadVisibleTarget(context, revision, { spaceId, revisionId: id });
    const apiPath = `${spacePath}/revisions/${id}`;
    return found && findPageInContent(context, found, apiPath, path, { type: "revision", revision: id, apiPath });
  }
  if (kind !== "files" || path.length > 0) return undefined;
  const found = await loadVisibleTarget(context, content, { spaceId });
  const file = found && (await getShownView(context, found).getFile(id));
  if (!file) return undefined;
  const ids = { organization: found.loaded.organization.id, space: spaceId, file: id };
  return { type: "file", ...ids, apiPath: `${spacePath}/content/files/${id}` };
}

async function findPageInContent(
  context: UrlLookupContext,
  found: LoadedTarget<ShownContentContext>,
  contentPath: string,
  path: readonly string[],
  itself: Omit<ContentLocation, "organization" | "space">,
): Promise<ContentLocation | undefined> {
  const ids = { organization: found.loaded.organization.id, space: found.loaded.space.id };
  if (path.length === 0) return { ...itself, ...ids };
  const view = getShownView(context, found);
  const page = (await view.findPageByPath(path.join("/"))) ?? (await findPageByHtmlPath(view, path.join("/")));
  return page && { ...itself, ...ids, type: "page", page: page.id, apiPath: `${contentPath}/page/${page.id}` };
}

/** A target that the caller may see, and the scope that it was loaded in. */
interface LoadedTarget<Loaded> {
  readonly loaded: Loaded;
  readonly scope: TargetContext;
}

/** Loads a target as an operation on it does. Returns undefined if it's absent or hidden. */
async function loadVisibleTarget<Loaded extends object>(
  { directory, actor, now, peek, secrets, objects, jobContext }: UrlLookupContext,
  target: Target<Loaded, "view">,
  params: Readonly<Record<string, string>>,
): Promise<LoadedTarget<Loaded> | undefined> {
  return followMoves(target.findPartition(params, ""), async (partition, forwardedFrom) => {
    const tx = await peek(partition);
    const scope: TargetContext = {
      directory,
      actor,
      now,
      peek,
      secrets,
      params,
      query: {},
      partitionCode: partition.slice(-CODE_LENGTH),
      forwardedFrom,
      tx,
      objects: objects.at(tx),
      ports: jobContext.ports,
    };
    const loaded = await target.load(scope).catch((error: unknown) => {
      // A parent of the target is absent or hidden.
      if (!(error instanceof DocsError && error.status === 404)) throw error;
    });
    return loaded && target.rights.view(loaded) ? { loaded, scope } : undefined;
  });
}

function getShownView({ jobContext }: UrlLookupContext, { loaded, scope }: LoadedTarget<ShownContentContext>) {
  const { tx, objects, peek } = scope;
  return getShownContent({ ...loaded, tx, objects, peek, jobContext, query: {} }, loaded.revision).view;
}
