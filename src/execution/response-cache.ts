// Caches responses to GETs until something that they were made from changes. Every request still identifies its caller and
// reads the versions of the storage. A response is served again only to the same credentials, for the same URL, at the same
// versions of both partitions that it was read from, and within the same hour, because the URLs in it are signed for one hour.
// Each operation declares whether its responses may be cached.

import type { Version } from "../storage/storage";
import { type CacheStats, VersionedCache } from "../utils/versioned-cache";

/** Everything that a response was made from. A cached response is valid as long as all of it stays the same. */
export interface ResponseSource {
  readonly url: string;
  /** Identifies the token, session or host user of the caller. */
  readonly credentials: string;
  readonly directoryVersion: Version;
  /** The partition that the response was read from. A thing may move to another partition. */
  readonly partition: string;
  readonly partitionVersion: Version;
  /** Hours since 1970. */
  readonly hour: number;
}

export interface CachedResponse {
  readonly text: string;
  readonly etag: string | undefined;
}

export interface ResponseCache {
  find(source: ResponseSource): CachedResponse | undefined;
  save(source: ResponseSource, response: CachedResponse): void;
  getStats(): CacheStats;
}

/** Longer URLs are rarely requested twice. */
const MAX_URL_LENGTH = 512;

export function createResponseCache(maxBytes: number): ResponseCache {
  const entries = new VersionedCache<CachedResponse>(maxBytes, 200);
  const getVersions = (of: ResponseSource) => [of.partition, of.partitionVersion, of.directoryVersion, of.hour];
  return {
    find: (source) => entries.get(`${source.credentials} ${source.url}`, getVersions(source)),
    save(source, response) {
      if (source.url.length > MAX_URL_LENGTH) return;
      // A character counts three bytes, because the compressed form of the text may be cached along with it.
      const bytes = 3 * response.text.length + 2 * source.url.length;
      entries.set(`${source.credentials} ${source.url}`, response, { versions: getVersions(source), bytes });
    },
    getStats: () => entries.getStats(),
  };
}
