// Caches the responses of searches, which people repeat when they go back, and which many visitors of a site have in common.
// A response is cached with the version of the partition, so it is reused only while nothing has been written there.

import { sha256Hex } from "../../../utils/sha256";
import type { SpaceSearchContext } from "./find-pages";

/** The response of a search. */
interface SearchResponse {
  /** True if it stays the same until something is written. Other responses are not cached. */
  readonly isLasting: boolean;
}

/** The memory of a response besides its text, as an estimate. */
const RESPONSE_OVERHEAD_BYTES = 1000;

/**
 * Returns the cached response to a question, or computes and caches it. `question` holds everything that the response
 * depends on, besides the records of the partition.
 */
export async function cacheSearchResponse<Response extends SearchResponse>(
  { tx, jobContext }: Pick<SpaceSearchContext, "tx" | "jobContext">,
  question: readonly unknown[],
  compute: () => Promise<Response>,
): Promise<Response> {
  const { cache } = jobContext.ports;
  const name = `search ${sha256Hex(JSON.stringify(question))}`;
  const stamp = String(tx.version);
  const cached = cache.get<Response>(name, stamp);
  if (cached) return cached;
  const response = await compute();
  if (response.isLasting)
    cache.set(name, stamp, response, RESPONSE_OVERHEAD_BYTES + 2 * JSON.stringify(response).length);
  return response;
}
