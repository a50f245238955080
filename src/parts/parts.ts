// What the host may replace or add to: the options of `createDocsApi` that handlers and steps see.

import type { PrintJob } from "../content/print";
import type { Template } from "../content/templates";
import type { Translator } from "../content/translation/translator";
import type { GitClient, GitLimits } from "../git/port";
import type { Secrets } from "../secrets";
import type { Urls } from "../urls";
import type { Domains } from "./domains";
import type { Importing } from "./importer";
import type { Sandboxing } from "./script-runner";
import type { Indexes, SearchEngine } from "./search-engine";

/** What the host has chosen, with the defaults filled in. */
export interface Parts {
  /** What a space can be made from, by id. Those that are built in are loaded by the first who asks. */
  readonly templates: () => Promise<ReadonlyMap<string, Template>>;
  /** How other hosts are reached; undefined: not at all. */
  readonly fetch: typeof fetch | undefined;
  /** Reads what is to be imported from other hosts. */
  readonly importing: Importing;
  /** How repositories are reached. */
  readonly git: GitParts;
  /** How OpenAPI specifications are fetched. */
  readonly openApiSpecs: OpenApiSpecParts;
  /** Knows which domains are proven. */
  readonly domains: Domains;
  readonly files: FileParts;
  /** Prints content as PDF. */
  readonly print: (job: PrintJob) => Promise<Uint8Array>;
  /** Runs the scripts of integrations. */
  readonly sandbox: Sandboxing;
  /** Translates texts; undefined: nobody does. */
  readonly translator: Translator | undefined;
  /** What finds pages: an engine of the host's, or the indexes of our own. */
  readonly search: { readonly engine: SearchEngine | undefined; readonly indexes: Indexes };
  /** What integrations are called with. */
  readonly integrations: IntegrationParts;
  /** Whether the host itself hears of events. */
  readonly hasListener: boolean;
}

/** What integrations are called with. */
export interface IntegrationParts {
  /** How long one call through a tunnel may take, in milliseconds. */
  readonly milliseconds: number;
  /** The longest that any call may take, of a script or through a tunnel. */
  readonly longestMs: number;
  readonly secrets: Secrets;
  readonly urls: Urls;
}

/** How repositories are reached, and what keeps their passwords. */
export interface GitParts {
  readonly client: () => Promise<GitClient>;
  /** The hosts that may be reached over plain http. */
  readonly http: ReadonlySet<string>;
  readonly limits: GitLimits | undefined;
  /** How long one call to a repository may take, in milliseconds. */
  readonly milliseconds: number;
  readonly secrets: Pick<Secrets, "encrypt" | "decrypt">;
}

/** How files of other hosts are fetched. */
export interface FileParts {
  /** How long all files of one request may take, in milliseconds. */
  readonly milliseconds: number;
}

/** How OpenAPI specifications are fetched. */
export interface OpenApiSpecParts {
  /** How long reading one may take, in milliseconds. */
  readonly milliseconds: number;
  /** How long until an address is looked at again, in milliseconds; 0: never. */
  readonly checkEvery: number;
  /** Seals what is asked with whether an address has changed. */
  readonly secrets: Pick<Secrets, "encrypt" | "decrypt">;
}
