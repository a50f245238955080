// Caches responses for anonymous visitors. A response is valid until a partition that it was read from has another version, and at
// most until the end of the hour: the URLs of files in it are signed for one hour.

import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { ApiInternals } from "../../api/internals";
import type { PlainResponse } from "../../http/plain-request";
import type { Version } from "../../storage/storage";
import { isCompressibleType } from "../../utils/compression";
import { LruCache } from "../../utils/lru-cache";

/** A response that can be sent more than once. */
export interface CacheableResponse extends PlainResponse {
  readonly body: string | Uint8Array;
}

interface ResponseCacheEntry {
  readonly response: CacheableResponse;
  readonly versions: readonly (readonly [partition: string, version: Version])[];
  readonly hour: number;
}

/** Cached responses, by the format and the URL of the request. */
export interface SiteResponseCache {
  find(key: string): Promise<CacheableResponse | undefined>;
  store(key: string, response: CacheableResponse, versions: ReadonlyMap<string, Version>): void;
}

const HOUR_MS = 60 * 60 * 1000;
/** Longer URLs are rarely requested twice. */
const MAX_KEY_LENGTH = 600;
/** The directory and the organization. A response that reads more depends on others, which may change at any time. */
const MAX_PARTITIONS = 2;
/** A text may be stored in three content codings as well. Other types are not compressed. */
const TEXT_SIZE_FACTOR = 2.5;

export function createSiteResponseCache({ kernel: { store } }: ApiInternals, maxBytes: number): SiteResponseCache {
  const entries = new LruCache<ResponseCacheEntry>(maxBytes, ({ response: { headers, body } }) => {
    const factor = isCompressibleType(headers["content-type"]) ? TEXT_SIZE_FACTOR : 1;
    return Math.ceil(factor * body.length) + 500;
  });
  const getCurrentHour = () => Math.floor(store.now().getTime() / HOUR_MS);
  return {
    async find(key) {
      const entry = entries.get(key, ({ hour }) => hour === getCurrentHour());
      if (!entry) return undefined;
      for (const [partition, version] of entry.versions) {
        if ((await store.read(partition)).version === version) continue;
        entries.delete(key);
        return undefined;
      }
      return entry.response;
    },
    store(key, response, versions) {
      if (key.length > MAX_KEY_LENGTH || versions.size > MAX_PARTITIONS) return;
      // A server encodes a text each time that it sends it, so the bytes are cached.
      const body = typeof response.body === "string" ? utf8ToBytes(response.body) : response.body;
      entries.set(key, { response: { ...response, body }, versions: [...versions], hour: getCurrentHour() });
    },
  };
}
