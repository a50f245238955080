// Parses source text into a tree of the few things that an expression may have. Everything else is rejected: assignment, functions, `new`,
// `this`, and methods that are not listed.

import jsep from "jsep";
import { METHODS } from "./methods";

const UNARY_OPERATORS = ["!", "-", "+"] as const;
const BINARY_OPERATORS = [
  "||",
  "&&",
  "??",
  "==",
  "!=",
  "===",
  "!==",
  "<",
  "<=",
  ">",
  ">=",
  "in",
  "+",
  "-",
  "*",
  "/",
  "%",
] as const;

/** A parsed expression: plain data, bounded in depth and size. */
export type Expression =
  | { readonly type: "value"; readonly value: string | number | boolean | null }
  | { readonly type: "name"; readonly name: string }
  | { readonly type: "list"; readonly items: readonly Expression[] }
  | { readonly type: "member"; readonly object: Expression; readonly key: Expression; readonly isOptional: boolean }
  | {
      readonly type: "call";
      readonly object: Expression;
      readonly method: string;
      readonly arguments: readonly Expression[];
      readonly isOptional: boolean;
    }
  | { readonly type: "unary"; readonly operator: (typeof UNARY_OPERATORS)[number]; readonly operand: Expression }
  | {
      readonly type: "binary";
      readonly operator: (typeof BINARY_OPERATORS)[number];
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly type: "conditional";
      readonly test: Expression;
      readonly consequent: Expression;
      readonly alternate: Expression;
    }
  | { readonly type: "group"; readonly content: Expression };

/** The most characters of an expression's source. */
export const MAX_EXPRESSION_LENGTH = 1024;
export const MAX_EXPRESSION_PARTS = 256;

/** Returns the expression in a source text, or the error in it: one sentence, and its position. */
export function parseExpression(
  source: string,
): { ok: true; expression: Expression } | { ok: false; message: string; position: number } {
  if (source.length > MAX_EXPRESSION_LENGTH)
    return {
      ok: false,
      message: `An expression can have at most ${MAX_EXPRESSION_LENGTH} characters.`,
      position: MAX_EXPRESSION_LENGTH,
    };
  try {
    const { tree, getPosition } = parseSyntaxTree(source);
    return { ok: true, expression: new TreeConverter(getPosition).convert(tree, 1) };
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error;
    // jsep goes one beyond the end if the last character of a text literal is a backslash.
    const position = Math.min(error.position, source.length);
    return { ok: false, message: `Syntax error in the expression: ${error.message}`, position };
  }
}

/** Words of JavaScript that are never the name of a value. */
const RESERVED = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends " +
    "finally for function if implements import in instanceof interface let new package private protected public return " +
    "static super switch throw try typeof var void while with yield"
  ).split(" "),
);
const NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
/** A text literal whose escapes mean here what they mean in JavaScript. */
const TEXT_LITERAL = /^(?:[^\\\r\n]|\\[^\dux\r\n\u2028\u2029])*$/;
const NUMBER_WITH_LEADING_ZERO = /^0\d/;

/** Converts the tree of one source text, node by node. It rejects everything that is not listed. */
class TreeConverter {
  private parts = 0;

  constructor(private readonly getPosition: (node: SyntaxNode) => number) {}

  /**
   * Converts a node. Nesting counts as depth. The left side of an operator and the object of a member access do not, because
   * `a || b || c` and `a.b.c` are flat to their author. The number of parts bounds those.
   */
  convert(node: SyntaxNode, depth: number): Expression {
    if (++this.parts > MAX_EXPRESSION_PARTS) this.reject(node, `It has more than ${MAX_EXPRESSION_PARTS} parts.`);
    if (depth > MAX_EXPRESSION_DEPTH) this.reject(node, "It nests too deeply.");
    const known = node as jsep.CoreExpression | { type: "Group"; expression: SyntaxNode };
    switch (known.type) {
      case "Literal":
        return this.convertLiteral(known);
      case "Identifier":
        if (RESERVED.has(known.name)) this.reject(node, `${known.name} is not part of expressions.`);
        return { type: "name", name: this.checkName(known.name, node) };
      case "ArrayExpression":
        return { type: "list", items: known.elements.map((item) => this.convert(item!, depth + 1)) };
      case "MemberExpression": {
        const object = this.convert(known.object, depth);
        const key: Expression = known.computed
          ? this.convert(known.property, depth + 1)
          : { type: "value", value: this.checkName((known.property as jsep.Identifier).name, known) };
        return { type: "member", object, key, isOptional: known.optional === true };
      }
      case "CallExpression":
        return this.convertCall(known, depth);
      case "UnaryExpression": {
        const operator = this.checkOperator(UNARY_OPERATORS, known);
        return { type: "unary", operator, operand: this.convert(known.argument, depth + 1) };
      }
      case "BinaryExpression":
        return this.convertBinary(known, depth);
      case "ConditionalExpression":
        return {
          type: "conditional",
          test: this.convert(known.test, depth + 1),
          consequent: this.convert(known.consequent, depth + 1),
          alternate: this.convert(known.alternate, depth + 1),
        };
      case "Group":
        return { type: "group", content: this.convert(known.expression as SyntaxNode, depth + 1) };
      default:
        return this.reject(
          node,
          node.type === "ThisExpression" ? "There is no this." : "This is not part of expressions.",
        );
    }
  }

