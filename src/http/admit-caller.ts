// Admits the caller of an operation: the sender of a request is identified, and the request is counted. Requests over HTTP and calls
// that the process itself makes on behalf of a sender are admitted by the same function.

import { createError } from "../errors";
import type { Caller, Kernel, RegisteredOperation } from "../execution/kernel";
import { DIRECTORY } from "../storage/ids";
import { SnapshotReader } from "../storage/transaction";
import type { PlainRequest } from "./plain-request";
import { getAddressKey, type RateLimiter } from "./rate-limit";

/** The parts of a request that say who sent it. */
export type SentRequest = Pick<PlainRequest, "method" | "url" | "headers" | "address">;

export interface CallerAdmissionOptions {
  readonly kernel: Kernel;
  /** Counts a request for the rate limit; undefined if there is none. */
  readonly countRequest: RateLimiter | undefined;
  /** Returns true if the request carries credentials of any kind. Without them nothing is read. */
  readonly hasCredentials: (request: SentRequest) => boolean;
  /**
   * Identifies the caller. If nobody is identified, the actor is undefined, and the response is 401 unless the operation is open.
   * `partition` is the one that will be read next, which may be requested at the same time.
   */
  readonly identifyCaller: (request: SentRequest, partition?: string) => Promise<Caller>;
}

/**
 * Returns the caller of an operation, or of the agents' endpoint if no operation is given. Throws if a caller is required and nobody
 * is identified, or if the rate limit is exceeded. `headers` gets those of the rate limit.
 */
export type AdmitCaller = (
  request: SentRequest,
  operation: RegisteredOperation | undefined,
  partition: string | undefined,
  headers?: Record<string, string>,
) => Promise<Caller>;

/** The caller of a probe: nobody is identified, and nothing is read. */
const PROBE_CALLER: Caller = {
  actor: undefined,
  directory: new SnapshotReader({ version: 0, get: async (keys) => keys.map(() => undefined), list: async () => [] }),
};

export function createCallerAdmission({
  kernel,
  countRequest,
  hasCredentials,
  identifyCaller,
}: CallerAdmissionOptions): AdmitCaller {
  return async (request, operation, partition, headers = {}) => {
    const definition = operation?.definition;
    if (definition?.spec.isProbe) return PROBE_CALLER;
    const count = (callerKey: string) =>
      countRequest && Object.assign(headers, countRequest(callerKey, kernel.store.now()));

    let caller: Caller;
    try {
      const isOpen = definition?.spec.target.allowsAnonymous === true;
      if (hasCredentials(request)) {
        caller = await identifyCaller(request, definition?.method === "GET" ? partition : undefined);
        if (!caller.actor && !isOpen) {
          const hasBearerToken = /^Bearer +\S/i.test(request.headers.get("authorization") ?? "");
          throw createError(hasBearerToken ? "token_unknown" : "unauthorized");
        }
      } else if (isOpen) caller = { actor: undefined, directory: await kernel.store.read(DIRECTORY) };
      else throw createError("unauthorized");
    } catch (error) {
      // Callers who are not identified count for their network address.
      count(getAddressKey(request.address));
      throw error;
    }

    // Anybody can get any number of visitor's tokens, so visitors count for their network address, too.
    const { actor } = caller;
    count(actor && !actor.visit ? `user:${actor.user.id}` : getAddressKey(request.address));
    return caller;
  };
}
