// createDocsApi: takes a storage and options, returns the API. It starts no timers and reads no environment variables.

import { bytesToHex } from "@noble/hashes/utils.js";
import { LRUCache } from "lru-cache";
import { version } from "../package.json";
import type { Printer } from "./content/print";
import type { Template } from "./content/templates";
import type { Translator } from "./content/translation/translator";
import { failure } from "./errors";
import type { GitClient, GitLimits } from "./git/port";
import type { CorsOptions } from "./http/cors";
import { createEdge, toldError } from "./http/edge";
import { fromRequest, toResponse } from "./http/fetch";
import { openApiDocument } from "./http/openapi";
import type { PlainRequest, PlainResponse } from "./http/plain";
import type { RateLimitOptions } from "./http/rate-limit";
import { createAnswers } from "./kernel/answers";
import { execute } from "./kernel/execute";
import { guardsIn, parentsIn } from "./kernel/guards";
import type { Caller, Kernel, Named, RawInput } from "./kernel/kernel";
import { type Maintained, maintain } from "./kernel/maintain";
import { type KnownUser, knownUsers } from "./known-users";
import { checkReceived } from "./operation/check";
import { type Actor, hostCredentials } from "./operation/operation";
import {
  allOperations,
  type OperationInput,
  type OperationName,
  type OperationOutput,
  reachable,
  steps,
} from "./operations";
import { createDomains, type VerifyDomain } from "./parts/domains";
import { createImporting, type ImportLimits } from "./parts/importer";
import { createPrinting } from "./parts/printer";
import { createSandboxing } from "./parts/script-runner";
import { createIndexes, type SearchEngine } from "./parts/search-engine";
import { type Provision, type Provisioned, provision } from "./provision";
import { templatesById } from "./resources/content/templates/records";
import { integrationsHearing } from "./resources/integrations/delivery/listeners";
import { appActor } from "./resources/integrations/installations/token-actors";
import { claimsOf, isAppToken } from "./resources/integrations/installations/token-values";
import { readVisitorClaims, type VisitorClaims } from "./resources/people/organizations/visitor";
import { actorOf, isOver } from "./resources/people/tokens/records";
import { type HostUser, users, welcome } from "./resources/people/users/records";
import { defaultLimits } from "./sandbox/limits";
import type { SandboxOptions } from "./sandbox/port";
import { createSecrets } from "./secrets";
import { DIRECTORY } from "./store/ids";
import { createObjectCache } from "./store/objects";
import { sealedStorage } from "./store/sealed-storage";
import type { Storage, Version } from "./store/storage";
import { createStore, jitter } from "./store/store";
import type { Reader } from "./store/transaction";
import { createTurns } from "./turns/turns";
import type { Urls } from "./urls";
import { withoutEndSlashes } from "./web-address";
import { createOutbox, type Listener } from "./work/events";

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

export interface DocsApiOptions {
  /** The origin under which this API is reached, for the URLs in answers. Default: `http://localhost:3000`. */
  readonly origin?: string;
  /** The origin of the application that people use, for `urls.app`. Default: the origin. */
  readonly appOrigin?: string;
  /** The URL under which sites are published that have no host of their own: `<sitesUrl>/<organization>/<basename>`.
   * Default: `/sites` under `appOrigin`. */
  readonly sitesUrl?: string;
  /** The path that the API is mounted under, without the version: `/docs-api`. Default: none. */
  readonly basePath?: string;
  /**
   * Seals cursors, signs JWTs and encrypts values that must be read back; at least 32 characters. Every process on the
   * same storage needs the same secret. Default: a random one, so cursors and JWTs end with the process.
   */
  readonly secret?: string;
  /** Identifies the host application's own users instead of API tokens. Null or undefined: not identified. */
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
  /** The limits of imports. */
  readonly imports?: ImportLimits;
  /** How repositories are reached, through `fetch`. */
  readonly git?: GitOptions;
  /** How integrations are called. */
  readonly integrations?: IntegrationOptions;
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
  /** Templates for spaces beside the built-in ones. A template with the id of a built-in one replaces it. */
  readonly templates?: readonly Template[];
  /** Called with every error whose details callers do not see. Default: `console.error`. */
  readonly onError?: (error: unknown, context: { requestId?: string }) => void;
  /** The clock. Default: the system's. */
  readonly now?: () => Date;
  /** Random bytes. Default: `crypto.getRandomValues`. */
  readonly random?: (bytes: number) => Uint8Array;
}

