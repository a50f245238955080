// Asks other hosts how their URLs are displayed, for embeds. A few URLs are requested at once, each within a time limit.
// Responses are cached in memory for a day, and failures for some minutes, so that readers of a page do not ask again. The
// code that reads responses is loaded by the first request.

import type { EmbedDescription } from "../importers/embeds/describe-embed";
import { createAdmissionGate } from "../utils/concurrency/admission-gate";
import { runWithTimeout } from "../utils/concurrency/timeout";
import { loadLazily } from "../utils/lazy";
import { parseUrl } from "../utils/url";
import { VersionedCache } from "../utils/versioned-cache";

/** Describes an http or https URL. Never throws: if the host does not answer, the description has only the host's name. */
export type DescribeEmbed = (url: string) => Promise<EmbedDescription>;

const DESCRIPTION_TTL_MS = 24 * 60 * 60 * 1000;
const FAILURE_TTL_MS = 10 * 60 * 1000;
/** The time limit of all requests for one URL. */
const DEFAULT_TIMEOUT_MS = 8_000;
/** The URLs that are requested at once, and those that wait. Beyond that, a URL is described by its host. */
const MAX_RUNNING = 8;
const MAX_WAITING = 200;
const MAX_CACHE_BYTES = 4 * 1024 * 1024;
const ENTRY_OVERHEAD_BYTES = 500;

const loadEmbeds = loadLazily(() => import("../importers/embeds/describe-embed"));

export function createEmbedDescriber(
  fetch: typeof globalThis.fetch | undefined,
  now: () => Date,
  timeoutMs = DEFAULT_TIMEOUT_MS,
): DescribeEmbed {
  const cache = new VersionedCache<EmbedDescription>(MAX_CACHE_BYTES, ENTRY_OVERHEAD_BYTES);
  const pendingRequests = new Map<string, Promise<EmbedDescription>>();
  const gate = createAdmissionGate({ maxRunning: MAX_RUNNING, maxWaiting: MAX_WAITING });

  async function requestDescription(url: URL, hostFetch: typeof globalThis.fetch): Promise<EmbedDescription> {
    const { describeEmbed, describeByHost } = await loadEmbeds();
    const options = { fetch: hostFetch, responseTimeoutMs: timeoutMs / 2 };
    const request = gate.tryRun(() =>
      runWithTimeout(timeoutMs, (signal) => describeEmbed(url, { ...options, signal })),
    );
    if (!request) return describeByHost(url);
    const response = await request;
    const described = response ?? describeByHost(url);
    const { title, site, icon = "", html = "" } = described;
    cache.set(url.href, described, {
      expiresAt: now().getTime() + (response ? DESCRIPTION_TTL_MS : FAILURE_TTL_MS),
      bytes: 2 * (title.length + site.length + icon.length + html.length),
    });
    return described;
  }

  return async (address) => {
    // The fragment is not sent to hosts. A name and a password belong to the author of the URL and are sent nowhere.
    const url = Object.assign(parseUrl(address), { hash: "", username: "", password: "" });
    const cached = cache.get(url.href, [], now().getTime());
    if (cached) return cached;
    if (!fetch) return (await loadEmbeds()).describeByHost(url);
    const request =
      pendingRequests.get(url.href) ?? requestDescription(url, fetch).finally(() => pendingRequests.delete(url.href));
    pendingRequests.set(url.href, request);
    return request;
  };
}
