// Who may see a published site: its audience. For everybody else a hidden site looks the same as an absent one.
// Everything is read for each request, so revoked access ends with the next request.

import { type Claims, signedClaims, unsignedClaims } from "../../../content/claims";
import type { Scope } from "../../../operation/operation";
import { sameText } from "../../../secrets";
import type { SiteRecord } from "../records";
import { adaptiveSchemaOf, shareKeyDigests, shareLinks } from "./visitor-records";
import { isTokenOfMember, readVisitorToken } from "./visitor-tokens";

/** A visitor of a published site, and what is known about them. */
export interface Visitor {
  /** The value of `visitor.claims` in conditions. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** The share key that opened the site, for the URLs in answers. */
  readonly shareKey?: string;
}

/** What a visitor presents. */
export interface VisitorCredentials {
  readonly shareKey?: string | undefined;
  /** A JWT that says who the visitor is. */
  readonly visitorToken?: string | undefined;
  /** Claims without a signature. */
  readonly unsignedClaims?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * What deciding about a visitor needs. Only for a JWT are the clock and other partitions read, so answers to all other
 * visitors may be kept.
 */
type Admitting = Pick<Scope, "tx" | "secrets" | "now" | "peek">;

/** The visitor, if they belong to the site's audience; undefined: the site is absent for them. */
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

/** Whether a key opens the site. It is looked up by its digest, and the digests are compared in constant time. */
async function opens({ tx, secrets }: Admitting, site: SiteRecord, key: string | undefined): Promise<boolean> {
  for (const digest of shareKeyDigests(secrets, site.id, key ?? "")) {
    const link = await shareLinks.find(tx, "digest", site.id, digest);
    if (link) return link.active && sameText(link.digest, digest);
  }
  return false;
}

/** The claims of a JWT that the schema allows; none when the JWT is not valid. */
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
