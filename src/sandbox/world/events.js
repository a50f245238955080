// Event, CustomEvent and EventTarget. There is no tree: an event is told to one target.

import { console } from "./console.js";
import { DOMException } from "./exceptions.js";

const now = Date.now;

let begin;
let finish;
let hear;
let isStopped;

export class Event {
  #type;
  #bubbles;
  #cancelable;
  #composed;
  #timeStamp = now();
  #target = null;
  #isDispatched = false;
  #isPassive = false;
  #isPrevented = false;
  #isStopped = false;
  #isStoppedAtOnce = false;

  static {
    begin = (event, target) => {
      if (event.#isDispatched) throw new DOMException("The event is being told already.", "InvalidStateError");
      event.#isDispatched = true;
      event.#target = target;
    };
    finish = (event) => {
      event.#isDispatched = false;
      event.#isStopped = false;
      event.#isStoppedAtOnce = false;
      return !event.#isPrevented;
    };
    hear = (event, isPassive) => {
      event.#isPassive = isPassive;
    };
    isStopped = (event) => event.#isStoppedAtOnce;
  }

  constructor(...given) {
    if (given.length === 0) throw new TypeError("An event has a type.");
    const [type, init] = given;
    const { bubbles, cancelable, composed } = init ?? {};
    this.#type = `${type}`;
    this.#bubbles = Boolean(bubbles);
    this.#cancelable = Boolean(cancelable);
    this.#composed = Boolean(composed);
  }

  get type() {
    return this.#type;
  }

  get target() {
    return this.#target;
  }

  get srcElement() {
    return this.#target;
  }

  get currentTarget() {
    return this.#isDispatched ? this.#target : null;
  }

  get eventPhase() {
    return this.#isDispatched ? Event.AT_TARGET : Event.NONE;
  }

  get bubbles() {
    return this.#bubbles;
  }

  get cancelable() {
    return this.#cancelable;
  }

  get composed() {
    return this.#composed;
  }

  get defaultPrevented() {
    return this.#isPrevented;
  }

  get returnValue() {
    return !this.#isPrevented;
  }

  get cancelBubble() {
    return this.#isStopped;
  }

  set cancelBubble(value) {
    if (value) this.#isStopped = true;
  }

  get timeStamp() {
    return this.#timeStamp;
  }

  get isTrusted() {
    return false;
  }

  composedPath() {
    return this.#isDispatched ? [this.#target] : [];
  }

  preventDefault() {
    if (this.#cancelable && !this.#isPassive) this.#isPrevented = true;
  }

  stopPropagation() {
    this.#isStopped = true;
  }

  stopImmediatePropagation() {
    this.#isStopped = true;
    this.#isStoppedAtOnce = true;
  }

  static {
    for (const [phase, value] of [
      ["NONE", 0],
      ["CAPTURING_PHASE", 1],
      ["AT_TARGET", 2],
      ["BUBBLING_PHASE", 3],
    ])
      for (const place of [Event, Event.prototype]) Object.defineProperty(place, phase, { value, enumerable: true });
  }
}

export class CustomEvent extends Event {
  #detail;

  constructor(...given) {
    super(...given);
    this.#detail = given[1]?.detail ?? null;
  }

  get detail() {
    return this.#detail;
  }
}

export class EventTarget {
  /** In the order in which they were added. A change makes a new list, so one that is being told stays as it was. */
  #listeners = [];

  addEventListener(type, listener, options) {
    const { capture, once, passive, signal } = settingsOf(options);
    if (!isListener(listener)) throw new TypeError("A listener is a function or an object.");
    if (listener === null || signal?.aborted) return;
    const name = `${type}`;
    if (this.#listeners.some((one) => one.type === name && one.listener === listener && one.capture === capture))
      return;
    const entry = { type: name, listener, capture, once, passive };
    this.#listeners = [...this.#listeners, entry];
    signal?.addEventListener("abort", () => this.#remove(entry), { once: true });
  }

  removeEventListener(type, listener, options) {
    const { capture } = settingsOf(options);
    const name = `${type}`;
    const found = this.#listeners.find(
      (one) => one.type === name && one.listener === listener && one.capture === capture,
    );
    if (found) this.#remove(found);
  }

  dispatchEvent(event) {
    if (!(event instanceof Event)) throw new TypeError("Only an Event can be dispatched.");
    begin(event, this);
    for (const entry of this.#listeners) {
      if (isStopped(event)) break;
      if (entry.type === event.type && !entry.isRemoved) this.#tell(entry, event);
    }
    return finish(event);
  }

  #tell(entry, event) {
    if (entry.once) this.#remove(entry);
    hear(event, entry.passive);
    try {
      const { listener } = entry;
      if (typeof listener === "function") listener.call(this, event);
      else listener.handleEvent(event);
    } catch (error) {
      console.error(error);
    }
    hear(event, false);
  }

  #remove(entry) {
    entry.isRemoved = true;
    this.#listeners = this.#listeners.filter((one) => one !== entry);
  }
}

/** Gives a class the attribute `on…`, whose function is told in the place where there was first one. */
export function giveHandler(type, { prototype }) {
  const handlers = new WeakMap();
  Object.defineProperty(prototype, `on${type}`, {
    get() {
      return handlers.get(this)?.run ?? null;
    },
    set(value) {
      const run = typeof value === "function" ? value : null;
      const known = handlers.get(this);
      if (run === null && known) {
        this.removeEventListener(type, known.listener);
        handlers.delete(this);
      } else if (known) known.run = run;
      else if (run !== null) {
        const made = { run, listener: (event) => made.run.call(this, event) };
        handlers.set(this, made);
        this.addEventListener(type, made.listener);
      }
    },
    enumerable: true,
    configurable: true,
  });
}

function settingsOf(options) {
  if (typeof options !== "object" || options === null) return { capture: Boolean(options) };
  const { capture, once, passive, signal } = options;
  if (signal !== undefined && typeof signal?.addEventListener !== "function")
    throw new TypeError("`signal` is an AbortSignal.");
  return { capture: Boolean(capture), once: Boolean(once), passive: Boolean(passive), signal };
}

function isListener(listener) {
  return listener === null || typeof listener === "function" || typeof listener === "object";
}
