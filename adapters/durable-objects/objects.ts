// The calls to objects. An object may be away, be restarted in the middle of a call, or have too much to do; then it is
// called again, within the time that a call may take, and every failure becomes an error of the contract.

import { Closed, Corrupt, Unavailable } from "../adapter";
import type { Failed, ObjectMethods } from "./protocol";

/** The part of a binding to Durable Objects that is used here. */
export interface ObjectNamespaceLike {
  idFromName(name: string): unknown;
  // biome-ignore lint/suspicious/noExplicitAny: an id is of the namespace's own type.
  get(id: any): unknown;
}

/** The methods of an object, called from elsewhere. */
type Stub = {
  readonly [Name in keyof ObjectMethods]: (
    ...given: Parameters<ObjectMethods[Name]>
  ) => Promise<Awaited<ReturnType<ObjectMethods[Name]>>>;
};

/** How often an object is called, at most, for one call of the storage. */
const TRIES = 8;
/** An object that has too much to do is left alone for so long, in ms. */
const REST_MS = 1000;

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

  /** Throws once `close` was called. */
  assertOpen(): void {
    if (this.#isClosed) throw new Closed("The storage was closed.");
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Calls an object; `send` may be called again, and is told whether an earlier call may have arrived. `writes` says
   * whether that leaves doubt. */
  async call<T>(
    name: string,
    send: (stub: Stub, isDoubtful: boolean) => Promise<T | Failed>,
    { writes = false }: { readonly writes?: boolean } = {},
  ): Promise<T> {
    const doubt = { isThere: false };
    const outcome = () => (writes && doubt.isThere ? "unknown" : "none");
    const late = () =>
      new Unavailable(`The Durable Object ${name} gave no answer within ${this.#timeoutMs} ms; try later.`, {
        outcome: outcome(),
      });
    const answer = await within(this.#timeoutMs, this.#repeated(name, send, doubt), late).catch((thrown) => {
      if (thrown instanceof Unavailable) throw thrown;
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      throw new Unavailable(`The Durable Object ${name} gave no answer; try later. (${reason})`, {
        outcome: outcome(),
        cause: thrown,
      });
    });
    if (!isFailed(answer)) return answer;
    // An answer came, so nothing was done; but an earlier call without an answer may have.
    if (answer.failed === "corrupt") throw new Corrupt(`The Durable Object ${name}: ${answer.message}`);
    throw new Unavailable(answer.message, { outcome: outcome() });
  }

  async #repeated<T>(
    name: string,
    send: (stub: Stub, isDoubtful: boolean) => Promise<T>,
    doubt: { isThere: boolean },
  ): Promise<T> {
    const end = Date.now() + this.#timeoutMs;
    for (let turn = 1; ; turn++) {
      const isDoubtful = doubt.isThere;
      doubt.isThere = true;
      try {
        // A stub that has failed stays broken, so each call has its own.
        const stub = this.#namespace.get(this.#namespace.idFromName(this.#prefix + name)) as Stub;
        const answer = await send(stub, isDoubtful);
        doubt.isThere = isDoubtful;
        return answer;
      } catch (thrown) {
        if (turn >= TRIES || Date.now() >= end) throw thrown;
        await backOff(turn, (thrown as { overloaded?: unknown } | undefined)?.overloaded === true ? REST_MS : 0);
      }
    }
  }
}

function isFailed(answer: unknown): answer is Failed {
  return typeof answer === "object" && answer !== null && "failed" in answer;
}

/** Waits no longer than so many ms. What is under way then ends by itself, and nobody hears of it. */
function within<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** 5 to 10 ms after the first try, twice that after the second, at most half a second; after a rest, where it needs one. */
function backOff(turn: number, rest: number): Promise<void> {
  const longest = Math.min(500, 10 * 2 ** (turn - 1));
  return new Promise((resolve) => setTimeout(resolve, rest + longest * (0.5 + Math.random() / 2)));
}
