// The entry `octavo/sign-in`: a handler beside the API, through which people come in with a browser. It answers the paths
// of its parts, and hands every other request to the API.

import { Router } from "itty-router";
import type { DocsApi } from "../api";
import { fromRequest, toResponse } from "../http/fetch";
import type { PlainRequest, PlainResponse } from "../http/plain";
import { insideOf } from "../inside";
import type { SignInOptions } from "./options";
import type { Arrived, House, Part, Route } from "./parts";
import { scim } from "./scim";

export type { SignInOptions } from "./options";

/** The API with people in front of it. */
export interface SignIn {
  /** Answers a request: of signing in itself, or handed to the API. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The same without `Request` and `Response`: `nodeHandler(signIn)` of `octavo/node` uses it. */
  readonly handle: (request: PlainRequest) => Promise<PlainResponse>;
}

/** Every way to sign in, and every tool beside them. */
const parts: readonly Part[] = [scim];

/**
 * Lets people in, with a browser:
 *
 * ```ts
 * http.createServer(nodeHandler(createSignIn(api))).listen(3000);
 * ```
 */
export function createSignIn(api: DocsApi, options: SignInOptions = {}): SignIn {
  const inside = insideOf(api);
  const { origin, basePath, addressOf } = inside;
  const house: House = { ...inside, options, urlOf: (path) => `${origin}${basePath}${path}` };
  const find = createFinder(parts.flatMap((part) => part(house)));

  async function handle(request: PlainRequest): Promise<PlainResponse> {
    const url = new URL(request.url, origin);
    if (!url.pathname.startsWith(`${basePath}/`)) return api.handle(request);
    const found = await find(request.method === "HEAD" ? "GET" : request.method, url.pathname.slice(basePath.length));
    if (!found) return api.handle(request);
    const { method, headers, headerPairs, body, address } = request;
    const arrived: Arrived = {
      method,
      url: request.url,
      headers,
      headerPairs: () => headerPairs?.call(request) ?? [],
      body: (limit) => body.call(request, limit),
      address,
      params: found.params,
      query: url.searchParams,
    };
    return found.route.answer(arrived);
  }

  return { handle, fetch: async (request) => toResponse(await handle(fromRequest(request, addressOf?.(request)))) };
}

/** Finds the route of a path with itty-router, and the decoded parameters. */
function createFinder(routes: readonly Route[]) {
  type Probe = { method: string; url: string; params?: Record<string, string> };
  const router = Router();
  for (const route of routes) router.all(route.path, ({ method }) => (method === route.method ? route : undefined));
  return async (method: string, path: string) => {
    const probe: Probe = { method, url: `http://localhost${path}` };
    const route = (await router.fetch(probe as never)) as Route | undefined;
    if (!route) return undefined;
    const params = Object.entries(probe.params ?? {}).map(([name, value]) => [name, decoded(value)]);
    return { route, params: Object.fromEntries(params) as Record<string, string> };
  };
}

/** A segment of a path. One that is not well-formed leads nowhere. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return "";
  }
}
