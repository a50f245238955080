// The errors of the web that are not the language's own.

const codes = {
  AbortError: 20,
  DataCloneError: 25,
  InvalidAccessError: 15,
  InvalidCharacterError: 5,
  InvalidStateError: 11,
  NotSupportedError: 9,
  QuotaExceededError: 22,
  SyntaxError: 12,
  TimeoutError: 23,
};

export class DOMException extends Error {
  #name;

  constructor(message = "", name = "Error") {
    super(String(message));
    this.#name = String(name);
  }

  get name() {
    return this.#name;
  }

  get code() {
    return Object.hasOwn(codes, this.#name) ? codes[this.#name] : 0;
  }
}
