// FormData: names with texts and files, in order.

import { Blob, bytesOfBlob, File } from "./blob.js";

export class FormData {
  #entries = [];

  append(name, value, filename) {
    this.#entries.push([`${name}`, entryOf(value, filename)]);
  }

  delete(name) {
    this.#entries = this.#entries.filter(([itsName]) => itsName !== `${name}`);
  }

  get(name) {
    return this.#entries.find(([itsName]) => itsName === `${name}`)?.[1] ?? null;
  }

  getAll(name) {
    return this.#entries.filter(([itsName]) => itsName === `${name}`).map(([, value]) => value);
  }

  has(name) {
    return this.#entries.some(([itsName]) => itsName === `${name}`);
  }

  set(name, value, filename) {
    const entry = [`${name}`, entryOf(value, filename)];
    const first = this.#entries.findIndex(([itsName]) => itsName === entry[0]);
    if (first < 0) this.#entries.push(entry);
    else {
      this.#entries[first] = entry;
      this.#entries = this.#entries.filter(([itsName], at) => at <= first || itsName !== entry[0]);
    }
  }

  forEach(visit, self) {
    for (const [name, value] of this) visit.call(self, value, name, this);
  }

  *entries() {
    for (let at = 0; at < this.#entries.length; at++) yield [...this.#entries[at]];
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

function entryOf(value, filename) {
  if (!(value instanceof Blob)) return `${value}`.toWellFormed();
  if (value instanceof File && filename === undefined) return value;
  return new File([bytesOfBlob(value)], filename ?? "blob", { type: value.type });
}
