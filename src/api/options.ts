// The options of `createDocsApi`, and their check. A mistake is a TypeError that names the option and says what to do. It is thrown
// at once, because later it would look like something else.

import type { Printer } from "../content/print-job";
import type { Template } from "../content/templates";
import type { Translator } from "../content/translation/translator";
import type { GitClient, GitLimits } from "../git/port";
import type { CorsOptions } from "../http/cors";
import type { RateLimitOptions } from "../http/rate-limit";
import type { OnRequest } from "../http/request-report";
import type { Listener } from "../jobs/outbox";
import type { AnswerModel } from "../ports/answer-model";
import type { VerifyDomain } from "../ports/domain-verification";
import type { ImportLimits } from "../ports/importer";
import type { SendMail } from "../ports/mailer";
import type { SearchEngine } from "../ports/search-engine";
import { replaceWildcard } from "../ports/urls";
import type { HostUser } from "../resources/people/users/host-users";
import { DEFAULT_SANDBOX_LIMITS, type SandboxLimits, type SandboxOptions } from "../sandbox/port";
import { isJsonObject } from "../utils/objects";
import { suggestName } from "../utils/suggest";
import { tryParseUrl } from "../utils/url";
import type { CacheSizes } from "./cache-sizes";

/** The part of a request by which a host application identifies its user. A `Request` is one. */
export interface AuthenticationRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
}

/** The access to Git repositories. */
export interface GitOptions {
  /** Hosts, as `git.example` or `git.example:8080`, that may be reached over plain http. Default: none. */
  readonly http?: readonly string[];
  /** The limits of one repository. */
  readonly limits?: GitLimits;
  /** The longest time of one call to a repository. Default: 300. */
  readonly maxSeconds?: number;
  /** A Git client that replaces the built-in one. */
  readonly client?: GitClient;
}

/** The calls to integrations. */
export interface IntegrationOptions {
  /** The longest time of one call through a tunnel. Scripts have the limits of `sandbox`. Default: 10. */
  readonly maxSeconds?: number;
}

/** The fetching of files that are inserted by their URL. */
export interface FileOptions {
  /** The longest time of fetching all files of one request. Default: 30. */
  readonly maxSeconds?: number;
}

/** The fetching of OpenAPI specifications. */
export interface OpenApiSpecOptions {
  /** The time after which a URL is fetched again, in minutes; 0: never. Default: 360. */
  readonly checkEveryMinutes?: number;
  /** The longest time of reading one specification, with all documents that it refers to. Default: 45. */
  readonly maxSeconds?: number;
}

/** The limits of event streams. */
export interface EventOptions {
  /** The most streams that one process keeps open. Default: 500. */
  readonly maxStreams?: number;
  /** The most streams that one process keeps open for one user. Default: 20. */
  readonly maxStreamsOfUser?: number;
  /** The pause between two checks for writes of other processes, while a stream is open. Default: 2. */
  readonly pollSeconds?: number;
}

