// Gives visitors access to the spaces of a site.

import { sha256Hex } from "../../../utils/sha256";
import type { Visits } from "../../library/spaces/space-visits";
import { isTrashed, type SpaceRecord } from "../../library/tree/records";
import { siteItems, sites } from "../records";
import { readStructure } from "../structure/structure";
import { isStillAdmitted, resolveVisit } from "./audience";
import { findVisibleSpace, isItemConditionMet } from "./visible-items";
import { parseVisitReader } from "./visit-tokens";

const VERSION_CHARACTERS = 16;

export const siteVisits: Pick<Visits, "findVisit" | "mayFetch"> = {
  async findVisit(scope, { organization, path }) {
    const { tx, actor } = scope;
    const visit = actor.visit!;
    const site = await sites.get(tx, visit.site);
    if (!site || isTrashed(path)) return undefined;
    const visitor = await resolveVisit(scope, site, visit);
    if (!visitor) return undefined;
    const item = await siteItems.find(tx, "space", visit.site, path[0].id);
    if (item?.type !== "site-space") return undefined;

    let revision: string | undefined;
    if (visitor.preview) {
      const viewing = { tx, actor, organization, site, me: undefined, visitor };
      revision = (await findVisibleSpace(viewing, await readStructure(tx, site), item))?.revision;
    } else if (isItemConditionMet(visitor, item)) {
      // The visitor has to meet the condition of the section as well.
      const section = item.parent === null ? undefined : await siteItems.get(tx, item.site, item.parent);
      const isSectionVisible = section?.type === "site-section" && isItemConditionMet(visitor, section);
      if (item.parent === null || isSectionVisible) revision = (path[0] as SpaceRecord).revision;
    }
    if (revision === undefined) return undefined;
    const { claims } = visitor;
    const version = sha256Hex(JSON.stringify([visit.site, claims])).slice(0, VERSION_CHARACTERS);
    return { claims, version, revision };
  },

  async mayFetch(scope, reader, { path }) {
    const admission = parseVisitReader(reader);
    if (!admission) return undefined;
    const site = await sites.get(scope.tx, admission.site);
    if (!site || !(await isStillAdmitted(scope, site, admission))) return false;
    return (await siteItems.find(scope.tx, "space", site.id, path[0].id)) !== undefined;
  },
};
