// Caches the profiles of sites as anonymous visitors see them. All pages of a site share one. A profile is valid until something
// changes that it was read from, and at most until the end of the hour: the URLs of files in it are signed for one hour.

import type { SnapshotClient } from "../../api/internal-client";
import type { ApiInternals } from "../../api/internals";
import type * as Resources from "../../generated/resources";
import type { Version } from "../../storage/storage";
import { LruCache } from "../../utils/lru-cache";

export interface ProfileCache {
  /** Returns the cached profile of a key, otherwise loads it. */
  getProfile(
    key: string,
    client: SnapshotClient,
    load: () => Promise<Resources.PublishedContentSite | undefined>,
  ): Promise<Resources.PublishedContentSite | undefined>;
}

interface CachedProfile {
  readonly profile: Resources.PublishedContentSite;
  readonly versions: ReadonlyMap<string, Version>;
  readonly hour: number;
}

const HOUR_MS = 60 * 60 * 1000;
const MAX_PROFILES = 100;

export function createProfileCache({ kernel: { store } }: ApiInternals): ProfileCache {
  const entries = new LruCache<CachedProfile>(MAX_PROFILES);
  return {
    async getProfile(key, { readVersions, isCacheable }, load) {
      const hour = Math.floor(store.now().getTime() / HOUR_MS);
      const isCurrent = (entry: CachedProfile) =>
        entry.hour === hour &&
        [...entry.versions].every(([partition, version]) => readVersions.get(partition) === version);
      const cached = entries.get(key, isCurrent);
      if (cached) return cached.profile;
      const profile = await load();
      if (profile && isCacheable()) entries.set(key, { profile, versions: new Map(readVersions), hour });
      return profile;
    },
  };
}