export interface DocsApiOptions {
  /** The origin of this API, for the URLs in responses. Default: `http://localhost:3000`. */
  readonly origin?: string;
  /** The origin of the application that people use, for `urls.app`. Default: `origin`. */
  readonly appOrigin?: string;
  /**
   * The URL under which sites without a custom domain are published: `<sitesUrl>/<organization>/<basename>`. With `*` as its first
   * label (`https://*.docs.example`) each organization has a separate origin, and a site is at
   * `https://<organization>.docs.example/<basename>`. Default: `/sites` under `appOrigin`.
   */
  readonly sitesUrl?: string;
  /** The path that the API is mounted under, without the version: `/docs-api`. Default: none. */
  readonly basePath?: string;
  /**
   * Seals cursors, signs JWTs and encrypts values that must be read back; at least 32 characters. Every process on the same storage
   * needs the same secret. Pass a list to replace a secret: the first one is used, the others are still accepted. Default: a random
   * one, so cursors and JWTs end with the process.
   */
  readonly secret?: string | readonly string[];
  /** Serves the reference for people at `/v1/docs`. `/v1/openapi.json` is always served. Default: true. */
  readonly reference?: boolean;
  /** Identifies users of the host application if no API token does. Null or undefined: not identified. */
  readonly authenticate?: (
    request: AuthenticationRequest,
  ) => Promise<HostUser | null | undefined> | HostUser | null | undefined;
  /** The largest JSON body, in bytes. Default: 10 MiB. */
  readonly maxBodyBytes?: number;
  /** Origins whose browsers may call. Default: none. */
  readonly cors?: CorsOptions;
  /** Limits requests per caller. Default: no limit. */
  readonly rateLimit?: RateLimitOptions;
  /**
   * Returns the network address of the client, for the rate limit of callers without a token. `octavo/node` fills it in. Default:
   * unknown, and all such callers share one limit.
   */
  readonly clientAddress?: (request: Request) => string | undefined;
  /**
   * Fetches from other hosts. `octavo/node` has one that refuses private addresses. Default: none, and operations that need it are
   * refused.
   */
  readonly fetch?: typeof fetch;
  /**
   * Decides if a domain, of e-mail addresses or of a site, belongs to an organization that names it. `octavo/node` has
   * `dnsVerifyDomain()`, which looks for a TXT record. Default: no domain is verified, and none is used.
   */
  readonly verifyDomain?: VerifyDomain;
  /** Sends mails: invites, and links to sign in. Default: none, and people get their links in other ways. */
  readonly sendMail?: SendMail;
  /** The limits of imports. */
  readonly imports?: ImportLimits;
  /** The access to Git repositories, through `fetch`. */
  readonly git?: GitOptions;
  /** The calls to integrations. */
  readonly integrations?: IntegrationOptions;
  /** The number of days that the audit log is kept. Default: 365. */
  readonly audit?: { readonly keepDays?: number };
  /** The limits of event streams. */
  readonly events?: EventOptions;
  /** The fetching of OpenAPI specifications, through `fetch`. */
  readonly openApiSpecs?: OpenApiSpecOptions;
  /** The fetching of files that are inserted by their URL. */
  readonly files?: FileOptions;
  /**
   * Takes work that continues after a response, such as calls to other hosts: `waitUntil` of a Worker's context, or a function that
   * does nothing if the process keeps running. Default: the response waits for the work.
   */
  readonly waitUntil?: (work: Promise<unknown>) => void;
  /**
   * Called when work is scheduled for a later time, such as another attempt to deliver an event, with the time at which `maintain()`
   * should run. Default: the work waits for the next call of `maintain()`, which should come within a minute.
   */
  readonly onDue?: (when: Date) => void;
  /** Replaces the built-in search. */
  readonly search?: SearchEngine;
  /**
   * Listens to events. Each event is delivered at least once, in order within an organization. The response to a request that causes
   * an event waits for the listener. An event that the listener rejects is delivered again by a later `maintain()`. Default: no
   * listener.
   */
  readonly onEvent?: Listener;
  /**
   * Prints content as PDF: `pdfPrinter` of `octavo/pdf`, with fonts of your choice. Default: the built-in printer with the standard
   * fonts of PDF readers, which cover Western European languages.
   */
  readonly pdf?: Printer;
  /**
   * The sandbox for the scripts of integrations: the engine (which a Worker must pass in), the threads, and the limits of one
   * event.
   */
  readonly sandbox?: SandboxOptions;
  /** Translates texts: one of `octavo/translators`, or your own function. Default: none, and translations are refused. */
  readonly translator?: Translator;
  /**
   * Your model, which answers questions about content. It gets the question, the passages that were found among the content that the
   * caller may see, and a function to find more. It returns the answer as an async iterable of its parts. Default: none, and the
   * response to questions is 501.
   */
  readonly ask?: AnswerModel;
  /** Templates for spaces in addition to the built-in ones. A template with the id of a built-in one replaces it. */
  readonly templates?: readonly Template[];
  /** Called with every error whose details callers do not see. Default: `console.error`. */
  readonly onError?: (error: unknown, context: { requestId?: string }) => void;
  /**
   * Called after every response, also of refused and failed requests and of `call`, with the operation, its result, its duration and
   * the user. It never gets content, secrets or URLs. The response does not wait for it, and its errors go to `onError`. Default:
   * nothing is reported or measured.
   */
  readonly onRequest?: OnRequest;
  /** The sizes of the caches. */
  readonly caches?: CacheSizes;
  /** The clock. Default: the system's. */
  readonly now?: () => Date;
  /** Random bytes. Default: `crypto.getRandomValues`. */
  readonly random?: (bytes: number) => Uint8Array;
}

