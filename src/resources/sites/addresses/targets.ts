// The targets of links and redirects of a site: URLs, or something on the site by its id. An id is resolved on this
// site, as the user who sets it sees it. The URL is computed again for each visitor, so a link does not reveal a thing
// that they may not see.

import { buildPagePath, type RevisionView } from "../../../content/revision/view";
import { createValidationError } from "../../../errors";
import { isRoleAtLeast } from "../../../operation/roles";
import type { Urls } from "../../../ports/urls";
import { revisions } from "../../content/revisions/records";
import { nodes, type Path, pathOf, type SpaceRecord } from "../../library/tree/records";
import { roleIn, type Viewer, viewerOf } from "../../library/tree/rules";
import type { Visitor } from "../audience/audience";
import { spaceSeenOn } from "../audience/visible-alone";
import { type Sight, sightOf } from "../reading/sight";
import { type ReadingContent, visitorContent } from "../reading/visitor-content";
import type { ItemRecord, SectionRecord, SiteRecord, SiteSpaceRecord } from "../records";
import type { AtSite } from "../rules";
import {
  isSection,
  isSiteSpace,
  readStructure,
  type Structure,
  siteSpacesIn,
  siteSpacesUnder,
} from "../structure/structure";
import { pathIn, publishedUrl } from "./addresses";
import { pagePathIn } from "./page-urls";

export type SiteTarget =
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "page"; readonly space: string; readonly page: string }
  | { readonly kind: "anchor"; readonly space: string; readonly page: string; readonly anchor: string }
  | { readonly kind: "space"; readonly space: string }
  | { readonly kind: "site-space"; readonly siteSpace: string }
  | { readonly kind: "site-section"; readonly siteSection: string };

type OnSite = Exclude<SiteTarget, { readonly kind: "url" }>;

/** The user who sets a target. */
interface Setting extends ReadingContent {
  readonly site: SiteRecord;
  readonly actor: { readonly user: { readonly id: string } };
}

