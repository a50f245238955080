// The OpenID Connect providers of the host: its options, checked, and what each provider says of itself.

import * as oauth from "oauth4webapi";
import { createError } from "../../errors";
import { parseUrl, tryParseUrl } from "../../utils/url";
import type { SignInContext } from "../context";
import type { OpenIdConnectOptions } from "./options";

/** A provider, with what is needed to talk to it. */
export interface OpenIdProvider {
  readonly id: string;
  readonly label: string;
  readonly options: OpenIdConnectOptions;
  readonly redirectUri: string;
  readonly client: oauth.Client;
  readonly authentication: oauth.ClientAuth;
}

const LOOPBACK = new Set(["127.0.0.1", "[::1]", "localhost"]);

/** The providers of the options. A mistake in them is one of the host's code, so it is a TypeError. */
export function resolveOpenIdProviders({
  options,
  getUrl: urlOf,
}: Pick<SignInContext, "options" | "getUrl">): OpenIdProvider[] {
  const providers = (options.openIdConnect ?? []).map((it, i): OpenIdProvider => {
    const url = typeof it.issuer === "string" ? tryParseUrl(it.issuer) : undefined;
    const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.has(url.hostname));
    if (!url || !isSafe) throwOptionError(i, "issuer", "must be a URL that begins with https://");
    if (typeof it.clientId !== "string" || it.clientId === "") throwOptionError(i, "clientId", "is missing");
    const id = it.id ?? url.hostname.replace(/[^A-Za-z0-9.-]/g, "");
    if (!/^[A-Za-z0-9_.-]{1,100}$/.test(id)) throwOptionError(i, "id", "must be of letters, digits, dots and hyphens");
    const authentication =
      it.clientSecret === undefined
        ? oauth.None()
        : it.secretIn === "post"
          ? oauth.ClientSecretPost(it.clientSecret)
          : oauth.ClientSecretBasic(it.clientSecret);
    return {
      id,
      label: it.label ?? url.host,
      options: it,
      redirectUri: urlOf(`/sign-in/openid-connect/${id}/callback`),
      client: { client_id: it.clientId },
      authentication,
    };
  });
  const twice = providers.findIndex(({ id }, i) => providers.findIndex((other) => other.id === id) !== i);
  if (twice >= 0) throwOptionError(twice, "id", "is that of another provider: give each one of its own");
  return providers;
}

function throwOptionError(at: number, name: string, what: string): never {
  throw new TypeError(`createSignIn: \`openIdConnect[${at}].${name}\` ${what}.`);
}

/** How long one call to a provider may take, and how long its description is kept. */
const REQUEST_TIMEOUT_MS = 10_000;
const METADATA_MAX_AGE_MS = 60 * 60 * 1000;

/** Calls a provider: through the API's own way to other hosts, and over https unless the host is this computer. */
export function getRequestOptions({ kernel }: SignInContext, { options }: OpenIdProvider) {
  const { fetch } = kernel.jobs.ports;
  if (!fetch) throw createError("no_outbound_fetch");
  return {
    [oauth.customFetch]: (url: string, init: object) => fetch(url, init),
    [oauth.allowInsecureRequests]: options.issuer.startsWith("http:"),
    signal: () => AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  };
}

/** What providers say of themselves, asked once an hour. */
export function createDiscovery(
  context: SignInContext,
): (provider: OpenIdProvider) => Promise<oauth.AuthorizationServer> {
  const known = new Map<string, { readonly server: oauth.AuthorizationServer; readonly until: number }>();
  return async (provider) => {
    const now = context.kernel.store.now().getTime();
    const kept = known.get(provider.id);
    if (kept && kept.until > now) return kept.server;
    const issuer = parseUrl(provider.options.issuer);
    const response = await oauth.discoveryRequest(issuer, getRequestOptions(context, provider));
    const server = await oauth.processDiscoveryResponse(issuer, response);
    known.set(provider.id, { server, until: now + METADATA_MAX_AGE_MS });
    return server;
  };
}
