// Verifies the JWTs of visitors. A JWT is signed with the key of one site, or with the key of the integration that signs in its visitors,
// or was returned by `ping` to a member of its organization. The algorithm and the keys are never taken from the token.

import type { Claims } from "../../../content/claims";
import type { Visit } from "../../../operation/actor";
import type { TargetContext } from "../../../operation/target";
import { formatOrganizationId, parsePartitionCode } from "../../../storage/ids";
import { sealContexts } from "../../../storage/seal-contexts";
import { canSeeAny, loadViewer } from "../../library/tree/rules";
import { loadJose } from "../../people/jose";
import { findActiveMember } from "../../people/members/records";
import { getActiveMembershipId, verifyVisitorClaims } from "../../people/organizations/visitor-claims";
import type { SiteRecord } from "../records";
import { type IntegrationLookupContext, siteIntegrations, type VisitorSigner } from "../site-integrations";
import { getSpaceIds, readStructure } from "../structure/structure";
import { loadPublishingAuth, type PublishingAuthRecord } from "./visitor-records";

type TokenContext = Pick<TargetContext, "tx" | "secrets" | "now" | "peek">;

/** The content of a valid JWT, and its issuer. */
export interface VouchedVisitor {
  readonly claims: Claims;
  readonly vouchedBy: NonNullable<Visit["vouchedBy"]>;
  /** The id of the visitor if they are a member of the organization. */
  readonly member?: string;
  /** The time at which the JWT expires, in epoch seconds. */
  readonly expiresAtSeconds: number;
}

/** Verifies a token that is signed for the site. Returns undefined if it's invalid, expired, or has another audience. */
export async function verifyVisitorToken(
  context: TokenContext,
  site: SiteRecord,
  jwt: string,
): Promise<VouchedVisitor | undefined> {
  // The site has its own key, and its integration may have others.
  const auth = await loadPublishingAuth(context.tx, site);
  const siteKeys = auth.sealedKey === null ? [] : await decryptSigningKey(context, site, auth.sealedKey);
  const signer = await findSiteSigner(context, auth);
  const keys = [
    ...siteKeys.map((key) => ({ key, vouchedBy: "key" as const })),
    ...(signer?.getKeys(context.secrets) ?? []).map((key) => ({ key, vouchedBy: "integration" as const })),
  ];
  for (const { key, vouchedBy } of keys) {
    const { jwtVerify } = await loadJose();
    const verified = await jwtVerify(jwt, new TextEncoder().encode(key), {
      algorithms: ["HS256"],
      requiredClaims: ["exp"],
      currentDate: context.now,
    }).catch(() => undefined);
    if (!verified) continue;
    const { payload } = verified;
    const isForSite = payload.aud === undefined || [payload.aud].flat().includes(site.id);
    return isForSite ? { claims: payload, vouchedBy, expiresAtSeconds: payload.exp! } : undefined;
  }
  return undefined;
}

/** Decrypts the key of a site. Returns none if it was encrypted with the secret of another server. */
export async function decryptSigningKey(
  { secrets }: Pick<TokenContext, "secrets">,
  site: SiteRecord,
  sealed: string,
): Promise<string[]> {
  try {
    return [await secrets.decrypt(sealed, sealContexts.signingKey(site.id))];
  } catch {
    return [];
  }
}

/** Returns the integration that signs in the visitors of a site, or undefined if there is none or it can't at the moment. */
export async function findSiteSigner(
  context: IntegrationLookupContext,
  auth: PublishingAuthRecord,
): Promise<VisitorSigner | undefined> {
  if (auth.backend !== "integration" || auth.integration === null) return undefined;
  return siteIntegrations.implementation.findVisitorSigner(context, auth.site, auth.integration);
}

/** Verifies a token that `ping` returned to a member of the organization, who still has to be allowed to see the site. */
export async function verifyMemberToken(
  context: TokenContext,
  site: SiteRecord,
  jwt: string,
): Promise<VouchedVisitor | undefined> {
  const claims = await verifyVisitorClaims(context.secrets, jwt, context.now);
  if (claims?.organization !== formatOrganizationId(parsePartitionCode("site", site.id)!)) return undefined;
  if ((await getActiveMembershipId(context.tx, claims.sub)) !== claims.membership) return undefined;
  if (!(await canVisitAsMember(context, site, claims.sub))) return undefined;
  // The claims of the token aren't those that the site's schema describes.
  return { claims: {}, vouchedBy: "member", member: claims.sub, expiresAtSeconds: claims.exp };
}

/** Checks whether a user is an active member of the site's organization. A guest must also see one of the spaces on the site. */
export async function canVisitAsMember(
  scope: Pick<TargetContext, "tx">,
  site: SiteRecord,
  user: string,
): Promise<boolean> {
  const me = await findActiveMember(scope.tx, user);
  if (me?.role !== null) return me !== undefined;
  const tx = scope.tx.unchecked;
  return canSeeAny(tx, await loadViewer(tx, user), getSpaceIds(await readStructure(tx, site)));
}
