// The JWT that `ping` returns, with which a reader of published content shows who they are. Its algorithm, issuer and
// audience are fixed here and never taken from the token. It is not an API token and is accepted nowhere else.

import type { Secrets } from "../../../secrets";
import type { Store } from "../../../store/store";
import type { Reader } from "../../../store/transaction";
import { loadJose } from "../jose";
import { given } from "../members/given";
import { activeMember } from "../members/records";
import { partitionOf } from "./records";

export interface VisitorClaims {
  /** The user's id. */
  readonly sub: string;
  readonly email: string;
  readonly organization: string;
}

const ALGORITHM = "HS256";
const ISSUER = "octavo";
const AUDIENCE = "octavo:visitor";
const LIFETIME_SECONDS = 60 * 60;

export async function signVisitorClaims(secrets: Secrets, claims: VisitorClaims, now: Date): Promise<string> {
  const { SignJWT } = await loadJose();
  const seconds = Math.floor(now.getTime() / 1000);
  return new SignJWT({ email: claims.email, organization: claims.organization })
    .setProtectedHeader({ alg: ALGORITHM, typ: "JWT" })
    .setSubject(claims.sub)
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
  return given.filling.isSeen(tx, user);
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
  const { exp: _, ...claims } = verified!;
  return (await isVouchedFor(await store.read(partition), claims.sub)) ? claims : undefined;
}

/** The claims of a valid token of ours; undefined for everything else. What the token says may have changed since. */
export async function verifyVisitorClaims(
  secrets: Secrets,
  jwt: string,
  now: Date,
): Promise<(VisitorClaims & { readonly exp: number }) | undefined> {
  for (const key of secrets.keys("visitor-claims")) {
    const claims = await claimsUnder(key, jwt, now);
    if (claims) return claims;
  }
  return undefined;
}

async function claimsUnder(
  key: Uint8Array,
  jwt: string,
  now: Date,
): Promise<(VisitorClaims & { readonly exp: number }) | undefined> {
  const { jwtVerify } = await loadJose();
  try {
    const { payload } = await jwtVerify(jwt, key, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ["sub", "exp", "iat"],
      currentDate: now,
    });
    const { sub, email, organization, exp } = payload;
    return { sub: sub!, email: String(email), organization: String(organization), exp: exp! };
  } catch {
    return undefined;
  }
}
