// createDocsApi: takes a storage and options, and returns the API. It starts no timers and reads no environment variables.

import type { AuditCheck } from "../audit/verify";
import { DocsError } from "../errors";
import type { MaintainOptions, MaintenanceReport } from "../execution/maintain";
import { createFetchHandler } from "../http/fetch";
import type { PlainRequest, PlainResponse } from "../http/plain-request";
import {
  forgetting,
  type OperationInput,
  type OperationName,
  type OperationOutput,
  reachable,
  rekeys,
  steps,
} from "../operations";
import { findOrganizationPartition } from "../resources/people/organizations/records";
import { readVisitorClaims, type VisitorClaims } from "../resources/people/organizations/visitor-claims";
import type { AccountStanding } from "../resources/people/users/account-standing";
import { DIRECTORY } from "../storage/ids";
import type { Storage } from "../storage/storage";
import { loadLazily } from "../utils/lazy";
import type { CacheStats } from "../utils/versioned-cache";
import type { CacheSizes } from "./cache-sizes";
import { checkCallArguments } from "./call-arguments";
import { createEnvironment } from "./environment";
import { createHandler } from "./handler";
import { internalsByApi } from "./internals";
import { createKernel, operations } from "./kernel";
import { type KnownUser, listKnownUsers } from "./list-users";
import { checkOptions, type DocsApiOptions } from "./options";
import type { ProvisionRequest, ProvisionResult } from "./provision";
import { resealStorage } from "./secret-check";

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

const loadProvision = loadLazily(() => import("./provision"));
const loadMaintain = loadLazily(() => import("../execution/maintain"));
const loadAuditSeal = loadLazily(() => import("../audit/seal"));

/** Creates the documentation API on a storage. */
export function createDocsApi(storage: Storage, options: DocsApiOptions = {}): DocsApi {
  checkOptions(storage, options);
  const environment = createEnvironment(storage, options);
  const { now, onError, secrets, store, checkedStorage, caches } = environment;
  const parts = createKernel(environment, options);
  const { kernel, authenticator, endStreams } = parts;
  const { handle, client } = createHandler(environment, parts, options);
  const keepDays = options.audit?.keepDays ?? 365;
  let pendingJobs: Metrics["jobs"];

  const api: DocsApi = {
    fetch: createFetchHandler(handle, options.clientAddress),
    handle,
    async call(name, input, as) {
      const { operation, input: checkedInput, userId } = checkCallArguments(operations, name, input, as);
      return (await client.callAsUser(operation, checkedInput, userId)) as never;
    },
    openapi: parts.getOpenApiDocument,
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
        responses: caches.responses.getStats(),
        objects: caches.objects.getStats(),
        contents: caches.contents.getStats(),
        indexes: caches.indexes.getStats(),
        lists: caches.lists.getStats(),
        tokens: authenticator.getCacheStats(),
        routes: caches.routes.getStats(),
        callers: caches.callers.getStats(),
      },
      retries: environment.counts.retries,
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
    cookie: environment.sessionCookie,
    origin: environment.origins[0],
    basePath: environment.basePath,
    countRequest: environment.countRequest,
    getClientAddress: options.clientAddress,
  });
  return api;
}
