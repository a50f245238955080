// AbortController and AbortSignal.

import { DOMException } from "./exceptions.js";
import { setTimeout } from "./timers.js";

let abort;

export class AbortSignal {
  #reason;
  #listeners = [];
  onabort = null;

  static {
    abort = (signal, reason) => signal.#abort(reason);
  }

  static abort(reason) {
    const signal = new AbortSignal();
    abort(signal, reason);
    return signal;
  }

  static timeout(milliseconds) {
    const signal = new AbortSignal();
    setTimeout(() => abort(signal, new DOMException("The time is over.", "TimeoutError")), milliseconds);
    return signal;
  }

  static any(signals) {
    const signal = new AbortSignal();
    for (const one of signals) {
      if (one.aborted) abort(signal, one.reason);
      else one.addEventListener("abort", () => abort(signal, one.reason));
    }
    return signal;
  }

  get aborted() {
    return this.#reason !== undefined;
  }

  get reason() {
    return this.#reason;
  }

  throwIfAborted() {
    if (this.aborted) throw this.#reason;
  }

  addEventListener(type, listener) {
    if (type === "abort" && !this.#listeners.includes(listener)) this.#listeners.push(listener);
  }

  removeEventListener(_type, listener) {
    this.#listeners = this.#listeners.filter((one) => one !== listener);
  }

  #abort(reason = new DOMException("This was aborted.", "AbortError")) {
    if (this.aborted) return;
    this.#reason = reason;
    const event = { type: "abort", target: this };
    this.onabort?.(event);
    for (const listener of this.#listeners.splice(0)) {
      if (typeof listener === "function") listener.call(this, event);
      else listener.handleEvent(event);
    }
  }
}

export class AbortController {
  #signal = new AbortSignal();

  get signal() {
    return this.#signal;
  }

  abort(reason) {
    abort(this.#signal, reason);
  }
}
