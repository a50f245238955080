// Who may see a published site: its audience. Whoever is not admitted cannot tell a hidden site from one that is not there.
// Everything is read anew for each request, so that what is taken back ends with the next one.

import { type Claims, signedClaims, unsignedClaims } from "../../../content/claims";
import type { Scope } from "../../../operation/operation";
import { sameText } from "../../../secrets";
import type { SiteRecord } from "../records";
import { adaptiveSchemaOf, shareKeyDigest, shareLinks } from "./visitor-records";
import { isTokenOfMember, readVisitorToken } from "./visitor-tokens";

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

/** What is looked at to let somebody in. Only who shows a JWT has the clock looked at, and
 * other partitions: answers to all others may be kept. */
type Admitting = Pick<Scope, "tx" | "secrets" | "now" | "peek">;

/** The visitor, if the site's audience includes them; undefined: the site is not there for them. */
export async function admit(
  scope: Admitting,
  site: SiteRecord,
  given: VisitorCredentials,
): Promise<Visitor | undefined> {
  if (!site.published) return undefined;
  const shareKey = site.visibility === "share-link" ? given.shareKey : undefined;
  if (site.visibility === "share-link" && !(await opens(scope, site, shareKey))) return undefined;
  const vouched = await vouchedFor(scope, site, given.visitorToken);
  if (site.visibility === "visitor-auth" && !vouched) return undefined;
  const claims = { ...vouched, unsigned: await saidBy(scope, site, given.unsignedClaims) };
  return shareKey === undefined ? { claims } : { claims, shareKey };
}

/** Whether a key opens the site: it is looked up by its digest, and the digests are compared in constant time. */
async function opens({ tx, secrets }: Admitting, site: SiteRecord, key: string | undefined): Promise<boolean> {
  const digest = shareKeyDigest(secrets, site.id, key ?? "");
  const link = await shareLinks.find(tx, "digest", site.id, digest);
  return link?.active === true && sameText(link.digest, digest);
}

/** What a JWT says of whoever shows it: nothing beyond the schema, and nothing at all when it is not good. */
async function vouchedFor(scope: Admitting, site: SiteRecord, jwt: string | undefined): Promise<Claims | undefined> {
  if (jwt === undefined) return undefined;
  const payload = await readVisitorToken(scope, site, jwt);
  if (payload)
    return site.adaptiveContent ? signedClaims((await adaptiveSchemaOf(scope.tx, site)).jsonSchema, payload) : {};
  return (await isTokenOfMember(scope, site, jwt)) ? {} : undefined;
}

async function saidBy(scope: Admitting, site: SiteRecord, given: Claims | undefined): Promise<Claims> {
  if (!site.adaptiveContent || given === undefined) return {};
  return unsignedClaims((await adaptiveSchemaOf(scope.tx, site)).jsonSchema, given);
}
