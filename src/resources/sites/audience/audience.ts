// Who may see a published site: its audience. For everybody else a hidden site looks the same as an absent one.
// Everything is read for each request, so revoked access ends with the next request.

import { type Claims, filterSignedClaims, filterUnsignedClaims } from "../../../content/claims";
import type { TargetContext } from "../../../operation/target";
import { hashFingerprint, isEqualInConstantTime } from "../../../storage/secrets";
import { omitUndefined } from "../../../utils/objects";
import { getActiveMembershipId } from "../../people/organizations/visitor-claims";
import type { SiteRecord } from "../records";
import type { PreviewState } from "./previews";
import type { VisitAdmission } from "./visit-tokens";
import {
  computeShareKeyDigests,
  loadAdaptiveSchema,
  loadPublishingAuth,
  type ShareLinkRecord,
  shareLinks,
} from "./visitor-records";
import { type VouchedVisitor, verifyMemberToken, verifyVisitorToken } from "./visitor-tokens";

/** A visitor of a published site, and what is known about them. */
export interface Visitor {
  /** The value of `visitor.claims` in conditions. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** The share key that opened the site, for the URLs in answers. */
  readonly shareKey?: string;
  /** What let them in. */
  readonly admission: VisitAdmission;
  /** When what vouches for them ends, in epoch seconds; undefined: nothing vouches. */
  readonly expiresAtSeconds?: number;
  /** What they see in place of the content of one space. */
  readonly preview?: PreviewState;
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
export type AdmissionContext = Pick<TargetContext, "tx" | "secrets" | "now" | "peek">;

/** The visitor, if they belong to the site's audience; undefined: the site is absent for them. */
export async function admitVisitor(
  scope: AdmissionContext,
  site: SiteRecord,
  given: VisitorCredentials,
): Promise<Visitor | undefined> {
  if (!site.published) return undefined;
  const shareLink = await findShareLink(scope, site, given.shareKey);
  if (site.visibility === "share-link" && !shareLink) return undefined;
  const vouched = await vouchedFor(scope, site, given.visitorToken);
  if (site.visibility === "visitor-auth" && !vouched) return undefined;
  const { vouchedBy: by, member, expiresAtSeconds: until } = vouched ?? {};
  const letIn = {
    site: site.id,
    audience: site.visibility,
    ...omitUndefined({ shareLink: shareLink?.id, vouchedBy: by, member }),
  };
  return {
    claims: { ...vouched?.claims, unsigned: await readUnsignedClaims(scope, site, given.unsignedClaims) },
    ...omitUndefined({ shareKey: shareLink ? given.shareKey! : undefined }),
    admission: { ...letIn, state: await computeAdmissionState(scope, site, letIn) },
    ...omitUndefined({ until }),
  };
}

/** The share link that a key belongs to, on a site with share links. */
export async function findShareLink(
  scope: Pick<AdmissionContext, "tx" | "secrets">,
  site: SiteRecord,
  key: string | undefined,
): Promise<ShareLinkRecord | undefined> {
  return site.visibility === "share-link" ? linkOpenedBy(scope, site, key ?? "") : undefined;
}

/** The key is looked up by its digest, and the digests are compared in constant time. */
async function linkOpenedBy({ tx, secrets }: Pick<AdmissionContext, "tx" | "secrets">, site: SiteRecord, key: string) {
  for (const digest of computeShareKeyDigests(secrets, site.id, key)) {
    const link = await shareLinks.find(tx, "digest", site.id, digest);
    if (link) return link.active && isEqualInConstantTime(link.digest, digest) ? link : undefined;
  }
  return undefined;
}

/** A digest of what lets a visitor in: the key of the share link, the setting by which somebody vouches, or the membership. */
export async function computeAdmissionState(
  { tx }: Pick<AdmissionContext, "tx">,
  site: SiteRecord,
  { shareLink, vouchedBy, member }: Pick<VisitAdmission, "shareLink" | "vouchedBy" | "member">,
): Promise<string> {
  const link = shareLink === undefined ? undefined : await shareLinks.get(tx, site.id, shareLink);
  const isSigned = vouchedBy === "key" || vouchedBy === "integration";
  const { backend, integration, sealedKey } = isSigned ? await loadPublishingAuth(tx, site) : UNSIGNED;
  const auth = vouchedBy === "key" ? [sealedKey] : [backend, integration];
  const membership = member === undefined ? [] : [await getActiveMembershipId(tx, member)];
  return hashFingerprint(JSON.stringify([link?.active, link?.digest, auth, ...membership])).slice(0, STATE_CHARACTERS);
}

const STATE_CHARACTERS = 32;
const UNSIGNED = { backend: undefined, integration: undefined, sealedKey: undefined };

/** What a JWT vouches for, with the claims that the schema allows; nothing when the JWT is not valid. */
async function vouchedFor(
  scope: AdmissionContext,
  site: SiteRecord,
  jwt: string | undefined,
): Promise<VouchedVisitor | undefined> {
  if (jwt === undefined) return undefined;
  const signed = await verifyVisitorToken(scope, site, jwt);
  if (!signed) return verifyMemberToken(scope, site, jwt);
  const claims = await readSignedClaims(scope, site, signed.claims);
  return claims && { ...signed, claims };
}

/** Signed claims as the schema has them now; undefined when one has the wrong type. */
export async function readSignedClaims(
  { tx }: Pick<AdmissionContext, "tx">,
  site: SiteRecord,
  claims: Claims,
): Promise<Claims | undefined> {
  return site.adaptiveContent ? filterSignedClaims((await loadAdaptiveSchema(tx, site)).jsonSchema, claims) : {};
}

/** What visitors say of themselves, as far as the schema names it. */
export async function readUnsignedClaims(
  scope: Pick<AdmissionContext, "tx">,
  site: SiteRecord,
  given: Claims | undefined,
): Promise<Claims> {
  if (!site.adaptiveContent || given === undefined) return {};
  return filterUnsignedClaims((await loadAdaptiveSchema(scope.tx, site)).jsonSchema, given);
}
