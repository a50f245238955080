// Gives other parts of this package, such as `octavo/sign-in`, access to the internals of an API. Hosts have no access.

import type { Kernel } from "../execution/kernel";
import type { RateLimiter } from "../http/rate-limit";
import type { SessionCookie } from "../http/session-cookie";
import type { InternalClient } from "./internal-client";

export interface ApiInternals {
  readonly kernel: Kernel;
  readonly client: InternalClient;
  readonly cookie: SessionCookie;
  readonly origin: string;
  /** The path that the API is mounted under, without a slash at its end. */
  readonly basePath: string;
  /** Counts a request for the rate limit, and throws if there were too many; undefined if there is no rate limit. */
  readonly countRequest: RateLimiter | undefined;
  /** Returns the network address of the client, if the host can tell. */
  readonly getClientAddress: ((request: Request) => string | undefined) | undefined;
}

export const internalsByApi = new WeakMap<object, ApiInternals>();

/** Returns the internals of an API. Throws a TypeError for a copy of one. */
export function getApiInternals(api: object): ApiInternals {
  const internals = internalsByApi.get(api);
  if (!internals) throw new TypeError("Expected the API as `createDocsApi` returned it, and no copy of it.");
  return internals;
}
