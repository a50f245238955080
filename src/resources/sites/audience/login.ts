// Whether visitors of a site can sign in, and where.

import type { Urls } from "../../../ports/urls";
import { parseUrlPath } from "../addresses/url-paths";
import type { SiteRecord } from "../records";
import type { IntegrationLookupContext, VisitorSigner } from "../site-integrations";
import { loadPublishingAuth } from "./visitor-records";
import { findSiteSigner } from "./visitor-tokens";

/** A site with a login for visitors, and how they sign in. */
export interface SiteLogin {
  readonly site: SiteRecord;
  readonly signer: VisitorSigner | undefined;
  readonly fallbackURL: string | null;
}

/** How visitors of a site sign in; undefined when it needs no login, or has none. */
export async function findVisitorLogin(
  looking: IntegrationLookupContext,
  site: SiteRecord,
): Promise<SiteLogin | undefined> {
  if (!site.published || site.visibility !== "visitor-auth") return undefined;
  const auth = await loadPublishingAuth(looking.tx, site);
  const signer = await findSiteSigner(looking, auth);
  const { fallbackURL } = auth;
  return signer || fallbackURL !== null ? { site, signer, fallbackURL } : undefined;
}

/** The URL at which a visitor who wanted to see `location`, a path of the site, signs in; undefined when there is none. */
export async function findLoginUrl(
  looking: IntegrationLookupContext & { readonly urls: Urls },
  organization: string,
  site: SiteRecord,
  location: string,
): Promise<string | undefined> {
  if (!(await findVisitorLogin(looking, site))) return undefined;
  const query = isSitePath(location) ? `?location=${encodeURIComponent(location)}` : "";
  return looking.urls.api(`/orgs/${organization}/sites/${site.id}/login${query}`);
}

/** Whether a path stays on its site. */
export function isSitePath(path: string): boolean {
  const bare = path.replace(/[?#].*/s, "");
  return /^\/(?!\/)[^\\\p{Cc}\p{Z}]*$/u.test(path) && parseUrlPath(bare) !== undefined;
}
