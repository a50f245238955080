// The state of a sign-in while the user is at the provider, in an encrypted cookie. Nobody can read or forge it, and because it
// belongs to one browser, nobody can make somebody else sign in to an account.

import * as oauth from "oauth4webapi";
import { getCookie, serializeCookie } from "../../http/cookies";
import type { SignInContext, SignInRequest } from "../context";

/** A sign-in that has begun, with the secrets of its authorization request. */
export interface SignInAttempt {
  readonly provider: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The path that the user wants to reach. */
  readonly to: string | null;
  readonly endsAt: number;
}

const MAX_AGE_SECONDS = 15 * 60;
const ENCRYPTION_CONTEXT = "openid-connect";

function getAttemptCookieName({ origin }: SignInContext): string {
  return origin.startsWith("https:") ? "__Host-octavo-openid" : "octavo-openid";
}

export function createSignInAttempt({ kernel }: SignInContext, provider: string, to: string | null): SignInAttempt {
  return {
    provider,
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    verifier: oauth.generateRandomCodeVerifier(),
    to,
    endsAt: kernel.store.now().getTime() + MAX_AGE_SECONDS * 1000,
  };
}

/** Returns the `Set-Cookie` that stores an attempt, or deletes the current one. */
export async function createAttemptCookie(context: SignInContext, attempt: SignInAttempt | undefined): Promise<string> {
  const isSecure = context.origin.startsWith("https:");
  const value = attempt ? await context.kernel.secrets.encrypt(JSON.stringify(attempt), ENCRYPTION_CONTEXT) : "";
  return serializeCookie(getAttemptCookieName(context), value, {
    isSecure,
    path: "/",
    maxAge: attempt ? MAX_AGE_SECONDS : 0,
  });
}

/** Returns the attempt of a browser at a provider, or undefined if there is none or it has expired. */
export async function findSignInAttempt(
  context: SignInContext,
  request: SignInRequest,
  provider: string,
): Promise<SignInAttempt | undefined> {
  const { secrets, store } = context.kernel;
  const cookie = getCookie(request.headers.get("cookie"), getAttemptCookieName(context));
  const json = cookie ? await secrets.decrypt(cookie, ENCRYPTION_CONTEXT).catch(() => undefined) : undefined;
  const attempt = json === undefined ? undefined : (JSON.parse(json) as SignInAttempt);
  return attempt?.provider === provider && attempt.endsAt > store.now().getTime() ? attempt : undefined;
}
