// Signs and verifies the JWT that `ping` returns, which identifies a reader of published content. Its algorithm, issuer and
// audience are fixed here and never taken from the token. It is not an API token and is accepted nowhere else.

import type { Secrets } from "../../../storage/secrets";
import type { Store } from "../../../storage/store";
import type { Reader } from "../../../storage/transaction";
import { loadJose } from "../jose";
import { grantsOfMembers } from "../members/grants-extension";
import { findActiveMember, getMembershipId } from "../members/records";
import { findOrganizationPartition } from "./records";

export interface VisitorClaims {
  /** The user's id. */
  readonly sub: string;
  readonly email: string;
  readonly organization: string;
}

/** All members of a token. */
interface VerifiedVisitorClaims extends VisitorClaims {
  /** The id of the membership for which it was issued. */
  readonly membership: string;
  readonly exp: number;
}

const ALGORITHM = "HS256";
const ISSUER = "octavo";
const AUDIENCE = "octavo:visitor";
const LIFETIME_SECONDS = 60 * 60;

export async function signVisitorClaims(
  secrets: Secrets,
  { sub, email, organization, membership }: Omit<VerifiedVisitorClaims, "exp">,
  now: Date,
): Promise<string> {
  const { SignJWT } = await loadJose();
  const seconds = Math.floor(now.getTime() / 1000);
  return new SignJWT({ email, organization, membership })
    .setProtectedHeader({ alg: ALGORITHM, typ: "JWT" })
    .setSubject(sub)
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + LIFETIME_SECONDS)
    .sign(secrets.key("visitor-claims"));
}

/**
 * Returns true if an organization vouches for a user as a reader of its published content. It does so for members, and for
 * guests with a grant on something that still exists. Checked when a JWT is issued and when it is used.
 */
export async function hasReaderAccess(view: Reader, user: string): Promise<boolean> {
  const tx = view.unchecked;
  const me = await findActiveMember(tx, user);
  if (me?.role !== null) return me !== undefined;
  return grantsOfMembers.implementation.hasVisibleGrant(tx, user);
}

/** Returns the claims of a JWT if the organization still vouches for the user; otherwise undefined. */
export async function readVisitorClaims(
  { store, secrets }: { readonly store: Store; readonly secrets: Secrets },
  jwt: string,
  now: Date,
): Promise<VisitorClaims | undefined> {
  const verified = await verifyVisitorClaims(secrets, jwt, now);
  const partition = verified && findOrganizationPartition(verified.organization);
  if (partition === undefined) return undefined;
  const { sub, email, organization, membership } = verified!;
  const view = await store.read(partition);
  if ((await getActiveMembershipId(view, sub)) !== membership || !(await hasReaderAccess(view, sub))) return undefined;
  return { sub, email, organization };
}

/** Returns the id of a user's present membership, or undefined for everybody who is not an active member. */
export async function getActiveMembershipId(view: Reader, user: string): Promise<string | undefined> {
  const me = await findActiveMember(view, user);
  return me && getMembershipId(me);
}

/** Returns the claims of a valid token of ours, or undefined for everything else. The facts may have changed since. */
export async function verifyVisitorClaims(
  secrets: Secrets,
  jwt: string,
  now: Date,
): Promise<VerifiedVisitorClaims | undefined> {
  const { jwtVerify } = await loadJose();
  for (const key of secrets.keys("visitor-claims")) {
    try {
      const { payload } = await jwtVerify(jwt, key, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ["sub", "exp", "iat"],
        currentDate: now,
      });
      const { sub, email, organization, membership, exp } = payload;
      const claims = { email: String(email), organization: String(organization), membership: String(membership) };
      return { sub: sub!, ...claims, exp: exp! };
    } catch {
      // Another key may have signed it.
    }
  }
  return undefined;
}
