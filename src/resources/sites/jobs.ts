// What follows when a site is deleted.

import { codeOf, organizationPartition } from "../../store/ids";
import { step } from "../../work/jobs";
import { siteItems, sites } from "./records";

/** Items that are removed in one commit. */
const AT_ONCE = 100;

/** Takes away what was on a site that is gone, piece by piece. */
export const clearSite = step<{ organization: string; site: string }>(
  "clear-site",
  async ({ store }, { organization, site }) =>
    store.write(organizationPartition(codeOf("organization", organization)!), async (tx) => {
      if (await sites.get(tx, site)) return false;
      const items = await siteItems.list(tx, "ofSite", { under: [site], limit: AT_ONCE });
      for (const { record } of items) await siteItems.delete(tx, site, record.id);
      return items.length === AT_ONCE;
    }),
);
