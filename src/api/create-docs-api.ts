// createDocsApi: takes a storage and options, returns the API. It starts no timers and reads no environment variables.

import { bytesToHex } from "@noble/hashes/utils.js";
import { version } from "../../package.json";
import { createAuditLog } from "../audit/log";
import type { AuditCheck } from "../audit/verify";
import { createError, DocsError } from "../errors";
import type { Streams } from "../events/serve";
import { createResponseCache } from "../execution/answers";
import { createRefusalLimit } from "../execution/audit";
import { execute } from "../execution/execute";
import { guardsIn, parentsIn } from "../execution/guards";
import type { Caller, Kernel, RawInput, RegisteredOperation, RequestConditions } from "../execution/kernel";
import type { Maintained, MaintainOptions, Upkeep } from "../execution/maintain";
import { createReadiness } from "../execution/ready";
import { createTell, type Trail } from "../http/answered";
import { createEdge, type EdgeCaches, fromWhere, toDocsError } from "../http/edge";
import { createFetch } from "../http/fetch";
import type { PlainRequest, PlainResponse } from "../http/plain";
import { createRateLimit } from "../http/rate-limit";
import { sessionCookie } from "../http/session-cookie";
import { createOutbox } from "../jobs/events";
import { type Actor, getHostCredentials } from "../operation/actor";
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
import { ANSWER_TIMEOUT_MS } from "../ports/answer-model";
import { createDomainVerifier } from "../ports/domain-verification";
import { createEmbedDescriber } from "../ports/embed-describer";
import { createImportRunner } from "../ports/importer";
import { createPrintQueue } from "../ports/printer";
import { createScriptRunner } from "../ports/script-runner";
import { createSearchIndexCache } from "../ports/search-engine";
import { createSitesUrl, type Urls } from "../ports/urls";
import { templatesById } from "../resources/content/templates/records";
import { integrationsHearing } from "../resources/integrations/delivery/listeners";
import { appActor } from "../resources/integrations/installations/token-actors";
import { claimsOf, isAppToken } from "../resources/integrations/installations/token-values";
import { audit, auditUser } from "../resources/people/audit/note";
import { partitionOf } from "../resources/people/organizations/records";
import { readVisitorClaims, type VisitorClaims } from "../resources/people/organizations/visitor";
import { isWorthNoting, prolong, sessionOf } from "../resources/people/sessions/records";
import { checkWayIn, seenFrom } from "../resources/people/sessions/way-in";
import { createNoticePlace } from "../resources/people/tokens/places";
import { actorOf, isOver } from "../resources/people/tokens/records";
import { welcome } from "../resources/people/users/host-users";
import type { Standing } from "../resources/people/users/life";
import { isActive, users } from "../resources/people/users/records";
import { isVisitToken, readVisitToken, visitActor } from "../resources/sites/audience/visit-tokens";
import { defaultLimits } from "../sandbox/limits";
import { createPooledRandom, DIRECTORY } from "../storage/ids";
import { encodeKey } from "../storage/key";
import { createObjectCache } from "../storage/objects";
import { sealedStorage } from "../storage/sealed-storage";
import { createSecrets } from "../storage/secrets";
import type { Storage, Version } from "../storage/storage";
import { createStore, jitter } from "../storage/store";
import type { Reader } from "../storage/transaction";
import { createKeyedMutex } from "../utils/concurrency/keyed-mutex";
import { loadLazily } from "../utils/lazy";
import { type CacheStats, LruCache } from "../utils/lru-cache";
import { createStampedCache } from "../utils/stamped-cache";
import { trimTrailingSlashes } from "../utils/url";
import { type CacheSizes, cacheSizes } from "./cache-sizes";
import { checkCall } from "./check-call";
import { storeApiInternals } from "./internals";
import { type Credentials, checkOptions, type DocsApiOptions } from "./options";
import type { Provision, Provisioned } from "./provision";
import { reseal } from "./reseal";
import { checkedStorage } from "./secret-check";
import { type KnownUser, knownUsers } from "./users";

