// The internal client: operations are called inside the process, by their names and with typed input. `api.call`, the pages of sign-in,
// the tools of agents and published sites all use it. A call takes the same steps as a request over HTTP (`execute`), so it reaches
// nothing that its caller could not reach over HTTP. Refusals are thrown as `DocsError`.

import { CallError } from "../client/call-error";
import { buildPath } from "../client/path";
import { createError, DocsError } from "../errors";
import { execute } from "../execution/execute";
import type { Caller, Kernel, RawInput, RegisteredOperation, RequestConditions } from "../execution/kernel";
import { findPartition } from "../execution/partition";
import { type AdmitCaller, getMaxBodyBytes, serializeResult, toDocsError } from "../http/handler";
import { parseJson } from "../http/json-body";
import type { SentRequest } from "../http/plain-request";
import type { ReportRequest, RequestTrace } from "../http/request-report";
import { type Actor, ANONYMOUS, getHostCredentials } from "../operation/actor";
import { BinaryResponse, SerializedJson } from "../operation/binary-response";
import type { OperationInput, OperationName, OperationOutput } from "../operations";
import { users } from "../resources/people/users/records";
import { visitPublishedUrl } from "../resources/sites/addresses/resolve-published-url";
import { createVisitActor } from "../resources/sites/audience/visit-tokens";
import { DIRECTORY } from "../storage/ids";
import type { Version } from "../storage/storage";
import type { Store } from "../storage/store";
import type { Reader } from "../storage/transaction";
import { getJsonSize } from "../utils/bytes";

export interface InternalClient {
  /** Calls an operation as a user whom the host vouches for. */
  readonly callAsUser: (
    operation: RegisteredOperation,
    input: RawInput,
    userId: string,
    conditions?: RequestConditions,
  ) => Promise<unknown>;
  /**
   * Returns a function that calls operations as the sender of a request. Each call is admitted, limited, cached and reported like a
   * request that the sender makes over HTTP.
   */
  readonly callAsSender: (request: SentRequest) => CallAsSender;
  /** Opens a client that reads one snapshot of each partition, for one request of a browser. Nothing is read before its first call. */
  readonly openSnapshot: () => SnapshotClient;
}

export interface CallResult<Value> {
  readonly value: Value;
  /** The version of the resource, for `ifMatch` of a later call. */
  readonly etag: string | undefined;
  readonly status: number;
}

export type CallAsSender = <Name extends OperationName>(
  name: Name,
  input: OperationInput<Name>,
  ifMatch?: string,
) => Promise<CallResult<OperationOutput<Name>>>;

/** Calls an operation. Returns undefined if the result does not exist, or the caller does not see it. */
export type CallOperation = <Name extends OperationName>(
  name: Name,
  input: OperationInput<Name>,
) => Promise<OperationOutput<Name> | undefined>;

/** A client of one state of each partition, so that a page never mixes two states. */
export interface SnapshotClient {
  /** Returns a function that calls operations on behalf of an actor. Without an actor, only open operations can be called. */
  readonly callAs: (actor: Actor | undefined) => CallOperation;
  /**
   * Resolves a URL of a published site for a visitor with these credentials, and admits them. Returns undefined if nothing is published
   * there for them. An invalid token is treated as no token.
   */
  readonly visitUrl: (url: string, visitor?: VisitorCredentials) => Promise<VisitedUrl | undefined>;
  /** The versions of the partitions that were read so far. */
  readonly readVersions: ReadonlyMap<string, Version>;
  /** Declares that data was used which may change without a new version. */
  readonly disableCaching: () => void;
  /** Returns true if all results so far stay the same as long as those versions do. */
  readonly isCacheable: () => boolean;
}

type VisitorCredentials = OperationInput<"resolvePublishedUrl">["body"]["visitor"];
type PublishedUrl = OperationOutput<"resolvePublishedUrl">;

