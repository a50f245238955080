// The error of a failed call: the failure that the API reported, or the reason that no usable response arrived.

import type { Issue } from "../errors";
import type { Reason } from "../generated/reasons";

/**
 * The reason of a failure: one of the API's, or one that the client detected. `network`: the connection failed or was
 * cut. `timeout`: the call took longer than `timeout`. `aborted`: the caller's signal ended it. `not_json`: another
 * server answered, such as a proxy with an HTML page. `unexpected`: the response is JSON, but not of this API.
 */
export type CallReason = Reason | "network" | "timeout" | "aborted" | "not_json" | "unexpected";

/** The facts about a failure besides its reason and its message. */
export interface CallErrorDetails {
  readonly status?: number | undefined;
  readonly issues?: readonly Issue[] | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** A failed call. It is the `error` of a result, and a loop over `each` throws it. */
export class CallError extends Error {
  override readonly name: string = "CallError";
  readonly reason: CallReason;
  /** The HTTP status; undefined if no response arrived. */
  readonly status: number | undefined;
  /** The mistakes in the input, field by field. Empty unless the reason says so. */
  readonly issues: readonly Issue[];
  /** The id of this request in the server's logs. */
  readonly requestId: string | undefined;
  /** The number of seconds to wait before the next attempt, if the server names one. */
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
