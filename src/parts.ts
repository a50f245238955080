// What the host may replace or add to: the options of `createDocsApi` that handlers and steps see.

import type { PrintJob } from "./content/print";
import type { Template } from "./content/templates";
import type { GitClient, GitLimits } from "./git/port";
import type { Importing } from "./importing";
import type { Urls } from "./operation";
import type { SearchEngine } from "./resources/search/engine";
import type { Indexes } from "./resources/search/indexes";
import type { Secrets } from "./secrets";
import type { Work } from "./work/jobs";

/** What the host has chosen, with the defaults filled in. */
export interface Parts {
  /** What a space can be made from, by id. */
  readonly templates: ReadonlyMap<string, Template>;
  /** How other hosts are reached; undefined: not at all. */
  readonly fetch: typeof fetch | undefined;
  /** Reads what is to be imported from other hosts. */
  readonly importing: Importing;
  /** How repositories are reached. */
  readonly git: GitParts;
  /** Prints content as PDF. */
  readonly print: (job: PrintJob) => Promise<Uint8Array>;
  /** What finds pages: an engine of the host's, or the indexes of our own. */
  readonly search: { readonly engine: SearchEngine | undefined; readonly indexes: Indexes };
  /** What integrations are called with. */
  readonly integrations: IntegrationParts;
}

/** What integrations are called with. */
export interface IntegrationParts {
  /** Runs published scripts; undefined: this server runs none. */
  readonly runScript: RunScript | undefined;
  /** How long one delivery may take, in milliseconds. */
  readonly milliseconds: number;
  readonly secrets: Secrets;
  readonly urls: Urls;
  /** What a call needs beside this. */
  readonly work: () => Pick<Work, "store" | "parts" | "objects">;
}

/** Calls the script of an integration with a request, isolated; what goes wrong with the script comes out as a failure. */
export type RunScript = (
  script: string,
  call: {
    readonly request: {
      readonly method: string;
      readonly url: string;
      readonly headers: readonly (readonly [name: string, value: string])[];
      readonly body: Uint8Array | null;
    };
    readonly env: unknown;
  },
  host: {
    readonly fetch: typeof fetch | undefined;
    readonly now: () => Date;
    readonly random: (bytes: number) => Uint8Array;
  },
) => Promise<ScriptResult>;

/** How a script ended, and what it said meanwhile. */
export type ScriptResult =
  | { readonly response: ScriptResponse; readonly failure?: never; readonly logs: readonly ScriptLog[] }
  | {
      readonly failure: { readonly kind: string; readonly message: string };
      readonly response?: never;
      readonly logs: readonly ScriptLog[];
    };

/** What a script answered. */
export interface ScriptResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/** A line that a script wrote. */
export interface ScriptLog {
  readonly level: "debug" | "log" | "info" | "warn" | "error";
  readonly message: string;
  readonly timestamp: string;
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