const provisioning = loadLazily(() => import("./provision"));
const maintenance = loadLazily(() => import("../execution/maintain"));

/** How a process is doing, since the API was opened. Calls of the storage are counted by `measuredStorage`. */
export interface Metrics {
  readonly caches: Readonly<Record<keyof CacheSizes, CacheStats>>;
  /** Transactions that ran again, because others had changed the same records meanwhile. */
  readonly retries: number;
  /** The work that waits, over all organizations, as the last `maintain()` of this process found it; undefined before. */
  readonly jobs: (Pick<Maintained, "waiting" | "parked"> & { readonly counted: Date }) | undefined;
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
  readonly openapi: () => Promise<object>;
  /**
   * The claims of a JWT that `ping` returned; undefined when it is forged, expired or not for visitors, and when the
   * user has left the organization or is a guest without any grant there.
   */
  readonly visitor: (jwt: string) => Promise<VisitorClaims | undefined>;
  /** For the host, not reachable over HTTP: makes sure that a user exists, with an organization and a token if wanted.
   * What exists is found again, so it may run at every start. */
  readonly provision: (wanted: Provision) => Promise<Provisioned>;
  /**
   * Checks once that the storage answers and that `secret` is the one of its data; rejects with what to do. Await it
   * before the server listens. Otherwise the first request checks it, and is refused.
   */
  readonly ready: () => Promise<void>;
  /**
   * For the host, not reachable over HTTP: iterates over all users in the storage, in no particular order, or over the one with
   * an e-mail address.
   */
  readonly users: (filter?: { readonly email?: string }) => AsyncIterable<KnownUser>;
  /**
   * For the host, not reachable over HTTP: shuts an account, opens it again, or takes its name and address away for good.
   * Tokens, visits and previews of the user end at once. Who is the last admin of an organization is not erased.
   */
  readonly changeUser: (user: string, to: Standing) => Promise<void>;
  /** Does the pending work. Returns what it did and when it should be called next. */
  readonly maintain: (options?: MaintainOptions) => Promise<Maintained>;
  /**
   * Checks the audit log of an organization (of the directory, without one), or the lines of an export. `hash` is that of
   * an earlier check, which must still be there.
   */
  readonly verifyAudit: (what: {
    readonly organization?: string;
    readonly lines?: Iterable<string> | AsyncIterable<string>;
    readonly hash?: string;
  }) => Promise<AuditCheck>;
  /** How this process is doing: plain numbers, read from memory and cheap to ask for. */
  readonly metrics: () => Metrics;
  /** Ends the streams of events, and refuses new ones: for a server that is about to stop, and waits for its answers. */
  readonly endStreams: () => void;
  /** Closes the storage, and ends the threads of scripts and the streams of events. */
  readonly close: () => Promise<void>;
}

// What follows from the operations alone is worked out once: a Worker opens an API for every request.
const table = allOperations();
const byName = new Map<string, RegisteredOperation>(table.map((named) => [named.name, named]));
const scopes = [...new Set(table.filter(isGuarded).map((named) => named.scope))].sort();
const writes = table
  .filter(({ operation: { method, spec } }) => method !== "GET" && !spec.isReadOnly)
  .map(({ name }) => name);
const guardOf = guardsIn(table);
const parentsOf = parentsIn(table);
const forVisitors = table.filter(({ operation }) => operation.spec.allowsVisitors).map(({ name }) => name);

