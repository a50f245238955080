// What stands behind an API, for the other doors of this package, such as `octavo/sign-in`. Hosts cannot reach it.

import type { Kernel, RegisteredOperation } from "../execution/kernel";
import type { RateLimit } from "../http/rate-limit";
import type { SessionCookie } from "../http/session-cookie";

export interface ApiInternals {
  readonly kernel: Kernel;
  readonly operations: ReadonlyMap<string, RegisteredOperation>;
  /** The names of those that a visitor's token opens. */
  readonly visitorOperations: readonly string[];
  readonly cookie: SessionCookie;
  /** Where the API is reached, without a slash at the end. */
  readonly origin: string;
  /** The path that the API is mounted under, without a slash at the end. */
  readonly basePath: string;
  /** Counts a request for the rate limit, by its address; undefined where there is none. Throws when there were too many. */
  readonly count: RateLimit | undefined;
  /** The address of the other end of a request's connection, where the host can tell. */
  readonly addressOf: ((request: Request) => string | undefined) | undefined;
}

const insides = new WeakMap<object, ApiInternals>();

/** Remembers what stands behind an API. */
export function storeApiInternals<Api extends object>(api: Api, inside: ApiInternals): Api {
  insides.set(api, inside);
  return api;
}

/** What stands behind an API. */
export function getApiInternals(api: object): ApiInternals {
  const inside = insides.get(api);
  if (!inside) throw new TypeError("Expected the API as `createDocsApi` returned it, and no copy of it.");
  return inside;
}
