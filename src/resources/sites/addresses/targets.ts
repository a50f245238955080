// The targets of links and redirects of a site: URLs, or something on the site by its id. An id is resolved on this
// site, as the user who sets it sees it. The URL is computed again for each visitor, so a link does not reveal a thing
// that they may not see.

import { buildPagePath, type RevisionView } from "../../../content/revision/view";
import { createValidationError } from "../../../errors";
import { isRoleAtLeast } from "../../../operation/roles";
import type { Urls } from "../../../ports/urls";
import { revisions } from "../../content/revisions/records";
import { type NodePath, nodes, readNodePath, type SpaceRecord } from "../../library/tree/records";
import { getNodeRole, loadViewer, type Viewer } from "../../library/tree/rules";
import type { Visitor } from "../audience/audience";
import { findVisibleSpace } from "../audience/visible-alone";
import { createVisiblePages, type VisiblePages } from "../reading/visible-pages";
import { getVisitorContent, type VisitorContentContext } from "../reading/visitor-content";
import type { ItemRecord, SectionRecord, SiteRecord, SiteSpaceRecord } from "../records";
import type { SiteViewerContext } from "../rules";
import {
  getChildSiteSpaces,
  getSiteSpaces,
  isSection,
  isSiteSpace,
  readStructure,
  type Structure,
} from "../structure/structure";
import { getPagePathOnSite } from "./page-urls";
import { getItemPath, getPublishedUrl } from "./site-urls";

export type SiteTarget =
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "page"; readonly space: string; readonly page: string }
  | { readonly kind: "anchor"; readonly space: string; readonly page: string; readonly anchor: string }
  | { readonly kind: "space"; readonly space: string }
  | { readonly kind: "site-space"; readonly siteSpace: string }
  | { readonly kind: "site-section"; readonly siteSection: string };

type SiteItemTarget = Exclude<SiteTarget, { readonly kind: "url" }>;

/** The user who sets a target. */
interface TargetCheckContext extends VisitorContentContext {
  readonly site: SiteRecord;
  readonly actor: { readonly user: { readonly id: string } };
}

/** A target, and the field of the body that holds it. */
export interface LinkTargetField {
  readonly target: SiteTarget;
  readonly at: string;
  /** How the body names the members of the target, where it names them differently. */
  readonly names?: { readonly [member in Member]: string };
}

type Member = "space" | "page" | "siteSpace" | "siteSection";

/**
 * Refuses targets that are not on the site, or that the caller may not see. No commit depends on the result: a target
 * may be deleted at any time, and then leads nowhere.
 */
export async function checkTargets(context: TargetCheckContext, given: readonly LinkTargetField[]): Promise<void> {
  const inside = given.flatMap(({ target, ...where }) => (target.kind === "url" ? [] : [{ target, ...where }]));
  if (inside.length === 0) return;
  const tx = context.tx.unchecked;
  const looking = {
    ...context,
    tx,
    objects: context.objects.at(tx),
    structure: await readStructure(tx, context.site),
    viewer: await loadViewer(tx, context.actor.user.id),
  };
  for (const { target, at, names } of inside)
    await checkTarget(looking, target, (member, sentence) =>
      createValidationError(`${at}.${names?.[member] ?? member}`, sentence),
    );
}

/** The refusal of a member of a target. */
type Refusal = (member: Member, sentence: string) => Error;

interface Checking extends TargetCheckContext {
  readonly structure: Structure;
  readonly viewer: Viewer;
}

async function checkTarget(context: Checking, target: SiteItemTarget, refusal: Refusal): Promise<void> {
  const { structure } = context;
  if (target.kind === "site-section") {
    if (!isSection(structure.get(target.siteSection))) throw refusal("siteSection", "The site has no such section");
  } else if (target.kind === "site-space") {
    const item = structure.get(target.siteSpace);
    // Editors of the organization's sites see all of the structure; others who edit this one see what they may read.
    const isSeen =
      isSiteSpace(item) &&
      (isRoleAtLeast(context.viewer.organizationRole ?? null, "create") ||
        (await findReadablePath(context, item.space)) !== undefined);
    if (!isSeen) throw refusal("siteSpace", "The site has no such site-space");
  } else await checkSpace(context, target, refusal);
}

