// Finds the login of a site's visitors.

import { parseUrlPath } from "../addresses/url-paths";
import type { SiteRecord } from "../records";
import type { IntegrationLookupContext, VisitorSigner } from "../site-integrations";
import { loadPublishingAuth } from "./visitor-records";
import { findSiteSigner } from "./visitor-tokens";

/** The login of a site: an integration that signs visitors in, or a URL to fall back to. */
export interface SiteLogin {
  readonly site: SiteRecord;
  readonly signer: VisitorSigner | undefined;
  readonly fallbackURL: string | null;
}

export async function findVisitorLogin(
  context: IntegrationLookupContext,
  site: SiteRecord,
): Promise<SiteLogin | undefined> {
  if (!site.published || site.visibility !== "visitor-auth") return undefined;
  const auth = await loadPublishingAuth(context.tx, site);
  const signer = await findSiteSigner(context, auth);
  const { fallbackURL } = auth;
  return signer || fallbackURL !== null ? { site, signer, fallbackURL } : undefined;
}

/** Checks whether a path can't lead away from its site. */
export function isSitePath(path: string): boolean {
  const pathname = path.replace(/[?#].*/s, "");
  return /^\/(?!\/)[^\\\p{Cc}\p{Z}]*$/u.test(path) && parseUrlPath(pathname) !== undefined;
}
