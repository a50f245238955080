// Finished answers, kept for as long as nothing has changed that they were made from. A page is kept with the version of every
// partition that it was read from, and within the hour: the addresses of files in it are signed for one.

import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { ApiInternals } from "../../api/internals";
import type { PlainResponse } from "../../http/plain-request";
import type { Version } from "../../storage/storage";
import { isCompressibleType } from "../../utils/compression";
import { LruCache } from "../../utils/lru-cache";

/** An answer that can be sent again. */
export interface CacheableResponse extends PlainResponse {
  readonly body: string | Uint8Array;
}

interface ResponseCacheEntry {
  readonly response: CacheableResponse;
  readonly read: readonly (readonly [partition: string, version: Version])[];
  readonly hour: number;
}

/** Answers by what was asked for. */
export interface SiteResponseCache {
  find(name: string): Promise<CacheableResponse | undefined>;
  store(name: string, response: CacheableResponse, read: ReadonlyMap<string, Version>): void;
}

const HOUR_MS = 60 * 60 * 1000;
/** Addresses that are longer are rarely asked for twice. */
const LONGEST_NAME = 600;
/** The directory and the organization. What looks further depends on others, who may answer differently at any time. */
const MOST_PARTITIONS = 2;

export function createSiteResponseCache({ kernel: { store } }: ApiInternals, most: number): SiteResponseCache {
  const entries = new LruCache<ResponseCacheEntry>(most, ({ response }) => estimateBytes(response));
  const hourNow = () => Math.floor(store.now().getTime() / HOUR_MS);
  return {
    async find(name) {
      const entry = entries.get(name, ({ hour }) => hour === hourNow());
      if (!entry) return undefined;
      for (const [partition, version] of entry.read) {
        if ((await store.read(partition)).version === version) continue;
        entries.delete(name);
        return undefined;
      }
      return entry.response;
    },
    store(name, response, read) {
      if (name.length <= LONGEST_NAME && read.size <= MOST_PARTITIONS)
        entries.set(name, { response: asBytes(response), read: [...read], hour: hourNow() });
    },
  };
}

/** A text is there with what it may become in three content codings. A PDF is not compressed again. */
function estimateBytes({ headers, body }: CacheableResponse): number {
  return Math.ceil((isCompressibleType(headers["content-type"]) ? 2.5 : 1) * body.length) + 500;
}

/** A server writes a text as bytes, each time that it sends it. */
function asBytes(response: CacheableResponse): CacheableResponse {
  const { body } = response;
  return typeof body === "string" ? { ...response, body: utf8ToBytes(body) } : response;
}
