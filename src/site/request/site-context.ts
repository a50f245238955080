// The context that all requests of one `createSite` share.

import type { ApiInternals } from "../../api/internals";
import type { PublishedContentSite } from "../../generated/resources";
import type { CacheableResponse, SiteCache } from "../cache/site-cache";
import type { SiteOptions } from "./options";

export interface SiteContext {
  readonly internals: ApiInternals;
  readonly options: SiteOptions;
  /** Returns true if scripts of integrations run on pages at a URL. */
  readonly canRunScripts: (url: URL) => boolean;
  readonly pageCache: SiteCache<CacheableResponse>;
  /** Search results. There are as many as people can type, so they do not share the memory of the pages. */
  readonly searchCache: SiteCache<CacheableResponse>;
  readonly profileCache: SiteCache<PublishedContentSite>;
  /** The asset that draws diagrams, if the host has provided one. */
  readonly diagramAsset: string | undefined;
}
