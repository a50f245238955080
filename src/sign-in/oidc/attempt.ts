// What a browser keeps while its user is at the provider: sealed, so that nobody can make or read it, and bound to this
// browser, so that nobody can send somebody else into an account.

import * as oauth from "oauth4webapi";
import { getCookie, serializeCookie } from "../../http/cookies";
import type { SignInContext, SignInRequest } from "../context";

/** An attempt to sign in. */
export interface SignInAttempt {
  readonly provider: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Where the person wants to go. */
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

export async function createAttemptCookie(context: SignInContext, attempt: SignInAttempt | undefined): Promise<string> {
  const isSecure = context.origin.startsWith("https:");
  const value = attempt ? await context.kernel.secrets.encrypt(JSON.stringify(attempt), ENCRYPTION_CONTEXT) : "";
  return serializeCookie(getAttemptCookieName(context), value, {
    isSecure,
    path: "/",
    maxAge: attempt ? MAX_AGE_SECONDS : 0,
  });
}

/** The attempt of this browser at a provider; undefined when there is none, or it took too long. */
export async function findSignInAttempt(
  context: SignInContext,
  request: SignInRequest,
  provider: string,
): Promise<SignInAttempt | undefined> {
  const { secrets, store } = context.kernel;
  const sealed = getCookie(request.headers.get("cookie"), getAttemptCookieName(context));
  const opened = sealed ? await secrets.decrypt(sealed, ENCRYPTION_CONTEXT).catch(() => undefined) : undefined;
  const attempt = opened === undefined ? undefined : (JSON.parse(opened) as SignInAttempt);
  return attempt?.provider === provider && attempt.endsAt > store.now().getTime() ? attempt : undefined;
}
