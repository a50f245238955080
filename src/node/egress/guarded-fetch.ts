// The guarded fetch: the only way out for all requests that callers can cause. A name is resolved once for each connection, and the
// connection goes to the address that was checked. A redirect is checked like the first request.

import { lookup as systemLookup } from "node:dns";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import { explainFetchError } from "../../utils/fetch-error";
import { parseUrl, tryParseUrl } from "../../utils/url";
import { createAllowList } from "./allow-list";
import { Deadline } from "./deadline";
import { EgressError } from "./errors";
import { getSpecialAddressKind } from "./public-address";
import { discardResponse, type NodeFetchResponse, startWhenSettled, toResponse } from "./to-response";

export interface GuardedFetchOptions {
  /** Hosts (`git.internal`) or hosts with a port (`localhost:9000`) that are reached whatever their address. Default: none. */
  readonly allow?: readonly string[];
  /** Milliseconds from the call to the last byte of the response, redirects included. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Milliseconds until a connection is established, including name resolution and the TLS handshake. Default: 10,000. */
  readonly connectMs?: number;
  /** Milliseconds from a request to the head of its response. Default: `timeoutMs`. */
  readonly firstByteMs?: number;
  /** Milliseconds between two chunks of a response that is read. Default: 15,000. */
  readonly betweenBytesMs?: number;
  /** The largest response, in bytes after decompression. Default: 50 MiB. */
  readonly maxBytes?: number;
  /** The most redirects that are followed. Default: 5. */
  readonly maxRedirects?: number;
  /** Resolves names. Default: `dns.lookup`, the system's resolver. */
  readonly lookup?: LookupFunction;
}

/** Headers that the connection sets, not the caller. */
const CONNECTION_HEADERS = ["host", "connection", "content-length", "transfer-encoding"];
/** Names of headers that may hold a secret. They are sent only to the origin they were meant for. */
const SECRET_HEADER_NAME = /auth|cookie|token|secret|signature|key/i;
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

type CreateConnection = (...args: unknown[]) => Socket | null | undefined;

/** A request to one host. A redirect leads to the next hop. */
interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Buffer | Readable | undefined;
}

/**
 * Creates a `fetch` that reaches public addresses only, over http and https, within limits of time and size. It needs the package
 * `node-fetch`. The `fetch` throws `EgressError` for what the guard forbids, and `TypeError` for errors of the network.
 */
