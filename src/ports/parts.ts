// The parts that the host may replace or extend: the options of `createDocsApi` that handlers and jobs see.

import type { Template } from "../content/templates";
import type { Translator } from "../content/translation/translator";
import type { GitClient, GitLimits } from "../git/port";
import type { Secrets } from "../storage/secrets";
import type { Urls } from "../utils/site-urls";
import type { Asking } from "./asking";
import type { Domains } from "./domains";
import type { Embedding } from "./embedder";
import type { Importing } from "./importer";
import type { SendMail } from "./mail";
import type { StampedCache } from "./memory";
import type { Print } from "./printer";
import type { Sandboxing } from "./script-runner";
import type { Indexes, SearchEngine } from "./search-engine";

/** The host's options, with defaults filled in. */
export interface Ports {
  /** What a space can be made from, by id. Those that are built in are loaded by the first who asks. */
  readonly templates: () => Promise<ReadonlyMap<string, Template>>;
  /** How other hosts are reached; undefined: not at all. */
  readonly fetch: typeof fetch | undefined;
  /** Reads sources to import. */
  readonly importing: Importing;
  /** Asks hosts how their addresses are shown. */
  readonly embedding: Embedding;
  /** How repositories are reached. */
  readonly git: GitPorts;
  /** How OpenAPI specifications are fetched. */
  readonly openApiSpecs: OpenApiSpecPorts;
  /** Checks which domains are proven. */
  readonly domains: Domains;
  /** Sends mails; undefined: nobody does. */
  readonly mail: SendMail | undefined;
  readonly files: FilePorts;
  /** Prints content as PDF. */
  readonly print: Print;
  /** Runs the scripts of integrations. */
  readonly sandbox: Sandboxing;
  /** Translates texts; undefined: there is no translator. */
  readonly translator: Translator | undefined;
  /** The model that answers questions, and its time; undefined: there is none. */
  readonly ask: Pick<Asking, "model" | "milliseconds"> | undefined;
  /** Finds pages: the host's search engine, or the built-in indexes. */
  readonly search: {
    readonly engine: SearchEngine | undefined;
    readonly indexes: Indexes;
    /** The release of this library, which decides what computed pages say. */
    readonly release: string;
  };
  /** Remembers which things members see, and how lists are ordered. */
  readonly memory: StampedCache;
  /** How integrations are called. */
  readonly integrations: IntegrationPorts;
  /** Whether the host itself listens to events. */
  readonly hasListener: boolean;
}

/** How integrations are called. */
export interface IntegrationPorts {
  /** How long one call through a tunnel may take, in milliseconds. */
  readonly milliseconds: number;
  /** The longest time that any call may take, to a script or through a tunnel. */
  readonly longestMs: number;
  readonly secrets: Secrets;
  readonly urls: Urls;
}

/** How repositories are reached, and how their passwords are sealed. */
export interface GitPorts {
  readonly client: () => Promise<GitClient>;
  /** The hosts that may be reached over plain http. */
  readonly http: ReadonlySet<string>;
  readonly limits: GitLimits | undefined;
  /** How long one call to a repository may take, in milliseconds. */
  readonly milliseconds: number;
  readonly secrets: Pick<Secrets, "encrypt" | "decrypt">;
}

/** How files of other hosts are fetched. */
export interface FilePorts {
  /** How long all files of one request may take, in milliseconds. */
  readonly milliseconds: number;
}

/** How OpenAPI specifications are fetched. */
export interface OpenApiSpecPorts {
  /** How long reading one may take, in milliseconds. */
  readonly milliseconds: number;
  /** How long until an address is fetched again, in milliseconds; 0: never. */
  readonly checkEvery: number;
  /** Seals the validators of conditional requests. */
  readonly secrets: Pick<Secrets, "encrypt" | "decrypt">;
}
