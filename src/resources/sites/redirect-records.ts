// Redirects of a site: paths at which nothing is shown any more, and where they lead.

import { records } from "../../store/records";
import type { Transaction } from "../../store/transaction";
import type { SiteTarget } from "./targets";

export type RedirectRecord = {
  readonly site: string;
  readonly id: string;
  /** The path under the site's URL that it begins at, decoded: `/old/page`. */
  readonly source: string;
  readonly destination: SiteTarget;
  readonly createdAt: string;
};

export const redirects = records("site-redirect", {
  key: (redirect: RedirectRecord) => [redirect.site, redirect.id],
  indexes: { ofSite: (redirect) => [redirect.site, redirect.createdAt] },
  unique: { source: (redirect) => [redirect.site, redirect.source] },
  totals: { ofSite: (redirect) => [redirect.site] },
});

/** Redirects that one transaction takes away. */
const AT_ONCE = 75;

/** Takes away some of the redirects of a site that is gone; true when it took some: there may be more. */
export async function dropRedirects(tx: Transaction, site: string): Promise<boolean> {
  const rows = await redirects.list(tx, "ofSite", { under: [site], limit: AT_ONCE });
  for (const { record } of rows) await redirects.delete(tx, site, record.id);
  return rows.length > 0;
}