/** Checks the arguments of `createDocsApi`. Throws a TypeError about the first mistake. */
export function checkOptions(storage: unknown, options: unknown): void {
  if (!isJsonObject(storage))
    refuse("The first argument must be a storage, such as `memoryStorage()` of octavo/memory.");
  if (typeof storage.then === "function") refuse("The storage is a promise: await it before it is given.");
  checkMethods("partition", "partitions", "close")("storage", storage);
  checkMethods("put", "get", "delete", "list")("storage.blobs", storage.blobs);
  if (!isJsonObject(options)) refuse("The options must be an object.");
  checkMembers("", optionChecks, options);
}

/** Throws a TypeError if the value is a mistake for the option of this name. */
type Check = (name: string, value: unknown) => void;
type Checks<Options> = { readonly [name in keyof Required<Options>]: Check };

function refuse(sentence: string): never {
  throw new TypeError(`createDocsApi: ${sentence}`);
}

/** Checks each option by its name. A value of undefined is the same as no option. */
function checkMembers(path: string, checks: Readonly<Record<string, Check>>, options: object): void {
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (!check) refuse(`There is no option \`${path}${name}\`.${suggestName(name, Object.keys(checks))}`);
    if (value !== undefined) check(path + name, value);
  }
}

/** Returns the check that a predicate holds. The expectation completes the sentence "It must be …". */
function checkThat(expectation: string, isValid: (value: unknown) => boolean): Check {
  return (name, value) => {
    if (!isValid(value)) refuse(`\`${name}\` must be ${expectation}.`);
  };
}

/** Returns the check that a value is an object with these functions. */
function checkMethods(...methods: readonly string[]): Check {
  return (name, value) => {
    const missing = methods.find((method) => !isJsonObject(value) || typeof value[method] !== "function");
    if (missing !== undefined) refuse(`\`${name}\` must be an object with the function \`${missing}\`.`);
  };
}

/** Returns the check of an object of options, one of which may be required. */
function checkGroup<Options>(checks: Checks<Options>, required?: keyof Options & string): Check {
  return (name, value) => {
    checkObject(name, value);
    checkMembers(`${name}.`, checks, value as object);
    if (required && (value as Options)[required] === undefined) refuse(`\`${name}.${required}\` is missing.`);
  };
}

/** Returns the check of an object of options that are all amounts. */
function checkAmounts<Options>(...names: readonly (keyof Options & string)[]): Check {
  return checkGroup(Object.fromEntries(names.map((name) => [name, checkAmount])) as Checks<Options>);
}

function isWebUrl(value: unknown): value is string {
  return typeof value === "string" && /^https?:\/\//i.test(value) && tryParseUrl(value) !== undefined;
}

const MIN_SECRET_LENGTH = 32;

