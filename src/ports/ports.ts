// The parts that the host may replace or extend: the options of `createDocsApi` that handlers and jobs see.

import type { Template } from "../content/templates";
import type { Translator } from "../content/translation/translator";
import type { GitClient, GitLimits } from "../git/port";
import type { Secrets } from "../storage/secrets";
import type { StampedCache } from "../utils/stamped-cache";
import type { AnswerModelSettings } from "./answer-model";
import type { DomainVerifier } from "./domain-verification";
import type { DescribeEmbed } from "./embed-describer";
import type { RunImport } from "./importer";
import type { SendMail } from "./mailer";
import type { PrintDocument } from "./printer";
import type { ScriptRunner } from "./script-runner";
import type { SearchEngine, SearchIndexCache } from "./search-engine";
import type { Urls } from "./urls";

/** The host's options, with defaults filled in. */
export interface Ports {
  /** What a space can be made from, by id. Those that are built in are loaded by the first who asks. */
  readonly templates: () => Promise<ReadonlyMap<string, Template>>;
  /** How other hosts are reached; undefined: not at all. */
  readonly fetch: typeof fetch | undefined;
  /** Reads sources to import. */
  readonly runImport: RunImport;
  /** Asks hosts how their addresses are shown. */
  readonly describeEmbed: DescribeEmbed;
  /** How repositories are reached. */
  readonly git: GitPorts;
  /** How OpenAPI specifications are fetched. */
  readonly openApiSpecs: OpenApiSpecPorts;
  /** Checks which domains are proven. */
  readonly domainVerifier: DomainVerifier;
  /** Sends mails; undefined: nobody does. */
  readonly sendMail: SendMail | undefined;
  readonly files: FilePorts;
  /** Prints content as PDF. */
  readonly printDocument: PrintDocument;
  /** Runs the scripts of integrations. */
  readonly scriptRunner: ScriptRunner;
  /** Translates texts; undefined: there is no translator. */
  readonly translator: Translator | undefined;
  /** The model that answers questions, and its time; undefined: there is none. */
  readonly answerModel: Pick<AnswerModelSettings, "model" | "timeoutMs"> | undefined;
  /** Finds pages: the host's search engine, or the built-in indexes. */
  readonly search: {
    readonly engine: SearchEngine | undefined;
    readonly indexCache: SearchIndexCache;
    /** The release of this library, which decides what computed pages say. */
    readonly release: string;
  };
  /** Remembers which things members see, and how lists are ordered. */
  readonly cache: StampedCache;
  /** How integrations are called. */
  readonly integrations: IntegrationPorts;
  /** Whether the host itself listens to events. */
  readonly hasListener: boolean;
}

/** How integrations are called. */
export interface IntegrationPorts {
  /** How long one call through a tunnel may take, in milliseconds. */
  readonly tunnelTimeoutMs: number;
  /** The longest time that any call may take, to a script or through a tunnel. */
  readonly maxCallMs: number;
  readonly secrets: Secrets;
  readonly urls: Urls;
}

/** How repositories are reached, and how their passwords are sealed. */
export interface GitPorts {
  readonly client: () => Promise<GitClient>;
  /** The hosts that may be reached over plain http. */
  readonly plainHttpHosts: ReadonlySet<string>;
  readonly limits: GitLimits | undefined;
  /** How long one call to a repository may take, in milliseconds. */
  readonly timeoutMs: number;
  readonly secrets: Pick<Secrets, "encrypt" | "decrypt">;
}

/** How files of other hosts are fetched. */
export interface FilePorts {
  /** How long all files of one request may take, in milliseconds. */
  readonly timeoutMs: number;
}

/** How OpenAPI specifications are fetched. */
export interface OpenApiSpecPorts {
  /** How long reading one may take, in milliseconds. */
  readonly timeoutMs: number;
  /** How long until an address is fetched again, in milliseconds; 0: never. */
  readonly refreshAfterMs: number;
  /** Seals the validators of conditional requests. */
  readonly secrets: Pick<Secrets, "encrypt" | "decrypt">;
}
