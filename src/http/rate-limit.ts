// The optional rate limit: a number of requests a window for each caller, counted in this process. The caller is the
// verified user, else the network address (an IPv6 address by its /64); nothing that the caller can choose freely.

import { DocsError } from "../errors";
import type { LruCache } from "../utils/lru-cache";

export interface RateLimitOptions {
  /** Requests a window. */
  readonly limit: number;
  /** Seconds a window. Default: 60. */
  readonly window?: number;
}

/** Counts a request; throws `rate_limited` when the caller's window is used up. Gives the headers to answer with. */
export type RateLimit = (caller: string, now: Date) => Record<string, string>;

/** How much of a window a caller has used. */
export interface Used {
  used: number;
  resets: number;
}

export function createRateLimit({ limit, window = 60 }: RateLimitOptions, callers: LruCache<Used>): RateLimit {
  return (caller, now) => {
    const seconds = now.getTime() / 1000;
    const known = callers.get(caller);
    const state = known && known.resets > seconds ? known : { used: 0, resets: Math.ceil(seconds + window) };
    state.used++;
    callers.set(caller, state);
    const headers = {
      "x-ratelimit-limit": String(limit),
      "x-ratelimit-remaining": String(Math.max(0, limit - state.used)),
      "x-ratelimit-reset": String(state.resets),
    };
    if (state.used <= limit) return headers;
    const wait = Math.max(1, Math.ceil(state.resets - seconds));
    throw new DocsError("rate_limited", { headers: { ...headers, "retry-after": String(wait) } });
  };
}

/** The key of a caller that is known by address only. */
export function addressKey(address: string | undefined): string {
  if (address === undefined) return "address:unknown";
  const mapped = address.match(/^::ffff:(\d+\.\d+\.\d+\.\d+)$/i);
  if (mapped) return `address:${mapped[1]}`;
  if (!address.includes(":")) return `address:${address}`;
  const [head = "", tail] = address.split("%")[0]!.split("::");
  const left = head.split(":").filter(Boolean);
  const right = tail?.split(":").filter(Boolean) ?? [];
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(Math.max(0, zeros)).fill("0"), ...right];
  return `address:${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
