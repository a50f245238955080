// Removes the records that a deleted site or a deleted space leaves behind.

import { defineJob } from "../../jobs/jobs";
import { getPartitionRef } from "../../storage/ids";
import type { Transaction } from "../../storage/transaction";
import { storedPools } from "../content/search/records";
import { grants } from "../library/grants/records";
import { installationAccess } from "../people/members/installation-access";
import { redirects } from "./addresses/redirect-records";
import { adaptiveSchemas, publishingAuths, shareLinks } from "./audience/visitor-records";
import { customizations } from "./customization/customization-records";
import { dropCounts } from "./insights/counts";
import { editions, siteItems, sites } from "./records";
import { removeDeletedSpace } from "./structure/edit-structure";
import { isSiteSpace, readStructure, saveStructure } from "./structure/structure";

/** Removes everything that belonged to a deleted site, a bounded part in each transaction. */
export const clearSite = defineJob<{ organization: string; site: string }>(
  "clear-site",
  async (work, { organization, site }) => {
    const place = getPartitionRef(organization);
    if (await sites.get(await work.store.read(place.partition), site)) return false;
    // Event counts are stored in their own partition.
    if (await dropCounts(work.store, organization, site)) return true;
    return work.store.write(place.partition, async (tx) => {
      if (await sites.get(tx, site)) return false;
      if (await installationAccess.implementation.uninstallFrom(work, place, tx, "site", site)) return true;
      if (await grants.drain(tx, "ofNode", [site])) return true;
      if (await redirects.drain(tx, "ofSite", [site])) return true;
      if (await customizations.drain(tx, "ofSite", [site])) return true;
      if (await siteItems.drain(tx, "ofSite", [site])) return true;
      await editions.delete(tx, site);
      await storedPools.delete(tx, site);
      await publishingAuths.delete(tx, site);
      await adaptiveSchemas.delete(tx, site);
      return shareLinks.drain(tx, "ofSite", [site]);
    });
  },
);

/** Removes a deleted space, and a section that becomes empty, from one site. Returns true if there may be more. */
export async function removeSpaceFromSites(tx: Transaction, space: string): Promise<boolean> {
  const [row] = await siteItems.list(tx, "ofSpace", { under: [space], limit: 1 });
  if (!row || !isSiteSpace(row.record)) return false;
  const site = await sites.get(tx, row.record.site);
  if (!site) await siteItems.delete(tx, row.record.site, row.record.id);
  else {
    const structure = await readStructure(tx, site);
    await saveStructure(tx, site, structure, removeDeletedSpace(structure, row.record));
  }
  return true;
}
