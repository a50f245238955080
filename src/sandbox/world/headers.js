// Headers: names without regard to case, values without line breaks.

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const allowed = /^[^\0\r\n\u0100-\uffff]*$/;

export class Headers {
  #values = new Map();

  constructor(init = {}) {
    if (init === null || typeof init !== "object") throw new TypeError("Headers are made of an object or of pairs.");
    if (typeof init[Symbol.iterator] === "function") for (const pair of init) this.append(...pairOf(pair));
    else for (const name of Object.keys(init)) this.append(name, init[name]);
  }

  append(name, value) {
    const key = keyOf(name);
    this.#values.set(key, [...(this.#values.get(key) ?? []), cleanValue(value)]);
  }

  delete(name) {
    this.#values.delete(keyOf(name));
  }

  get(name) {
    return this.#values.get(keyOf(name))?.join(", ") ?? null;
  }

  getSetCookie() {
    return [...(this.#values.get("set-cookie") ?? [])];
  }

  has(name) {
    return this.#values.has(keyOf(name));
  }

  set(name, value) {
    this.#values.set(keyOf(name), [cleanValue(value)]);
  }

  forEach(visit, self) {
    for (const [name, value] of this) visit.call(self, value, name, this);
  }

  *entries() {
    for (const name of [...this.#values.keys()].sort()) {
      if (name === "set-cookie") for (const value of this.getSetCookie()) yield [name, value];
      else yield [name, this.get(name)];
    }
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
}

function pairOf(pair) {
  const both = [...pair];
  if (both.length !== 2) throw new TypeError("Each header is a pair of a name and a value.");
  return both;
}

function keyOf(name) {
  const text = `${name}`;
  if (!token.test(text)) throw new TypeError("The name of a header has characters that it cannot have.");
  return text.toLowerCase();
}

function cleanValue(value) {
  const text = `${value}`.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, "");
  if (!allowed.test(text)) throw new TypeError("The value of a header has characters that it cannot have.");
  return text;
}
