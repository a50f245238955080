// The guarded fetch: the one way out for all requests that callers can cause. A name is resolved once for each
// connection, and the connection goes to the address that was checked. A redirect is checked like the first request.

import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import { explainFetchError } from "../../utils/fetch-error";
import { parseUrl, tryParseUrl } from "../../utils/url";
import { allowList } from "./allow-list";
import { type Answer, afterThat, discard, toResponse } from "./answer";
import { type Deadline, startDeadline } from "./deadline";
import { checkedLookup, systemResolver } from "./lookup";
import { addressKind } from "./public-address";
import { EgressRefused } from "./refused";

export interface GuardedFetchOptions {
  /** Hosts (`git.internal`) or hosts with a port (`localhost:9000`) that are reached whatever their address. Default: none. */
  readonly allow?: readonly string[];
  /** Milliseconds from the call to the last byte of the answer, redirects included. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Milliseconds until a connection stands, the name looked up and the keys exchanged. Default: 10,000. */
  readonly connectMs?: number;
  /** Milliseconds from a request to the head of its answer. Default: `timeoutMs`. */
  readonly firstByteMs?: number;
  /** Milliseconds between two pieces of an answer that is read. Default: 15,000. */
  readonly betweenBytesMs?: number;
  /** The largest answer, in bytes after decompression. Default: 50 MiB. */
  readonly maxBytes?: number;
  /** The most redirects that are followed. Default: 5. */
  readonly maxRedirects?: number;
  /** Resolves names. Default: `dns.lookup`, the system's resolver. */
  readonly lookup?: LookupFunction;
}

/** Headers that the connection sets, not the caller. */
const OF_THE_CONNECTION = ["host", "connection", "content-length", "transfer-encoding"];
/** Names of headers that may hold a secret: they are sent only to the origin they were meant for. */
const MAY_BE_SECRET = /auth|cookie|token|secret|signature|key/i;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Buffer | Readable | undefined;
}

/**
 * A `fetch` that reaches public addresses only, over http and https, within limits of time and size. It needs the package
 * `node-fetch`. Throws `EgressRefused` for what the guard forbids, and `TypeError` for what the network does.
 */
export function guardedFetch(options: GuardedFetchOptions = {}): typeof fetch {
  const { timeoutMs = 30_000, maxBytes = 50 * 1024 * 1024, maxRedirects = 5, lookup = systemResolver } = options;
  const { connectMs = 10_000, firstByteMs = timeoutMs, betweenBytesMs = 15_000 } = options;
  const isAllowed = allowList(options.allow ?? []);
  // Bun has its own node-fetch, which ignores the agent. Then no address would be checked.
  if (process.versions.bun) throw new TypeError("guardedFetch: Bun's node-fetch cannot be guarded; use Node or Deno.");

  async function request({ url, method, headers, body }: Hop, deadline: Deadline): Promise<Answer> {
    const { signal } = deadline;
    let refusal: EgressRefused | undefined;
    // One forbidden address makes the whole name forbidden, because nobody knows which of them a connection would use.
    const check = (addresses: readonly string[]) => {
      const kind = isAllowed(url) ? undefined : addresses.map(addressKind).find((kind) => kind !== undefined);
      refusal = kind && new EgressRefused(url, "address", `its address is ${kind}`);
      return refusal;
    };
    // A host that is already an address is never looked up, so it is checked here.
    const host = url.hostname.replace(/^\[|\]$/g, "");
    if (isIP(host) && check([host])) throw refusal;
    const agent = new (url.protocol === "https:" ? HttpsAgent : HttpAgent)({ lookup: checkedLookup(lookup, check) });
    const { default: nodeFetch } = await loadNodeFetch();
    const connected = deadline.part("its connection", connectMs);
    const begun = afterThat(sentOf(body), () => deadline.part("the beginning of its answer", firstByteMs));
    whenConnected(agent, url.protocol === "https:" ? "secureConnect" : "connect", connected);
    const init = { method, headers: Object.fromEntries(headers), agent, signal, redirect: "manual" as const };
    try {
      return await nodeFetch(url, body ? { ...init, body } : init);
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      const why = explainFetchError(cause);
      throw refusal ?? new TypeError(`The request to ${url.host} failed${why ? `: ${why}` : ""}.`, { cause });
    } finally {
      connected();
      begun();
    }
  }

  /** The answer at the end of the redirects, and the URL that gave it. */
  async function follow(first: Hop, mode: RequestRedirect, deadline: Deadline): Promise<[Answer, URL]> {
    let hop = first;
    for (let redirects = 0; ; redirects++) {
      checkUrl(hop.url);
      const answer = await request(hop, deadline);
      const location = REDIRECTS.has(answer.status) ? answer.headers.get("location") : null;
      if (location === null || mode === "manual") return [answer, hop.url];
      discard(answer);
      if (mode === "error") throw new TypeError(`The request to ${hop.url.host} failed: it was redirected.`);
      if (redirects === maxRedirects)
        throw new EgressRefused(hop.url, "redirects", `it redirects more than ${maxRedirects} times`);
      hop = redirected(hop, answer.status, location);
    }
  }

  return async (input, init) => {
    const url = parseUrl(input instanceof Request ? input.url : String(input));
    // This comes first, so that no error can contain the URL: it may hold a password.
    checkUrl(url);
    const wanted = new Request(input, init);
    const headers = new Headers(wanted.headers);
    for (const name of OF_THE_CONNECTION) headers.delete(name);
    const deadline = startDeadline(url, timeoutMs, init?.signal ?? (input instanceof Request ? input.signal : null));
    try {
      const body = await bodyOf(wanted, init?.body);
      const first = { url, method: wanted.method, headers, body };
      const [answer, last] = await follow(first, wanted.redirect, deadline);
      return Object.defineProperties(
        toResponse(answer, last, { maxBytes, betweenBytesMs, sent: sentOf(body) }, deadline),
        {
          url: { value: last.href },
          redirected: { value: last !== url },
        },
      );
    } catch (error) {
      deadline.end();
      throw error;
    }
  };
}

