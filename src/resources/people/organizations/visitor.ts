// The JWT that `ping` hands out, for a reader of published content to show who they are. Its algorithm, issuer and
// audience are fixed here and never taken from the token, and it is no API token: nothing else accepts it.

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

/** Whether an organization vouches for somebody to readers of what it publishes: for its members, and for guests who were
 * given something that is there. Looked at when a JWT is made, and when it is shown. */
export async function isVouchedFor(view: Reader, user: string): Promise<boolean> {
  const tx = view.unchecked;
  const me = await activeMember(tx, user);
  if (me?.role !== null) return me !== undefined;
  return given.filling.isSeen(tx, user);
}

/** What a JWT says of somebody whom the organization still vouches for. */
export async function readVisitorClaims(
  { store, secrets }: { readonly store: Store; readonly secrets: Secrets },
  jwt: string,
  now: Date,
): Promise<VisitorClaims | undefined> {
  const claims = await verifyVisitorClaims(secrets, jwt, now);
  const partition = claims && partitionOf(claims.organization);
  if (partition === undefined) return undefined;
  return (await isVouchedFor(await store.read(partition), claims!.sub)) ? claims : undefined;
}

/** Undefined for everything but a token of ours that is still good; what it says may have ended. */
export async function verifyVisitorClaims(
  secrets: Secrets,
  jwt: string,
  now: Date,
): Promise<VisitorClaims | undefined> {
  const { jwtVerify } = await loadJose();
  try {
    const { payload } = await jwtVerify(jwt, secrets.key("visitor-claims"), {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ["sub", "exp", "iat"],
      currentDate: now,
    });
    return { sub: payload.sub!, email: String(payload.email), organization: String(payload.organization) };
  } catch {
    return undefined;
  }
}
