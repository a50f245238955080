// Whether visitors of a site can sign in, and where.

import type { Urls } from "../../../ports/urls";
import { partsOf } from "../addresses/url-paths";
import type { SiteRecord } from "../records";
import type { Looking, VisitorSigner } from "../served-by-integrations";
import { publishingAuthOf } from "./visitor-records";
import { visitorSigner } from "./visitor-tokens";

/** A site with a login for visitors, and how they sign in. */
export interface Login {
  readonly site: SiteRecord;
  readonly signer: VisitorSigner | undefined;
  readonly fallbackURL: string | null;
}

/** How visitors of a site sign in; undefined when it needs no login, or has none. */
export async function loginOf(looking: Looking, site: SiteRecord): Promise<Login | undefined> {
  if (!site.published || site.visibility !== "visitor-auth") return undefined;
  const auth = await publishingAuthOf(looking.tx, site);
  const signer = await visitorSigner(looking, auth);
  const { fallbackURL } = auth;
  return signer || fallbackURL !== null ? { site, signer, fallbackURL } : undefined;
}

/** The URL at which a visitor who wanted to see `location`, a path of the site, signs in; undefined when there is none. */
export async function loginUrl(
  looking: Looking & { readonly urls: Urls },
  organization: string,
  site: SiteRecord,
  location: string,
): Promise<string | undefined> {
  if (!(await loginOf(looking, site))) return undefined;
  const query = isInside(location) ? `?location=${encodeURIComponent(location)}` : "";
  return looking.urls.api(`/orgs/${organization}/sites/${site.id}/login${query}`);
}

/** Whether a path stays on its site. */
export function isInside(path: string): boolean {
  const bare = path.replace(/[?#].*/s, "");
  return /^\/(?!\/)[^\\\p{Cc}\p{Z}]*$/u.test(path) && partsOf(bare) !== undefined;
}
