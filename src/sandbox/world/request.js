// Request: what is asked for, by a caller of the script or by the script itself.

import { AbortSignal } from "./abort.js";
import { Body, bodyOf, peekBytes, takeBytes } from "./body.js";
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
    const body = init.body === undefined && from ? { bytes: takenFrom(from), type: null } : bodyOf(init.body);
    if (body.bytes !== null && (method === "GET" || method === "HEAD"))
      throw new TypeError(`A request with ${method} has no body.`);
    super(body.bytes);
    if (body.type !== null && !headers.has("content-type")) headers.set("content-type", body.type);
    this.#url = from ? from.url : urlOf(input);
    this.#method = method;
    this.#headers = headers;
    this.#redirect = redirectOf(init.redirect ?? from?.redirect ?? "follow");
    this.#signal = init.signal ?? from?.signal ?? new AbortSignal();
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
    return new Request(this.#url, { method, headers, redirect, signal, body: peekBytes(this) });
  }
}

function takenFrom(request) {
  return peekBytes(request) === null ? null : takeBytes(request);
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