const checkAmount = checkThat("a number, and not negative", (value) => typeof value === "number" && value >= 0);
const checkSize = checkThat("a whole number, 0 or more", (value) => Number.isSafeInteger(value) && Number(value) >= 0);
const checkFunction = checkThat("a function", (value) => typeof value === "function");
const checkObject = checkThat("an object", isJsonObject);
const checkOrigin = checkThat(
  "an origin without a path, such as https://docs.example.com",
  (value) => isWebUrl(value) && /^[^/]*\/\/[^/?#]*\/?$/.test(value),
);

/** The check of each option. The type makes sure that none is missing. */
const optionChecks: Checks<DocsApiOptions> = {
  origin: checkOrigin,
  appOrigin: checkOrigin,
  sitesUrl: checkThat("a URL, such as https://docs.example.com/sites or https://*.docs.example.com", (value) => {
    // The URL has no query, and at most one `*`, as its first label.
    const url = typeof value === "string" ? replaceWildcard(value, "x") : "";
    return isWebUrl(url) && !/[*?#]/.test(url) && tryParseUrl(url)?.username === "";
  }),
  basePath: checkThat(
    "a path that begins with a slash, such as /docs-api",
    (value) => typeof value === "string" && /^(\/[^?#\s]*)?$/.test(value),
  ),
  secret(name, value) {
    const secrets = Array.isArray(value) ? value : [value];
    if (secrets.length === 0) refuse(`\`${name}\` must have at least one secret: [new, old].`);
    if (secrets.every((secret) => typeof secret === "string" && secret.length >= MIN_SECRET_LENGTH)) return;
    const inList = Array.isArray(value) ? " in each of the list" : "";
    refuse(`\`${name}\` needs at least ${MIN_SECRET_LENGTH} characters${inList}.`);
  },
  reference: checkThat("true or false", (value) => typeof value === "boolean"),
  authenticate: checkFunction,
  maxBodyBytes: checkAmount,
  cors: checkGroup<CorsOptions>(
    {
      origins: checkThat('"*" or a list of origins without a path, such as https://app.example.com', (value) => {
        const origin = /^(null|[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+)$/i;
        return (
          value === "*" ||
          (Array.isArray(value) && value.every((item) => typeof item === "string" && origin.test(item)))
        );
      }),
      maxAge: checkAmount,
    },
    "origins",
  ),
  rateLimit: checkGroup<RateLimitOptions>({ limit: checkAmount, window: checkAmount }, "limit"),
  clientAddress: checkFunction,
  fetch: checkFunction,
  verifyDomain: checkFunction,
  sendMail: checkFunction,
  imports: checkAmounts<ImportLimits>("maxPages", "maxFiles", "maxBytes", "maxSeconds", "maxAtOnce"),
  git: checkGroup<GitOptions>({
    http: checkThat(
      "a list of hosts, such as git.example:8080",
      (value) => Array.isArray(value) && value.every((host) => typeof host === "string"),
    ),
    limits: checkAmounts<GitLimits>(
      ...(["maxBytes", "maxObjects", "maxObjectBytes", "maxUnpackedBytes", "maxFiles", "maxDepth"] as const),
    ),
    maxSeconds: checkAmount,
    client: checkMethods("readRemote", "pushRemote"),
  }),
  integrations: checkGroup<IntegrationOptions>({ maxSeconds: checkAmount }),
  audit: checkAmounts<NonNullable<DocsApiOptions["audit"]>>("keepDays"),
  events: checkAmounts<EventOptions>("maxStreams", "maxStreamsOfUser", "pollSeconds"),
  openApiSpecs: checkAmounts<OpenApiSpecOptions>("checkEveryMinutes", "maxSeconds"),
  files: checkAmounts<FileOptions>("maxSeconds"),
  waitUntil: checkFunction,
  onDue: checkFunction,
  search: checkMethods("update", "search"),
  onEvent: checkFunction,
  pdf: checkMethods("print"),
  sandbox: checkGroup<SandboxOptions>({
    engine: checkObject,
    limits: checkAmounts<SandboxLimits>(...(Object.keys(DEFAULT_SANDBOX_LIMITS) as (keyof SandboxLimits)[])),
    threads: checkAmount,
    onError: checkFunction,
  }),
  translator: checkFunction,
  ask: checkFunction,
  templates: checkThat("a list of templates, each with an id, a title and pages", (value) => {
    if (!Array.isArray(value)) return false;
    return value.every((it) => {
      if (!isJsonObject(it)) return false;
      return typeof it.id === "string" && typeof it.title === "string" && Array.isArray(it.pages);
    });
  }),
  onError: checkFunction,
  onRequest: checkFunction,
  caches: checkGroup<CacheSizes>({
    responses: checkSize,
    objects: checkSize,
    contents: checkSize,
    indexes: checkSize,
    lists: checkSize,
    tokens: checkSize,
    routes: checkSize,
    callers: checkSize,
  }),
  now: checkFunction,
  random: checkFunction,
};
