// The parts that the host can replace or extend: the options of `createDocsApi` that handlers and jobs see.

import type { Template } from "../content/templates";
import type { Translator } from "../content/translation/translator";
import type { GitClient, GitLimits } from "../git/port";
import type { Secrets } from "../storage/secrets";
import type { VersionedCache } from "../utils/versioned-cache";
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
  /** Returns the templates of spaces, by id. The built-in templates are loaded by the first call. */
  readonly templates: () => Promise<ReadonlyMap<string, Template>>;
  /** Sends requests to other hosts; undefined if the server must not reach them. */
  readonly fetch: typeof fetch | undefined;
  readonly runImport: RunImport;
  readonly describeEmbed: DescribeEmbed;
  readonly git: GitPorts;
  readonly openApiSpecs: OpenApiSpecPorts;
  readonly domainVerifier: DomainVerifier;
  /** Undefined if the host sends no mails. */
  readonly sendMail: SendMail | undefined;
  readonly files: FilePorts;
  /** Prints content as PDF. */
  readonly printDocument: PrintDocument;
  /** Runs the scripts of integrations. */
  readonly scriptRunner: ScriptRunner;
  /** Translates texts; undefined if there is no translator. */
  readonly translator: Translator | undefined;
  /** Answers questions; undefined if there is no model. */
  readonly answerModel: Pick<AnswerModelSettings, "model" | "timeoutMs"> | undefined;
  /** Finds pages with the host's search engine or the built-in indexes. */
  readonly search: {
    readonly engine: SearchEngine | undefined;
    readonly indexCache: SearchIndexCache;
    /** The release of this library, which determines the text of computed pages. */
    readonly release: string;
  };
  /** Caches which things members see, and the order of lists. */
  readonly cache: VersionedCache;
  readonly integrations: IntegrationPorts;
  /** True if the host itself listens to events. */
  readonly hasListener: boolean;
}

/** Calls integrations. */
export interface IntegrationPorts {
  /** The time limit of one call through a tunnel. */
  readonly tunnelTimeoutMs: number;
  /** The time limit of any call, to a script or through a tunnel. */
  readonly maxCallMs: number;
  readonly secrets: Secrets;
  readonly urls: Urls;
}

/** Reaches Git repositories and encrypts their passwords. */
export interface GitPorts {
  readonly client: () => Promise<GitClient>;
  /** The hosts that may be reached over plain http. */
  readonly plainHttpHosts: ReadonlySet<string>;
  readonly limits: GitLimits | undefined;
  /** The time limit of one call to a repository. */
  readonly timeoutMs: number;
  readonly secrets: Pick<Secrets, "encrypt" | "decrypt">;
}

/** Fetches files from other hosts. */
export interface FilePorts {
  /** The time limit of all files of one request. */
  readonly timeoutMs: number;
}

/** Fetches OpenAPI specifications. */
export interface OpenApiSpecPorts {
  /** The time limit of reading one specification. */
  readonly timeoutMs: number;
  /** The time after which a URL is fetched again; 0 for never. */
  readonly refreshAfterMs: number;
  /** Encrypts the validators of conditional requests. */
  readonly secrets: Pick<Secrets, "encrypt" | "decrypt">;
}