/** The whole body is kept, because a redirect may need it again. One that is a stream may be long, and is sent as it comes. */
async function bodyOf(wanted: Request, given: unknown): Promise<Hop["body"]> {
  if (!wanted.body) return undefined;
  if (given instanceof ReadableStream) return Readable.fromWeb(wanted.body as WebStream);
  return Buffer.from(await wanted.arrayBuffer());
}

/** When a stream has ended, in whatever way; undefined for what is no stream. */
function sentOf(body: Hop["body"]): Promise<void> | undefined {
  if (!(body instanceof Readable)) return undefined;
  return body.destroyed ? Promise.resolve() : new Promise((sent) => body.once("close", () => sent()));
}

type Connect = (...args: unknown[]) => Socket | null | undefined;

/** Calls back when the agent has a connection. */
function whenConnected(agent: HttpAgent, event: "connect" | "secureConnect", stands: () => void): void {
  const connecting = agent as unknown as { createConnection: Connect };
  const connect = connecting.createConnection;
  connecting.createConnection = (...args) => {
    const socket = connect.apply(agent, args);
    socket?.once(event, stands);
    return socket;
  };
}

async function loadNodeFetch() {
  return import("node-fetch").catch((cause) => {
    throw new Error("The package `node-fetch` could not be loaded; install it beside octavo.", { cause });
  });
}

function checkUrl(url: URL): void {
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new EgressRefused(url, "scheme", "only http and https are requested");
  if (url.username !== "" || url.password !== "")
    throw new EgressRefused(url, "credentials", "its URL holds a user name or a password");
}

/** The request that a redirect asks for. */
function redirected({ url: from, method, headers: sent, body }: Hop, status: number, location: string): Hop {
  const url = tryParseUrl(location, from);
  if (!url) throw new EgressRefused(from, "redirects", "it redirects to something that is no URL");
  const becomesGet = status === 303 ? method !== "HEAD" : status < 303 && method === "POST";
  // A stream cannot be read again.
  if (body instanceof Readable && !becomesGet)
    throw new TypeError(`The request to ${from.host} failed: it was redirected after its body was sent.`);
  const headers = new Headers(sent);
  for (const name of sent.keys()) {
    const isForeign = url.origin !== from.origin && MAY_BE_SECRET.test(name);
    if (isForeign || (becomesGet && name.startsWith("content-"))) headers.delete(name);
  }
  return becomesGet ? { url, method: "GET", headers, body: undefined } : { url, method, headers, body };
}