/** The content that is published at a URL, with its visitor; or the redirect that the URL leads to. */
export type VisitedUrl = VisitedContent | Extract<PublishedUrl, { type: "redirect" }>;

export type VisitedContent = Omit<Extract<PublishedUrl, { type: "content" }>, "apiToken" | "complete"> & {
  /** False if the path is not that of content, but leads to the space. */
  readonly isFound: boolean;
  /** The visitor; undefined if what admitted them has expired. Each target checks again that the visit is allowed. */
  readonly visitor: Actor | undefined;
};

export interface InternalClientOptions {
  readonly kernel: Kernel;
  readonly operations: ReadonlyMap<string, RegisteredOperation>;
  /** The names of the operations that visitors may use. */
  readonly visitorOperations: readonly string[];
  readonly basePath: string;
  readonly maxBodyBytes: number;
  readonly admitCaller: AdmitCaller;
  readonly reportRequest: ReportRequest | undefined;
}

/** Headers that describe the body of the request or set conditions for it. They do not apply to the calls that it causes. */
const OMITTED_HEADERS = new Set([
  ...["content-encoding", "content-length", "content-type", "transfer-encoding"],
  ...["idempotency-key", "if-match", "if-none-match", "range"],
]);

interface UntypedInput {
  readonly params?: RawInput["params"];
  readonly query?: RawInput["query"];
  readonly body?: unknown;
}

