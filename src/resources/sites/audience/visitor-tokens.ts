// The JWTs of visitors. A JWT is signed with the key of one site, or with the key of the integration that signs in its
// visitors, or was returned by `ping` to a member of its organization. Algorithm and keys are fixed here and never
// taken from the token.

import type { JWTPayload } from "jose";
import type { Claims } from "../../../content/claims";
import type { Scope } from "../../../operation/operation";
import { codeOf, organizationId } from "../../../store/ids";
import { seesAny, viewerOf } from "../../library/tree/rules";
import { loadJose } from "../../people/jose";
import { activeMember } from "../../people/members/records";
import { verifyVisitorClaims } from "../../people/organizations/visitor";
import type { SiteRecord } from "../records";
import { type Looking, served, type VisitorSigner } from "../served-by-integrations";
import { readStructure, spacesOf } from "../structure/structure";
import { keyContext, type PublishingAuthRecord, publishingAuthOf } from "./visitor-records";

type Checking = Pick<Scope, "tx" | "secrets" | "now" | "peek">;

/**
 * The claims of a token that is signed for the site; undefined when it is invalid, expired, or made for something else.
 */
export async function readVisitorToken(scope: Checking, site: SiteRecord, jwt: string): Promise<Claims | undefined> {
  for (const key of await keysOf(scope, site)) {
    const payload = await signedWith(scope, key, jwt);
    const isForHere = payload?.aud === undefined || [payload.aud].flat().includes(site.id);
    if (payload) return isForHere ? payload : undefined;
  }
  return undefined;
}

/** The keys that sign visitors of a site: its own, and that of its integration. */
async function keysOf(scope: Checking, site: SiteRecord): Promise<string[]> {
  const auth = await publishingAuthOf(scope.tx, site);
  const own = auth.sealedKey === null ? [] : await ownKey(scope, site, auth.sealedKey);
  const signer = await visitorSigner(scope, auth);
  return [...own, ...(signer?.keys(scope.secrets) ?? [])];
}

/** The site's own key; none when it was encrypted with another secret than this server's. */
export async function ownKey(
  { secrets }: Pick<Checking, "secrets">,
  site: SiteRecord,
  sealed: string,
): Promise<string[]> {
  try {
    return [await secrets.decrypt(sealed, keyContext(site.id))];
  } catch {
    return [];
  }
}

async function signedWith({ now }: Checking, key: string, jwt: string): Promise<JWTPayload | undefined> {
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
export async function visitorSigner(looking: Looking, auth: PublishingAuthRecord): Promise<VisitorSigner | undefined> {
  if (auth.backend !== "integration" || auth.integration === null) return undefined;
  return served.filling.signerOf(looking, auth.site, auth.integration);
}

/**
 * Whether `ping` returned the token to a current member of the site's organization. A guest must also see one of the
 * spaces on the site.
 */
export async function isTokenOfMember(scope: Checking, site: SiteRecord, jwt: string): Promise<boolean> {
  const claims = await verifyVisitorClaims(scope.secrets, jwt, scope.now);
  if (claims?.organization !== organizationId(codeOf("site", site.id)!)) return false;
  const me = await activeMember(scope.tx, claims.sub);
  if (me?.role !== null) return me !== undefined;
  const tx = scope.tx.unchecked;
  return seesAny(tx, await viewerOf(tx, claims.sub), spacesOf(await readStructure(tx, site)));
}
