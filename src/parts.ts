// What the host may replace or add to: the options of `createDocsApi` that handlers and steps see.

import type { PrintJob } from "./content/print";
import type { Template } from "./content/templates";
import type { Importing } from "./importing";
import type { SearchEngine } from "./resources/search/engine";
import type { Indexes } from "./resources/search/indexes";

/** What the host has chosen, with the defaults filled in. */
export interface Parts {
  /** What a space can be made from, by id. */
  readonly templates: ReadonlyMap<string, Template>;
  /** How other hosts are reached; undefined: not at all. */
  readonly fetch: typeof fetch | undefined;
  /** Reads what is to be imported from other hosts. */
  readonly importing: Importing;
  /** Prints content as PDF. */
  readonly print: (job: PrintJob) => Promise<Uint8Array>;
  /** What finds pages: an engine of the host's, or the indexes of our own. */
  readonly search: { readonly engine: SearchEngine | undefined; readonly indexes: Indexes };
}
