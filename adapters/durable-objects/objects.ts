// Calls objects. If an object cannot be reached, is restarted during a call or is overloaded, the call is retried until its timeout, and
// every failure is converted to an error of the contract.

import { Closed, Corrupt, Unavailable } from "../adapter";
import type { Failed, ObjectMethods } from "./protocol";

/** The part of a binding to Durable Objects that is used here. */
export interface ObjectNamespaceLike {
  idFromName(name: string): unknown;
  // biome-ignore lint/suspicious/noExplicitAny: an id is of the namespace's own type.
  get(id: any): unknown;
}

/** The methods of an object as remote calls. */
type Stub = {
  readonly [Name in keyof ObjectMethods]: (
    ...args: Parameters<ObjectMethods[Name]>
  ) => Promise<Awaited<ReturnType<ObjectMethods[Name]>>>;
};

/** The maximum number of attempts of a call. */
const MAX_ATTEMPTS = 8;
/** The pause before an overloaded object is called again, in milliseconds. */
const OVERLOAD_PAUSE_MS = 1000;

export class Objects {
  readonly #namespace: ObjectNamespaceLike;
  readonly #prefix: string;
  readonly #timeoutMs: number;
  #isClosed = false;

  constructor(namespace: ObjectNamespaceLike, prefix: string, timeoutMs: number) {
    this.#namespace = namespace;
    this.#prefix = prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`;
    this.#timeoutMs = timeoutMs;
  }

  /** Throws if `close` has been called. */
  assertOpen(): void {
    if (this.#isClosed) throw new Closed("The storage was closed.");
  }

  close(): void {
    this.#isClosed = true;
  }

  /**
   * Calls an object. `send` may be called several times; `isDoubtful` tells it that an earlier attempt may have arrived. If `writes` is
   * true, such an attempt leaves the outcome in doubt.
   */
  async call<T>(
    name: string,
    send: (stub: Stub, isDoubtful: boolean) => Promise<T | Failed>,
    { writes = false }: { readonly writes?: boolean } = {},
  ): Promise<T> {
    const doubt = { exists: false };
    const getOutcome = () => (writes && doubt.exists ? "unknown" : "none");
    // After the timeout, a pending attempt ends on its own, and its result is ignored.
    const response = await new Promise<T | Failed>((resolve, reject) => {
      const timer = setTimeout(() => {
        const message = `The Durable Object ${name} gave no answer within ${this.#timeoutMs} ms; try later.`;
        reject(new Unavailable(message, { outcome: getOutcome() }));
      }, this.#timeoutMs);
      this.#callWithRetries(name, send, doubt)
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    }).catch((thrown) => {
      if (thrown instanceof Unavailable) throw thrown;
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      throw new Unavailable(`The Durable Object ${name} gave no answer; try later. (${reason})`, {
        outcome: getOutcome(),
        cause: thrown,
      });
    });
    if (typeof response !== "object" || response === null || !("failed" in response)) return response as T;
    // This attempt had no effect, but an earlier one without a response may have.
    const { failed, message } = response as Failed;
    if (failed === "corrupt") throw new Corrupt(`The Durable Object ${name}: ${message}`);
    throw new Unavailable(message, { outcome: getOutcome() });
  }

  async #callWithRetries<T>(
    name: string,
    send: (stub: Stub, isDoubtful: boolean) => Promise<T>,
    doubt: { exists: boolean },
  ): Promise<T> {
    const end = Date.now() + this.#timeoutMs;
    for (let attempt = 1; ; attempt++) {
      const isDoubtful = doubt.exists;
      doubt.exists = true;
      try {
        // A stub that has failed remains broken, so each attempt creates its own.
        const stub = this.#namespace.get(this.#namespace.idFromName(this.#prefix + name)) as Stub;
        const response = await send(stub, isDoubtful);
        doubt.exists = isDoubtful;
        return response;
      } catch (thrown) {
        if (attempt >= MAX_ATTEMPTS || Date.now() >= end) throw thrown;
        // 5 to 10 ms after the first attempt, twice that after the second, and at most half a second.
        const isOverloaded = (thrown as { overloaded?: unknown } | undefined)?.overloaded === true;
        const pause = Math.min(500, 10 * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
        await new Promise((resolve) => setTimeout(resolve, (isOverloaded ? OVERLOAD_PAUSE_MS : 0) + pause));
      }
    }
  }
}
