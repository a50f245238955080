// The time limits of a request: from the call to the last byte of the response, and for its phases.

import { EgressError } from "./errors";

/** Has a signal that fires when a time limit is over or the caller has aborted, whichever comes first. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly signal = this.#controller.signal;
  readonly #onAbort: () => void;

  constructor(
    private readonly url: URL,
    timeoutMs: number,
    private readonly callerSignal: AbortSignal | null | undefined,
  ) {
    this.startPhase("it", timeoutMs);
    this.#onAbort = () => this.#controller.abort(callerSignal!.reason);
    callerSignal?.addEventListener("abort", this.#onAbort);
    if (callerSignal?.aborted) this.#onAbort();
  }

  /** Starts the limit of a phase of the request. It ends when the returned function is called. */
  startPhase(name: string, limitMs: number): () => void {
    const timer = setTimeout(() => {
      this.#controller.abort(new EgressError(this.url, "timeout", `${name} took longer than ${limitMs} ms`));
    }, limitMs).unref();
    this.#timers.add(timer);
    return () => {
      clearTimeout(timer);
      this.#timers.delete(timer);
    };
  }

  /** Stops all timers. */
  end(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.callerSignal?.removeEventListener("abort", this.#onAbort);
  }
}
