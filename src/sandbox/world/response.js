// Response: what is answered, by the script or to it.

import { Body, bodyOf, copyBody } from "./body.js";
import { encode } from "./bytes.js";
import { Headers } from "./headers.js";
import { URL } from "./url.js";

const withoutBody = [204, 205, 304];

let setOrigin;
let setError;

/** A response that came from elsewhere. */
export function received({ status, statusText, headers, url, redirected }, bytes) {
  const body = bytes === undefined || withoutBody.includes(status) ? null : bytes;
  const response = new Response(body, { status, statusText, headers });
  setOrigin(response, url, redirected);
  return response;
}

export class Response extends Body {
  #status;
  #statusText;
  #headers;
  #url = "";
  #isRedirected = false;
  #type = "default";

  static {
    setOrigin = (response, url, isRedirected) => {
      response.#url = url;
      response.#isRedirected = isRedirected;
    };
    setError = (response) => {
      response.#type = "error";
      response.#status = 0;
    };
  }

  constructor(body = null, init = {}) {
    const status = Math.trunc(Number(init.status ?? 200));
    if (!(status >= 200 && status <= 599)) throw new RangeError("The status of a response is from 200 to 599.");
    const headers = new Headers(init.headers ?? {});
    const content = bodyOf(body);
    if (content.bytes !== null && withoutBody.includes(status))
      throw new TypeError(`A response with ${status} has no body.`);
    super(content);
    if (content.type !== null && !headers.has("content-type")) headers.set("content-type", content.type);
    this.#status = status;
    this.#statusText = `${init.statusText ?? ""}`;
    this.#headers = headers;
  }

  static error() {
    const response = new Response();
    setError(response);
    return response;
  }

  static json(value, init = {}) {
    const text = JSON.stringify(value);
    if (text === undefined) throw new TypeError("The value has no form in JSON.");
    const headers = new Headers(init.headers ?? {});
    if (!headers.has("content-type")) headers.set("content-type", "application/json");
    return new Response(encode(text), { ...init, headers });
  }

  static redirect(url, status = 302) {
    if (![301, 302, 303, 307, 308].includes(status)) throw new RangeError("This status is none of a redirect.");
    return new Response(null, { status, headers: { location: new URL(url).href } });
  }

  get status() {
    return this.#status;
  }

  get statusText() {
    return this.#statusText;
  }

  get ok() {
    return this.#status >= 200 && this.#status < 300;
  }

  get headers() {
    return this.#headers;
  }

  get url() {
    return this.#url;
  }

  get redirected() {
    return this.#isRedirected;
  }

  get type() {
    return this.#type;
  }

  clone() {
    const { status, statusText, headers } = this;
    const copy = new Response(copyBody(this), { status, statusText, headers });
    setOrigin(copy, this.#url, this.#isRedirected);
    return copy;
  }
}
