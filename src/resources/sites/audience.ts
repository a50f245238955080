// Who may see a published site: its audience. Whoever is not admitted cannot tell a hidden site from one that is not there.

import type { Scope } from "../../operation";
import type { SiteRecord } from "./records";

/** Somebody who reads a published site, and what is known of them. */
export interface Visitor {
  /** What conditions see as `visitor.claims`. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** The key that opened the site, for the URLs in answers. */
  readonly shareKey?: string;
}

/** What a visitor brings along. */
export interface VisitorCredentials {
  readonly shareKey?: string | undefined;
  /** A JWT that says who the visitor is. */
  readonly visitorToken?: string | undefined;
  /** Claims that nobody vouches for. */
  readonly unsignedClaims?: Readonly<Record<string, unknown>> | undefined;
}

/** The visitor, if the site's audience includes them; undefined: the site is not there for them. */
export async function admit(
  _scope: Pick<Scope, "tx" | "secrets" | "now">,
  site: SiteRecord,
  _given: VisitorCredentials,
): Promise<Visitor | undefined> {
  if (!site.published) return undefined;
  if (site.visibility === "public" || site.visibility === "unlisted") return { claims: {} };
  return undefined;
}
