// Finds what a URL of the application or of a published site leads to, with the rights of the caller.

import { findPageByHtmlPath } from "../../../content/revision/html-paths";
import { createError, DocsError } from "../../../errors";
import type { JobContext } from "../../../jobs/jobs";
import { followMoves } from "../../../operation/moved-error";
import type { Target, TargetContext } from "../../../operation/target";
import type { Urls } from "../../../ports/urls";
import { CODE_LENGTH } from "../../../storage/ids";
import type { Objects } from "../../../storage/objects";
import { tryParseUrl } from "../../../utils/url";
import { changeRequest } from "../../content/change-requests/rules";
import { getShownContent } from "../../content/revisions/computed-content";
import { content, type InShownContent, revision } from "../../content/revisions/rules";
import { collection } from "../../library/collections/rules";
import { organization } from "../../people/organizations/rules";
import { site } from "../rules";
import { readStructure } from "../structure/structure";
import { locateSite, removeBasePath } from "./locate-site";
import { matchSiteSpace } from "./page-urls";
import { parseUrlPath } from "./url-paths";

/** What a URL leads to, by its ids, with the path of the API to it. */
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
  readonly at: string;
}

interface UrlLookupContext extends Pick<TargetContext, "directory" | "actor" | "now" | "peek" | "secrets"> {
  readonly objects: Objects;
  readonly urls: Urls;
  readonly jobContext: JobContext;
}

/** The answer about a URL. */
export async function resolveContentUrl(looking: UrlLookupContext & { readonly query: { readonly url: string } }) {
  const { url } = looking.query;
  const found = (await findInApp(looking, url)) ?? (await findOnSite(looking, url));
  if (!found) throw createError("url_not_found");
  const { at, ...ids } = found;
  return { object: "content-url" as const, ...ids, urls: { location: looking.urls.api(at) } };
}

type Params = Readonly<Record<string, string>>;

/** A URL of the application, as answers give them in `urls.app`. */
async function findInApp(looking: UrlLookupContext, url: string): Promise<ContentLocation | undefined> {
  const asked = tryParseUrl(url);
  const parts = asked && parseUrlPath(asked.pathname);
  const [o, organizationId, room, id, ...rest] = (parts && removeBasePath(looking.urls.app(""), asked, parts)) ?? [];
  if (o !== "o" || organizationId === undefined) return undefined;
  if (room === undefined) return theOrganization(looking, organizationId);
  if (id === undefined) return undefined;
  if (room === "s") return findInSpace(looking, id, rest);
  if (rest.length > 0) return undefined;
  if (room === "c") return theCollection(looking, id);
  return room === "sites" ? findSiteById(looking, organizationId, id) : undefined;
}

async function theOrganization(
  looking: UrlLookupContext,
  organizationId: string,
): Promise<ContentLocation | undefined> {
  const found = await loadVisibleTarget(looking, organization, { organizationId });
  return found && { type: "organization", organization: organizationId, at: `/orgs/${organizationId}` };
}

async function theCollection(looking: UrlLookupContext, collectionId: string): Promise<ContentLocation | undefined> {
  const found = await loadVisibleTarget(looking, collection, { collectionId });
  const above = found && { organization: found.loaded.organization.id, collection: collectionId };
  return above && { type: "collection", ...above, at: `/collections/${collectionId}` };
}

async function findSiteById(
  looking: UrlLookupContext,
  organizationId: string,
  siteId: string,
): Promise<ContentLocation | undefined> {
  const found = await loadVisibleTarget(looking, site, { organizationId, siteId });
  const above = { organization: organizationId, site: siteId };
  return found && { type: "site", ...above, at: `/orgs/${organizationId}/sites/${siteId}` };
}

