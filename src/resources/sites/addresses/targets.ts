// The targets of links and redirects of a site: URLs, or content of the site by its id. An id is checked with the rights of the user who
// sets it. The URL is computed for each visitor, so a link doesn't reveal content that they may not see.

import { buildPagePath, type RevisionView } from "../../../content/revision/view";
import { createValidationError, type DocsError } from "../../../errors";
import { isRoleAtLeast } from "../../../operation/roles";
import type { Urls } from "../../../ports/urls";
import type { Reader } from "../../../storage/transaction";
import { revisions } from "../../content/revisions/records";
import { type NodePath, nodes, readNodePath, type SpaceRecord } from "../../library/tree/records";
import { getNodeRole, loadViewer, type Viewer } from "../../library/tree/rules";
import type { Visitor } from "../audience/audience";
import { findVisibleSpace } from "../audience/visible-items";
import {
  createVisiblePages,
  getVisitorContent,
  type VisiblePages,
  type VisitorContentContext,
} from "../reading/visible-pages";
import type { ItemRecord, SiteRecord, SiteSpaceRecord } from "../records";
import type { SiteViewerContext } from "../rules";
import {
  getChildSiteSpaces,
  getSiteSpaces,
  isSection,
  isSiteSpace,
  readStructure,
  type Structure,
} from "../structure/structure";
import { getItemPath, getPagePathOnSite, getPublishedUrl } from "./site-urls";

export type SiteTarget =
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "page"; readonly space: string; readonly page: string }
  | { readonly kind: "anchor"; readonly space: string; readonly page: string; readonly anchor: string }
  | { readonly kind: "space"; readonly space: string }
  | { readonly kind: "site-space"; readonly siteSpace: string }
  | { readonly kind: "site-section"; readonly siteSection: string };

/** The site, and the user who sets a target. */
interface TargetCheckContext extends VisitorContentContext {
  readonly site: SiteRecord;
  readonly actor: { readonly user: { readonly id: string } };
}

export interface LinkTargetField {
  readonly target: SiteTarget;
  readonly at: string;
  /** The names of the target's fields in the body, if they differ. */
  readonly names?: { readonly [name in TargetKey]: string };
}

type TargetKey = "space" | "page" | "siteSpace" | "siteSection";

/** Refuses targets that aren't on the site or visible to the caller. A target may be deleted at any time. */
export async function checkTargets(context: TargetCheckContext, fields: readonly LinkTargetField[]): Promise<void> {
  const refusal = (await findTargetRefusals(context, fields)).find((it) => it !== undefined);
  if (refusal) throw refusal;
}

/** Returns for each target why it is refused, or undefined if it is on the site and visible to the caller. */
export async function findTargetRefusals(
  context: TargetCheckContext,
  fields: readonly LinkTargetField[],
): Promise<readonly (DocsError | undefined)[]> {
  if (fields.every(({ target }) => target.kind === "url")) return fields.map(() => undefined);
  const tx = context.tx.unchecked;
  const structure = await readStructure(tx, context.site);
  const viewer = await loadViewer(tx, context.actor.user.id);
  const contentContext = { ...context, tx, objects: context.objects.at(tx) };
  const refusals: (DocsError | undefined)[] = [];
  for (const { target, at, names } of fields) {
    const createRefusal = (key: TargetKey, message: string) =>
      createValidationError(`${at}.${names?.[key] ?? key}`, message);
    let refusal: DocsError | undefined;
    if (target.kind === "site-section") {
      if (!isSection(structure.get(target.siteSection)))
        refusal = createRefusal("siteSection", "Section not found on this site");
    } else if (target.kind === "site-space") {
      const item = structure.get(target.siteSpace);
      // Editors of the organization's sites see the whole structure. Other editors of this site see the spaces that they may read.
      const isVisible =
        isSiteSpace(item) &&
        (isRoleAtLeast(viewer.organizationRole ?? null, "create") ||
          (await findReadablePath(tx, viewer, item.space)) !== undefined);
      if (!isVisible) refusal = createRefusal("siteSpace", "Site-space not found on this site");
    } else if (target.kind !== "url") {
      const isOnSite = getSiteSpaces(structure).some(({ space }) => space === target.space);
      const path = isOnSite ? await findReadablePath(tx, viewer, target.space) : undefined;
      if (!path) refusal = createRefusal("space", "Space not found on this site");
      else if (target.kind !== "space") {
        const view = await openSpaceView(contentContext, path[0] as SpaceRecord);
        if (!(await view?.getPage(target.page))) refusal = createRefusal("page", "Page not found in this space");
      }
    }
    refusals.push(refusal);
  }
  return refusals;
}

