// Caches what anonymous visitors see: responses, and the profiles of sites, which all pages of a site share. A value is valid until
// a partition that it was read from has another version, and at most until the end of the hour: the URLs of files in it are signed
// for one hour.

import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { PlainResponse } from "../../http/plain-request";
import type { Version } from "../../storage/storage";
import type { Store } from "../../storage/store";
import { isCompressibleType } from "../../utils/compression";
import { VersionedCache } from "../../utils/versioned-cache";

/** A response that can be sent more than once. */
export interface CacheableResponse extends PlainResponse {
  readonly body: string | Uint8Array;
}

const HOUR_MS = 60 * 60 * 1000;
/** Longer URLs are rarely requested twice. */
const MAX_KEY_LENGTH = 600;
/** The directory and the organization. A response that reads more depends on others, which may change at any time. */
const MAX_PARTITIONS = 2;
/** A text may be stored in three content codings as well. Other types are not compressed. */
const TEXT_SIZE_FACTOR = 2.5;

/** Caches values by key, each with the versions of the partitions that it was read from. */
export class SiteCache<Value> {
  readonly #entries: VersionedCache<{ readonly value: Value; readonly partitions: readonly string[] }>;
  readonly #store: Pick<Store, "now">;

  /** Creates a cache with the limits of `VersionedCache`. */
  constructor(store: Pick<Store, "now">, limit: number, entryBytes?: number) {
    this.#store = store;
    this.#entries = new VersionedCache(limit, entryBytes);
  }

  /** Returns the value of a key. `readVersion` returns the present version of a partition. */
  async find(
    key: string,
    readVersion: (partition: string) => Promise<Version | undefined>,
  ): Promise<Value | undefined> {
    const cached = this.#entries.peek(key);
    if (!cached) return undefined;
    const versions: (string | number | undefined)[] = [this.#getHour()];
    for (const partition of cached.partitions) versions.push(partition, await readVersion(partition));
    return this.#entries.get(key, versions)?.value;
  }

  /** Caches a value of about `bytes` bytes that was read at some versions of partitions. */
  set(key: string, value: Value, readVersions: ReadonlyMap<string, Version>, bytes = 0): void {
    const versions = [this.#getHour(), ...[...readVersions].flat()];
    this.#entries.set(key, { value, partitions: [...readVersions.keys()] }, { versions, bytes });
  }

  #getHour(): number {
    return Math.floor(this.#store.now().getTime() / HOUR_MS);
  }
}

/** Caches a response by the format and the URL of its request, unless it depends on too much. */
export function cacheResponse(
  cache: SiteCache<CacheableResponse>,
  key: string,
  response: CacheableResponse,
  readVersions: ReadonlyMap<string, Version>,
): void {
  if (key.length > MAX_KEY_LENGTH || readVersions.size > MAX_PARTITIONS) return;
  // A server encodes a text each time that it sends it, so the bytes are cached.
  const body = typeof response.body === "string" ? utf8ToBytes(response.body) : response.body;
  const factor = isCompressibleType(response.headers["content-type"]) ? TEXT_SIZE_FACTOR : 1;
  cache.set(key, { ...response, body }, readVersions, Math.ceil(factor * body.length));
}
