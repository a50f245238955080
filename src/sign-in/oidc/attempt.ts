// What a browser keeps while its user is at the provider: sealed, so that nobody can make or read it, and bound to this
// browser, so that nobody can send somebody else into an account.

import * as oauth from "oauth4webapi";
import { getCookie, serializeCookie } from "../../http/cookies";
import type { SignInContext, SignInRequest } from "../parts";

/** An attempt to sign in. */
export interface Attempt {
  readonly provider: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Where the person wants to go. */
  readonly to: string | null;
  readonly endsAt: number;
}

const MINUTES_15 = 15 * 60;
const CONTEXT = "openid-connect";

function nameFor({ origin }: SignInContext): string {
  return origin.startsWith("https:") ? "__Host-octavo-openid" : "octavo-openid";
}

export function newAttempt({ kernel }: SignInContext, provider: string, to: string | null): Attempt {
  return {
    provider,
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    verifier: oauth.generateRandomCodeVerifier(),
    to,
    endsAt: kernel.store.now().getTime() + MINUTES_15 * 1000,
  };
}

export async function attemptCookie(house: SignInContext, attempt: Attempt | undefined): Promise<string> {
  const isSecure = house.origin.startsWith("https:");
  const value = attempt ? await house.kernel.secrets.encrypt(JSON.stringify(attempt), CONTEXT) : "";
  return serializeCookie(nameFor(house), value, { isSecure, path: "/", maxAge: attempt ? MINUTES_15 : 0 });
}

/** The attempt of this browser at a provider; undefined when there is none, or it took too long. */
export async function attemptOf(
  house: SignInContext,
  request: SignInRequest,
  provider: string,
): Promise<Attempt | undefined> {
  const { secrets, store } = house.kernel;
  const sealed = getCookie(request.headers.get("cookie"), nameFor(house));
  const opened = sealed ? await secrets.decrypt(sealed, CONTEXT).catch(() => undefined) : undefined;
  const attempt = opened === undefined ? undefined : (JSON.parse(opened) as Attempt);
  return attempt?.provider === provider && attempt.endsAt > store.now().getTime() ? attempt : undefined;
}
