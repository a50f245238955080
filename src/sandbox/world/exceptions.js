// The errors of the web that are not the language's own.

const codes = { AbortError: 20, DataCloneError: 25, InvalidCharacterError: 5, NotSupportedError: 9, TimeoutError: 23 };

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
    return codes[this.#name] ?? 0;
  }
}