async function checkSpace(
  context: Checking,
  target: Extract<SiteItemTarget, { readonly space: string }>,
  refusal: Refusal,
): Promise<void> {
  const isHere = getSiteSpaces(context.structure).some(({ space }) => space === target.space);
  const path = isHere ? await findReadablePath(context, target.space) : undefined;
  if (!path) throw refusal("space", "The site has no such space");
  if (target.kind !== "space" && !(await (await openSpaceView(context, path[0] as SpaceRecord))?.getPage(target.page)))
    throw refusal("page", "The space has no such page");
}

/** A space in the tree, if the caller may read it. */
async function findReadablePath({ tx, viewer }: Checking, space: string): Promise<NodePath | undefined> {
  const node = await nodes.get(tx, space);
  const path = node && (await readNodePath(tx, node));
  return path && isRoleAtLeast(getNodeRole(viewer, path), "read") ? path : undefined;
}

/** A site as a visitor sees it. */
export interface SiteUrlContext extends SiteViewerContext, VisitorContentContext {
  readonly visitor: Visitor;
  readonly actor: { readonly user: { readonly id: string } };
  readonly urls: Urls;
  readonly structure: Structure;
}

/** The content of a space that visitors see now. */
export async function openSpaceView(reading: VisitorContentContext, space: SpaceRecord) {
  const revision = await revisions.get(reading.tx, space.id, space.revision);
  return revision && getVisitorContent(reading, revision).view;
}

/** Where something is on a site: its path under the site's URL, and the anchor in it. */
interface SitePlace {
  readonly path: readonly string[];
  readonly anchor?: string;
}

/** The place of something; undefined when the visitor does not see it. */
async function placeOfTarget(reading: SiteUrlContext, target: SiteItemTarget): Promise<SitePlace | undefined> {
  const { structure } = reading;
  if (target.kind === "site-section") {
    const section = structure.get(target.siteSection);
    const path =
      isSection(section) && (await seesSection(reading, section)) ? getItemPath(structure, section.id) : undefined;
    return path && { path };
  }
  const seen =
    target.kind === "site-space"
      ? await seenAs(reading, structure.get(target.siteSpace))
      : await findSpaceOnSite(reading, target.space);
  if (!seen) return undefined;
  if (target.kind === "site-space" || target.kind === "space")
    return { path: getPagePathOnSite(structure, seen.siteSpace, "") };
  const { view, visiblePages } = (await openVisibleSpace(reading, seen.space)) ?? {};
  const way = await visiblePages?.getAncestry(target.page);
  if (!way) return undefined;
  const path = getPagePathOnSite(structure, seen.siteSpace, buildPagePath(way));
  if (target.kind !== "anchor") return { path };
  return { path, anchor: (await view!.findAnchor(target.page, target.anchor)) ?? target.anchor };
}

/** A space on the site that the visitor sees. */
export interface SpaceOnSite {
  readonly siteSpace: SiteSpaceRecord;
  readonly space: SpaceRecord;
}

/** A space of the site; undefined when the visitor does not see it there. */
export async function findSpaceOnSite(reading: SiteUrlContext, space: string): Promise<SpaceOnSite | undefined> {
  return seenAs(
    reading,
    getSiteSpaces(reading.structure).find((item) => item.space === space),
  );
}

async function seenAs(reading: SiteUrlContext, item: ItemRecord | undefined): Promise<SpaceOnSite | undefined> {
  const space = isSiteSpace(item) && (await findVisibleSpace(reading, reading.structure, item));
  return space ? { siteSpace: item, space } : undefined;
}

/** The content of a space, and what the visitor sees of it. */
export async function openVisibleSpace(
  reading: SiteUrlContext,
  space: SpaceRecord,
): Promise<{ readonly view: RevisionView; readonly visiblePages: VisiblePages } | undefined> {
  const view = await openSpaceView(reading, space);
  return view && { view, visiblePages: await createVisiblePages(view, reading.visitor.claims) };
}

/** A section is visible when something in it is, so only its own items are read. */
async function seesSection(reading: SiteUrlContext, section: SectionRecord): Promise<boolean> {
  for (const siteSpace of getChildSiteSpaces(reading.structure, section.id))
    if (await findVisibleSpace(reading, reading.structure, siteSpace)) return true;
  return false;
}

/** The URL of a target for a visitor; undefined when they do not see it. */
export async function getTargetUrl(reading: SiteUrlContext, target: SiteTarget): Promise<string | undefined> {
  if (target.kind === "url") return target.url;
  const place = await placeOfTarget(reading, target);
  const url = place && getPublishedUrl(reading, reading.visitor.shareKey, place.path);
  return url && (place.anchor ? `${url}#${encodeURIComponent(place.anchor)}` : url);
}
