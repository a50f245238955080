// URL, taken apart and put together by the host's own, and kept in step with its parameters.

import { askValue } from "./host.js";
import { follow, URLSearchParams, update } from "./url-search-params.js";

export class URL {
  #parts;
  #parameters;

  constructor(url, base) {
    this.#parts = askValue("url", base === undefined ? [`${url}`] : [`${url}`, `${base}`]);
    if (this.#parts === null) throw new TypeError("Invalid URL");
    this.#parameters = new URLSearchParams(this.#parts.search);
    follow(this.#parameters, (search) => {
      this.#set("search", search);
    });
  }

  static canParse(url, base) {
    return URL.parse(url, base) !== null;
  }

  static parse(url, base) {
    try {
      return new URL(url, base);
    } catch {
      return null;
    }
  }

  get searchParams() {
    return this.#parameters;
  }

  get origin() {
    return this.#parts.origin;
  }

  get href() {
    return this.#parts.href;
  }

  set href(value) {
    const parts = askValue("url", [`${value}`]);
    if (parts === null) throw new TypeError("Invalid URL");
    this.#parts = parts;
    update(this.#parameters, parts.search);
  }

  toString() {
    return this.href;
  }

  toJSON() {
    return this.href;
  }

  #set(member, value) {
    this.#parts = askValue("url-set", [this.#parts.href, member, `${value}`]);
  }

  static {
    for (const member of ["protocol", "username", "password", "host", "hostname", "port", "pathname", "hash"])
      Object.defineProperty(URL.prototype, member, {
        get() {
          return this.#parts[member];
        },
        set(value) {
          this.#set(member, value);
        },
        enumerable: true,
        configurable: true,
      });
  }

  get search() {
    return this.#parts.search;
  }

  set search(value) {
    this.#set("search", value);
    update(this.#parameters, this.#parts.search);
  }
}
