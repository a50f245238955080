// Reports every request to the host once it is answered: its operation, its result and its duration. A report holds ids, and no
// content, no secret and no URL.

import type { Reason } from "../errors";
import type { Caller, OperationResult, RawInput, RegisteredOperation } from "../execution/kernel";

/** A request, or a `call`, that was answered. */
export interface RequestReport {
  /** The name of the operation; undefined if the path or the method leads to none. */
  readonly operation: string | undefined;
  readonly method: string;
  readonly status: number;
  /** The reason of the error, if the request was refused or failed. */
  readonly reason: Reason | undefined;
  /** The time from the arrival of the request until the response is ready. A stream is sent after that. */
  readonly milliseconds: number;
  /** The `X-Request-Id` header of the response; undefined for `call`. */
  readonly requestId: string | undefined;
  /** The id of the user who was identified. */
  readonly user: string | undefined;
  /** The ids in the path. */
  readonly organization: string | undefined;
  readonly space: string | undefined;
  readonly site: string | undefined;
  /** True if the response is the stored one of an earlier request with the same Idempotency-Key. */
  readonly isReplayed: boolean;
  /** True if the response was served from the cache. */
  readonly isCached: boolean;
  /** The length of the request's body as the client announced it, in bytes. */
  readonly received: number | undefined;
  /** The length of the response's body: in bytes, or in characters for JSON; undefined for a stream of unknown length. */
  readonly sent: number | undefined;
}

export type OnRequest = (report: RequestReport) => void;

/** The facts about a request that become known while it is handled. They are collected only if the host listens. */
export interface RequestTrace {
  /** By `performance.now()`. */
  readonly since: number;
  operation?: RegisteredOperation;
  params?: RawInput["params"];
  actor?: Caller["actor"];
  result?: Pick<OperationResult, "isReplayed" | "cachedResponse">;
  reason?: Reason;
}

/** The facts about a request that are known at its end. */
export interface ResponseSummary extends Pick<RequestReport, "method" | "status" | "requestId" | "received" | "sent"> {}

export type ReportRequest = (trace: RequestTrace, summary: ResponseSummary) => void;

/** Creates the function that reports requests. Errors of the host's listener go to `onError`, and never reach the response. */
export function createRequestReporter(onRequest: OnRequest, onError: (error: unknown) => void): ReportRequest {
  return ({ since, operation, params, actor, result, reason }, { method, status, requestId, received, sent }) => {
    try {
      const returned: unknown = onRequest({
        operation: operation?.name,
        method,
        status,
        reason,
        milliseconds: performance.now() - since,
        requestId,
        user: actor?.user.id,
        organization: params?.organizationId,
        space: params?.spaceId,
        site: params?.siteId,
        isReplayed: result?.isReplayed === true,
        isCached: result?.cachedResponse !== undefined,
        received,
        sent,
      });
      if (returned instanceof Promise) returned.catch(onError);
    } catch (error) {
      onError(error);
    }
  };
}
