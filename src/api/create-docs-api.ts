// createDocsApi: takes a storage and options, and returns the API. It starts no timers and reads no environment variables.

import { bytesToHex } from "@noble/hashes/utils.js";
import { version } from "../../package.json";
import { createAuditLog } from "../audit/log";
import type { AuditCheck } from "../audit/verify";
import { DocsError } from "../errors";
import type { EventStreams } from "../events/event-streams";
import { createRefusalLimiter } from "../execution/audit-call";
import type { Kernel, RegisteredOperation } from "../execution/kernel";
import type { MaintainOptions, MaintenanceReport } from "../execution/maintain";
import { createReadiness } from "../execution/readiness";
import { createETagSourceLookup, createParentLookup } from "../execution/related-operations";
import { createResponseCache } from "../execution/response-cache";
import { createCallerAdmission } from "../http/admit-caller";
import { createFetchHandler } from "../http/fetch";
import { createHttpHandler } from "../http/handler";
import type { PlainRequest, PlainResponse } from "../http/plain-request";
import { createRateLimiter, type RateLimitWindow } from "../http/rate-limit";
import { createRequestReporter } from "../http/request-report";
import type { CachedRoute } from "../http/router";
import { createSessionCookie } from "../http/session-cookie";
import { createOutbox } from "../jobs/outbox";
import {
  allOperations,
  forgetting,
  type OperationInput,
  type OperationName,
  type OperationOutput,
  reachable,
  rekeys,
  steps,
} from "../operations";
import { createSitesUrl, type Urls } from "../ports/urls";
import { createEventReceivers } from "../resources/integrations/delivery/listeners";
import { recordAuditEvent, recordUserAuditEvent } from "../resources/people/audit/record-event";
import { findOrganizationPartition } from "../resources/people/organizations/records";
import { readVisitorClaims, type VisitorClaims } from "../resources/people/organizations/visitor-claims";
import { checkSingleSignOn, hideUnprovenMembership } from "../resources/people/sessions/single-sign-on";
import type { AccountStanding } from "../resources/people/users/account-standing";
import { createPooledRandom, DIRECTORY } from "../storage/ids";
import { encodeKey } from "../storage/key";
import { createObjectCache } from "../storage/objects";
import { createSealedStorage } from "../storage/sealed-storage";
import { createSecrets } from "../storage/secrets";
import type { Storage } from "../storage/storage";
import { createJitteredPause, createStore } from "../storage/store";
import { loadLazily } from "../utils/lazy";
import { omitUndefined } from "../utils/objects";
import { trimTrailingSlashes } from "../utils/url";
import { type CacheStats, VersionedCache } from "../utils/versioned-cache";
import { createAuthenticator } from "./authenticate";
import { type CacheSizes, defaultSizes } from "./cache-sizes";
import { checkCallArguments } from "./call-arguments";
import { createInternalClient } from "./internal-client";
import { internalsByApi } from "./internals";
import { type KnownUser, listKnownUsers } from "./list-users";
import { checkOptions, type DocsApiOptions } from "./options";
import { createPorts } from "./ports";
import type { ProvisionRequest, ProvisionResult } from "./provision";
import { createCheckedStorage, resealStorage } from "./secret-check";

/** Numbers about a process since its API was created. `measureStorage` counts the calls of the storage. */
export interface Metrics {
  readonly caches: Readonly<Record<keyof CacheSizes, CacheStats>>;
  /** Transactions that were run again, because others had changed the same records in the meantime. */
  readonly retries: number;
  /** The pending jobs of all organizations, as the last `maintain()` of this process found them; undefined before. */
  readonly jobs: (Pick<MaintenanceReport, "waiting" | "parked"> & { readonly counted: Date }) | undefined;
}

