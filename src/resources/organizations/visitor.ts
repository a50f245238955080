// The JWT that `ping` hands out, for a reader of published content to show who they are. Its algorithm, issuer and
// audience are fixed here and never taken from the token, and it is no API token: nothing else accepts it.

import { jwtVerify, SignJWT } from "jose";
import type { Secrets } from "../../secrets";

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

/** Undefined for everything but a token of ours that is still good. */
export async function verifyVisitorClaims(
  secrets: Secrets,
  jwt: string,
  now: Date,
): Promise<VisitorClaims | undefined> {
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
