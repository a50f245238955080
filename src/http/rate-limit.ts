// The rate limit, which is optional: a number of requests in a window of time for each caller, counted in this process. A caller is
// the identified user, or else the network address (an IPv6 address by its /64), and nothing that the caller can choose freely.

import { DocsError } from "../errors";
import type { VersionedCache } from "../utils/versioned-cache";

export interface RateLimitOptions {
  /** Requests in a window. */
  readonly limit: number;
  /** The length of a window in seconds. Default: 60. */
  readonly window?: number;
}

/** Counts a request and returns the headers of its response. Throws `rate_limited` if the caller's window is used up. */
export type RateLimiter = (callerKey: string, now: Date) => Record<string, string>;

/** The requests of a caller in the current window. */
export interface RateLimitWindow {
  used: number;
  /** The end of the window, in seconds since 1970. */
  readonly resets: number;
}

/** Creates the rate limiter. A caller whose window was evicted from the cache begins a new one. */
export function createRateLimiter(
  { limit, window: windowSeconds = 60 }: RateLimitOptions,
  windows: VersionedCache<RateLimitWindow>,
): RateLimiter {
  return (callerKey, now) => {
    const seconds = now.getTime() / 1000;
    let window = windows.get(callerKey, [], now.getTime());
    if (!window) {
      const resets = Math.ceil(seconds + windowSeconds);
      window = { used: 0, resets };
      windows.set(callerKey, window, { expiresAt: resets * 1000 });
    }
    window.used++;

    const headers = {
      "x-ratelimit-limit": String(limit),
      "x-ratelimit-remaining": String(Math.max(0, limit - window.used)),
      "x-ratelimit-reset": String(window.resets),
    };
    if (window.used <= limit) return headers;
    const waitSeconds = Math.max(1, Math.ceil(window.resets - seconds));
    throw new DocsError("rate_limited", { headers: { ...headers, "retry-after": String(waitSeconds) } });
  };
}

/** Returns the key of a caller who is known by their network address only. */
export function getAddressKey(address: string | undefined): string {
  if (address === undefined) return "address:unknown";
  const mapped = address.match(/^::ffff:(\d+\.\d+\.\d+\.\d+)$/i);
  if (mapped) return `address:${mapped[1]}`;
  if (!address.includes(":")) return `address:${address}`;

  // An IPv6 address counts by its first four groups. `::` stands for as many groups of zero as are missing.
  const [head = "", tail] = address.split("%")[0]!.split("::");
  const headGroups = head.split(":").filter(Boolean);
  const tailGroups = tail?.split(":").filter(Boolean) ?? [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - headGroups.length - tailGroups.length);
  const groups = [...headGroups, ...Array<string>(zeros).fill("0"), ...tailGroups].slice(0, 4);
  return `address:${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}
