// The time that a body may take. A client that sends a byte now and then would otherwise hold a connection, and what is known
// of its request, for as long as it likes.

/** The time for a body of any size, in milliseconds. */
const BASE_MS = 30_000;
/** The rate at which a longer body has to come, on average. */
const BYTES_PER_SECOND = 32 * 1024;

/** The time limit of one body: 30 seconds, and one second more for every 32 KiB that have come. */
export class BodyDeadline {
  #received = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #began = performance.now();
  readonly #miss: () => void;

  /** Starts the time. `miss` is called once, if the time is over before `clear`. */
  constructor(miss: () => void) {
    this.#miss = miss;
    this.#wait(BASE_MS);
  }

  /** Tells how many more bytes have come. */
  add(bytes: number): void {
    this.#received += bytes;
  }

  clear(): void {
    clearTimeout(this.#timer);
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => {
      const allowedMs = BASE_MS + Math.floor(this.#received / BYTES_PER_SECOND) * 1000;
      const leftMs = allowedMs - (performance.now() - this.#began);
      if (leftMs > 0) this.#wait(leftMs);
      else this.#miss();
    }, ms);
  }
}
