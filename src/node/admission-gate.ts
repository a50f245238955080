// Decides which requests begin when there is more to do than the process can handle. In one turn of the event loop, requests are begun
// for a few milliseconds; the others are queued for the next turns. While turns are long, the requests that have begun wait for the
// processor: if there are more than a few of them, one request a turn is begun. A burst waits in the queue for up to a second. A queue
// that has not been empty for a second is an overload: then requests that have waited for more than a moment are refused, and those
// that are served are served quickly. A request that has begun is finished.

import { hasPausedTasks } from "../utils/concurrency/event-loop";

export interface AdmissionGateOptions {
  /**
   * The most requests that are processed at once. A request that has taken more than a second waits for something else, and does not
   * count. Default: 1,024.
   */
  readonly maxConcurrent?: number;
  /** The most requests that are queued in addition. Default: 4,096. */
  readonly maxQueued?: number;
  /**
   * The most bytes that are held: of request bodies, and of responses that clients have not taken yet, if they are longer than 64 KiB. A
   * body that does not fit is refused, and so is a read whose response does not. Default: 256 MiB.
   */
  readonly maxBytes?: number;
}

export interface GatedRequest {
  begin(): void;
  refuse(): void;
}

/** The event loop, which tests replace. */
export interface EventLoop {
  now(): number;
  /** Calls a function when the present turn is over. */
  afterTurn(act: () => void): void;
  /** Returns true if long work is paused until a later turn. */
  hasPausedTasks(): boolean;
}

/** Requests are begun for this time in one turn. A turn that takes longer is a long one. */
const TURN_MS = 10;
/** The requests that share the processor while turns are long. With more of them, all would be late. */
const MAX_IN_LONG_TURNS = 16;
/** A request is queued for at most this time. A queue that has not been empty for this time is an overload. */
const MAX_WAIT_MS = 1000;
/** The longest wait in an overload. */
const MAX_OVERLOAD_WAIT_MS = 25;
/** A request that has taken this long does not count. */
const LONG_REQUEST_MS = 1000;

const realEventLoop: EventLoop = {
  now: () => performance.now(),
  afterTurn: (act) => void setImmediate(act),
  hasPausedTasks,
};

export class AdmissionGate {
  /** The requests that have begun, and the times at which they did, the first one first. Long ones are removed. */
  readonly #active = new Map<GatedRequest, number>();
  /** The number of requests that have begun and are not finished. */
  #unfinished = 0;
  /** The requests that are queued, and the times at which they arrived. Those before `#next` have left the queue. */
  #queue: { readonly request: GatedRequest; readonly since: number }[] = [];
  #next = 0;
  /** The time at which the queue was last seen empty. */
  #emptyAt = 0;
  #turnStart: number | undefined;
  /** True if this turn is measured from its beginning. A turn in which the first request arrives is measured from then on. */
  #isFullTurn = false;
  /** True if the last turn was measured as a whole and was short: there is time for more. */
  #isQuick = false;
  /** The number of requests that were begun in this turn. */
  #begunInTurn = 0;
  #heldBytes = 0;

  constructor(
    private readonly limits: Required<AdmissionGateOptions>,
    private readonly eventLoop: EventLoop = realEventLoop,
  ) {}

  /** Begins a request, now or in a later turn, or refuses it. */
  enter(request: GatedRequest): void {
    const now = this.eventLoop.now();
    this.#watchTurn(now);
    if (this.#queued === 0) {
      this.#emptyAt = now;
      if (this.#canBegin(now)) {
        this.#begin(request, now);
        return;
      }
    }
    if (this.#queued >= this.limits.maxQueued) request.refuse();
    else this.#queue.push({ request, since: now });
  }

  /** Counts a request no longer: it is finished, or waits for its body. */
  leave(request: GatedRequest): void {
    this.#active.delete(request);
    this.#unfinished--;
    if (this.#queued > 0) this.#watchTurn(this.eventLoop.now());
  }

  /** Counts a request again that left to wait. */
  reenter(request: GatedRequest): void {
    this.#active.set(request, this.eventLoop.now());
    this.#unfinished++;
  }

  /** Holds the bytes of a body or a response. Returns false if too many are held already. */
  tryReserveBytes(bytes: number): boolean {
    if (this.#heldBytes > 0 && this.#heldBytes + bytes > this.limits.maxBytes) return false;
    this.#heldBytes += bytes;
    return true;
  }

  /** Holds the bytes of a response that can no longer be refused. */
  reserveBytes(bytes: number): void {
    this.#heldBytes += bytes;
  }

  releaseBytes(bytes: number): void {
    this.#heldBytes -= bytes;
  }

  get #queued(): number {
    return this.#queue.length - this.#next;
  }

  #canBegin(now: number): boolean {
    const { maxConcurrent } = this.limits;
    if (now - this.#turnStart! >= TURN_MS) return false;
    if (this.#active.size >= maxConcurrent)
      for (const [request, since] of this.#active) {
        if (now - since < LONG_REQUEST_MS) break;
        this.#active.delete(request);
      }
    if (this.#active.size >= maxConcurrent) return false;
    const competing = this.#isQuick ? this.#begunInTurn : this.#unfinished;
    return this.#begunInTurn === 0 || competing < MAX_IN_LONG_TURNS;
  }

  #begin(request: GatedRequest, now: number): void {
    this.#active.set(request, now);
    this.#unfinished++;
    this.#begunInTurn++;
    request.begin();
  }

  /** Measures the present turn, and serves the queue after it. */
  #watchTurn(now: number): void {
    if (this.#turnStart !== undefined) return;
    this.#turnStart = now;
    this.eventLoop.afterTurn(() => this.#beginTurn());
  }

  #beginTurn(): void {
    const now = this.eventLoop.now();
    this.#isQuick = this.#isFullTurn && now - this.#turnStart! < TURN_MS && !this.eventLoop.hasPausedTasks();
    this.#isFullTurn = this.#queued > 0;
    this.#turnStart = undefined;
    this.#begunInTurn = 0;
    if (this.#queued === 0) return;

    this.#watchTurn(now);
    const maxWaitMs = now - this.#emptyAt > MAX_WAIT_MS ? MAX_OVERLOAD_WAIT_MS : MAX_WAIT_MS;
    while (this.#queued > 0 && now - this.#queue[this.#next]!.since > maxWaitMs)
      this.#queue[this.#next++]!.request.refuse();
    for (let time = now; this.#queued > 0 && this.#canBegin(time); time = this.eventLoop.now())
      this.#begin(this.#queue[this.#next++]!.request, time);

    // Requests that have left are removed when the queue is empty, or when they are half of it.
    if (this.#next * 2 < this.#queue.length) return;
    this.#queue = this.#queue.slice(this.#next);
    this.#next = 0;
  }
}