/** The API. Its members are closures: `const { fetch } = createDocsApi(…)` works. */
export interface DocsApi {
  /** Answers a request: the handler for Bun, Deno, Workers and everything else that speaks `fetch`. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The same without `Request` and `Response`. `octavo/node` uses it. */
  readonly handle: (request: PlainRequest) => Promise<PlainResponse>;
  /** Runs an operation by name on behalf of a user, without HTTP; throws `DocsError`. */
  readonly call: <Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    as: { readonly user: string },
  ) => Promise<OperationOutput<Name>>;
  /** The OpenAPI 3.1 description of the API. */
  readonly openapi: () => object;
  /**
   * The claims of a JWT that `ping` returned; undefined when it is forged, expired or not for visitors, and when the
   * user has left the organization or is a guest without any grant there.
   */
  readonly visitor: (jwt: string) => Promise<VisitorClaims | undefined>;
  /** For the host, not reachable over HTTP: makes sure that a user exists, with an organization and a token if wanted. */
  readonly provision: (wanted: Provision) => Promise<Provisioned>;
  /** For the host, not reachable over HTTP: all users that the storage knows, in no particular order. */
  readonly users: () => AsyncIterable<KnownUser>;
  /** Does the pending work. Returns what it did and when it should be called next. */
  readonly maintain: () => Promise<Maintained>;
  /** Closes the storage, and ends the threads of scripts. */
  readonly close: () => Promise<void>;
}