/** The API. Its members are closures: `const { fetch } = createDocsApi(…)` works. */
export interface DocsApi {
  /** Responds to a request: the handler for Bun, Deno, Workers and everything else that speaks `fetch`. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The same without `Request` and `Response`. `octavo/node` uses it. */
  readonly handle: (request: PlainRequest) => Promise<PlainResponse>;
  /** Runs an operation by name on behalf of a user, without HTTP. Throws `DocsError`. */
  readonly call: <Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    as: { readonly user: string },
  ) => Promise<OperationOutput<Name>>;
  /** Returns the OpenAPI 3.1 description of the API. */
  readonly openapi: () => Promise<object>;
  /**
   * Returns the claims of a JWT that `ping` returned. Undefined if it is forged, expired or not for visitors, and if the user has left
   * the organization or is a guest without any grant there.
   */
  readonly visitor: (jwt: string) => Promise<VisitorClaims | undefined>;
  /**
   * For the host, not reachable over HTTP: makes sure that a user exists, with an organization and a token if requested. Safe to call
   * at every start, because existing records are reused.
   */
  readonly provision: (request: ProvisionRequest) => Promise<ProvisionResult>;
  /**
   * Checks once that the storage responds and that `secret` is the one of its data. Rejects with a message that says what to do.
   * Await it before the server listens. Otherwise the first request makes the check, and is refused.
   */
  readonly ready: () => Promise<void>;
  /**
   * For the host, not reachable over HTTP: iterates over all users in the storage, in no particular order, or over the one with an
   * e-mail address.
   */
  readonly users: (filter?: { readonly email?: string }) => AsyncIterable<KnownUser>;
  /**
   * For the host, not reachable over HTTP: disables an account, enables it again, or erases its name and address for good. Tokens,
   * visits and previews of the user end at once. The last admin of an organization is not erased.
   */
  readonly changeUser: (user: string, to: AccountStanding) => Promise<void>;
  /** Does the pending work. Returns what it did and when it should be called next. */
  readonly maintain: (options?: MaintainOptions) => Promise<MaintenanceReport>;
  /**
   * Checks the audit log of an organization (of the directory, without one), or the lines of an export. `hash` is that of an earlier
   * check, which the log must still have.
   */
  readonly verifyAudit: (what: {
    readonly organization?: string;
    readonly lines?: Iterable<string> | AsyncIterable<string>;
    readonly hash?: string;
  }) => Promise<AuditCheck>;
  /** Returns numbers about this process. They are read from memory, so calling it is cheap. */
  readonly metrics: () => Metrics;
  /** Ends the streams of events and refuses new ones, for a server that is about to stop and waits for its responses to end. */
  readonly endStreams: () => void;
  /** Closes the storage, and ends the threads of scripts and the streams of events. */
  readonly close: () => Promise<void>;
}

// A Worker creates an API for every request, so everything that follows from the operations alone is computed once.
const table = allOperations();
const operations = new Map<string, RegisteredOperation>(table.map((operation) => [operation.name, operation]));
const guardedOperations = table.filter(({ definition }) => definition.spec.target.allowsAnonymous !== true);
const scopes = [...new Set(guardedOperations.map(({ scope }) => scope))].sort();
const writeOperations = table
  .filter(({ definition: { method, spec } }) => method !== "GET" && !spec.isReadOnly)
  .map(({ name }) => name);
const visitorOperations = table.filter(({ definition }) => definition.spec.allowsVisitors).map(({ name }) => name);
const findETagSource = createETagSourceLookup(table);
const findParents = createParentLookup(table);

const loadProvision = loadLazily(() => import("./provision"));
const loadMaintain = loadLazily(() => import("../execution/maintain"));

