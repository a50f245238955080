// The audience of a published site. For everybody else, the site looks the same as an absent one. Everything is read for each request,
// so that revoked access ends with the next request.
//
// A visitor is admitted by their credentials (`admitVisitor`), and later by the visit in a visitor's token (`resolveVisit`). Every use of a
// visit checks the grounds of the admission again: the site is published to the same audience, the share link or the key is the same, and
// the issuer still vouches. If one of them has changed, the visit ends.

import { type Claims, filterSignedClaims, filterUnsignedClaims } from "../../../content/claims";
import type { Visit } from "../../../operation/actor";
import type { TargetContext } from "../../../operation/target";
import { isEqualInConstantTime } from "../../../storage/secrets";
import { omitUndefined } from "../../../utils/objects";
import { sha256Hex } from "../../../utils/sha256";
import { getActiveMembershipId } from "../../people/organizations/visitor-claims";
import type { SiteRecord } from "../records";
import { type PreviewState, resolvePreview } from "./previews";
import type { VisitAdmission } from "./visit-tokens";
import {
  computeShareKeyDigests,
  loadAdaptiveSchema,
  loadPublishingAuth,
  type ShareLinkRecord,
  shareLinks,
} from "./visitor-records";
import { canVisitAsMember, findSiteSigner, verifyMemberToken, verifyVisitorToken } from "./visitor-tokens";

export interface Visitor {
  /** The value of `visitor.claims` in conditions. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** The share key that opened the site, for the URLs in responses. */
  readonly shareKey?: string;
  /** The grounds on which the visitor was admitted. */
  readonly admission: VisitAdmission;
  /** The time at which the token that vouches for them expires, in epoch seconds. */
  readonly expiresAtSeconds?: number;
  /** The previewed revision that they see instead of the content of one space. */
  readonly preview?: PreviewState;
}

/** The credentials that a visitor presents. */
export interface AdmissionCredentials {
  readonly shareKey?: string | undefined;
  /** A JWT that identifies the visitor. */
  readonly visitorToken?: string | undefined;
  /** Claims without a signature. */
  readonly unsignedClaims?: Readonly<Record<string, unknown>> | undefined;
}

/** The sources of an admission. Only a JWT needs the clock and other partitions, so other responses are cached. */
type AdmissionContext = Pick<TargetContext, "tx" | "secrets" | "now" | "peek">;

export async function admitVisitor(
  context: AdmissionContext,
  site: SiteRecord,
  { shareKey, visitorToken, unsignedClaims }: AdmissionCredentials,
): Promise<Visitor | undefined> {
  if (!site.published) return undefined;
  const shareLink = await findShareLink(context, site, shareKey);
  if (site.visibility === "share-link" && !shareLink) return undefined;

  let vouched = visitorToken === undefined ? undefined : await verifyVisitorToken(context, site, visitorToken);
  if (vouched) {
    const claims = await readSignedClaims(context, site, vouched.claims);
    vouched = claims && { ...vouched, claims };
  } else if (visitorToken !== undefined) vouched = await verifyMemberToken(context, site, visitorToken);
  if (site.visibility === "visitor-auth" && !vouched) return undefined;

  const admission = {
    site: site.id,
    audience: site.visibility,
    ...omitUndefined({ shareLink: shareLink?.id, vouchedBy: vouched?.vouchedBy, member: vouched?.member }),
  };
  return {
    claims: { ...vouched?.claims, unsigned: await readUnsignedClaims(context, site, unsignedClaims) },
    ...omitUndefined({ shareKey: shareLink ? shareKey! : undefined }),
    admission: { ...admission, state: await computeAdmissionState(context, site, admission) },
    ...omitUndefined({ expiresAtSeconds: vouched?.expiresAtSeconds }),
  };
}

/** Returns the active share link of a key, on a site with share links. Digests of keys are compared in constant time. */
async function findShareLink(
  { tx, secrets }: Pick<AdmissionContext, "tx" | "secrets">,
  site: SiteRecord,
  key: string | undefined,
): Promise<ShareLinkRecord | undefined> {
  if (site.visibility !== "share-link") return undefined;
  for (const digest of computeShareKeyDigests(secrets, site.id, key ?? "")) {
    const link = await shareLinks.find(tx, "digest", site.id, digest);
    if (link) return link.active && isEqualInConstantTime(link.digest, digest) ? link : undefined;
  }
  return undefined;
}