/** Puts the documentation API on a storage. */
export function createDocsApi(storage: Storage, options: DocsApiOptions = {}): DocsApi {
  const random = options.random ?? ((bytes: number) => crypto.getRandomValues(new Uint8Array(bytes)));
  const now = options.now ?? (() => new Date());
  const report = options.onError ?? ((error: unknown) => console.error(error));
  const basePath = withoutEndSlashes(options.basePath ?? "");
  if (options.secret !== undefined && options.secret.length < 32)
    throw new TypeError("createDocsApi: `secret` needs at least 32 characters.");

  const secrets = createSecrets(options.secret ?? bytesToHex(random(32)), random);
  const store = createStore(sealedStorage(storage, secrets), { now, random, pause: jitter(random) });
  const table = allOperations();
  const byName = new Map<string, Named>(table.map((named) => [named.name, named]));
  const urls = createUrls(options, basePath);
  const tunnelMs = (options.integrations?.maxSeconds ?? 10) * 1000;
  const openapi = once(() => openApiDocument(table, { version, server: urls.api("") }));
  const onError = (error: unknown) => report(error, {});
  // Most processes reach no repository, so the built-in client is loaded when first needed.
  const git = async () => options.git?.client ?? (await import("./git")).gitOverHttp;
  const kernel: Kernel = {
    store,
    work: {
      store,
      onError,
      waitUntil: options.waitUntil,
      onDue: options.onDue,
      outbox: createOutbox(
        store,
        options.onEvent,
        onError,
        integrationsHearing(() => kernel.work),
      ),
      objects: createObjectCache(),
      parts: {
        templates: templatesById(options.templates),
        fetch: options.fetch,
        importing: createImporting(options.fetch, git, options.imports),
        git: {
          client: git,
          http: new Set(options.git?.http),
          limits: options.git?.limits,
          milliseconds: (options.git?.maxSeconds ?? 300) * 1000,
          secrets,
        },
        files: { milliseconds: (options.files?.maxSeconds ?? 30) * 1000 },
        openApiSpecs: {
          milliseconds: (options.openApiSpecs?.maxSeconds ?? 45) * 1000,
          checkEvery: (options.openApiSpecs?.checkEveryMinutes ?? 360) * 60_000,
          secrets,
        },
        domains: createDomains(secrets, options.verifyDomain, onError),
        // Most processes print nothing, so the built-in printer is loaded when first needed.
        print: createPrinting(async () => options.pdf ?? (await import("./pdf/standard")).standardPrinter),
        sandbox: createSandboxing(options.sandbox, onError),
        translator: options.translator,
        search: { engine: options.search, indexes: createIndexes() },
        integrations: {
          milliseconds: tunnelMs,
          longestMs: Math.max(tunnelMs, options.sandbox?.limits?.milliseconds ?? defaultLimits.milliseconds),
          secrets,
          urls,
        },
        hasListener: options.onEvent !== undefined,
      },
    },
    urls,
    secrets,
    about: {
      version,
      openapi,
      scopes: [...new Set(table.filter(isGuarded).map((named) => named.scope))].sort(),
      scopeOf: (name) => byName.get(name)?.scope,
    },
    answers: createAnswers(),
    turns: createTurns(),
    guardOf: guardsIn(table),
    parentsOf: parentsIn(table),
  };

  const lately = new LRUCache<string, { readonly actor: Actor; readonly version: Version }>({ max: 500 });

  async function recognize(request: Credentials): Promise<Caller> {
    const token = bearer(request);
    if (token !== undefined && isAppToken(token)) {
      const claims = claimsOf(secrets, token, now());
      return { actor: claims && (await appActor(store, claims)), directory: await store.read(DIRECTORY) };
    }
    if (options.authenticate) {
      const user = await options.authenticate(request);
      return user ? welcome(store, user) : { actor: undefined, directory: await store.read(DIRECTORY) };
    }
    const directory = await store.read(DIRECTORY);
    return { actor: token === undefined ? undefined : await holderOf(token, directory), directory };
  }

  /** The owner of a token is looked up again whenever the directory has changed, so a revoked token stops at once. */
  async function holderOf(token: string, directory: Reader): Promise<Actor | undefined> {
    const known = lately.get(token);
    const time = now();
    if (known?.version === directory.version && !isOver(known.actor, time)) return known.actor;
    const actor = await actorOf(directory, token, time);
    if (actor) lately.set(token, { actor, version: directory.version });
    else lately.delete(token);
    return actor;
  }

  const handle = createEdge(kernel, table, {
    basePath,
    maxBodyBytes: options.maxBodyBytes ?? 10 * 1024 * 1024,
    cors: options.cors,
    rateLimit: options.rateLimit,
    recognize,
    hasCredentials: (request) => options.authenticate !== undefined || bearer(request) !== undefined,
    onError: report,
  });

  const call: DocsApi["call"] = async (name, input, as) => {
    const named = byName.get(name);
    if (!named) throw failure("route_not_found");
    const raw: RawInput = { params: {}, query: {}, body: undefined, ...(input as Partial<RawInput>) };
    checkReceived(raw.body, "body");
    try {
      const directory = await store.read(DIRECTORY);
      const user = await users.get(directory, as.user);
      const actor = user && { user, scopes: null, expiresAt: null, credentials: hostCredentials(user.id, null) };
      return (await execute(kernel, named, raw, { actor, directory })).value as never;
    } catch (error) {
      throw toldError(error);
    }
  };

  return {
    fetch: async (request) => toResponse(await handle(fromRequest(request, options.clientAddress?.(request)))),
    handle,
    call,
    openapi,
    visitor: (jwt) => readVisitorClaims(kernel, jwt, now()),
    provision: (wanted) =>
      provision(store, (title, user) => call("createOrganization", { body: { title } }, { user }), wanted),
    users: () => knownUsers(store),
    maintain: () => maintain(kernel, steps, reachable),
    close: async () => {
      await kernel.work.parts.sandbox.close();
      await storage.close();
    },
  };
}

/** The token of the Authorization header. */
function bearer(request: Credentials): string | undefined {
  return request.headers.get("authorization")?.match(/^Bearer +([\x21-\x7e]{1,512})$/i)?.[1];
}

function createUrls(options: DocsApiOptions, basePath: string): Urls {
  const origin = new URL(options.origin ?? "http://localhost:3000").origin;
  const appOrigin = new URL(options.appOrigin ?? origin).origin;
  const sites =
    options.sitesUrl === undefined ? `${appOrigin}/sites` : withoutEndSlashes(new URL(options.sitesUrl).href);
  return {
    api: (path) => `${origin}${basePath}/v1${path}`,
    app: (path) => `${appOrigin}${path}`,
    site: (path) => `${sites}${path}`,
  };
}

function isGuarded({ operation }: Named): boolean {
  return operation.spec.on.open !== true;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