/** Puts the documentation API on a storage. */
export function createDocsApi(storage: Storage, options: DocsApiOptions = {}): DocsApi {
  checkOptions(storage, options);
  const random = options.random ?? createPooledRandom();
  const now = options.now ?? (() => new Date());
  const report = options.onError ?? ((error: unknown) => console.error(error));
  const basePath = trimTrailingSlashes(options.basePath ?? "");
  const secrets = createSecrets([options.secret ?? bytesToHex(random(32))].flat(), random);
  const onError = (error: unknown) => report(error, {});
  const pause = jitter(random);
  let retries = 0;
  const onRetry = () => void retries++;
  const checked = checkedStorage(storage, secrets, { isGiven: options.secret !== undefined, now, pause, onError });
  const store = createStore(sealedStorage(checked.storage, secrets), { now, random, pause, onRetry });
  const sizes = cacheSizes(options.caches);
  const urls = createUrls(options, basePath);
  const tunnelMs = (options.integrations?.maxSeconds ?? 10) * 1000;
  // Most processes describe themselves to nobody, so the words of the description are loaded when first needed.
  const openapi = loadLazily(async () => {
    const { getPublishedDocument } = await import("../openapi/reference/published-document");
    return getPublishedDocument(table, { version, server: urls.api("") });
  });
  const reference = loadLazily(async () => {
    const { createReferencePages } = await import("../openapi/reference/pages");
    return createReferencePages(await openapi(), { root: `${basePath}/v1/docs`, server: urls.api(""), version });
  });
  // Most processes answer no agents, so their tools are loaded when first needed.
  const agents = loadLazily(async () => {
    const { createAgentServer } = await import("../mcp/agents/serve");
    const { getScope: scopeOf } = kernel.about;
    return createAgentServer({ handle, basePath, version, origins: ownOrigins, getScope: scopeOf, onError });
  });
  // Most processes stream no events, so what does is loaded when first needed.
  let streams: Streams | undefined;
  let isEnding = false;
  const endStreams = () => {
    isEnding = true;
    streams?.close();
  };
  const streaming = loadLazily(async () => {
    const { createStreams } = await import("../events/serve");
    streams = createStreams({ kernel, operations: byName, stillIs, limits: options.events });
    return streams;
  });
  // Most processes reach no repository, so the built-in client is loaded when first needed.
  const git = async () => options.git?.client ?? (await import("../git")).httpGitClient;
  const objects = createObjectCache(sizes.objects);
  const contents = createObjectCache(sizes.contents);
  const indexes = createSearchIndexCache(sizes.indexes);
  const memory = createStampedCache(sizes.lists);
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
        integrationsHearing(() => kernel.jobs),
      ),
      audit: createAuditLog(store, secrets),
      objects,
      contents,
      ports: {
        templates: templatesById(options.templates),
        fetch: options.fetch,
        runImport: createImportRunner(options.fetch, git, options.imports),
        describeEmbed: createEmbedDescriber(options.fetch, now),
        git: {
          client: git,
          plainHttpHosts: new Set(options.git?.http),
          limits: options.git?.limits,
          timeoutMs: (options.git?.maxSeconds ?? 300) * 1000,
          secrets,
        },
        files: { timeoutMs: (options.files?.maxSeconds ?? 30) * 1000 },
        openApiSpecs: {
          timeoutMs: (options.openApiSpecs?.maxSeconds ?? 45) * 1000,
          refreshAfterMs: (options.openApiSpecs?.checkEveryMinutes ?? 360) * 60_000,
          secrets,
        },
        sendMail: options.sendMail,
        domainVerifier: createDomainVerifier(secrets, options.verifyDomain, onError),
        // Most processes print nothing, so the built-in printer is loaded when first needed.
        printDocument: createPrintQueue(
          async () => options.pdf ?? (await import("../pdf/standard")).standardPrinter,
          onError,
        ),
        scriptRunner: createScriptRunner(options.sandbox, onError),
        translator: options.translator,
        answerModel: options.ask && { model: options.ask, timeoutMs: ANSWER_TIMEOUT_MS },
        search: { engine: options.search, indexCache: indexes, release: version },
        cache: memory,
        integrations: {
          tunnelTimeoutMs: tunnelMs,
          maxCallMs: Math.max(tunnelMs, options.sandbox?.limits?.milliseconds ?? defaultLimits.milliseconds),
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
      getOpenApiDocument: openapi,
      scopes,
      writeOperations: writes,
      getScope: (name) => byName.get(name)?.scope,
      getNotReadyReason: createReadiness(
        [
          {
            // Not through the store, which refuses a wrong secret: that has its own sentence.
            holds: async () => (await storage.partition(DIRECTORY).snapshot()).get([encodeKey("ready")]),
            otherwise: "the storage cannot be read",
          },
          { holds: checked.ready, otherwise: "the secret is not the one of its data" },
        ],
        { now, onError },
      ),
      async openEventStream(call) {
        const opened = await streaming();
        if (isEnding) throw new DocsError("unavailable", { headers: { "retry-after": "1" } });
        return opened.open(call);
      },
    },
    responseCache: createResponseCache(sizes.answers),
    turns: createKeyedMutex(),
    checkWayIn,
    seenFrom,
    note: (tx, partition, happening, user) =>
      partition === DIRECTORY
        ? auditUser(kernel.jobs, tx, user, happening)
        : audit(kernel.jobs, tx, { partition }, happening),
    tellsRefusal: createRefusalLimit(store),
    guardOf,
    parentsOf,
  };
  const { origin } = new URL(urls.api("/"));
  const ownOrigins: [string, string] = [origin, new URL(urls.app("/")).origin];
  const cookie = sessionCookie(ownOrigins);

  const lately = new LruCache<{ readonly actor: Actor; readonly version: Version }>(sizes.tokens);

  const noticePlace = createNoticePlace(kernel.jobs);

  /** A token of ours comes first, then a session. A bearer that we do not know may be one of the host's. */
  async function recognize(request: PlainRequest, partition?: string): Promise<Caller> {
    const token = bearer(request);
    const ahead = token !== undefined && lately.has(token) ? readAhead(partition) : undefined;
    const directory = await store.read(DIRECTORY);
    const actor = await credited(request, directory, true);
    if (actor?.usedNetworks) await noticePlace(actor, fromWhere(request));
    return actor ? { actor, directory, ahead } : vouchedFor(request, directory);
  }

  /** Asks for a view at the same time as for the directory's: a storage may answer both at once. Only for callers that were
   * known lately, so that nobody else makes the storage work. */
  function readAhead(partition: string | undefined): Caller["ahead"] {
    if (partition === undefined || partition === DIRECTORY) return undefined;
    const view = store.read(partition);
    // Whoever needs the view hears of the failure.
    view.catch(() => {});
    return { partition, view };
  }

  /** The caller that a token or a session names. `isUse`: the session was used. */
  async function credited(request: Credentials, directory: Reader, isUse: boolean): Promise<Actor | undefined> {
    const token = bearer(request);
    if (token === undefined) return signedIn(request, directory, isUse);
    return knownLately(token, directory) ?? holderOf(token, directory);
  }

  /** The caller on the host's word. */
  async function vouchedFor(request: Credentials, directory: Reader): Promise<Caller> {
    const user = await options.authenticate?.(request);
    return user ? welcome(store, directory, user) : { actor: undefined, directory };
  }

  /** The caller of an answer that goes on, as they are now; undefined when what they were recognized by has ended. */
  async function stillIs(actor: Actor, asked: Credentials | undefined): Promise<Actor | undefined> {
    const directory = await store.read(DIRECTORY);
    if (!asked) return isActive(await users.get(directory, actor.user.id)) ? actor : undefined;
    const present = (await credited(asked, directory, false)) ?? (await vouchedFor(asked, directory)).actor;
    return present?.user.id === actor.user.id ? present : undefined;
  }

  /** The owner of a token that was recognized lately, without waiting. */
  function knownLately(token: string, directory: Reader): Actor | undefined {
    const time = now();
    return lately.get(token, ({ actor, version }) => version === directory.version && !isOver(actor, time))?.actor;
  }

  async function holderOf(token: string, directory: Reader): Promise<Actor | undefined> {
    if (isVisitToken(token)) return visitorOf(token, directory);
    if (!isAppToken(token)) return ownerOf(token, directory);
    const claims = claimsOf(secrets, token, now());
    return claims && appActor(store, claims);
  }

  /** A visitor, if the token is good. Whether the visit still is, each target finds out. */
  function visitorOf(token: string, { version }: Reader): Actor | undefined {
    const found = readVisitToken(secrets, token, now());
    const actor = found && visitActor(found, forVisitors);
    if (actor) lately.set(token, { actor, version });
    return actor;
  }

  /** The owner of a token is looked up again whenever the directory has changed, so a revoked token stops at once. */
  async function ownerOf(token: string, directory: Reader): Promise<Actor | undefined> {
    const actor = await actorOf(directory, token, now());
    if (actor) lately.set(token, { actor, version: directory.version });
    else lately.delete(token);
    return actor;
  }

  /** The person whose session the request's cookie names. What another site may have caused is refused. */
  async function signedIn(request: Credentials, directory: Reader, isUse: boolean): Promise<Actor | undefined> {
    const value = cookie.valueIn(request);
    const found = value === undefined ? undefined : await sessionOf(directory, value, now());
    if (!found) return undefined;
    if (cookie.isCrossSite(request)) throw createError("cross_site");
    if (isUse && isWorthNoting(found.session, now())) await prolong(store, found.session).catch(onError);
    return found.actor;
  }

  const edgeCaches: EdgeCaches = {
    routes: new LruCache(sizes.routes),
    callers: new LruCache(sizes.callers),
  };
  const handle = createEdge(kernel, table, {
    basePath,
    maxBodyBytes: options.maxBodyBytes ?? 10 * 1024 * 1024,
    cors: options.cors,
    rateLimit: options.rateLimit,
    recognize,
    reference: options.reference === false ? undefined : async (page) => (await reference())(page),
    agents: async (request, actor) => (await agents())(request, actor),
    hasCredentials: (request) =>
      options.authenticate !== undefined || bearer(request) !== undefined || cookie.valueIn(request) !== undefined,
    onError: report,
    onRequest: options.onRequest,
    caches: edgeCaches,
  });

  const sealing = loadLazily(() => import("../audit/seal"));
  const tend: Upkeep["tend"] = async (_, partition) =>
    (await sealing()).tendAudit(store, partition, { secrets, keepDays: options.audit?.keepDays ?? 365, onError });

  let waits: Metrics["jobs"];
  const tell = options.onRequest && createTell(options.onRequest, onError);

  /** Runs an operation on behalf of a user, without HTTP. */
  async function run(name: string, raw: RawInput, user: string, conditions: RequestConditions = {}): Promise<unknown> {
    const named = byName.get(name)!;
    const trail: Trail | undefined = tell && { since: performance.now(), named, params: raw.params };
    let status = 500;
    try {
      const directory = await store.read(DIRECTORY);
      const known = await users.get(directory, user);
      if (!known || known.erasedAt !== undefined)
        throw new DocsError("user_not_found", { issues: [{ path: "as.user", message: NO_USER }] });
      if (known.disabledAt !== undefined) throw new DocsError("user_disabled");
      const credentials = getHostCredentials(known.id, null);
      const actor = { user: known, scopes: null, expiresAt: null, credentials };
      if (trail) trail.actor = actor;
      const outcome = await execute(kernel, named, raw, { actor, directory }, conditions);
      if (trail) trail.outcome = outcome;
      status = outcome.status;
      return outcome.value;
    } catch (error) {
      const told = toDocsError(error);
      if (trail) trail.reason = told.reason;
      status = told.status;
      throw told;
    } finally {
      if (trail) tell!(trail, { ...UNSENT, method: named.operation.method, status });
    }
  }

  const call: DocsApi["call"] = async (name, input, as) => {
    const { raw, user } = checkCall(byName, name, input, as);
    return (await run(name, raw, user)) as never;
  };

  const api: DocsApi = {
    fetch: createFetch(handle, options.clientAddress),
    handle,
    call,
    openapi,
    async visitor(jwt) {
      await checked.ready();
      return readVisitorClaims(kernel, jwt, now());
    },
    provision: async (wanted) =>
      (await provisioning()).provision(
        store,
        (title, user, code) => run("createOrganization", { params: {}, query: {}, body: { title } }, user, { code }),
        wanted,
      ),
    users: (filter) => knownUsers(store, filter),
    async changeUser(user, to) {
      await (await import("../resources/people/users/life")).changeStanding(kernel.jobs, user, to);
    },
    ready: checked.ready,
    async maintain(options) {
      await checked.ready();
      const { maintain } = await maintenance();
      const maintained = await maintain(kernel, { steps, reachable, forgetting, tend }, options);
      const { waiting, parked } = maintained;
      waits = { waiting, parked, counted: now() };
      await reseal(checked, store, secrets, rekeys).catch(onError);
      return maintained;
    },
    async verifyAudit({ organization, lines, hash }) {
      const { verifyLines, verifyLog } = await import("../audit/verify");
      if (lines) return verifyLines(lines, hash);
      await checked.ready();
      const partition = organization === undefined ? DIRECTORY : partitionOf(organization);
      if (partition === undefined) throw new DocsError("organization_not_found");
      return verifyLog(await store.read(partition), partition, secrets, hash);
    },
    metrics: () => ({
      caches: {
        answers: kernel.responseCache.numbers(),
        objects: objects.getStats(),
        contents: contents.getStats(),
        indexes: indexes.getStats(),
        lists: memory.getStats(),
        tokens: lately.getStats(),
        routes: edgeCaches.routes.getStats(),
        callers: edgeCaches.callers.getStats(),
      },
      retries,
      jobs: waits,
    }),
    endStreams,
    close: async () => {
      endStreams();
      await kernel.jobs.ports.scriptRunner.close();
      await storage.close();
    },
  };
  return storeApiInternals(api, {
    kernel,
    operations: byName,
    visitorOperations: forVisitors,
    cookie,
    origin,
    basePath,
    // The same callers as at the edge: pages of other doors count with the rest.
    count: options.rateLimit && createRateLimit(options.rateLimit, edgeCaches.callers),
    addressOf: options.clientAddress,
  });
}

