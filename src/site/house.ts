// What every request of the reader shares.

import type { ApiInternals } from "../api/internals";
import type { SiteOptions } from "./options";
import type { Profiles } from "./profiles";
import type { Shelf } from "./shelf";

export interface SiteContext {
  readonly inside: ApiInternals;
  readonly options: SiteOptions;
  /** Whether scripts of integrations run on pages at a URL that was visited. */
  readonly runsScripts: (url: URL) => boolean;
  readonly shelf: Shelf;
  /** Answers to questions. There are as many as people can type, so they have their own memory beside the pages. */
  readonly answers: Shelf;
  readonly profiles: Profiles;
  /** The asset that draws diagrams, where the host gave one. */
  readonly diagramAsset: string | undefined;
}
