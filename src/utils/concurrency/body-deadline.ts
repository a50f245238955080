// The time limit of a request body. Without it, a client that sends a byte now and then could hold a connection, and the
// memory of its request, for as long as it likes.

/** The time for a body of any size. */
const BASE_MS = 30_000;
/** The average rate at which a longer body has to arrive. */
const MIN_BYTES_PER_SECOND = 32 * 1024;

/** The time limit of one body: 30 seconds, and one second more for every 32 KiB that have arrived. */
export class BodyDeadline {
  #receivedBytes = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #startedAt = performance.now();
  readonly #onMissed: () => void;

  /** Starts the timer. `onMissed` is called once, if the time runs out before `clear`. */
  constructor(onMissed: () => void) {
    this.#onMissed = onMissed;
    this.#wait(BASE_MS);
  }

  addReceivedBytes(bytes: number): void {
    this.#receivedBytes += bytes;
  }

  clear(): void {
    clearTimeout(this.#timer);
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => {
      const allowedMs = BASE_MS + Math.floor(this.#receivedBytes / MIN_BYTES_PER_SECOND) * 1000;
      const remainingMs = allowedMs - (performance.now() - this.#startedAt);
      if (remainingMs > 0) this.#wait(remainingMs);
      else this.#onMissed();
    }, ms);
  }
}