export function guardedFetch(options: GuardedFetchOptions = {}): typeof fetch {
  const { timeoutMs = 30_000, maxBytes = 50 * 1024 * 1024, maxRedirects = 5 } = options;
  const { connectMs = 10_000, firstByteMs = timeoutMs, betweenBytesMs = 15_000 } = options;
  const lookup: LookupFunction = options.lookup ?? ((...request) => systemLookup(...request));
  const isAllowed = createAllowList(options.allow ?? []);
  // Bun has a different node-fetch, which ignores the agent. Then no address would be checked.
  if (process.versions.bun) throw new TypeError("guardedFetch: Bun's node-fetch cannot be guarded; use Node or Deno.");

  async function requestHop({ url, method, headers, body }: Hop, deadline: Deadline): Promise<NodeFetchResponse> {
    const { signal } = deadline;
    let refusal: EgressError | undefined;
    // One forbidden address makes the whole name forbidden, because nobody knows which of them a connection would use.
    const checkAddresses = (addresses: readonly string[]) => {
      const kind = isAllowed(url) ? undefined : addresses.map(getSpecialAddressKind).find((kind) => kind !== undefined);
      refusal = kind && new EgressError(url, "address", `its address is ${kind}`);
      return refusal;
    };
    // A host that is already an address is never looked up, so it is checked here.
    const host = url.hostname.replace(/^\[|\]$/g, "");
    if (isIP(host) && checkAddresses([host])) throw refusal;

    const isSecure = url.protocol === "https:";
    // The lookup fails if the addresses of a name are refused. So the connection goes to an address that was checked.
    const checkedLookup: LookupFunction = (hostname, lookupOptions, callback) =>
      lookup(hostname, { ...lookupOptions, all: true }, (error, result, family) => {
        if (error) return callback(error, []);
        const addresses = typeof result === "string" ? [{ address: result, family: family ?? isIP(result) }] : result;
        const [first] = addresses;
        if (!first) return callback(new Error(`No address was found for ${hostname}.`), []);
        const refused = checkAddresses(addresses.map(({ address }) => address));
        if (refused) return callback(refused, []);
        if (lookupOptions.all) return callback(null, addresses);
        callback(null, first.address, first.family);
      });
    const agent = new (isSecure ? HttpsAgent : HttpAgent)({ lookup: checkedLookup });
    const { default: nodeFetch } = await import("node-fetch").catch((cause) => {
      throw new Error("The package `node-fetch` could not be loaded; install it beside octavo.", { cause });
    });
    const endConnecting = deadline.startPhase("its connection", connectMs);
    const endWaiting = startWhenSettled(waitUntilSent(body), () =>
      deadline.startPhase("the beginning of its answer", firstByteMs),
    );
    const patchedAgent = agent as unknown as { createConnection: CreateConnection };
    const { createConnection } = patchedAgent;
    patchedAgent.createConnection = (...args) => {
      const socket = createConnection.apply(agent, args);
      socket?.once(isSecure ? "secureConnect" : "connect", endConnecting);
      return socket;
    };
    const init = { method, headers: Object.fromEntries(headers), agent, signal, redirect: "manual" as const };
    try {
      return await nodeFetch(url, body ? { ...init, body } : init);
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      const explanation = explainFetchError(cause);
      throw (
        refusal ??
        new TypeError(`The request to ${url.host} failed${explanation ? `: ${explanation}` : ""}.`, { cause })
      );
    } finally {
      endConnecting();
      endWaiting();
    }
  }

  /** Returns the response at the end of the redirects, and its URL. */
  async function followRedirects(
    firstHop: Hop,
    mode: RequestRedirect,
    deadline: Deadline,
  ): Promise<[NodeFetchResponse, URL]> {
    let hop = firstHop;
    for (let redirects = 0; ; redirects++) {
      checkUrl(hop.url);
      const response = await requestHop(hop, deadline);
      const location = REDIRECT_STATUSES.has(response.status) ? response.headers.get("location") : null;
      if (location === null || mode === "manual") return [response, hop.url];
      discardResponse(response);
      if (mode === "error") throw new TypeError(`The request to ${hop.url.host} failed: it was redirected.`);
      if (redirects === maxRedirects)
        throw new EgressError(hop.url, "redirects", `it redirects more than ${maxRedirects} times`);

      const url = tryParseUrl(location, hop.url);
      if (!url) throw new EgressError(hop.url, "redirects", "it redirects to something that is no URL");
      const becomesGet =
        response.status === 303 ? hop.method !== "HEAD" : response.status < 303 && hop.method === "POST";
      // A stream cannot be read again.
      if (hop.body instanceof Readable && !becomesGet)
        throw new TypeError(`The request to ${hop.url.host} failed: it was redirected after its body was sent.`);
      const headers = new Headers(hop.headers);
      for (const name of hop.headers.keys()) {
        const isSecret = url.origin !== hop.url.origin && SECRET_HEADER_NAME.test(name);
        if (isSecret || (becomesGet && name.startsWith("content-"))) headers.delete(name);
      }
      hop = becomesGet ? { url, method: "GET", headers, body: undefined } : { ...hop, url, headers };
    }
  }

  return async (input, init) => {
    const url = parseUrl(input instanceof Request ? input.url : String(input));
    // This comes first, so that no error can contain the URL, which may hold a password.
    checkUrl(url);
    const request = new Request(input, init);
    const headers = new Headers(request.headers);
    for (const name of CONNECTION_HEADERS) headers.delete(name);
    const deadline = new Deadline(url, timeoutMs, init?.signal ?? (input instanceof Request ? input.signal : null));
    try {
      // The complete body is held, because a redirect may need it again. A body that is a stream may be long, and is sent as it comes.
      let body: Hop["body"];
      if (request.body && init?.body instanceof ReadableStream) body = Readable.fromWeb(request.body as WebStream);
      else if (request.body) body = Buffer.from(await request.arrayBuffer());
      const firstHop = { url, method: request.method, headers, body };
      const [nodeResponse, lastUrl] = await followRedirects(firstHop, request.redirect, deadline);
      const limits = { maxBytes, betweenBytesMs, requestSent: waitUntilSent(body) };
      return Object.defineProperties(toResponse(nodeResponse, lastUrl, limits, deadline), {
        url: { value: lastUrl.href },
        redirected: { value: lastUrl !== url },
      });
    } catch (error) {
      deadline.end();
      throw error;
    }
  };
}

/** Returns a promise for the end of a stream, however it ends; undefined for any other body. */
function waitUntilSent(body: Hop["body"]): Promise<void> | undefined {
  if (!(body instanceof Readable)) return undefined;
  return body.destroyed ? Promise.resolve() : new Promise((resolve) => body.once("close", () => resolve()));
}

function checkUrl(url: URL): void {
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new EgressError(url, "scheme", "only http and https are requested");
  if (url.username !== "" || url.password !== "")
    throw new EgressError(url, "credentials", "its URL holds a user name or a password");
}
