// The stored redirects of a site: paths without content, and their destinations.

import { defineRecordSet } from "../../../storage/records";
import type { Reader } from "../../../storage/transaction";
import type { SiteTarget } from "./targets";

export type RedirectRecord = {
  readonly site: string;
  readonly id: string;
  /** The source path below the URL of the site, decoded: `/old/page`. */
  readonly source: string;
  readonly destination: SiteTarget;
  /** True while the redirect isn't followed. */
  readonly draft?: true;
  readonly createdAt: string;
};

export const redirects = defineRecordSet("site-redirect", {
  key: (redirect: RedirectRecord) => [redirect.site, redirect.id],
  indexes: { ofSite: (redirect) => [redirect.site, redirect.createdAt] },
  unique: { source: (redirect) => [redirect.site, redirect.source] },
  totals: { ofSite: (redirect) => [redirect.site] },
});

/** Finds the redirect that visitors of a path follow. */
export async function findLiveRedirect(tx: Reader, site: string, source: string): Promise<RedirectRecord | undefined> {
  const redirect = await redirects.find(tx, "source", site, source);
  return redirect?.draft ? undefined : redirect;
}