async function findReadablePath(tx: Reader, viewer: Viewer, space: string): Promise<NodePath | undefined> {
  const node = await nodes.get(tx, space);
  const path = node && (await readNodePath(tx, node));
  return path && isRoleAtLeast(getNodeRole(viewer, path), "read") ? path : undefined;
}

export interface SiteUrlContext extends SiteViewerContext, VisitorContentContext {
  readonly visitor: Visitor;
  readonly actor: { readonly user: { readonly id: string } };
  readonly urls: Urls;
  readonly structure: Structure;
}

export async function openSpaceView(context: VisitorContentContext, space: SpaceRecord) {
  const revision = await revisions.get(context.tx, space.id, space.revision);
  return revision && getVisitorContent(context, revision).view;
}

/** A space on the site that the visitor can see. */
export interface SpaceOnSite {
  readonly siteSpace: SiteSpaceRecord;
  readonly space: SpaceRecord;
}

/** Finds the space of an item of the site, or returns undefined if it has none or the visitor can't see it there. */
export async function findSpaceOfItem(
  context: SiteUrlContext,
  item: ItemRecord | undefined,
): Promise<SpaceOnSite | undefined> {
  const space = isSiteSpace(item) && (await findVisibleSpace(context, context.structure, item));
  return space ? { siteSpace: item, space } : undefined;
}

export async function openVisibleSpace(
  context: SiteUrlContext,
  space: SpaceRecord,
): Promise<{ readonly view: RevisionView; readonly visiblePages: VisiblePages } | undefined> {
  const view = await openSpaceView(context, space);
  return view && { view, visiblePages: await createVisiblePages(view, context.visitor.claims) };
}

export async function getTargetUrl(context: SiteUrlContext, target: SiteTarget): Promise<string | undefined> {
  if (target.kind === "url") return target.url;
  const { structure } = context;
  let path: readonly string[] | undefined;
  let anchor: string | undefined;
  if (target.kind === "site-section") {
    const section = structure.get(target.siteSection);
    // A section is visible if one of its site-spaces is, so only these are read.
    for (const siteSpace of isSection(section) ? getChildSiteSpaces(structure, section.id) : [])
      if (await findVisibleSpace(context, structure, siteSpace)) {
        path = getItemPath(structure, target.siteSection);
        break;
      }
  } else {
    const item =
      target.kind === "site-space"
        ? structure.get(target.siteSpace)
        : getSiteSpaces(structure).find(({ space }) => space === target.space);
    const spaceOnSite = await findSpaceOfItem(context, item);
    if (!spaceOnSite) return undefined;
    let pagePath = "";
    if (target.kind === "page" || target.kind === "anchor") {
      const content = await openVisibleSpace(context, spaceOnSite.space);
      const ancestry = await content?.visiblePages.getAncestry(target.page);
      if (!ancestry) return undefined;
      pagePath = buildPagePath(ancestry);
      if (target.kind === "anchor")
        anchor = (await content!.view.findAnchor(target.page, target.anchor)) ?? target.anchor;
    }
    path = getPagePathOnSite(structure, spaceOnSite.siteSpace, pagePath);
  }
  const url = path && getPublishedUrl(context, context.visitor.shareKey, path);
  return url && (anchor ? `${url}#${encodeURIComponent(anchor)}` : url);
}
