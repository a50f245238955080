// The options of `createDocsApi`, and the check of them. A mistake is a TypeError that names the option and says what to
// do. It is thrown at once, because later it would look like something else.

import type { Printer } from "../content/print-job";
import type { Template } from "../content/templates";
import type { Translator } from "../content/translation/translator";
import type { GitClient, GitLimits } from "../git/port";
import type { OnRequest } from "../http/answered";
import type { CorsOptions } from "../http/cors";
import type { RateLimitOptions } from "../http/rate-limit";
import type { Listener } from "../jobs/events";
import type { AnswerModel } from "../ports/answer-model";
import type { VerifyDomain } from "../ports/domain-verification";
import type { ImportLimits } from "../ports/importer";
import type { SendMail } from "../ports/mailer";
import type { SearchEngine } from "../ports/search-engine";
import { replaceWildcard } from "../ports/urls";
import type { HostUser } from "../resources/people/users/host-users";
import { defaultLimits } from "../sandbox/limits";
import type { SandboxLimits, SandboxOptions } from "../sandbox/options";
import { suggestName } from "../utils/suggest";
import { tryParseUrl } from "../utils/url";
import type { CacheSizes } from "./cache-sizes";

/** The part of a request that a host application recognizes its user by. A `Request` is one. */
export interface Credentials {
  readonly method: string;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
}

/** How repositories are reached. */
export interface GitOptions {
  /** Hosts, as `git.example` or `git.example:8080`, that may be reached over plain http. Default: none. */
  readonly http?: readonly string[];
  /** The limits of one repository. */
  readonly limits?: GitLimits;
  /** How long one call to a repository may take. Default: 300. */
  readonly maxSeconds?: number;
  /** A Git client that replaces the built-in one. */
  readonly client?: GitClient;
}

/** How integrations are called. */
export interface IntegrationOptions {
  /** How long one call through a tunnel may take; scripts have the limits of `sandbox`. Default: 10. */
  readonly maxSeconds?: number;
}

/** How files that are inserted by their URL are fetched. */
export interface FileOptions {
  /** How long all files of one request may take. Default: 30. */
  readonly maxSeconds?: number;
}

/** How OpenAPI specifications are fetched. */
export interface OpenApiSpecOptions {
  /** How long until an address is fetched again, in minutes; 0: never. Default: 360. */
  readonly checkEveryMinutes?: number;
  /** How long reading one specification may take, with all documents that it refers to. Default: 45. */
  readonly maxSeconds?: number;
}

/** How many may listen to what happens, and how quickly they hear of what other processes did. */
export interface EventOptions {
  /** Streams that one process keeps open. Default: 500. */
  readonly maxStreams?: number;
  /** Streams that one process keeps open for one user. Default: 20. */
  readonly maxStreamsOfUser?: number;
  /** How often the storage is asked whether another process has written, while somebody listens. Default: 2. */
  readonly pollSeconds?: number;
}

