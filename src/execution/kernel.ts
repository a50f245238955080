// The kernel that runs operations, and the types of a call: its operation, its input, its caller and its result.

import type { AuditEntry, RequestSource } from "../audit/event";
import type { JobContext } from "../jobs/jobs";
import type { Actor } from "../operation/actor";
import type { ApiInfo, ForwardedRequest, Operation, OriginalRequest } from "../operation/operation";
import type { Urls } from "../ports/urls";
import type { Secrets } from "../storage/secrets";
import type { Store } from "../storage/store";
import type { Reader, Transaction } from "../storage/transaction";
import type { CachedResponse, ResponseCache } from "./response-cache";

/** An operation with the name and the resource under which `src/operations.ts` lists it. */
export interface RegisteredOperation {
  readonly name: string;
  /** The resource that it belongs to, such as `teams`. */
  readonly resource: string;
  /** The scope that a scoped token needs: `teams:read` or `teams:write`. */
  readonly scope: string;
  readonly definition: Operation;
}

/** Everything that running an operation needs. An API has one kernel. */
export interface Kernel {
  readonly store: Store;
  readonly jobs: JobContext;
  readonly urls: Urls;
  readonly secrets: Secrets;
  readonly apiInfo: ApiInfo;
  readonly responseCache: ResponseCache;
  /** Throws if the organization of the partition requires another sign-in method of the caller. */
  readonly checkSignInMethod: (tx: Reader, actor: Actor) => Promise<void>;
  /** Returns a view of another partition that is limited to what the caller's sign-in method lets them see. */
  readonly restrictView: (view: Reader, actor: Actor) => Promise<Reader>;
  /** Writes the audit event of a call in the call's transaction. `userId` is the user whose log gets an event of the directory. */
  readonly recordAuditEvent: (tx: Transaction, partition: string, happening: AuditEntry, userId: string) => void;
  /** Returns true if a refusal is to be written to the audit log, and counts it. */
  readonly shouldAuditRefusal: (happening: AuditEntry) => boolean;
  /** Finds the GET whose ETag an `If-Match` header on this operation is compared with. */
  readonly findETagSource: (operation: RegisteredOperation) => RegisteredOperation | undefined;
  /** Finds the parents of the thing that a DELETE removes; undefined for every other operation. */
  readonly findParents: (operation: RegisteredOperation) => readonly RegisteredOperation[] | undefined;
}

/** The input of a call before it is validated. */
export interface RawInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** The complete request, for an operation with `forwardsRequest`. */
  readonly forwardedRequest?: ForwardedRequest | undefined;
  /** The partition that the path leads to, if the router has found it already. */
  readonly partition?: string | undefined;
}

/** The conditions of a call that come from the request's headers, and the circumstances of the request. */
export interface RequestConditions {
  /** The URL as it was sent, if the response to it may be cached. */
  readonly url?: string | undefined;
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** The network address and the user agent of the client. */
  readonly source?: RequestSource | undefined;
  /** The HTTP request; undefined for a call without HTTP. */
  readonly originalRequest?: OriginalRequest;
  /** The code of the partition that the call creates, if a retry must create the same one. */
  readonly partitionCode?: string;
}

/** The result of a call, from which the HTTP handler makes a response. */
export interface OperationResult {
  readonly status: number;
  /** The value to send; undefined for 204 and 304, and if there is a cached response. */
  readonly value: unknown;
  /** The ETag, if the operation declares a version. */
  readonly etag?: string;
  /** True if this is the stored result of an earlier request with the same Idempotency-Key. */
  readonly isReplayed: boolean;
  /** A response from the cache, to be sent instead of the value. */
  readonly cachedResponse?: CachedResponse;
  /** True if the response to a GET may change while the versions of the directory and of its partition stay the same. */
  readonly isVolatile?: true;
  /** Caches the response as it is sent; absent if it must not be cached. */
  readonly saveToCache?: (response: CachedResponse) => void;
}

/** The caller, with the view of the directory in which they were identified. */
export interface Caller {
  readonly actor: Actor | undefined;
  readonly directory: Reader;
  /** The view of the call's partition, if it was requested together with the directory's. */
  readonly prefetched?: { readonly partition: string; readonly view: Promise<Reader> } | undefined;
}