/** Creates the documentation API on a storage. */
export function createDocsApi(storage: Storage, options: DocsApiOptions = {}): DocsApi {
  checkOptions(storage, options);
  const random = options.random ?? createPooledRandom();
  const now = options.now ?? (() => new Date());
  const reportError = options.onError ?? ((error: unknown) => console.error(error));
  const onError = (error: unknown) => reportError(error, {});
  const secrets = createSecrets([options.secret ?? bytesToHex(random(32))].flat(), random);

  // The URLs
  const basePath = trimTrailingSlashes(options.basePath ?? "");
  const { origin, host } = new URL(options.origin ?? "http://localhost:3000");
  const { origin: appOrigin, host: appHost } = new URL(options.appOrigin ?? origin);
  const urls: Urls = {
    api: (path) => `${origin}${basePath}/v1${path}`,
    app: (path) => `${appOrigin}${path}`,
    sites: createSitesUrl(options.sitesUrl ?? `${appOrigin}/sites`, [host, appHost]),
  };
  const sessionCookie = createSessionCookie([origin, appOrigin]);

  // The storage: its first use checks the secret, and fields that are declared as sealed are encrypted in it.
  const pause = createJitteredPause(random);
  let retries = 0;
  const isGiven = options.secret !== undefined;
  const checkedStorage = createCheckedStorage(storage, secrets, { isGiven, now, pause, onError });
  const store = createStore(createSealedStorage(checkedStorage.storage, secrets), {
    now,
    random,
    pause,
    onRetry: () => void retries++,
  });

  // The caches
  const cacheSizes: Required<CacheSizes> = { ...defaultSizes, ...omitUndefined(options.caches ?? {}) };
  const responseCache = createResponseCache(cacheSizes.answers);
  const objects = createObjectCache(cacheSizes.objects);
  const contents = createObjectCache(cacheSizes.contents);
  const indexes = new VersionedCache(cacheSizes.indexes);
  // An entry has a name, versions and a value in an object of its own.
  const lists = new VersionedCache(cacheSizes.lists, 500);
  const routeCache = new VersionedCache<CachedRoute>(cacheSizes.routes);
  const rateLimitWindows = new VersionedCache<RateLimitWindow>(cacheSizes.callers);

  // Most processes describe themselves to nobody, serve no agents and stream no events, so the code for it is loaded when it is first
  // needed.
  const getOpenApiDocument = loadLazily(async () => {
    const { getPublishedDocument } = await import("../openapi/reference/published-document");
    return getPublishedDocument(table, { version, server: urls.api("") });
  });
  const getReference = loadLazily(async () => {
    const { createReferencePages } = await import("../openapi/reference/pages");
    const info = { root: `${basePath}/v1/docs`, server: urls.api(""), version };
    return createReferencePages(await getOpenApiDocument(), info, responseCache);
  });
  const getAgents = loadLazily(async () => {
    const { createAgentServer } = await import("../mcp/agents/serve");
    const { callAsSender } = client;
    const { getScope } = kernel.apiInfo;
    return createAgentServer({ callAsSender, version, origins: [origin, appOrigin], getScope, onError });
  });
  let streams: EventStreams | undefined;
  let isEnding = false;
  const getStreams = loadLazily(async () => {
    const { createEventStreams } = await import("../events/event-streams");
    const { refreshActor } = authenticator;
    streams = createEventStreams({ kernel, operations, refreshActor, limits: options.events });
    return streams;
  });
  const endStreams = () => {
    isEnding = true;
    streams?.close();
  };

  // Not through the store, which refuses a wrong secret: that has a check of its own.
  const checkStorage = async () => (await storage.partition(DIRECTORY).snapshot()).get([encodeKey("ready")]);
  const getNotReadyReason = createReadiness(
    [
      { check: checkStorage, problem: "the storage cannot be read" },
      { check: checkedStorage.ready, problem: "the secret is not the one of its data" },
    ],
    { now, onError },
  );

  const kernel: Kernel = {
    store,
    jobs: {
      store,
      onError,
      waitUntil: options.waitUntil,
      onDue: options.onDue,
      outbox: createOutbox(
        store,
        options.onEvent,
        onError,
        createEventReceivers(() => kernel.jobs),
      ),
      audit: createAuditLog(store, secrets),
      objects,
      contents,
      ports: createPorts(options, { now, onError, secrets, urls, indexes, lists }),
    },
    urls,
    secrets,
    apiInfo: {
      version,
      getOpenApiDocument,
      scopes,
      writeOperations,
      getScope: (name) => operations.get(name)?.scope,
      getNotReadyReason,
      async openEventStream(call) {
        const openStreams = await getStreams();
        if (isEnding) throw new DocsError("unavailable", { headers: { "retry-after": "1" } });
        return openStreams.open(call);
      },
    },
    responseCache,
    checkSignInMethod: checkSingleSignOn,
    restrictView: hideUnprovenMembership,
    recordAuditEvent: (tx, partition, happening, userId) =>
      partition === DIRECTORY
        ? recordUserAuditEvent(kernel.jobs, tx, userId, happening)
        : recordAuditEvent(kernel.jobs, tx, { partition }, happening),
    shouldAuditRefusal: createRefusalLimiter(store),
    findETagSource,
    findParents,
  };

  const authenticator = createAuthenticator({
    kernel,
    sessionCookie,
    authenticate: options.authenticate,
    visitorOperations,
    maxCachedTokens: cacheSizes.tokens,
  });
  // The sign-in pages and sites share its counts, so that requests for them count with the rest.
  const countRequest = options.rateLimit && createRateLimiter(options.rateLimit, rateLimitWindows);
  const reportRequest = options.onRequest && createRequestReporter(options.onRequest, onError);
  const { hasCredentials, identifyCaller } = authenticator;
  const admitCaller = createCallerAdmission({ kernel, countRequest, hasCredentials, identifyCaller });
  const maxBodyBytes = options.maxBodyBytes ?? 10 * 1024 * 1024;
  const client = createInternalClient({
    kernel,
    operations,
    visitorOperations,
    basePath,
    maxBodyBytes,
    admitCaller,
    reportRequest,
  });
  const handle = createHttpHandler(kernel, table, {
    basePath,
    maxBodyBytes,
    cors: options.cors,
    countRequest,
    admitCaller,
    renderReference: options.reference === false ? undefined : async (page) => (await getReference())(page),
    handleAgentRequest: async (request, actor) => (await getAgents())(request, actor),
    onError: reportError,
    reportRequest,
    routeCache,
  });

  const loadAuditSeal = loadLazily(() => import("../audit/seal"));
  const keepDays = options.audit?.keepDays ?? 365;
  let pendingJobs: Metrics["jobs"];

  const api: DocsApi = {
    fetch: createFetchHandler(handle, options.clientAddress),
    handle,
    async call(name, input, as) {
      const { operation, input: checkedInput, userId } = checkCallArguments(operations, name, input, as);
      return (await client.callAsUser(operation, checkedInput, userId)) as never;
    },
    openapi: getOpenApiDocument,
    async visitor(jwt) {
      await checkedStorage.ready();
      return readVisitorClaims(kernel, jwt, now());
    },
    async provision(request) {
      const { provision } = await loadProvision();
      const operation = operations.get("createOrganization")!;
      return provision(
        store,
        (title, userId, partitionCode) =>
          client.callAsUser(operation, { params: {}, query: {}, body: { title } }, userId, { partitionCode }),
        request,
      );
    },
    users: (filter) => listKnownUsers(store, filter),
    async changeUser(user, to) {
      const { changeAccountStanding } = await import("../resources/people/users/account-standing");
      await changeAccountStanding(kernel.jobs, user, to);
    },
    ready: checkedStorage.ready,
    async maintain(maintainOptions) {
      await checkedStorage.ready();
      const { maintain } = await loadMaintain();
      const tasks = {
        jobTypes: steps,
        reachableObjects: reachable,
        cleanUps: forgetting,
        async maintainAuditLog(_: unknown, partition: string) {
          const { maintainAuditLog } = await loadAuditSeal();
          return maintainAuditLog(store, partition, { secrets, keepDays, onError });
        },
      };
      const report = await maintain(kernel, tasks, maintainOptions);
      pendingJobs = { waiting: report.waiting, parked: report.parked, counted: now() };
      await resealStorage(checkedStorage, store, secrets, rekeys).catch(onError);
      return report;
    },
    async verifyAudit({ organization, lines, hash }) {
      const { verifyAuditExport, verifyAuditLog } = await import("../audit/verify");
      if (lines) return verifyAuditExport(lines, hash);
      await checkedStorage.ready();
      const partition = organization === undefined ? DIRECTORY : findOrganizationPartition(organization);
      if (partition === undefined) throw new DocsError("organization_not_found");
      return verifyAuditLog(await store.read(partition), partition, secrets, hash);
    },
    metrics: () => ({
      caches: {
        answers: responseCache.getStats(),
        objects: objects.getStats(),
        contents: contents.getStats(),
        indexes: indexes.getStats(),
        lists: lists.getStats(),
        tokens: authenticator.getCacheStats(),
        routes: routeCache.getStats(),
        callers: rateLimitWindows.getStats(),
      },
      retries,
      jobs: pendingJobs,
    }),
    endStreams,
    async close() {
      endStreams();
      await kernel.jobs.ports.scriptRunner.close();
      await storage.close();
    },
  };

  internalsByApi.set(api, {
    kernel,
    client,
    cookie: sessionCookie,
    origin,
    basePath,
    countRequest,
    getClientAddress: options.clientAddress,
  });
  return api;
}
