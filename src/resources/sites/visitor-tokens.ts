// The JWTs that visitors show. One is signed with the key of a single site, or is what `ping` gave to a member of its
// organization. Algorithm and key are fixed here; nothing in a token chooses either.

import { jwtVerify } from "jose";
import type { Claims } from "../../content/claims";
import type { Scope } from "../../operation";
import { codeOf, organizationId } from "../../store/ids";
import { activeMember } from "../members/records";
import { verifyVisitorClaims } from "../organizations/visitor";
import type { SiteRecord } from "./records";
import { keyContext, publishingAuthOf } from "./visitor-records";

type Checking = Pick<Scope, "tx" | "secrets" | "now">;

/** What a token signed with the site's own key says; undefined when it is not, is over, or was made for somewhere else. */
export async function readVisitorToken(scope: Checking, site: SiteRecord, jwt: string): Promise<Claims | undefined> {
  const { sealedKey } = await publishingAuthOf(scope.tx, site);
  if (sealedKey === null) return undefined;
  try {
    const key = await scope.secrets.decrypt(sealedKey, keyContext(site.id));
    const { payload } = await jwtVerify(jwt, new TextEncoder().encode(key), {
      algorithms: ["HS256"],
      requiredClaims: ["exp"],
      currentDate: scope.now,
    });
    const isForHere = payload.aud === undefined || [payload.aud].flat().includes(site.id);
    return isForHere ? payload : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a token is what `ping` gave to somebody who is still a member of the site's organization. */
export async function isTokenOfMember(scope: Checking, site: SiteRecord, jwt: string): Promise<boolean> {
  const claims = await verifyVisitorClaims(scope.secrets, jwt, scope.now);
  if (claims?.organization !== organizationId(codeOf("site", site.id)!)) return false;
  return (await activeMember(scope.tx, claims.sub)) !== undefined;
}
