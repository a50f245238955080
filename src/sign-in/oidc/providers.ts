// The OpenID Connect providers of the host: their validated options, and the metadata that each provider publishes.

import * as oauth from "oauth4webapi";
import { createError } from "../../errors";
import { parseUrl, tryParseUrl } from "../../utils/url";
import type { SignInContext } from "../context";
import type { OpenIdConnectOptions } from "./options";

/** A provider with the client that this server is to it. */
export interface OpenIdProvider {
  readonly id: string;
  readonly label: string;
  readonly options: OpenIdConnectOptions;
  /** The path at which a sign-in with the provider begins. */
  readonly path: string;
  readonly redirectUri: string;
  readonly client: oauth.Client;
  readonly authentication: oauth.ClientAuth;
}

const LOOPBACK = new Set(["127.0.0.1", "[::1]", "localhost"]);

/** Returns the providers of the options. Throws a TypeError if an option is invalid, because that is a bug of the host. */
export function resolveOpenIdProviders({
  options,
  getUrl,
}: Pick<SignInContext, "options" | "getUrl">): OpenIdProvider[] {
  const providers = (options.openIdConnect ?? []).map((provider, i): OpenIdProvider => {
    const url = typeof provider.issuer === "string" ? tryParseUrl(provider.issuer) : undefined;
    const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.has(url.hostname));
    if (!url || !isSafe) throwOptionError(i, "issuer", "must be a URL that begins with https://");
    if (typeof provider.clientId !== "string" || provider.clientId === "")
      throwOptionError(i, "clientId", "is missing");
    const id = provider.id ?? url.hostname.replace(/[^A-Za-z0-9.-]/g, "");
    if (!/^[A-Za-z0-9_.-]{1,100}$/.test(id)) throwOptionError(i, "id", "must be of letters, digits, dots and hyphens");
    const authentication =
      provider.clientSecret === undefined
        ? oauth.None()
        : provider.clientAuthentication === "post"
          ? oauth.ClientSecretPost(provider.clientSecret)
          : oauth.ClientSecretBasic(provider.clientSecret);
    const path = `/sign-in/openid-connect/${id}`;
    return {
      id,
      label: provider.label ?? url.host,
      options: provider,
      path,
      redirectUri: getUrl(`${path}/callback`),
      client: { client_id: provider.clientId },
      authentication,
    };
  });
  const duplicate = providers.findIndex(({ id }, i) => providers.findIndex((other) => other.id === id) !== i);
  if (duplicate >= 0) throwOptionError(duplicate, "id", "is that of another provider: give each one of its own");
  return providers;
}

function throwOptionError(index: number, name: string, problem: string): never {
  throw new TypeError(`createSignIn: \`openIdConnect[${index}].${name}\` ${problem}.`);
}

/** The time limit of a request to a provider. */
const REQUEST_TIMEOUT_MS = 10_000;
/** The time for which the metadata of a provider is cached. */
const METADATA_MAX_AGE_MS = 60 * 60 * 1000;

/** Returns the options of requests to a provider. They use the outbound `fetch` of the API, and require https except on a
 * loopback address. */
export function getRequestOptions({ kernel }: SignInContext, { options }: OpenIdProvider) {
  const { fetch } = kernel.jobs.ports;
  if (!fetch) throw createError("no_outbound_fetch");
  return {
    [oauth.customFetch]: (url: string, init: object) => fetch(url, init),
    [oauth.allowInsecureRequests]: options.issuer.startsWith("http:"),
    signal: () => AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  };
}

/** Returns a function that fetches the metadata of a provider, and caches it for an hour. */
export function createDiscovery(
  context: SignInContext,
): (provider: OpenIdProvider) => Promise<oauth.AuthorizationServer> {
  const cache = new Map<string, { readonly server: oauth.AuthorizationServer; readonly until: number }>();
  return async (provider) => {
    const now = context.kernel.store.now().getTime();
    const cached = cache.get(provider.id);
    if (cached && cached.until > now) return cached.server;
    const issuer = parseUrl(provider.options.issuer);
    const response = await oauth.discoveryRequest(issuer, getRequestOptions(context, provider));
    const server = await oauth.processDiscoveryResponse(issuer, response);
    cache.set(provider.id, { server, until: now + METADATA_MAX_AGE_MS });
    return server;
  };
}
