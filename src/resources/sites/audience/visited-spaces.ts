// The spaces that a visitor reads by way of a site.

import { fingerprint } from "../../../secrets";
import type { Reader } from "../../../store/transaction";
import type { Visits } from "../../library/spaces/visited";
import { isTrashed } from "../../library/tree/records";
import { type SiteSpaceRecord, siteItems, sites } from "../records";
import type { Visitor } from "./audience";
import { meets } from "./visible";
import { visitReader } from "./visit-tokens";
import { isStillLetIn, visitorOf } from "./visits";

export const visitsOfSites: Pick<Visits, "sees" | "mayFetch"> = {
  async sees(scope, { path }) {
    const { tx, actor } = scope;
    const visit = actor.visit!;
    const site = await sites.get(tx, visit.site);
    const visitor = site && !isTrashed(path) ? await visitorOf(scope, site, visit) : undefined;
    const item = visitor && (await siteItems.find(tx, "space", visit.site, path[0].id));
    if (item?.type !== "site-space" || !(await isSeen(tx, visitor!, item))) return undefined;
    const { claims } = visitor!;
    return { claims, version: fingerprint(JSON.stringify([visit.site, claims])).slice(0, VERSION_CHARACTERS) };
  },

  async mayFetch(scope, reader, { path }) {
    const letIn = visitReader(reader);
    if (!letIn) return undefined;
    const site = await sites.get(scope.tx, letIn.site);
    if (!site || !(await isStillLetIn(scope, site, letIn))) return false;
    return (await siteItems.find(scope.tx, "space", site.id, path[0].id)) !== undefined;
  },
};

const VERSION_CHARACTERS = 16;

/** Whether a visitor sees a site-space: it meets the condition of the item, and that of the section that it is in. */
async function isSeen(tx: Reader, visitor: Visitor, item: SiteSpaceRecord): Promise<boolean> {
  if (!meets(visitor, item)) return false;
  const section = item.parent === null ? undefined : await siteItems.get(tx, item.site, item.parent);
  return item.parent === null || (section?.type === "site-section" && meets(visitor, section));
}
