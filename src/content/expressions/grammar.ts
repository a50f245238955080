// The grammar: jsep made strict. It reads exactly one expression, says where each part begins, and never nests without limit.

import jsep from "jsep";

/** An expression that cannot be read, with the place in its source. */
export class Unreadable extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
}

/** A part of an expression as jsep gives it; `Group` is ours, for parentheses. */
export type Part = jsep.Expression;

/** How deep an expression may nest. */
export const MAX_DEPTH = 32;

/** The tree of a source text, and where each part of it begins. */
export function readTree(source: string): { tree: Part; placeOf: (part: Part) => number } {
  const reader = new Reader(source);
  const tree = withMembership(() => reader.readAll());
  return { tree, placeOf: (part) => reader.placeOf(part) };
}

/** What jsep's parser offers to those who extend it; its own declarations leave the class out. */
interface Parser {
  index: number;
  readonly code: number;
  gobbleSpaces(): void;
  gobbleExpression(): Part | false | undefined;
  gobbleToken(): Part | false | undefined;
  gobbleGroup(): Part;
  gobbleArguments(closing: number): Part[];
  throwError(message: string): never;
}

const { Jsep } = jsep as unknown as { Jsep: new (source: string) => Parser };

const COMMA = ",".charCodeAt(0);
const CLOSING_PARENTHESIS = ")".charCodeAt(0);

/** jsep itself guesses missing commas and reads several expressions as one. Here a comma is required. */
class Reader extends Jsep {
  private readonly places = new Map<Part, number>();
  private depth = 0;

  constructor(private readonly source: string) {
    super(source);
  }

  readAll(): Part {
    const tree = this.readOne();
    if (this.index < this.source.length) this.throwError(this.unexpected());
    return tree;
  }

  /** A binary or conditional expression begins where its first value does. */
  placeOf(part: Part): number {
    let first: Part | undefined = part;
    while (first && !this.places.has(first)) first = (first.left ?? first.test) as Part | undefined;
    return (first && this.places.get(first)) ?? 0;
  }

  override gobbleToken(): Part | false | undefined {
    this.gobbleSpaces();
    const at = this.index;
    if (++this.depth > MAX_DEPTH) this.throwError("It nests too deeply.");
    if (this.isDoubledSign()) this.throwError("There is no operator ++ or --.");
    const token = super.gobbleToken();
    this.depth--;
    if (token) this.places.set(token, at);
    return token;
  }

  override gobbleGroup(): Part {
    this.index++;
    const expression = this.readOne();
    if (this.code !== CLOSING_PARENTHESIS) this.throwError(this.unexpected());
    this.index++;
    return { type: "Group", expression };
  }

  override gobbleArguments(closing: number): Part[] {
    const items: Part[] = [];
    this.gobbleSpaces();
    while (this.code !== closing) {
      items.push(this.readOne());
      if (this.code === COMMA) this.index++;
      else if (this.code !== closing) this.throwError(this.unexpected());
      this.gobbleSpaces();
    }
    this.index++;
    return items;
  }

  override throwError(message: string): never {
    throw new Unreadable(message, this.index);
  }

  /** JavaScript reads `a--b` as a change of `a`, jsep as `a - -b`. */
  private isDoubledSign(): boolean {
    const sign = this.source[this.index];
    return (sign === "-" || sign === "+") && this.source[this.index - 1] === sign;
  }

  private readOne(): Part {
    return this.gobbleExpression() || this.throwError(this.unexpected());
  }

  private unexpected(): string {
    const character = String.fromCodePoint(this.source.codePointAt(this.index) ?? 0);
    return this.index < this.source.length ? `${character} is not expected here.` : "It ends too early.";
  }
}

/** jsep's operators are global in the process, so `in` is registered only while one of our expressions is parsed. */
function withMembership<T>(read: () => T): T {
  const before = jsep.binary_ops.in;
  jsep.addBinaryOp("in", jsep.binary_ops["<"] ?? 7);
  try {
    return read();
  } finally {
    if (before === undefined) jsep.removeBinaryOp("in");
    else jsep.addBinaryOp("in", before);
  }
}
