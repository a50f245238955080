// Asks other hosts how their addresses are shown, for embeds. A few are asked at once, each within a limit of time. Answers
// are kept in memory for a day, and failures for some minutes, so that readers of a page do not ask again. The code that
// reads answers is loaded by the first who asks.

import type { Described } from "../importers/embeds";
import { createAdmissionGate } from "../utils/concurrency/admission-gate";
import { runWithTimeout } from "../utils/concurrency/timeout";
import { loadLazily } from "../utils/lazy";
import { LruCache } from "../utils/lru-cache";
import { parseUrl } from "../utils/url";

/** Describes an http or https address. Never throws: a host that does not answer is described by its name. */
export type DescribeEmbed = (address: string) => Promise<Described>;

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long a failure is remembered. */
const FAILED_MS = 10 * 60 * 1000;
/** How long all requests for one address may take. */
const LONGEST_MS = 8_000;
/** Hosts that are asked at once, and those that wait. Beyond that an address is described by its host. */
const AT_ONCE = 8;
const WAITING = 200;
const MAX_KEPT_BYTES = 4 * 1024 * 1024;

const loadEmbeds = loadLazily(() => import("../importers/embeds"));

interface Kept {
  readonly described: Described;
  readonly until: number;
}

export function createEmbedDescriber(
  fetch: typeof globalThis.fetch | undefined,
  now: () => Date,
  longestMs = LONGEST_MS,
): DescribeEmbed {
  const kept = new LruCache<Kept>(MAX_KEPT_BYTES, bytesOf);
  const underWay = new Map<string, Promise<Described>>();
  const gate = createAdmissionGate({ maxRunning: AT_ONCE, maxWaiting: WAITING });

  async function ask(url: URL, reach: typeof globalThis.fetch): Promise<Described> {
    const { describe, describedByHost } = await loadEmbeds();
    const way = { fetch: reach, answerMs: longestMs / 2 };
    const entered = gate.tryRun(() => runWithTimeout(longestMs, (signal) => describe(url, { ...way, signal })));
    if (!entered) return describedByHost(url);
    const answer = await entered;
    const described = answer ?? describedByHost(url);
    kept.set(url.href, { described, until: now().getTime() + (answer ? DAY_MS : FAILED_MS) });
    return described;
  }

  return async (address) => {
    // The fragment is not sent to hosts. A name and a password are for whoever wrote the address, and go nowhere.
    const url = Object.assign(parseUrl(address), { hash: "", username: "", password: "" });
    const known = kept.get(url.href, ({ until }) => now().getTime() < until);
    if (known) return known.described;
    if (!fetch) return (await loadEmbeds()).describedByHost(url);
    const call = underWay.get(url.href) ?? ask(url, fetch).finally(() => underWay.delete(url.href));
    underWay.set(url.href, call);
    return call;
  };
}

function bytesOf({ described: { title, site, icon = "", html = "" } }: Kept): number {
  return 500 + 2 * (title.length + site.length + icon.length + html.length);
}
