// Parses the syntax of expressions with jsep, made strict: exactly one expression, whose nodes have positions and never nest without limit.

import jsep from "jsep";

/** An expression that cannot be parsed, and the position of the error in its source. */
export class ExpressionSyntaxError extends Error {
  constructor(
    message: string,
    readonly position: number,
  ) {
    super(message);
  }
}

/** A node of an expression as jsep returns it. The type `Group` is ours, for parentheses. */
export type SyntaxNode = jsep.Expression;

/** The deepest nesting of an expression. */
export const MAX_EXPRESSION_DEPTH = 32;

/** Parses a source text. Returns its tree, and a function for the positions of its nodes. */
export function parseSyntaxTree(source: string): { tree: SyntaxNode; getPosition: (node: SyntaxNode) => number } {
  const parser = new StrictParser(source);
  // jsep's operators are global in the process, so `in` is registered only while one of our expressions is parsed.
  const precedenceBefore = jsep.binary_ops.in;
  jsep.addBinaryOp("in", jsep.binary_ops["<"] ?? 7);
  try {
    return { tree: parser.parseAll(), getPosition: (node) => parser.getPosition(node) };
  } finally {
    if (precedenceBefore === undefined) jsep.removeBinaryOp("in");
    else jsep.addBinaryOp("in", precedenceBefore);
  }
}

/** The members of jsep's parser for those who extend it. Its own declarations omit the class. */
interface JsepParser {
  index: number;
  readonly code: number;
  gobbleSpaces(): void;
  gobbleExpression(): SyntaxNode | false | undefined;
  gobbleToken(): SyntaxNode | false | undefined;
  gobbleGroup(): SyntaxNode;
  gobbleArguments(closing: number): SyntaxNode[];
  throwError(message: string): never;
}

const { Jsep } = jsep as unknown as { Jsep: new (source: string) => JsepParser };

const COMMA = ",".charCodeAt(0);
const CLOSING_PARENTHESIS = ")".charCodeAt(0);

/** jsep itself adds missing commas and reads several expressions as one. Here a comma is required. */
class StrictParser extends Jsep {
  private readonly positions = new Map<SyntaxNode, number>();
  private depth = 0;

  constructor(private readonly source: string) {
    super(source);
  }

  parseAll(): SyntaxNode {
    const tree = this.parseOne();
    if (this.index < this.source.length) this.throwUnexpected();
    return tree;
  }

  /** Returns the position of a node. A binary or conditional expression begins where its first value does. */
  getPosition(node: SyntaxNode): number {
    let first: SyntaxNode | undefined = node;
    while (first && !this.positions.has(first)) first = (first.left ?? first.test) as SyntaxNode | undefined;
    return (first && this.positions.get(first)) ?? 0;
  }

  override gobbleToken(): SyntaxNode | false | undefined {
    this.gobbleSpaces();
    const position = this.index;
    if (++this.depth > MAX_EXPRESSION_DEPTH) this.throwError("It nests too deeply.");
    // JavaScript reads `a--b` as a change of `a`, jsep as `a - -b`.
    const sign = this.source[position];
    if ((sign === "-" || sign === "+") && this.source[position - 1] === sign)
      this.throwError("There is no operator ++ or --.");
    const token = super.gobbleToken();
    this.depth--;
    if (token) this.positions.set(token, position);
    return token;
  }

  override gobbleGroup(): SyntaxNode {
    this.index++;
    const expression = this.parseOne();
    if (this.code !== CLOSING_PARENTHESIS) this.throwUnexpected();
    this.index++;
    return { type: "Group", expression };
  }

  override gobbleArguments(closing: number): SyntaxNode[] {
    const items: SyntaxNode[] = [];
    this.gobbleSpaces();
    while (this.code !== closing) {
      items.push(this.parseOne());
      if (this.code === COMMA) this.index++;
      else if (this.code !== closing) this.throwUnexpected();
      this.gobbleSpaces();
    }
    this.index++;
    return items;
  }

  override throwError(message: string): never {
    throw new ExpressionSyntaxError(message, this.index);
  }

  private parseOne(): SyntaxNode {
    return this.gobbleExpression() || this.throwUnexpected();
  }

  private throwUnexpected(): never {
    const character = String.fromCodePoint(this.source.codePointAt(this.index) ?? 0);
    return this.throwError(
      this.index < this.source.length ? `${character} is not expected here.` : "It ends too early.",
    );
  }
}
