// The spaces that a visitor reads by way of a site.

import { fingerprint } from "../../../secrets";
import type { Reader } from "../../../store/transaction";
import type { Visits } from "../../library/spaces/visited";
import { type ItemRecord, type SiteRecord, siteItems, sites } from "../records";
import { type Structure, structureOf } from "../structure/structure";
import { spaceSeenOn } from "./visible-alone";
import { visitReader } from "./visit-tokens";
import { isStillLetIn, visitorOf } from "./visits";

export const visitsOfSites: Pick<Visits, "sees" | "mayFetch"> = {
  async sees(scope, { organization, path }) {
    const { tx, actor } = scope;
    const visit = actor.visit!;
    const site = await sites.get(tx, visit.site);
    const visitor = site && (await visitorOf(scope, site, visit));
    const item = visitor && (await siteItems.find(tx, "space", site.id, path[0].id));
    if (item?.type !== "site-space") return undefined;
    const viewing = { tx, actor, organization, site: site!, me: undefined, visitor };
    const shown = await spaceSeenOn(viewing, await structureWith(tx, site!, item), item);
    if (!shown) return undefined;
    const { claims } = visitor!;
    const version = fingerprint(JSON.stringify([visit.site, claims])).slice(0, VERSION_CHARACTERS);
    return { claims, version, revision: shown.revision };
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

/** The part of a structure that decides about one item: itself and what it is in. */
async function structureWith(tx: Reader, site: SiteRecord, item: ItemRecord): Promise<Structure> {
  const items = [item];
  for (let above = item.parent; above !== null; ) {
    const found = await siteItems.get(tx, site.id, above);
    if (!found) break;
    items.push(found);
    above = found.parent;
  }
  return structureOf(items, site.defaultItem);
}
