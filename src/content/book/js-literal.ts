// The object that a JavaScript file exports, read as data and never run: `module.exports = { … }` with plain values. A value
// that would have to be computed is left out and reported. The parsers that exist already do not serve: the one for
// expressions knows no objects, and YAML knows no comments of JavaScript.

/** The longest file that is read. */
const MAX_LENGTH = 256 * 1024;
/** The deepest nesting of values. */
const MAX_DEPTH = 16;

/** Parses the object that a file exports. Returns undefined if it exports none that is spelled out. */
export function parseExportedObject(text: string) {
  if (text.length > MAX_LENGTH) return undefined;
  const start = /^[ \t]*(?:module\.exports|exports\.default)[ \t]*=\s*(?=\{)|^[ \t]*export[ \t]+default\s+(?=\{)/m.exec(
    text,
  );
  if (!start) return undefined;
  const parser = new LiteralParser(text, start.index + start[0].length);
  try {
    return { value: parser.parseObject("", 1), computedPaths: parser.computedPaths };
  } catch (error) {
    if (error instanceof LiteralSyntaxError) return undefined;
    throw error;
  }
}

class LiteralSyntaxError extends Error {}

/** Stands for a value that is not plain. */
const COMPUTED = Symbol("computed");

const SPACE = /(?:\s|\/\/[^\n]*)*/y;
const NAME = /[\p{ID_Start}$_][\p{ID_Continue}$]*/uy;
const NUMBER = /[+-]?(?:0x[\da-f]+|\d[\d_]*(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+)/iy;
const STRING = /"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'|`(?:[^`\\$]|\\[\s\S]|\$(?!\{))*`/y;
/** A template literal with substitutions. */
const TEMPLATE = /`(?:[^`\\]|\\[\s\S])*`/y;
const KEYWORDS = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["undefined", undefined],
]);
const ESCAPES = new Map(Object.entries({ n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v", 0: "\0" }));

class LiteralParser {
  readonly computedPaths: string[] = [];

  constructor(
    readonly text: string,
    private position: number,
  ) {}

  parseObject(path: string, depth: number): Record<string, unknown> {
    const members = new Map<string, unknown>();
    this.#parseItems("{", "}", depth, () => {
      const quoted = this.#match(STRING);
      const name = quoted === undefined ? (this.#match(NAME) ?? this.#match(NUMBER)) : unquoteString(quoted);
      // The name is computed, or the member is a method, a shorthand or a spread.
      if (name === undefined || !this.#take(":")) return this.#skipComputed(`${path}${name ?? "…"}`);
      const value = this.#parseValue(`${path}${name}`, depth);
      if (value !== COMPUTED) members.set(name, value);
    });
    return Object.fromEntries(members);
  }

  #parseArray(path: string, depth: number): unknown[] {
    const values: unknown[] = [];
    this.#parseItems("[", "]", depth, () => {
      const value = this.#parseValue(`${path}[${values.length}]`, depth);
      if (value !== COMPUTED) values.push(value);
    });
    return values;
  }

  /** Parses items between brackets, with commas between them and perhaps one at the end. */
  #parseItems(open: string, close: string, depth: number, parseItem: () => void): void {
    if (depth > MAX_DEPTH || !this.#take(open)) throw new LiteralSyntaxError();
    while (!this.#take(close)) {
      parseItem();
      if (!this.#take(",") && this.#peek() !== close) throw new LiteralSyntaxError();
    }
  }

  #parseValue(path: string, depth: number): unknown {
    const start = this.position;
    const next = this.#peek();
    let value: unknown;
    if (next === "{") value = this.parseObject(`${path}.`, depth + 1);
    else if (next === "[") value = this.#parseArray(path, depth + 1);
    else value = this.#parseScalar();
    if (value !== COMPUTED && ",]}".includes(this.#peek())) return value;
    // An operator, a call or something else follows.
    this.position = start;
    this.#skipComputed(path);
    return COMPUTED;
  }

  #parseScalar(): unknown {
    const string = this.#match(STRING);
    if (string !== undefined) return unquoteString(string);
    const number = this.#match(NUMBER);
    if (number !== undefined) return Number(number.replaceAll("_", ""));
    const word = this.#match(NAME) ?? "";
    return KEYWORDS.has(word) ? KEYWORDS.get(word) : COMPUTED;
  }

  /** Reports a value that is not plain, and moves to the comma or bracket that ends it. */
  #skipComputed(path: string): void {
    this.computedPaths.push(path);
    let openBrackets = 0;
    for (;;) {
      const next = this.#peek();
      if (next === "") throw new LiteralSyntaxError();
      if (openBrackets === 0 && ",]}".includes(next)) return;
      if ("([{".includes(next)) openBrackets++;
      if (")]}".includes(next)) openBrackets--;
      if (!"\"'`".includes(next)) this.position++;
      // The end of an unclosed quote is searched once, and not again from each place after it.
      else if ((this.#match(STRING) ?? this.#match(TEMPLATE)) === undefined) throw new LiteralSyntaxError();
    }
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.position++;
    return true;
  }

  /** Moves past spaces and comments. Returns the next character, or an empty string at the end. */
  #peek(): string {
    for (;;) {
      SPACE.lastIndex = this.position;
      this.position += SPACE.exec(this.text)![0].length;
      if (!this.text.startsWith("/*", this.position)) return this.text[this.position] ?? "";
      const end = this.text.indexOf("*/", this.position + 2);
      if (end < 0) throw new LiteralSyntaxError();
      this.position = end + 2;
    }
  }

  #match(pattern: RegExp): string | undefined {
    this.#peek();
    pattern.lastIndex = this.position;
    const match = pattern.exec(this.text)?.[0];
    this.position += match?.length ?? 0;
    return match;
  }
}

function unquoteString(literal: string): string {
  return literal
    .slice(1, -1)
    .replace(/\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})|(\r\n|[\s\S]))/gi, (_, point, unit, byte, other) => {
      const code = Number.parseInt(point ?? unit ?? byte ?? "", 16);
      if (!Number.isNaN(code)) return code > 0x10ffff ? "\uFFFD" : String.fromCodePoint(code);
      // A backslash at the end of a line continues the line.
      return /^[\r\n]/.test(other) ? "" : (ESCAPES.get(other) ?? other);
    });
}