export function createInternalClient(options: InternalClientOptions): InternalClient {
  const { kernel, operations, visitorOperations, basePath, admitCaller, reportRequest } = options;
  const { now } = kernel.store;

  /** Runs an operation, and reports the call as requests are reported. It has no request id, and no bodies of a known length. */
  async function callAndReport(
    operation: RegisteredOperation,
    input: RawInput,
    identify: () => Promise<Caller>,
    conditions: RequestConditions,
  ): Promise<CallResult<unknown>> {
    const { originalRequest } = conditions;
    const trace: RequestTrace | undefined = reportRequest && {
      since: performance.now(),
      operation,
      params: input.params,
    };
    let status = 500;
    try {
      const caller = await identify();
      if (trace) trace.actor = caller.actor;
      const limit = getMaxBodyBytes(operation, options.maxBodyBytes);
      if (originalRequest && input.body !== undefined && getJsonSize(input.body) > limit)
        throw createError("body_too_large", { limit });
      const result = await execute(kernel, operation, input, caller, conditions);
      if (trace) trace.result = result;
      status = result.status;

      // The value is what its schema declares, and so equals its JSON. As JSON it comes from the cache, or because it is very long.
      // A response that may be cached is serialized for the cache, whose entries are shared with requests over HTTP.
      const { value, etag, cachedResponse } = result;
      const isUncached = conditions.url === undefined || value === undefined || value instanceof BinaryResponse;
      if (!cachedResponse && isUncached) return { status, value, etag };
      const response = cachedResponse ?? (await serializeResult(operation, result));
      const isJson = cachedResponse !== undefined || value instanceof SerializedJson;
      return { status, value: isJson ? await parseJson(response.text) : value, etag: response.etag };
    } catch (error) {
      const docsError = toDocsError(error);
      if (trace) trace.reason = docsError.reason;
      status = docsError.status;
      // The sender of a request sees no details of other errors. A host that makes a call gets them as the cause.
      if (docsError !== error && originalRequest) kernel.jobs.onError(error);
      throw docsError;
    } finally {
      const { method } = operation.definition;
      if (trace) reportRequest!(trace, { method, status, requestId: undefined, received: undefined, sent: undefined });
    }
  }

  return {
    async callAsUser(operation, input, userId, conditions = {}) {
      const identify = async () => {
        const directory = await kernel.store.read(DIRECTORY);
        const user = await users.get(directory, userId);
        if (!user || user.erasedAt !== undefined) {
          const message = "There is no such user: `provision` makes one and says their id";
          throw new DocsError("user_not_found", { issues: [{ path: "as.user", message }] });
        }
        if (user.disabledAt !== undefined) throw new DocsError("user_disabled");
        const actor = { user, scopes: null, expiresAt: null, credentials: getHostCredentials(user.id, null) };
        return { actor, directory };
      };
      return (await callAndReport(operation, input, identify, conditions)).value;
    },

    callAsSender:
      ({ headers, address }) =>
      async (name, input, ifMatch) => {
        const operation = operations.get(name)!;
        const { method } = operation.definition;
        let url: string;
        try {
          url = `${basePath}/v1${buildPath(operation.definition, input)}`;
        } catch (error) {
          // An id that cannot be part of a path is refused as the API refuses invalid input.
          if (error instanceof CallError)
            throw new DocsError("invalid_request", { issues: error.issues, cause: error });
          throw error;
        }

        // The sender is identified by a request for this operation: the rule for cookies, and the host, decide by its method and URL.
        const originalRequest: SentRequest = {
          method,
          url,
          headers: { get: (header) => (OMITTED_HEADERS.has(header.toLowerCase()) ? null : headers.get(header)) },
          address,
        };
        const { params = {}, query = {}, body } = input as UntypedInput;
        const partition = findPartition(operation, params);
        const result = await callAndReport(
          operation,
          { params, query, body, partition },
          () => admitCaller(originalRequest, operation, partition),
          {
            ...(method === "GET" ? { url } : { ifMatch }),
            source: { address, userAgent: headers.get("user-agent") ?? undefined },
            originalRequest,
          },
        );
        return result as never;
      },

    openSnapshot() {
      const readVersions = new Map<string, Version>();
      const readers = new Map<string, Promise<Reader>>();
      const openReader = async (partition: string) => {
        const reader = await kernel.store.read(partition);
        readVersions.set(partition, reader.version);
        return reader;
      };
      const store: Store = {
        ...kernel.store,
        read(partition) {
          const reader = readers.get(partition) ?? openReader(partition);
          readers.set(partition, reader);
          return reader;
        },
      };
      const snapshotKernel: Kernel = { ...kernel, store, jobs: { ...kernel.jobs, store } };
      let isCacheable = true;

      /** Calls an operation. Returns undefined if it refuses this caller, or there is nothing. */
      async function call(operation: RegisteredOperation, input: UntypedInput, actor: Actor | undefined) {
        const { params = {}, query = {}, body } = input;
        try {
          const caller = { actor, directory: await store.read(DIRECTORY) };
          const result = await execute(snapshotKernel, operation, { params, query, body }, caller);
          // An integration may respond differently the next time.
          if (result.isVolatile || operation.definition.spec.callsIntegration) isCacheable = false;
          return result.value;
        } catch (error) {
          if (error instanceof DocsError && (error.status === 404 || error.status === 403)) return undefined;
          throw error;
        }
      }

      return {
        callAs: (actor) => async (name, input) => (await call(operations.get(name)!, input, actor)) as never,
        async visitUrl(url, visitor = {}) {
          const resolve = operations.get("resolvePublishedUrl")!;
          const { definition } = resolve;
          const spec = { ...definition.spec, handle: visitPublishedUrl as never };
          const operation = { ...resolve, definition: { ...definition, spec } };
          const published = (await call(operation, { body: { url, visitor, redirectOnError: true } }, ANONYMOUS)) as
            | Awaited<ReturnType<typeof visitPublishedUrl>>
            | undefined;
          if (published?.type !== "content") return published;
          const { visit, ...place } = published;
          const isOpen = visit.exp * 1000 > now().getTime();
          return { ...place, visitor: isOpen ? createVisitActor(visit, visitorOperations) : undefined };
        },
        readVersions,
        disableCaching() {
          isCacheable = false;
        },
        isCacheable: () => isCacheable,
      };
    },
  };
}