/** A space, or something in it: a path of a page, behind `~` something else, perhaps with the path of a page in it. */
async function findInSpace(
  looking: UrlLookupContext,
  spaceId: string,
  rest: readonly string[],
): Promise<ContentLocation | undefined> {
  const [mark, what, name, ...below] = rest;
  const at = `/spaces/${spaceId}`;
  if (mark !== "~") {
    const found = await loadVisibleTarget(looking, content, { spaceId });
    return found && findPageInContent(looking, found, `${at}/content`, rest, { type: "space", at });
  }
  if (name === undefined) return undefined;
  if (what === "changes") {
    const found = await loadVisibleTarget(looking, changeRequest, { spaceId, changeRequestId: name });
    const id = found?.loaded.changeRequest.id;
    const inside = `${at}/change-requests/${id}`;
    const own = { type: "change-request", changeRequest: id, at: inside } as const;
    return found && findPageInContent(looking, found, `${inside}/content`, below, own);
  }
  if (what === "revisions") {
    const found = await loadVisibleTarget(looking, revision, { spaceId, revisionId: name });
    const inside = `${at}/revisions/${name}`;
    return found && findPageInContent(looking, found, inside, below, { type: "revision", revision: name, at: inside });
  }
  return what === "files" && below.length === 0 ? theFile(looking, spaceId, name) : undefined;
}

async function theFile(looking: UrlLookupContext, spaceId: string, id: string): Promise<ContentLocation | undefined> {
  const found = await loadVisibleTarget(looking, content, { spaceId });
  const file = found && (await getShownView(looking, found).getFile(id));
  const above = found && { organization: found.loaded.organization.id, space: spaceId };
  return file && { type: "file", ...above!, file: id, at: `/spaces/${spaceId}/content/files/${id}` };
}

/** Content itself, or the page at a path of it. */
async function findPageInContent(
  looking: UrlLookupContext,
  found: LoadedTarget<InShownContent>,
  inside: string,
  path: readonly string[],
  own: Omit<ContentLocation, "organization" | "space">,
): Promise<ContentLocation | undefined> {
  const above = { organization: found.loaded.organization.id, space: found.loaded.space.id };
  if (path.length === 0) return { ...own, ...above };
  const view = getShownView(looking, found);
  const page = (await view.findPageByPath(path.join("/"))) ?? (await findPageByHtmlPath(view, path.join("/")));
  return page && { ...own, ...above, type: "page", page: page.id, at: `${inside}/page/${page.id}` };
}

/** A URL of a site, published or not. The key of a share link in it is not needed. */
async function findOnSite(looking: UrlLookupContext, url: string): Promise<ContentLocation | undefined> {
  const located = await locateSite(looking, url);
  if (!located) return undefined;
  const { tx, organization: owner, site: record, segments: parts } = located;
  const path = record.visibility === "share-link" ? parts.slice(1) : parts;
  const place = matchSiteSpace(await readStructure(tx, record, looking.jobContext.ports), path);
  const itself = await findSiteById(looking, owner.id, record.id);
  const found = place && (await findInSpace(looking, place.siteSpace.space, place.rest));
  if (!found) return path.length === 0 ? itself : undefined;
  return itself ? { ...found, site: record.id, siteSpace: place.siteSpace.id } : found;
}

/** Something that the caller may see, and where it was read. */
interface LoadedTarget<Loaded> {
  readonly loaded: Loaded;
  readonly scope: TargetContext;
}

/** Loads a target as an operation on it would; undefined when it is absent or hidden. */
async function loadVisibleTarget<Loaded extends object>(
  { directory, actor, now, peek, secrets, objects, jobContext }: UrlLookupContext,
  target: Target<Loaded, "view">,
  params: Params,
): Promise<LoadedTarget<Loaded> | undefined> {
  return followMoves(target.findPartition(params, ""), async (partition, cameFrom) => {
    const tx = await peek(partition);
    const code = partition.slice(-CODE_LENGTH);
    const asked = {
      directory,
      actor,
      now,
      peek,
      secrets,
      params,
      query: {},
      partitionCode: code,
      forwardedFrom: cameFrom,
    };
    const scope: TargetContext = { ...asked, tx, objects: objects.at(tx), ports: jobContext.ports };
    const loaded = await target.load(scope).catch(absent);
    return loaded && target.rights.view(loaded) ? { loaded, scope } : undefined;
  });
}

/** Something above in the path is absent or hidden. */
function absent(error: unknown): undefined {
  if (!(error instanceof DocsError && error.status === 404)) throw error;
}

function getShownView({ jobContext }: UrlLookupContext, { loaded, scope }: LoadedTarget<InShownContent>) {
  const { tx, objects, peek } = scope;
  return getShownContent({ ...loaded, tx, objects, peek, jobContext, query: {} }, loaded.revision).view;
}
