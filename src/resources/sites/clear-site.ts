// What happens after a site or a space was deleted.

import { defineJob } from "../../jobs/jobs";
import { getOrganizationPlace } from "../../storage/ids";
import type { Transaction } from "../../storage/transaction";
import { storedPools } from "../content/search/records";
import { dropGrants } from "../library/grants/records";
import { installationAccess } from "../people/members/installation-access";
import { dropRedirects } from "./addresses/redirect-records";
import { dropVisitors } from "./audience/visitor-records";
import { dropCounts } from "./insights/counts";
import { dropCustomizations } from "./look/customization-records";
import { editions, siteItems, sites } from "./records";
import { withoutGoneSpace } from "./structure/edits";
import { isSiteSpace, readStructure, saveStructure } from "./structure/structure";

/** Removes everything that belonged to a deleted site, piece by piece. */
export const clearSite = defineJob<{ organization: string; site: string }>(
  "clear-site",
  async (work, { organization, site }) => {
    const at = getOrganizationPlace(organization);
    if (await sites.get(await work.store.read(at.partition), site)) return false;
    // The counts are in a partition of their own.
    if (await dropCounts(work.store, organization, site)) return true;
    return work.store.write(at.partition, async (tx) => {
      if (await sites.get(tx, site)) return false;
      if (await installationAccess.implementation.uninstallFrom(work, at, tx, "site", site)) return true;
      if (await dropGrants(tx, "ofNode", [site])) return true;
      if (await dropRedirects(tx, site)) return true;
      if (await dropCustomizations(tx, site)) return true;
      if (await siteItems.drain(tx, "ofSite", [site])) return true;
      await editions.delete(tx, site);
      await storedPools.delete(tx, site);
      return dropVisitors(tx, site);
    });
  },
);

/** Removes a deleted space from a site, and its section when that becomes empty. True: it may be on more sites. */
export async function dropFromSites(tx: Transaction, space: string): Promise<boolean> {
  const [row] = await siteItems.list(tx, "ofSpace", { under: [space], limit: 1 });
  if (!row || !isSiteSpace(row.record)) return false;
  const site = await sites.get(tx, row.record.site);
  if (!site) await siteItems.delete(tx, row.record.site, row.record.id);
  else {
    const structure = await readStructure(tx, site);
    await saveStructure(tx, site, structure, withoutGoneSpace(structure, row.record));
  }
  return true;
}
