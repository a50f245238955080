// Why a call failed: what the API said, or what kept its answer from arriving.

import type { Issue } from "../errors";
import type { Reason } from "../generated/reasons";

/**
 * The reason of a failure: one of the API's, or one that the client found itself. `network`: the connection failed, or
 * was cut. `timeout`: the call took longer than `timeout`. `aborted`: the caller's signal ended it. `not_json`: another
 * server answered, such as a proxy with a page of its own. `unexpected`: the answer is JSON, but not of this API.
 */
export type CallReason = Reason | "network" | "timeout" | "aborted" | "not_json" | "unexpected";

/** What is known of a failure beside its reason and its sentence. */
export interface CallErrorDetails {
  readonly status?: number | undefined;
  readonly issues?: readonly Issue[] | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** A failed call: `error` of a result, and what a loop over `each` throws. */
export class CallError extends Error {
  override readonly name: string = "CallError";
  readonly reason: CallReason;
  /** The HTTP status; undefined when no answer came. */
  readonly status: number | undefined;
  /** What is wrong with the input, field by field. Empty unless the reason says so. */
  readonly issues: readonly Issue[];
  /** What the server calls this request in its logs. */
  readonly requestId: string | undefined;
  /** How many seconds to wait before another try, where the server says so. */
  readonly retryAfter: number | undefined;

  constructor(reason: CallReason, message: string, details: CallErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.reason = reason;
    this.status = details.status;
    this.issues = details.issues ?? [];
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
  }
}
