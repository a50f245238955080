// The JWT that `ping` returns, with which a reader of published content shows who they are. Its algorithm, issuer and
// audience are fixed here and never taken from the token. It is not an API token and is accepted nowhere else.

import type { Secrets } from "../../../storage/secrets";
import type { Store } from "../../../storage/store";
import type { Reader } from "../../../storage/transaction";
import { loadJose } from "../jose";
import { given } from "../members/given";
import { activeMember, membershipId } from "../members/records";
import { partitionOf } from "./records";

export interface VisitorClaims {
  /** The user's id. */
  readonly sub: string;
  readonly email: string;
  readonly organization: string;
}

/** What a token says beside its claims. */
interface Verified extends VisitorClaims {
  /** The id of the membership that it was made for. */
  readonly membership: string;
  readonly exp: number;
}

const ALGORITHM = "HS256";
const ISSUER = "octavo";
const AUDIENCE = "octavo:visitor";
const LIFETIME_SECONDS = 60 * 60;

export async function signVisitorClaims(
  secrets: Secrets,
  { sub, email, organization, membership }: Omit<Verified, "exp">,
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
 * Whether an organization vouches for a user to readers of its published content: for members, and for guests with a
 * grant on something that still exists. Checked when a JWT is made and when it is used.
 */
export async function isVouchedFor(view: Reader, user: string): Promise<boolean> {
  const tx = view.unchecked;
  const me = await activeMember(tx, user);
  if (me?.role !== null) return me !== undefined;
  return given.implementation.isSeen(tx, user);
}

/** The claims of a user for whom the organization still vouches. */
export async function readVisitorClaims(
  { store, secrets }: { readonly store: Store; readonly secrets: Secrets },
  jwt: string,
  now: Date,
): Promise<VisitorClaims | undefined> {
  const verified = await verifyVisitorClaims(secrets, jwt, now);
  const partition = verified && partitionOf(verified.organization);
  if (partition === undefined) return undefined;
  const { sub, email, organization, membership } = verified!;
  const view = await store.read(partition);
  if ((await membershipOf(view, sub)) !== membership || !(await isVouchedFor(view, sub))) return undefined;
  return { sub, email, organization };
}

/** Returns the id of the membership that somebody has at the moment; undefined for those who are no active member. */
export async function membershipOf(view: Reader, user: string): Promise<string | undefined> {
  const me = await activeMember(view, user);
  return me && membershipId(me);
}

/** The claims of a valid token of ours; undefined for everything else. What the token says may have changed since. */
export async function verifyVisitorClaims(secrets: Secrets, jwt: string, now: Date): Promise<Verified | undefined> {
  for (const key of secrets.keys("visitor-claims")) {
    const claims = await claimsUnder(key, jwt, now);
    if (claims) return claims;
  }
  return undefined;
}

async function claimsUnder(key: Uint8Array, jwt: string, now: Date): Promise<Verified | undefined> {
  const { jwtVerify } = await loadJose();
  try {
    const { payload } = await jwtVerify(jwt, key, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ["sub", "exp", "iat"],
      currentDate: now,
    });
    const { sub, email, organization, membership, exp } = payload;
    const known = { email: String(email), organization: String(organization), membership: String(membership) };
    return { sub: sub!, ...known, exp: exp! };
  } catch {
    return undefined;
  }
}
