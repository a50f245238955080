// The environment of an API: what follows from the storage and the host's options alone, before any operation is known.

import { bytesToHex } from "@noble/hashes/utils.js";
import { createReadiness } from "../execution/readiness";
import { createResponseCache } from "../execution/response-cache";
import { createRateLimiter, type RateLimitWindow } from "../http/rate-limit";
import type { CachedRoute } from "../http/router";
import { createSessionCookie } from "../http/session-cookie";
import { createSitesUrl, type Urls } from "../ports/urls";
import { createPooledRandom, DIRECTORY } from "../storage/ids";
import { encodeKey } from "../storage/key";
import { createObjectCache } from "../storage/objects";
import { createSealedStorage } from "../storage/sealed-storage";
import { createSecrets } from "../storage/secrets";
import type { Storage } from "../storage/storage";
import { createJitteredPause, createStore } from "../storage/store";
import { omitUndefined } from "../utils/objects";
import { trimTrailingSlashes } from "../utils/url";
import { VersionedCache } from "../utils/versioned-cache";
import { type CacheSizes, defaultSizes } from "./cache-sizes";
import type { DocsApiOptions } from "./options";
import { createCheckedStorage } from "./secret-check";

export type Environment = ReturnType<typeof createEnvironment>;

/** Creates the environment of an API, with the defaults of the options filled in. It reads nothing from the storage yet. */
export function createEnvironment(storage: Storage, options: DocsApiOptions) {
  const random = options.random ?? createPooledRandom();
  const now = options.now ?? (() => new Date());
  const reportError = options.onError ?? ((error: unknown) => console.error(error));
  const onError = (error: unknown) => reportError(error, {});
  const secrets = createSecrets([options.secret ?? bytesToHex(random(32))].flat(), random);

  // The URLs
  const basePath = trimTrailingSlashes(options.basePath ?? "");
  const { origin, host } = new URL(options.origin ?? "http://localhost:3000");
  const { origin: appOrigin, host: appHost } = new URL(options.appOrigin ?? origin);
  const origins = [origin, appOrigin] as const;
  const urls: Urls = {
    api: (path) => `${origin}${basePath}/v1${path}`,
    app: (path) => `${appOrigin}${path}`,
    sites: createSitesUrl(options.sitesUrl ?? `${appOrigin}/sites`, [host, appHost]),
  };

  // The storage: its first use checks the secret, and fields that are declared as sealed are encrypted in it.
  const pause = createJitteredPause(random);
  const counts = { retries: 0 };
  const isGiven = options.secret !== undefined;
  const checkedStorage = createCheckedStorage(storage, secrets, { isGiven, now, pause, onError });
  const store = createStore(createSealedStorage(checkedStorage.storage, secrets), {
    now,
    random,
    pause,
    onRetry: () => void counts.retries++,
  });
  // Not through the store, which refuses a wrong secret: that has a check of its own.
  const checkStorage = async () => (await storage.partition(DIRECTORY).snapshot()).get([encodeKey("ready")]);
  const getNotReadyReason = createReadiness(
    [
      { check: checkStorage, problem: "the storage cannot be read" },
      { check: checkedStorage.ready, problem: "the secret doesn't match the data" },
    ],
    { now, onError },
  );

  // The caches
  const cacheSizes: Required<CacheSizes> = { ...defaultSizes, ...omitUndefined(options.caches ?? {}) };
  const caches = {
    responses: createResponseCache(cacheSizes.responses),
    objects: createObjectCache(cacheSizes.objects),
    contents: createObjectCache(cacheSizes.contents),
    indexes: new VersionedCache(cacheSizes.indexes),
    // An entry has a name, versions and a value in an object of its own.
    lists: new VersionedCache(cacheSizes.lists, 500),
    routes: new VersionedCache<CachedRoute>(cacheSizes.routes),
    callers: new VersionedCache<RateLimitWindow>(cacheSizes.callers),
  };

  return {
    now,
    onError,
    reportError,
    secrets,
    basePath,
    origins,
    urls,
    sessionCookie: createSessionCookie(origins),
    store,
    checkedStorage,
    getNotReadyReason,
    /** Transactions that were run again. */
    counts,
    caches,
    /** Counts a request for the rate limit. The API, the sign-in pages and the sites share its counts. */
    countRequest: options.rateLimit && createRateLimiter(options.rateLimit, caches.callers),
    maxCachedTokens: cacheSizes.tokens,
  };
}