/** A target, and the field of the body that holds it. */
export interface Given {
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
export async function checkTargets(context: Setting, given: readonly Given[]): Promise<void> {
  const inside = given.flatMap(({ target, ...where }) => (target.kind === "url" ? [] : [{ target, ...where }]));
  if (inside.length === 0) return;
  const tx = context.tx.unchecked;
  const looking = {
    ...context,
    tx,
    objects: context.objects.at(tx),
    structure: await readStructure(tx, context.site),
    viewer: await viewerOf(tx, context.actor.user.id),
  };
  for (const { target, at, names } of inside)
    await checkTarget(looking, target, (member, sentence) =>
      createValidationError(`${at}.${names?.[member] ?? member}`, sentence),
    );
}

/** The refusal of a member of a target. */
type Refusal = (member: Member, sentence: string) => Error;

interface Checking extends Setting {
  readonly structure: Structure;
  readonly viewer: Viewer;
}

async function checkTarget(context: Checking, target: OnSite, refusal: Refusal): Promise<void> {
  const { structure } = context;
  if (target.kind === "site-section") {
    if (!isSection(structure.get(target.siteSection))) throw refusal("siteSection", "The site has no such section");
  } else if (target.kind === "site-space") {
    const item = structure.get(target.siteSpace);
    // Editors of the organization's sites see all of the structure; others who edit this one see what they may read.
    const isSeen =
      isSiteSpace(item) &&
      (isRoleAtLeast(context.viewer.own ?? null, "create") || (await readablePath(context, item.space)) !== undefined);
    if (!isSeen) throw refusal("siteSpace", "The site has no such site-space");
  } else await checkSpace(context, target, refusal);
}

async function checkSpace(
  context: Checking,
  target: Extract<OnSite, { readonly space: string }>,
  refusal: Refusal,
): Promise<void> {
  const isHere = siteSpacesIn(context.structure).some(({ space }) => space === target.space);
  const path = isHere ? await readablePath(context, target.space) : undefined;
  if (!path) throw refusal("space", "The site has no such space");
  if (target.kind !== "space" && !(await (await viewOf(context, path[0] as SpaceRecord))?.getPage(target.page)))
    throw refusal("page", "The space has no such page");
}

/** A space in the tree, if the caller may read it. */
async function readablePath({ tx, viewer }: Checking, space: string): Promise<Path | undefined> {
  const node = await nodes.get(tx, space);
  const path = node && (await pathOf(tx, node));
  return path && isRoleAtLeast(roleIn(viewer, path), "read") ? path : undefined;
}

/** A site as a visitor sees it. */
export interface SiteReading extends AtSite, ReadingContent {
  readonly visitor: Visitor;
  readonly actor: { readonly user: { readonly id: string } };
  readonly urls: Urls;
  readonly structure: Structure;
}

/** The content of a space that visitors see now. */
export async function viewOf(reading: ReadingContent, space: SpaceRecord) {
  const revision = await revisions.get(reading.tx, space.id, space.revision);
  return revision && visitorContent(reading, revision).view;
}

/** Where something is on a site: its path under the site's URL, and the anchor in it. */
interface SitePlace {
  readonly path: readonly string[];
  readonly anchor?: string;
}

/** The place of something; undefined when the visitor does not see it. */
async function placeOfTarget(reading: SiteReading, target: OnSite): Promise<SitePlace | undefined> {
  const { structure } = reading;
  if (target.kind === "site-section") {
    const section = structure.get(target.siteSection);
    const path =
      isSection(section) && (await seesSection(reading, section)) ? pathIn(structure, section.id) : undefined;
    return path && { path };
  }
  const seen =
    target.kind === "site-space"
      ? await seenAs(reading, structure.get(target.siteSpace))
      : await spaceOnSite(reading, target.space);
  if (!seen) return undefined;
  if (target.kind === "site-space" || target.kind === "space")
    return { path: pagePathIn(structure, seen.siteSpace, "") };
  const { view, sight } = (await contentOf(reading, seen.space)) ?? {};
  const way = await sight?.wayTo(target.page);
  if (!way) return undefined;
  const path = pagePathIn(structure, seen.siteSpace, buildPagePath(way));
  if (target.kind !== "anchor") return { path };
  return { path, anchor: (await view!.findAnchor(target.page, target.anchor)) ?? target.anchor };
}

/** A space on the site that the visitor sees. */
export interface SeenOnSite {
  readonly siteSpace: SiteSpaceRecord;
  readonly space: SpaceRecord;
}

/** A space of the site; undefined when the visitor does not see it there. */
export async function spaceOnSite(reading: SiteReading, space: string): Promise<SeenOnSite | undefined> {
  return seenAs(
    reading,
    siteSpacesIn(reading.structure).find((item) => item.space === space),
  );
}

async function seenAs(reading: SiteReading, item: ItemRecord | undefined): Promise<SeenOnSite | undefined> {
  const space = isSiteSpace(item) && (await spaceSeenOn(reading, reading.structure, item));
  return space ? { siteSpace: item, space } : undefined;
}

/** The content of a space, and what the visitor sees of it. */
export async function contentOf(
  reading: SiteReading,
  space: SpaceRecord,
): Promise<{ readonly view: RevisionView; readonly sight: Sight } | undefined> {
  const view = await viewOf(reading, space);
  return view && { view, sight: await sightOf(view, reading.visitor.claims) };
}

/** A section is visible when something in it is, so only its own items are read. */
async function seesSection(reading: SiteReading, section: SectionRecord): Promise<boolean> {
  for (const siteSpace of siteSpacesUnder(reading.structure, section.id))
    if (await spaceSeenOn(reading, reading.structure, siteSpace)) return true;
  return false;
}

/** The URL of a target for a visitor; undefined when they do not see it. */
export async function urlOfTarget(reading: SiteReading, target: SiteTarget): Promise<string | undefined> {
  if (target.kind === "url") return target.url;
  const place = await placeOfTarget(reading, target);
  const url = place && publishedUrl(reading, reading.visitor.shareKey, place.path);
  return url && (place.anchor ? `${url}#${encodeURIComponent(place.anchor)}` : url);
}
