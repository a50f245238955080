// Request: what is asked for, by a caller of the script or by the script itself.

import { AbortSignal, newSignal } from "./abort.js";
import { Body, bodyOf, copyBody, moveBody } from "./body.js";
import { Headers } from "./headers.js";
import { URL } from "./url.js";

const redirects = ["follow", "manual", "error"];

export class Request extends Body {
  #url;
  #method;
  #headers;
  #redirect;
  #signal;

  constructor(input, init = {}) {
    const from = input instanceof Request ? input : undefined;
    const headers = new Headers(init.headers ?? from?.headers ?? {});
    const method = methodOf(init.method ?? from?.method ?? "GET");
    const given = init.body ?? null;
    const body = given === null && from ? { ...moveBody(from), type: null } : bodyOf(given);
    if (body.bytes !== null && (method === "GET" || method === "HEAD"))
      throw new TypeError(`A request with ${method} has no body.`);
    super(body);
    if (body.type !== null && !headers.has("content-type")) headers.set("content-type", body.type);
    this.#url = from ? from.url : urlOf(input);
    this.#method = method;
    this.#headers = headers;
    this.#redirect = redirectOf(init.redirect ?? from?.redirect ?? "follow");
    this.#signal = signalOf(init.signal === undefined ? from?.signal : init.signal);
  }

  get url() {
    return this.#url;
  }

  get method() {
    return this.#method;
  }

  get headers() {
    return this.#headers;
  }

  get redirect() {
    return this.#redirect;
  }

  get signal() {
    return this.#signal;
  }

  clone() {
    const { method, headers, redirect, signal } = this;
    return new Request(this.#url, { method, headers, redirect, signal, body: copyBody(this) });
  }
}

function signalOf(signal) {
  if (signal === undefined || signal === null) return newSignal();
  if (!(signal instanceof AbortSignal)) throw new TypeError("`signal` is an AbortSignal.");
  return signal;
}

function urlOf(input) {
  const url = new URL(input);
  if (url.username !== "" || url.password !== "") throw new TypeError("The URL of a request has no name and password.");
  return url.href;
}

function methodOf(method) {
  const text = `${method}`;
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(text) || /^(connect|trace|track)$/i.test(text))
    throw new TypeError("This method cannot be used.");
  return /^(delete|get|head|options|post|put)$/i.test(text) ? text.toUpperCase() : text;
}

function redirectOf(redirect) {
  if (!redirects.includes(redirect)) throw new TypeError("`redirect` is follow, manual or error.");
  return redirect;
}