export interface DocsApiOptions {
  /** The origin under which this API is reached, for the URLs in answers. Default: `http://localhost:3000`. */
  readonly origin?: string;
  /** The origin of the application that people use, for `urls.app`. Default: the origin. */
  readonly appOrigin?: string;
  /**
   * The URL under which sites are published that have no host of their own: `<sitesUrl>/<organization>/<basename>`. With `*` as
   * its first label (`https://*.docs.example`) each organization has an origin of its own, and a site is at
   * `https://<organization>.docs.example/<basename>`. Default: `/sites` under `appOrigin`.
   */
  readonly sitesUrl?: string;
  /** The path that the API is mounted under, without the version: `/docs-api`. Default: none. */
  readonly basePath?: string;
  /**
   * Seals cursors, signs JWTs and encrypts values that must be read back; at least 32 characters. Every process on the
   * same storage needs the same secret. A list replaces a secret: the first is used, the others are still accepted.
   * Default: a random one, so cursors and JWTs end with the process.
   */
  readonly secret?: string | readonly string[];
  /** Whether the reference for people is served at `/v1/docs`. `/v1/openapi.json` is served anyway. Default: true. */
  readonly reference?: boolean;
  /** Identifies the host application's own users, where no API token does. Null or undefined: not identified. */
  readonly authenticate?: (request: Credentials) => Promise<HostUser | null | undefined> | HostUser | null | undefined;
  /** The largest JSON body, in bytes. Default: 10 MiB. */
  readonly maxBodyBytes?: number;
  /** Origins whose browsers may call. Default: none. */
  readonly cors?: CorsOptions;
  /** Limits requests per caller. Default: no limit. */
  readonly rateLimit?: RateLimitOptions;
  /**
   * The address of the other end of a connection, for the rate limit of callers without a token. `octavo/node` fills it
   * in. Default: unknown, and all such callers share one limit.
   */
  readonly clientAddress?: (request: Request) => string | undefined;
  /**
   * Fetches from other hosts. `octavo/node` has one that refuses private addresses. Default: none, and operations that
   * need it are refused.
   */
  readonly fetch?: typeof fetch;
  /**
   * Says whether a domain, of e-mail addresses or of a site, belongs to an organization that names it. `octavo/node`
   * has `dnsVerifyDomain()`, which looks for a TXT record. Default: no domain is proven, and none is used.
   */
  readonly verifyDomain?: VerifyDomain;
  /** Sends mails: invites, and links to sign in. Default: none, and people are told their links in other ways. */
  readonly sendMail?: SendMail;
  /** The limits of imports. */
  readonly imports?: ImportLimits;
  /** How repositories are reached, through `fetch`. */
  readonly git?: GitOptions;
  /** How integrations are called. */
  readonly integrations?: IntegrationOptions;
  /** How long the audit log is kept, in days. Default: 365. */
  readonly audit?: { readonly keepDays?: number };
  /** The limits of streams of events. */
  readonly events?: EventOptions;
  /** How OpenAPI specifications are fetched, through `fetch`. */
  readonly openApiSpecs?: OpenApiSpecOptions;
  /** How files that are inserted by their URL are fetched. */
  readonly files?: FileOptions;
  /**
   * Takes work that continues after an answer, such as calls to other hosts: `waitUntil` of a Worker's context, or a
   * function that does nothing where the process keeps running. Default: the answer waits for the work.
   */
  readonly waitUntil?: (work: Promise<unknown>) => void;
  /**
   * Called when work was scheduled for a later time, such as another attempt to deliver an event, with the time at
   * which `maintain()` should run. Default: the work waits for the next call of `maintain()`, which should come within
   * a minute.
   */
  readonly onDue?: (when: Date) => void;
  /** Replaces the built-in search. */
  readonly search?: SearchEngine;
  /**
   * Listens to events: at least once, in order within an organization. A request that causes an event answers after the
   * listener has finished. An event that the listener rejects is sent again by a later `maintain()`. Default: no
   * listener.
   */
  readonly onEvent?: Listener;
  /**
   * Prints content as PDF: `pdfPrinter` of `octavo/pdf`, with fonts of your choice. Default: the built-in printer with
   * the standard fonts of PDF readers, which cover Western Europe.
   */
  readonly pdf?: Printer;
  /**
   * How the scripts of integrations are run: the engine (which a Worker must pass in), the threads, and the limits of
   * one event.
   */
  readonly sandbox?: SandboxOptions;
  /** Translates texts: one of `octavo/translators`, or a function of your own. Default: none, and translations are refused. */
  readonly translator?: Translator;
  /**
   * Answers questions about content: a model of yours. It gets the question, what was found for it among what the caller
   * may see, and a function to find more; it gives the answer as an async iterable of its parts. Default: none, and
   * questions are answered with 501.
   */
  readonly ask?: AnswerModel;
  /** Templates for spaces beside the built-in ones. A template with the id of a built-in one replaces it. */
  readonly templates?: readonly Template[];
  /** Called with every error whose details callers do not see. Default: `console.error`. */
  readonly onError?: (error: unknown, context: { requestId?: string }) => void;
  /**
   * Called after every answer, also of refused and failed requests and of `call`: which operation, how it ended, how long
   * it took, and for whom. It never hears content, secrets or URLs. The answer does not wait for it, and what it throws
   * goes to `onError`. Default: nobody listens, and nothing is measured.
   */
  readonly onRequest?: OnRequest;
  /** How much the caches may hold. */
  readonly caches?: CacheSizes;
  /** The clock. Default: the system's. */
  readonly now?: () => Date;
  /** Random bytes. Default: `crypto.getRandomValues`. */
  readonly random?: (bytes: number) => Uint8Array;
}

