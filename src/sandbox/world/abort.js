// AbortController and AbortSignal.

import { Event, EventTarget, giveHandler } from "./events.js";
import { DOMException } from "./exceptions.js";
import { setTimeout } from "./timers.js";

let abort;
let followers;
/** Only this file makes signals. */
const making = Symbol();

/** A signal that nobody has aborted. */
export const newSignal = () => new AbortSignal(making);

export class AbortSignal extends EventTarget {
  #isAborted = false;
  #reason;
  /** Signals that are aborted with this one, before anybody is told. */
  #followers = [];

  static {
    abort = (signal, reason) => signal.#abort(reason);
    followers = (signal) => signal.#followers;
  }

  constructor(key) {
    if (key !== making) throw new TypeError("Illegal constructor");
    super();
  }

  static abort(reason) {
    const signal = newSignal();
    abort(signal, reason);
    return signal;
  }

  static timeout(milliseconds) {
    const signal = newSignal();
    setTimeout(() => abort(signal, new DOMException("The time is over.", "TimeoutError")), milliseconds);
    return signal;
  }

  static any(signals) {
    const signal = newSignal();
    const all = [...signals];
    const first = all.find((one) => one.aborted);
    if (first) abort(signal, first.reason);
    else for (const one of all) followers(one).push(signal);
    return signal;
  }

  get aborted() {
    return this.#isAborted;
  }

  get reason() {
    return this.#reason;
  }

  throwIfAborted() {
    if (this.#isAborted) throw this.#reason;
  }

  #abort(reason = new DOMException("This was aborted.", "AbortError")) {
    const aborted = this.#mark(reason);
    for (const signal of aborted) signal.dispatchEvent(new Event("abort"));
  }

  /** Marks this signal and all that follow it; gives those that were not aborted before. */
  #mark(reason) {
    if (this.#isAborted) return [];
    this.#isAborted = true;
    this.#reason = reason;
    return [this, ...this.#followers.splice(0).flatMap((signal) => signal.#mark(reason))];
  }
}

giveHandler("abort", AbortSignal);

export class AbortController {
  #signal = newSignal();

  get signal() {
    return this.#signal;
  }

  abort(reason) {
    abort(this.#signal, reason);
  }
}
