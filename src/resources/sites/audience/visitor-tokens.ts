// The JWTs of visitors. A JWT is signed with the key of one site, or with the key of the integration that signs in its
// visitors, or was returned by `ping` to a member of its organization. Algorithm and keys are fixed here and never
// taken from the token.

import type { JWTPayload } from "jose";
import type { Claims } from "../../../content/claims";
import type { Visit } from "../../../operation/actor";
import type { TargetContext } from "../../../operation/target";
import { formatOrganizationId, parsePartitionCode } from "../../../storage/ids";
import { canSeeAny, loadViewer } from "../../library/tree/rules";
import { loadJose } from "../../people/jose";
import { findActiveMember } from "../../people/members/records";
import { getActiveMembershipId, verifyVisitorClaims } from "../../people/organizations/visitor-claims";
import type { SiteRecord } from "../records";
import { type IntegrationLookupContext, siteIntegrations, type VisitorSigner } from "../site-integrations";
import { getSpaceIds, readStructure } from "../structure/structure";
import { getSigningKeyContext, loadPublishingAuth, type PublishingAuthRecord } from "./visitor-records";

type Checking = Pick<TargetContext, "tx" | "secrets" | "now" | "peek">;

/** What a JWT says of a visitor, and who vouches for it. */
export interface VouchedVisitor {
  readonly claims: Claims;
  readonly vouchedBy: NonNullable<Visit["vouchedBy"]>;
  /** Who the visitor is, if they are a member of the organization. */
  readonly member?: string;
  /** When the JWT ends, in epoch seconds. */
  readonly expiresAtSeconds: number;
}

/**
 * The claims of a token that is signed for the site; undefined when it is invalid, expired, or made for something else.
 */
export async function verifyVisitorToken(
  scope: Checking,
  site: SiteRecord,
  jwt: string,
): Promise<VouchedVisitor | undefined> {
  for (const { key, by } of await keysOf(scope, site)) {
    const payload = await verifyJwt(scope, key, jwt);
    const isForHere = payload?.aud === undefined || [payload.aud].flat().includes(site.id);
    if (payload) return isForHere ? { claims: payload, vouchedBy: by, expiresAtSeconds: payload.exp! } : undefined;
  }
  return undefined;
}

/** The keys that sign visitors of a site: its own, and that of its integration. */
async function keysOf(
  scope: Checking,
  site: SiteRecord,
): Promise<{ readonly key: string; readonly by: "key" | "integration" }[]> {
  const auth = await loadPublishingAuth(scope.tx, site);
  const own = auth.sealedKey === null ? [] : await decryptSigningKey(scope, site, auth.sealedKey);
  const signer = await findSiteSigner(scope, auth);
  return [
    ...own.map((key) => ({ key, by: "key" as const })),
    ...(signer?.getKeys(scope.secrets) ?? []).map((key) => ({ key, by: "integration" as const })),
  ];
}

/** The site's own key; none when it was encrypted with another secret than this server's. */
export async function decryptSigningKey(
  { secrets }: Pick<Checking, "secrets">,
  site: SiteRecord,
  sealed: string,
): Promise<string[]> {
  try {
    return [await secrets.decrypt(sealed, getSigningKeyContext(site.id))];
  } catch {
    return [];
  }
}

async function verifyJwt({ now }: Checking, key: string, jwt: string): Promise<JWTPayload | undefined> {
  const { jwtVerify } = await loadJose();
  try {
    const { payload } = await jwtVerify(jwt, new TextEncoder().encode(key), {
      algorithms: ["HS256"],
      requiredClaims: ["exp"],
      currentDate: now,
    });
    return payload;
  } catch {
    return undefined;
  }
}

/** The integration that signs in the visitors of a site; undefined when there is none, or it cannot at the moment. */
export async function findSiteSigner(
  looking: IntegrationLookupContext,
  auth: PublishingAuthRecord,
): Promise<VisitorSigner | undefined> {
  if (auth.backend !== "integration" || auth.integration === null) return undefined;
  return siteIntegrations.implementation.findVisitorSigner(looking, auth.site, auth.integration);
}

/** The member of the site's organization to whom `ping` returned the token, if they still may see the site. */
export async function verifyMemberToken(
  scope: Checking,
  site: SiteRecord,
  jwt: string,
): Promise<VouchedVisitor | undefined> {
  const claims = await verifyVisitorClaims(scope.secrets, jwt, scope.now);
  if (claims?.organization !== formatOrganizationId(parsePartitionCode("site", site.id)!)) return undefined;
  if ((await getActiveMembershipId(scope.tx, claims.sub)) !== claims.membership) return undefined;
  if (!(await canVisitAsMember(scope, site, claims.sub))) return undefined;
  // The token says who somebody is here, and not what the owner of the site says of them.
  return { claims: {}, vouchedBy: "member", member: claims.sub, expiresAtSeconds: claims.exp };
}

/** Whether a user is a current member of the site's organization. A guest must also see one of the spaces on the site. */
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