/** Throws a TypeError about the first mistake in what `createDocsApi` was given. */
export function checkOptions(storage: unknown, options: unknown): void {
  checkStorage(storage);
  if (!isObject(options)) refuse("The options must be an object.");
  checkMembers("", checks, options);
}

/** Throws a TypeError when it is a mistake to give this value for the option of this name. */
type Check = (name: string, value: unknown) => void;
type Checks<Options> = { readonly [name in keyof Required<Options>]: Check };

function refuse(sentence: string): never {
  throw new TypeError(`createDocsApi: ${sentence}`);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string";
const isFunction = (value: unknown) => typeof value === "function";
const isWebUrl = (value: unknown): value is string =>
  isText(value) && /^https?:\/\//i.test(value) && tryParseUrl(value) !== undefined;

/** A URL without a query, with at most one `*`, as its first label. */
function isSitesUrl(value: unknown): boolean {
  const url = isText(value) ? replaceWildcard(value, "x") : "";
  return isWebUrl(url) && !/[*?#]/.test(url) && tryParseUrl(url)?.username === "";
}

const must =
  (what: string, holds: (value: unknown) => boolean): Check =>
  (name, value) => {
    if (!holds(value)) refuse(`\`${name}\` must be ${what}.`);
  };

const amount = must("a number, and not negative", (value) => typeof value === "number" && value >= 0);
const func = must("a function", isFunction);
const object = must("an object", isObject);
const list = (what: string, isItem: (item: unknown) => boolean) =>
  must(`a list of ${what}`, (value) => Array.isArray(value) && value.every(isItem));
const origin = must(
  "an origin without a path, such as https://docs.example.com",
  (value) => isWebUrl(value) && /^[^/]*\/\/[^/?#]*\/?$/.test(value),
);

/** An object with these functions. */
const methods =
  (...names: readonly string[]): Check =>
  (name, value) => {
    const missing = names.find((method) => !isObject(value) || !isFunction(value[method]));
    if (missing !== undefined) refuse(`\`${name}\` must be an object with the function \`${missing}\`.`);
  };

/** An object of options, with one that it must have. */
const group =
  <Options>(known: Checks<Options>, needed?: keyof Options & string): Check =>
  (name, value) => {
    object(name, value);
    checkMembers(`${name}.`, known, value as object);
    if (needed && (value as Options)[needed] === undefined) refuse(`\`${name}.${needed}\` is missing.`);
  };

/** Checks each option by its name. A value of undefined is the same as no option. */
function checkMembers(at: string, known: Readonly<Record<string, Check>>, given: object): void {
  for (const [name, value] of Object.entries(given)) {
    const check = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!check) refuse(`There is no option \`${at}${name}\`.${suggestName(name, Object.keys(known))}`);
    if (value !== undefined) check(at + name, value);
  }
}

function checkSecret(name: string, value: unknown): void {
  const secrets = Array.isArray(value) ? value : [value];
  if (secrets.length === 0) refuse(`\`${name}\` must have at least one secret: [new, old].`);
  if (!secrets.every((secret) => isText(secret) && secret.length >= SECRET_LENGTH))
    refuse(
      `\`${name}\` needs at least ${SECRET_LENGTH} characters${Array.isArray(value) ? " in each of the list" : ""}.`,
    );
}

/** The fewest characters of a secret. */
const SECRET_LENGTH = 32;

const allAmounts = <Options>(...names: readonly (keyof Options & string)[]): Check =>
  group(Object.fromEntries(names.map((name) => [name, amount])) as Checks<Options>);

const size = must("a whole number, 0 or more", (value) => Number.isSafeInteger(value) && Number(value) >= 0);

const maxSeconds = amount;

/** One line for each option, so that none is forgotten. */
const checks: Checks<DocsApiOptions> = {
  origin,
  appOrigin: origin,
  sitesUrl: must("a URL, such as https://docs.example.com/sites or https://*.docs.example.com", isSitesUrl),
  basePath: must(
    "a path that begins with a slash, such as /docs-api",
    (value) => isText(value) && /^(\/[^?#\s]*)?$/.test(value),
  ),
  secret: checkSecret,
  reference: must("true or false", (value) => typeof value === "boolean"),
  authenticate: func,
  maxBodyBytes: amount,
  cors: group<CorsOptions>(
    {
      origins: must('"*" or a list of origins without a path, such as https://app.example.com', isOrigins),
      maxAge: amount,
    },
    "origins",
  ),
  rateLimit: group<RateLimitOptions>({ limit: amount, window: amount }, "limit"),
  clientAddress: func,
  fetch: func,
  verifyDomain: func,
  sendMail: func,
  imports: allAmounts<ImportLimits>("maxPages", "maxFiles", "maxBytes", "maxSeconds", "maxAtOnce"),
  git: group<GitOptions>({
    http: list("hosts, such as git.example:8080", isText),
    limits: allAmounts<GitLimits>(
      ...(["maxBytes", "maxObjects", "maxObjectBytes", "maxUnpackedBytes", "maxFiles", "maxDepth"] as const),
    ),
    maxSeconds,
    client: methods("readRemote", "pushRemote"),
  }),
  integrations: group<IntegrationOptions>({ maxSeconds }),
  audit: allAmounts<NonNullable<DocsApiOptions["audit"]>>("keepDays"),
  events: allAmounts<EventOptions>("maxStreams", "maxStreamsOfUser", "pollSeconds"),
  openApiSpecs: group<OpenApiSpecOptions>({ checkEveryMinutes: amount, maxSeconds }),
  files: group<FileOptions>({ maxSeconds }),
  waitUntil: func,
  onDue: func,
  search: methods("update", "search"),
  onEvent: func,
  pdf: methods("print"),
  sandbox: group<SandboxOptions>({
    engine: object,
    limits: allAmounts<SandboxLimits>(...(Object.keys(defaultLimits) as (keyof SandboxLimits)[])),
    threads: amount,
    onError: func,
  }),
  translator: func,
  ask: func,
  templates: list("templates, each with an id, a title and pages", isTemplate),
  onError: func,
  onRequest: func,
  caches: group<CacheSizes>({
    answers: size,
    objects: size,
    contents: size,
    indexes: size,
    lists: size,
    tokens: size,
    routes: size,
    callers: size,
  }),
  now: func,
  random: func,
};

function isOrigins(value: unknown): boolean {
  return (
    value === "*" ||
    (Array.isArray(value) && value.every((it) => isText(it) && /^(null|[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+)$/i.test(it)))
  );
}

function isTemplate(value: unknown): boolean {
  return isObject(value) && isText(value.id) && isText(value.title) && Array.isArray(value.pages);
}

function checkStorage(storage: unknown): void {
  if (!isObject(storage)) refuse("The first argument must be a storage, such as `memoryStorage()` of octavo/memory.");
  if (isFunction(storage.then)) refuse("The storage is a promise: await it before it is given.");
  methods("partition", "partitions", "close")("storage", storage);
  methods("put", "get", "delete", "list")("storage.blobs", storage.blobs);
}
