// URLSearchParams, and the form of a body that has the same syntax.

import { decode } from "./bytes.js";

let setFollower;
let setPairs;

/** Tells of every change of the parameters. */
export const follow = (parameters, listener) => setFollower(parameters, listener);

/** Replaces all parameters with those of a text, and tells nobody. */
export const update = (parameters, text) => setPairs(parameters, read(text));

export class URLSearchParams {
  #pairs = [];
  #changed = () => {};

  static {
    setFollower = (parameters, listener) => {
      parameters.#changed = listener;
    };
    setPairs = (parameters, pairs) => {
      parameters.#pairs = pairs;
    };
  }

  constructor(init = "") {
    if (init === null || (typeof init !== "object" && typeof init !== "function")) this.#pairs = read(`${init}`);
    else if (typeof init[Symbol.iterator] === "function") for (const pair of init) this.#pairs.push(pairOf(pair));
    else for (const name of Object.keys(init)) this.#pairs.push([whole(name), whole(init[name])]);
  }

  get size() {
    return this.#pairs.length;
  }

  append(name, value) {
    this.#pairs.push([whole(name), whole(value)]);
    this.#tell();
  }

  delete(name, value) {
    const isMeant = matching(name, value);
    this.#pairs = this.#pairs.filter((pair) => !isMeant(pair));
    this.#tell();
  }

  get(name) {
    return this.#pairs.find(matching(name))?.[1] ?? null;
  }

  getAll(name) {
    return this.#pairs.filter(matching(name)).map((pair) => pair[1]);
  }

  has(name, value) {
    return this.#pairs.some(matching(name, value));
  }

  set(name, value) {
    const first = this.#pairs.findIndex(matching(name));
    const isMeant = matching(name);
    if (first < 0) this.#pairs.push([whole(name), whole(value)]);
    else {
      this.#pairs[first] = [whole(name), whole(value)];
      this.#pairs = this.#pairs.filter((pair, at) => at === first || !isMeant(pair));
    }
    this.#tell();
  }

  sort() {
    this.#pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    this.#tell();
  }

  forEach(visit, self) {
    for (const [name, value] of this) visit.call(self, value, name, this);
  }

  *entries() {
    for (let at = 0; at < this.#pairs.length; at++) yield [...this.#pairs[at]];
  }

  *keys() {
    for (const [name] of this.entries()) yield name;
  }

  *values() {
    for (const [, value] of this.entries()) yield value;
  }

  [Symbol.iterator]() {
    return this.entries();
  }

  toString() {
    return this.#pairs.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join("&");
  }

  #tell() {
    this.#changed(this.toString());
  }
}

const whole = (value) => `${value}`.toWellFormed();

function pairOf(pair) {
  const both = [...pair];
  if (both.length !== 2) throw new TypeError("Each parameter is a pair of a name and a value.");
  return both.map(whole);
}

function matching(name, value) {
  const wanted = whole(name);
  if (value === undefined) return ([itsName]) => itsName === wanted;
  const wantedValue = whole(value);
  return ([itsName, itsValue]) => itsName === wanted && itsValue === wantedValue;
}

function read(text) {
  const parts = (text.startsWith("?") ? text.slice(1) : text).split("&").filter((part) => part !== "");
  return parts.map((part) => {
    const at = part.indexOf("=");
    return at < 0 ? [unescaped(part), ""] : [unescaped(part.slice(0, at)), unescaped(part.slice(at + 1))];
  });
}

function unescaped(part) {
  const text = part.replaceAll("+", " ").toWellFormed();
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    const raw = encodeURIComponent(text).replace(/%25([0-9A-Fa-f]{2})/g, "%$1");
    const bytes = raw
      .match(/%[0-9A-Fa-f]{2}|./g)
      .map((one) => (one.length === 3 ? Number(`0x${one.slice(1)}`) : one.charCodeAt(0)));
    return decode(Uint8Array.from(bytes));
  }
}

function escaped(value) {
  const hex = (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(value)
    .replace(/[!'()~]/g, hex)
    .replaceAll("%20", "+");
}
