// What a file of JavaScript exports, read as data and never run: `module.exports = { … }` with plain values. A value that
// would have to be computed is left out, and its name is told. The parsers that are here already do not serve: that of
// expressions knows no objects, and YAML no comments of JavaScript.

/** What was read: the plain values, and the paths of members that are not plain. */
export interface Literal {
  readonly value: unknown;
  readonly computed: readonly string[];
}

/** The longest file that is read, and how deep its values may nest. */
const MAX_LENGTH = 256 * 1024;
const MAX_DEPTH = 16;

/** Reads what a file exports; undefined when that is no object that is spelled out. */
export function exportedLiteral(text: string): Literal | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const start = /^[ \t]*(?:module\.exports|exports\.default)[ \t]*=\s*(?=\{)|^[ \t]*export[ \t]+default\s+(?=\{)/m.exec(
    text,
  );
  if (!start) return undefined;
  const reader = new Reader(text, start.index + start[0].length);
  try {
    return { value: reader.object("", 1), computed: reader.computed };
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

class Unreadable extends Error {}

/** A value that is not plain. */
const COMPUTED = Symbol("computed");

const SPACE = /(?:\s|\/\/[^\n]*)*/y;
const NAME = /[\p{ID_Start}$_][\p{ID_Continue}$]*/uy;
const NUMBER = /[+-]?(?:0x[\da-f]+|\d[\d_]*(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+)/iy;
const TEXT = /"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'|`(?:[^`\\$]|\\[\s\S]|\$(?!\{))*`/y;
/** A text with values in it. */
const TEMPLATE = /`(?:[^`\\]|\\[\s\S])*`/y;
const WORDS = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["undefined", undefined],
]);

class Reader {
  readonly computed: string[] = [];

  constructor(
    readonly text: string,
    private at: number,
  ) {}

  object(path: string, depth: number): Record<string, unknown> {
    const members = new Map<string, unknown>();
    this.#items("{", "}", depth, () => {
      const name = this.#name();
      if (name === undefined || !this.#take(":")) return this.#skip(`${path}${name ?? "…"}`);
      const value = this.#value(`${path}${name}`, depth);
      if (value !== COMPUTED) members.set(name, value);
    });
    return Object.fromEntries(members);
  }

  #list(path: string, depth: number): unknown[] {
    const values: unknown[] = [];
    this.#items("[", "]", depth, () => {
      const value = this.#value(`${path}[${values.length}]`, depth);
      if (value !== COMPUTED) values.push(value);
    });
    return values;
  }

  /** Items between brackets, with commas between them and perhaps one at the end. */
  #items(open: string, close: string, depth: number, item: () => void): void {
    if (depth > MAX_DEPTH || !this.#take(open)) throw new Unreadable();
    while (!this.#take(close)) {
      item();
      if (!this.#take(",") && this.#next() !== close) throw new Unreadable();
    }
  }

  #value(path: string, depth: number): unknown {
    const from = this.at;
    const next = this.#next();
    const value =
      next === "{" ? this.object(`${path}.`, depth + 1) : next === "[" ? this.#list(path, depth + 1) : this.#plain();
    if (value !== COMPUTED && ",]}".includes(this.#next())) return value;
    this.at = from;
    this.#skip(path);
    return COMPUTED;
  }

  #plain(): unknown {
    const text = this.#match(TEXT);
    if (text !== undefined) return unquoted(text);
    const number = this.#match(NUMBER);
    if (number !== undefined) return Number(number.replaceAll("_", ""));
    const word = this.#match(NAME) ?? "";
    return WORDS.has(word) ? WORDS.get(word) : COMPUTED;
  }

  /** The name of a member; undefined where it is computed, or where there is none. */
  #name(): string | undefined {
    const quoted = this.#match(TEXT);
    return quoted === undefined ? (this.#match(NAME) ?? this.#match(NUMBER)) : unquoted(quoted);
  }

  /** Goes behind a value that is not plain: to the comma or bracket that ends it. */
  #skip(path: string): void {
    this.computed.push(path);
    let open = 0;
    for (;;) {
      const next = this.#next();
      if (next === "") throw new Unreadable();
      if (open === 0 && ",]}".includes(next)) return;
      if ("([{".includes(next)) open++;
      if (")]}".includes(next)) open--;
      if (!"\"'`".includes(next)) this.at++;
      // A quote that nothing closes is looked for once, not again from each place behind it.
      else if ((this.#match(TEXT) ?? this.#match(TEMPLATE)) === undefined) throw new Unreadable();
    }
  }

  #take(character: string): boolean {
    if (this.#next() !== character) return false;
    this.at++;
    return true;
  }

  /** The next character that is not a space or in a comment; empty at the end. */
  #next(): string {
    for (;;) {
      SPACE.lastIndex = this.at;
      this.at += SPACE.exec(this.text)![0].length;
      if (!this.text.startsWith("/*", this.at)) return this.text[this.at] ?? "";
      const end = this.text.indexOf("*/", this.at + 2);
      if (end < 0) throw new Unreadable();
      this.at = end + 2;
    }
  }

  #match(pattern: RegExp): string | undefined {
    this.#next();
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }
}

const ESCAPES = new Map(Object.entries({ n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v", 0: "\0" }));

function unquoted(text: string): string {
  return text
    .slice(1, -1)
    .replace(/\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})|(\r\n|[\s\S]))/gi, (_, point, unit, byte, other) => {
      const code = Number.parseInt(point ?? unit ?? byte ?? "", 16);
      if (!Number.isNaN(code)) return code > 0x10ffff ? "\uFFFD" : String.fromCodePoint(code);
      return /^[\r\n]/.test(other) ? "" : (ESCAPES.get(other) ?? other);
    });
}
