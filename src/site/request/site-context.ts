// What every request of the reader shares.

import type { ApiInternals } from "../../api/internals";
import type { ProfileCache } from "../cache/profile-cache";
import type { SiteResponseCache } from "../cache/response-cache";
import type { SiteOptions } from "./options";

export interface SiteContext {
  readonly internals: ApiInternals;
  readonly options: SiteOptions;
  /** Whether scripts of integrations run on pages at a URL that was visited. */
  readonly canRunScripts: (url: URL) => boolean;
  readonly pageCache: SiteResponseCache;
  /** Answers to questions. There are as many as people can type, so they have their own memory beside the pages. */
  readonly searchCache: SiteResponseCache;
  readonly profileCache: ProfileCache;
  /** The asset that draws diagrams, where the host gave one. */
  readonly diagramAsset: string | undefined;
}
