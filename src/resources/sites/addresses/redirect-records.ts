// Redirects of a site: paths at which nothing is shown any more, and where they lead.

import { records } from "../../../store/records";
import type { Transaction } from "../../../store/transaction";
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

/** Takes away the redirects of a site that is gone, as far as there is room; true when there are more. */
export function dropRedirects(tx: Transaction, site: string): Promise<boolean> {
  return redirects.drain(tx, "ofSite", [site]);
}
