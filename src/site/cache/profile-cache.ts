// Profiles of sites as everybody sees them. All pages of a site share one, so it is kept for as long as nothing has changed
// that it was made from, and within the hour: the addresses of files in it are signed for one.

import type { ApiInternals } from "../../api/internals";
import type * as Resources from "../../generated/resources";
import type { Version } from "../../storage/storage";
import { LruCache } from "../../utils/lru-cache";
import type { SnapshotClient } from "../request/api-client";

type Profile = Resources.PublishedContentSite;

/** Profiles by the names of their sites. */
export interface ProfileCache {
  /** The profile that was kept, else the one that `ask` gives. */
  getProfile(
    name: string,
    client: SnapshotClient,
    ask: () => Promise<Profile | undefined>,
  ): Promise<Profile | undefined>;
}

interface CachedProfile {
  readonly profile: Profile;
  readonly read: ReadonlyMap<string, Version>;
  readonly hour: number;
}

const HOUR_MS = 60 * 60 * 1000;
const MOST_KEPT = 100;

export function createProfileCache({ kernel: { store } }: ApiInternals): ProfileCache {
  const entries = new LruCache<CachedProfile>(MOST_KEPT);
  return {
    async getProfile(name, { readVersions: read, isCacheable: isLasting }, ask) {
      const hour = Math.floor(store.now().getTime() / HOUR_MS);
      const isCurrent = (entry: CachedProfile) =>
        entry.hour === hour && [...entry.read].every(([partition, version]) => read.get(partition) === version);
      const kept = entries.get(name, isCurrent);
      if (kept) return kept.profile;
      const profile = await ask();
      if (profile && isLasting()) entries.set(name, { profile, read: new Map(read), hour });
      return profile;
    },
  };
}