/**
 * Returns a digest of the grounds of an admission: the key of the share link, the settings of the token's issuer, or the membership. When
 * one of them changes, the visits that they admitted end.
 */
async function computeAdmissionState(
  { tx }: Pick<AdmissionContext, "tx">,
  site: SiteRecord,
  { shareLink, vouchedBy, member }: Pick<VisitAdmission, "shareLink" | "vouchedBy" | "member">,
): Promise<string> {
  const link = shareLink === undefined ? undefined : await shareLinks.get(tx, site.id, shareLink);
  const isSigned = vouchedBy === "key" || vouchedBy === "integration";
  const { backend, integration, sealedKey } = isSigned ? await loadPublishingAuth(tx, site) : UNSIGNED;
  const auth = vouchedBy === "key" ? [sealedKey] : [backend, integration];
  const membership = member === undefined ? [] : [await getActiveMembershipId(tx, member)];
  return sha256Hex(JSON.stringify([link?.active, link?.digest, auth, ...membership])).slice(0, STATE_CHARACTERS);
}

const STATE_CHARACTERS = 32;
const UNSIGNED = { backend: undefined, integration: undefined, sealedKey: undefined };

/** Returns the signed claims that the current schema allows, or undefined if one has the wrong type. */
async function readSignedClaims(
  { tx }: Pick<AdmissionContext, "tx">,
  site: SiteRecord,
  claims: Claims,
): Promise<Claims | undefined> {
  return site.adaptiveContent ? filterSignedClaims((await loadAdaptiveSchema(tx, site)).jsonSchema, claims) : {};
}

/** Returns the unsigned claims that the current schema allows. */
async function readUnsignedClaims(
  { tx }: Pick<AdmissionContext, "tx">,
  site: SiteRecord,
  claims: Claims | undefined,
): Promise<Claims> {
  if (!site.adaptiveContent || claims === undefined) return {};
  return filterUnsignedClaims((await loadAdaptiveSchema(tx, site)).jsonSchema, claims);
}

/** Returns the visitor of a visit, or undefined if the visit has ended. `shareKey` is used for URLs if it is that of the visit. */
export async function resolveVisit(
  context: AdmissionContext,
  site: SiteRecord,
  visit: Visit,
  shareKey?: string | undefined,
): Promise<Visitor | undefined> {
  const { site: visitedSite, audience, state, shareLink, vouchedBy, member } = visit;
  if (visit.preview) {
    // The visitor of a preview has no claims, and the site may be unpublished.
    const preview = visitedSite === site.id ? await resolvePreview(context, site, visit.preview) : undefined;
    const admission = { site: visitedSite, audience, state, preview: visit.preview };
    return preview && { claims: { unsigned: {} }, admission, preview };
  }
  if (!(await isStillAdmitted(context, site, visit))) return undefined;
  const { unsigned, ...signed } = visit.claims;
  const signedClaims = await readSignedClaims(context, site, signed);
  if (!signedClaims) return undefined;
  const claims = {
    ...signedClaims,
    unsigned: await readUnsignedClaims(context, site, unsigned as Visitor["claims"] | undefined),
  };
  const admission = { site: visitedSite, audience, state, ...omitUndefined({ shareLink, vouchedBy, member }) };
  const isKeyOfVisit = shareLink !== undefined && (await findShareLink(context, site, shareKey))?.id === shareLink;
  return { claims, admission, ...omitUndefined({ shareKey: isKeyOfVisit ? shareKey! : undefined }) };
}

/** Checks whether the grounds of an admission are unchanged. */
export async function isStillAdmitted(
  context: Pick<AdmissionContext, "tx" | "peek" | "secrets">,
  site: SiteRecord,
  admission: VisitAdmission,
): Promise<boolean> {
  if (site.id !== admission.site) return false;
  if (admission.preview) return (await resolvePreview(context, site, admission.preview)) !== undefined;
  if (!site.published || site.visibility !== admission.audience) return false;
  if ((await computeAdmissionState(context, site, admission)) !== admission.state) return false;
  if (admission.vouchedBy === "member") return canVisitAsMember(context, site, admission.member ?? "");
  if (admission.vouchedBy !== "integration") return true;
  return (await findSiteSigner(context, await loadPublishingAuth(context.tx, site))) !== undefined;
}
