// The stored redirects of a site: paths without content, and their destinations.

import { defineRecordSet } from "../../../storage/records";
import type { SiteTarget } from "./targets";

export type RedirectRecord = {
  readonly site: string;
  readonly id: string;
  /** The source path below the URL of the site, decoded: `/old/page`. */
  readonly source: string;
  readonly destination: SiteTarget;
  readonly createdAt: string;
};

export const redirects = defineRecordSet("site-redirect", {
  key: (redirect: RedirectRecord) => [redirect.site, redirect.id],
  indexes: { ofSite: (redirect) => [redirect.site, redirect.createdAt] },
  unique: { source: (redirect) => [redirect.site, redirect.source] },
  totals: { ofSite: (redirect) => [redirect.site] },
});