const NO_USER = "There is no such user: `provision` makes one and says their id";

/** What a `call` has none of. */
const UNSENT = { requestId: undefined, received: undefined, sent: undefined };

/** The token of the Authorization header. A request is asked for it three times, so the last one is remembered. That of a
 * visitor holds what is known of them, and is the longest. */
function bearer(request: Credentials): string | undefined {
  const header = request.headers.get("authorization");
  if (header !== lastBearer.header)
    lastBearer = { header, token: header?.match(/^Bearer +([\x21-\x7e]{1,12288})$/i)?.[1] };
  return lastBearer.token;
}

let lastBearer: { readonly header: string | null; readonly token: string | undefined } = {
  header: null,
  token: undefined,
};

function createUrls(options: DocsApiOptions, basePath: string): Urls {
  const origin = new URL(options.origin ?? "http://localhost:3000").origin;
  const appOrigin = new URL(options.appOrigin ?? origin).origin;
  const ownHosts = [origin, appOrigin].map((it) => new URL(it).host);
  return {
    api: (path) => `${origin}${basePath}/v1${path}`,
    app: (path) => `${appOrigin}${path}`,
    sites: createSitesUrl(options.sitesUrl ?? `${appOrigin}/sites`, ownHosts),
  };
}

function isGuarded({ operation }: RegisteredOperation): boolean {
  return operation.spec.target.allowsAnonymous !== true;
}