  private convertLiteral(node: jsep.Literal): Expression {
    const { value, raw } = node;
    if (typeof value === "string" && !TEXT_LITERAL.test(raw))
      this.reject(node, "Write the character itself: escapes with numbers and line breaks are not read.");
    if (typeof value === "number" && NUMBER_WITH_LEADING_ZERO.test(raw))
      this.reject(node, "A number does not begin with 0.");
    if (typeof value === "object" && value !== null) this.reject(node, "This is not part of expressions.");
    return { type: "value", value: value as string | number | boolean | null };
  }

  private convertCall(node: jsep.CallExpression, depth: number): Expression {
    const callee = node.callee as jsep.MemberExpression;
    if (callee.type !== "MemberExpression" || callee.computed || node.optional)
      this.reject(node, "Only the methods of texts and lists can be called, by their name.");
    const method = (callee.property as jsep.Identifier).name;
    const arity = METHODS.get(method)?.arity;
    if (arity === undefined) this.reject(node, `There is no method ${method}.`);
    if (node.arguments.length !== arity) this.reject(node, `${method} takes ${arity === 0 ? "nothing" : "one value"}.`);
    const object = this.convert(callee.object, depth);
    const converted = node.arguments.map((argument) => this.convert(argument, depth + 1));
    return { type: "call", object, method, arguments: converted, isOptional: callee.optional === true };
  }

  private convertBinary(node: jsep.BinaryExpression, depth: number): Expression {
    const operator = this.checkOperator(BINARY_OPERATORS, node);
    const operands = [node.left, node.right].map((operand) => operand.operator);
    const isMixed =
      operator === "??"
        ? operands.includes("||") || operands.includes("&&")
        : (operator === "||" || operator === "&&") && operands.includes("??");
    if (isMixed) this.reject(node, "Put parentheses where ?? meets || or &&.");
    return {
      type: "binary",
      operator,
      left: this.convert(node.left, depth),
      right: this.convert(node.right, depth + 1),
    };
  }

  private checkOperator<T extends string>(operators: readonly T[], node: SyntaxNode & { operator: string }): T {
    const operator = operators.find((it) => it === node.operator);
    return operator ?? this.reject(node, `There is no operator ${node.operator}.`);
  }

  /** A character that only looks like a space would become part of a name, and the name would silently be unknown. */
  private checkName(name: string, node: SyntaxNode): string {
    return NAME.test(name) ? name : this.reject(node, `${JSON.stringify(name)} is not a name.`);
  }

  private reject(node: SyntaxNode, message: string): never {
    throw new ExpressionSyntaxError(message, this.getPosition(node));
  }
}

// Parses the syntax of expressions with jsep, made strict: exactly one expression, whose nodes have positions and never nest without limit.

/** An expression that cannot be parsed, and the position of the error in its source. */
class ExpressionSyntaxError extends Error {
  constructor(
    message: string,
    readonly position: number,
  ) {
    super(message);
  }
}

/** A node of an expression as jsep returns it. The type `Group` is ours, for parentheses. */
type SyntaxNode = jsep.Expression;

/** The deepest nesting of an expression. */
const MAX_EXPRESSION_DEPTH = 32;

/** Parses a source text. Returns its tree, and a function for the positions of its nodes. */
function parseSyntaxTree(source: string): { tree: SyntaxNode; getPosition: (node: SyntaxNode) => number } {
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
