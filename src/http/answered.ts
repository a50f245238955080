// What the host hears of every request: which operation it was, how it ended and how long it took. It holds ids, and no
// content, no secret and no URL.

import type { Reason } from "../errors";
import type { Caller, OperationResult, RawInput, RegisteredOperation } from "../execution/kernel";

/** One request, or one `call`, that was answered. */
export interface Answered {
  /** The name of the operation; undefined when the path or the method led to none. */
  readonly operation: string | undefined;
  readonly method: string;
  readonly status: number;
  /** Why it was refused or failed. */
  readonly reason: Reason | undefined;
  /** From its arrival until the answer is ready; a stream is sent after that. */
  readonly milliseconds: number;
  /** The header `X-Request-Id` of the answer; undefined for `call`. */
  readonly requestId: string | undefined;
  /** The user who was recognized. */
  readonly user: string | undefined;
  /** The ids that the path names. */
  readonly organization: string | undefined;
  readonly space: string | undefined;
  readonly site: string | undefined;
  /** Whether an Idempotency-Key brought back an earlier answer. */
  readonly isReplayed: boolean;
  /** Whether the answer was kept in memory and served again. */
  readonly isKept: boolean;
  /** The length of the request's body as the caller announced it, in bytes. */
  readonly received: number | undefined;
  /** The length of the answer's body: in bytes, or in characters for JSON; undefined for a stream of unknown length. */
  readonly sent: number | undefined;
}

export type OnRequest = (answered: Answered) => void;

/** What is learned of a request on its way. Only kept where somebody wants to hear it. */
export interface Trail {
  readonly since: number;
  named?: RegisteredOperation;
  params?: RawInput["params"];
  actor?: Caller["actor"];
  outcome?: Pick<OperationResult, "replayed" | "kept">;
  reason?: Reason;
}

/** How a request ended. */
export interface Ending extends Pick<Answered, "method" | "status" | "requestId" | "received" | "sent"> {}

/** Tells the host, and nothing that the host does with it reaches the answer. */
export type Tell = (trail: Trail, ending: Ending) => void;

export function createTell(onRequest: OnRequest, onError: (error: unknown) => void): Tell {
  return (trail, ending) => {
    try {
      const heard: unknown = onRequest(answered(trail, ending));
      if (heard instanceof Promise) heard.catch(onError);
    } catch (error) {
      onError(error);
    }
  };
}

function answered({ since, named, params, actor, outcome, reason }: Trail, ending: Ending): Answered {
  return {
    operation: named?.name,
    method: ending.method,
    status: ending.status,
    reason,
    milliseconds: performance.now() - since,
    requestId: ending.requestId,
    user: actor?.user.id,
    organization: params?.organizationId,
    space: params?.spaceId,
    site: params?.siteId,
    isReplayed: outcome?.replayed === true,
    isKept: outcome?.kept !== undefined,
    received: ending.received,
    sent: ending.sent,
  };
}
