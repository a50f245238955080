// What runs operations, what it is handed, and what comes of it.

import type { From, Happening } from "../audit/event";
import type { JobContext } from "../jobs/jobs";
import type { Actor } from "../operation/actor";
import type { ApiInfo, ForwardedRequest, Operation, OriginalRequest } from "../operation/operation";
import type { Urls } from "../ports/urls";
import type { Secrets } from "../storage/secrets";
import type { Store } from "../storage/store";
import type { Reader, Transaction } from "../storage/transaction";
import type { KeyedMutex } from "../utils/concurrency/keyed-mutex";
import type { CachedResponse, ResponseCache } from "./answers";

/** An operation under the name and in the room that the table of contents gives it. */
export interface RegisteredOperation {
  readonly name: string;
  /** The resource that it belongs to. */
  readonly room: string;
  /** What a scoped token must hold: `teams:read` or `teams:write`. */
  readonly scope: string;
  readonly operation: Operation;
}

/** What runs operations. */
export interface Kernel {
  readonly store: Store;
  readonly jobs: JobContext;
  readonly urls: Urls;
  readonly secrets: Secrets;
  readonly about: ApiInfo;
  readonly responseCache: ResponseCache;
  readonly turns: KeyedMutex;
  /** Throws when the organization of a partition demands another way in of the caller. */
  readonly checkWayIn: (tx: Reader, actor: Actor) => Promise<void>;
  /** Another partition as the caller may see it. */
  readonly seenFrom: (view: Reader, actor: Actor) => Promise<Reader>;
  /** Writes the audit event of a call into its transaction. `user` is whom an event of the directory concerns. */
  readonly note: (tx: Transaction, partition: string, happening: Happening, user: string) => void;
  /** Whether a refusal is to be written into the audit log. */
  readonly tellsRefusal: (happening: Happening) => boolean;
  /** The GET whose ETag an `If-Match` on this operation speaks of. */
  readonly guardOf: (named: RegisteredOperation) => RegisteredOperation | undefined;
  /** For a DELETE of one thing what stands above it; undefined for every other operation. */
  readonly parentsOf: (named: RegisteredOperation) => readonly RegisteredOperation[] | undefined;
}

/** The input as it arrives, before it is checked. */
export interface RawInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** The request as it came, for an operation that passes it on. */
  readonly request?: ForwardedRequest | undefined;
  /** The partition that the path leads to, where it is known already. */
  readonly partition?: string | undefined;
}

/** What the caller demands of the call itself. */
export interface RequestConditions {
  /** The URL as it was sent, where an answer that was kept for it may serve again. */
  readonly url?: string | undefined;
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** Where the request came from. */
  readonly from?: From | undefined;
  /** The request as it came over HTTP. */
  readonly asked?: OriginalRequest;
  /** The code of the partition that the call makes, where it must be the same one when it is tried again. */
  readonly code?: string;
}

export interface OperationResult {
  readonly status: number;
  /** The answer's value; undefined for 204 and 304. */
  readonly value: unknown;
  /** The answer's tag, where the operation names its version. */
  readonly etag?: string;
  /** True when an Idempotency-Key brought back an earlier answer. */
  readonly replayed: boolean;
  /** An answer that was kept, in place of the value. */
  readonly kept?: CachedResponse;
  /** Whether the answer to a GET may change while the versions of the directory and of its partition stay the same. */
  readonly isFleeting?: true;
  /** Keeps the answer as it is sent; absent where it may not serve again. */
  readonly keep?: (kept: CachedResponse) => void;
}

/** The caller with the view of the directory that the caller was recognized in. */
export interface Caller {
  readonly actor: Actor | undefined;
  readonly directory: Reader;
  /** The view of the partition that the call is about, where it was asked for together with the directory's. */
  readonly ahead?: { readonly partition: string; readonly view: Promise<Reader> } | undefined;
}
