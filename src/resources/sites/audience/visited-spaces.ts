// The spaces that a visitor reads by way of a site.

import { hashFingerprint } from "../../../storage/secrets";
import type { Reader } from "../../../storage/transaction";
import type { VisitContext, Visits } from "../../library/spaces/space-visits";
import { isTrashed, type SpaceRecord } from "../../library/tree/records";
import type { NodeContext } from "../../library/tree/rules";
import { type SiteRecord, type SiteSpaceRecord, siteItems, sites } from "../records";
import { readStructure } from "../structure/structure";
import type { Visitor } from "./audience";
import { findVisibleSpace } from "./visible-alone";
import { isItemConditionMet } from "./visible-items";
import { parseVisitReader } from "./visit-tokens";
import { isStillAdmitted, resolveVisit } from "./visits";

export const siteVisits: Pick<Visits, "findVisit" | "mayFetch"> = {
  async findVisit(scope, found) {
    const { tx, actor } = scope;
    const visit = actor.visit!;
    const site = await sites.get(tx, visit.site);
    const visitor = site && !isTrashed(found.path) ? await resolveVisit(scope, site, visit) : undefined;
    const item = visitor && (await siteItems.find(tx, "space", visit.site, found.path[0].id));
    if (item?.type !== "site-space") return undefined;
    const revision = await revisionSeen(scope, found, site!, visitor!, item);
    if (revision === undefined) return undefined;
    const { claims } = visitor!;
    const version = hashFingerprint(JSON.stringify([visit.site, claims])).slice(0, VERSION_CHARACTERS);
    return { claims, version, revision };
  },

  async mayFetch(scope, reader, { path }) {
    const letIn = parseVisitReader(reader);
    if (!letIn) return undefined;
    const site = await sites.get(scope.tx, letIn.site);
    if (!site || !(await isStillAdmitted(scope, site, letIn))) return false;
    return (await siteItems.find(scope.tx, "space", site.id, path[0].id)) !== undefined;
  },
};

const VERSION_CHARACTERS = 16;

/** The revision of a space that a visitor sees; undefined when they do not see the space. */
async function revisionSeen(
  { tx, actor }: VisitContext,
  { organization, path }: NodeContext,
  site: SiteRecord,
  visitor: Visitor,
  item: SiteSpaceRecord,
): Promise<string | undefined> {
  if (!visitor.preview) return (await isSeen(tx, visitor, item)) ? (path[0] as SpaceRecord).revision : undefined;
  const viewing = { tx, actor, organization, site, me: undefined, visitor };
  return (await findVisibleSpace(viewing, await readStructure(tx, site), item))?.revision;
}

/** Whether a visitor sees a site-space: it meets the condition of the item, and that of the section that it is in. */
async function isSeen(tx: Reader, visitor: Visitor, item: SiteSpaceRecord): Promise<boolean> {
  if (!isItemConditionMet(visitor, item)) return false;
  const section = item.parent === null ? undefined : await siteItems.get(tx, item.site, item.parent);
  return item.parent === null || (section?.type === "site-section" && isItemConditionMet(visitor, section));
}
