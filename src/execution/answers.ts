// Answers to GETs, kept for as long as nothing changes that they were made from. Every request still finds out who is asking
// and which version the storage is at. An answer serves again only to the same credentials, for the same URL, at the same
// versions of both partitions that it was read from, and within the same hour: the URLs that it holds are signed for one.
// An operation declares whether its answers are kept.

import type { Version } from "../storage/storage";
import { type CacheStats, LruCache } from "../utils/lru-cache";

/** What an answer was made from. */
export interface Basis {
  readonly url: string;
  /** What the caller was recognized by. */
  readonly credentials: string;
  readonly directory: Version;
  /** The partition that it was read from, and its version. A thing may move to another partition. */
  readonly partition: string;
  readonly version: Version;
  /** Since 1970. */
  readonly hour: number;
}

/** An answer as it is sent. */
export interface CachedResponse {
  readonly text: string;
  readonly etag: string | undefined;
}

export interface ResponseCache {
  find(basis: Basis): CachedResponse | undefined;
  keep(basis: Basis, kept: CachedResponse): void;
  numbers(): CacheStats;
}

/** Longer URLs are rarely asked for twice. */
const MAX_URL_LENGTH = 512;

/** Keeps about so many bytes of answers. */
export function createResponseCache(most: number): ResponseCache {
  // A text may also be kept as it was compressed.
  const answers = new LruCache<Basis & { readonly kept: CachedResponse }>(
    most,
    ({ kept: { text }, url }) => 3 * text.length + 2 * url.length + 200,
  );
  const nameOf = ({ url, credentials }: Basis) => `${credentials} ${url}`;
  return {
    find(basis) {
      return answers.get(
        nameOf(basis),
        (known) =>
          known.partition === basis.partition &&
          known.version === basis.version &&
          known.directory === basis.directory &&
          known.hour === basis.hour,
      )?.kept;
    },
    keep(basis, kept) {
      if (basis.url.length <= MAX_URL_LENGTH) answers.set(nameOf(basis), { ...basis, kept });
    },
    numbers: () => answers.getStats(),
  };
}
