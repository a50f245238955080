// Turns source text into a tree of the few things that an expression may hold. Everything else is refused: assignment,
// functions, `new`, `this`, and methods that are not listed.

import type jsep from "jsep";
import { MAX_DEPTH, type Part, readTree, Unreadable } from "./grammar";
import { valuesTakenBy } from "./methods";

const UNARY = ["!", "-", "+"] as const;
const BINARY = [
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

/** An operator before a value. */
export type UnaryOperator = (typeof UNARY)[number];
/** An operator between two values. */
export type BinaryOperator = (typeof BINARY)[number];

/** A parsed expression: plain data, bounded in depth and size. */
export type Expression =
  | { readonly is: "value"; readonly value: string | number | boolean | null }
  | { readonly is: "name"; readonly name: string }
  | { readonly is: "list"; readonly items: readonly Expression[] }
  | { readonly is: "member"; readonly of: Expression; readonly key: Expression; readonly isOptional: boolean }
  | {
      readonly is: "call";
      readonly of: Expression;
      readonly method: string;
      readonly given: readonly Expression[];
      readonly isOptional: boolean;
    }
  | { readonly is: "unary"; readonly operator: UnaryOperator; readonly of: Expression }
  | { readonly is: "binary"; readonly operator: BinaryOperator; readonly left: Expression; readonly right: Expression }
  | { readonly is: "choice"; readonly test: Expression; readonly yes: Expression; readonly no: Expression }
  | { readonly is: "group"; readonly of: Expression };

/** How long the source of an expression may be. */
export const MAX_LENGTH = 1024;
/** How many parts an expression may have. */
export const MAX_PARTS = 256;

/** The expression in a source text, or why there is none: one sentence, and its position. */
export function parseExpression(
  source: string,
): { ok: true; expression: Expression } | { ok: false; message: string; at: number } {
  if (source.length > MAX_LENGTH)
    return { ok: false, message: `An expression has at most ${MAX_LENGTH} characters.`, at: MAX_LENGTH };
  try {
    const { tree, placeOf } = readTree(source);
    return { ok: true, expression: new Admission(placeOf).admit(tree, 1) };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    // jsep goes one beyond the end when the last character of a text literal is a backslash.
    const at = Math.min(error.at, source.length);
    return { ok: false, message: `The expression cannot be read: ${error.message}`, at };
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
const TEXT = /^(?:[^\\\r\n]|\\[^\dux\r\n\u2028\u2029])*$/;
const NUMBER_WITH_LEADING_ZERO = /^0\d/;

/** Accepts what is listed, part by part, and refuses everything else. One is made for each source text. */
class Admission {
  private parts = 0;

  constructor(private readonly placeOf: (part: Part) => number) {}

  /** Nesting counts as depth. The left side of an operator and the object of a member access do not, because `a || b ||
   * c` and `a.b.c` are flat to their author. Those are bounded by the number of parts. */
  admit(part: Part, depth: number): Expression {
    if (++this.parts > MAX_PARTS) this.refuse(part, `It has more than ${MAX_PARTS} parts.`);
    if (depth > MAX_DEPTH) this.refuse(part, "It nests too deeply.");
    const known = part as jsep.CoreExpression | { type: "Group"; expression: Part };
    switch (known.type) {
      case "Literal":
        return this.literal(known);
      case "Identifier":
        if (RESERVED.has(known.name)) this.refuse(part, `${known.name} is not part of expressions.`);
        return { is: "name", name: this.name(known.name, part) };
      case "ArrayExpression":
        return { is: "list", items: known.elements.map((item) => this.admit(item!, depth + 1)) };
      case "MemberExpression":
        return this.member(known, depth);
      case "CallExpression":
        return this.call(known, depth);
      case "UnaryExpression":
        return { is: "unary", operator: this.operator(UNARY, known), of: this.admit(known.argument, depth + 1) };
      case "BinaryExpression":
        return this.binary(known, depth);
      case "ConditionalExpression":
        return {
          is: "choice",
          test: this.admit(known.test, depth + 1),
          yes: this.admit(known.consequent, depth + 1),
          no: this.admit(known.alternate, depth + 1),
        };
      case "Group":
        return { is: "group", of: this.admit(known.expression as Part, depth + 1) };
      default:
        return this.refuse(
          part,
          part.type === "ThisExpression" ? "There is no this." : "This is not part of expressions.",
        );
    }
  }

  private literal(part: jsep.Literal): Expression {
    const { value, raw } = part;
    if (typeof value === "string" && !TEXT.test(raw))
      this.refuse(part, "Write the character itself: escapes with numbers and line breaks are not read.");
    if (typeof value === "number" && NUMBER_WITH_LEADING_ZERO.test(raw))
      this.refuse(part, "A number does not begin with 0.");
    if (typeof value === "object" && value !== null) this.refuse(part, "This is not part of expressions.");
    return { is: "value", value: value as string | number | boolean | null };
  }

  private member(part: jsep.MemberExpression, depth: number): Expression {
    const of = this.admit(part.object, depth);
    const key: Expression = part.computed
      ? this.admit(part.property, depth + 1)
      : { is: "value", value: this.name((part.property as jsep.Identifier).name, part) };
    return { is: "member", of, key, isOptional: part.optional === true };
  }

  private call(part: jsep.CallExpression, depth: number): Expression {
    const callee = part.callee as jsep.MemberExpression;
    if (callee.type !== "MemberExpression" || callee.computed || part.optional)
      this.refuse(part, "Only the methods of texts and lists can be called, by their name.");
    const method = (callee.property as jsep.Identifier).name;
    const takes = valuesTakenBy(method);
    if (takes === undefined) this.refuse(part, `There is no method ${method}.`);
    if (part.arguments.length !== takes) this.refuse(part, `${method} takes ${takes === 0 ? "nothing" : "one value"}.`);
    const of = this.admit(callee.object, depth);
    const given = part.arguments.map((it) => this.admit(it, depth + 1));
    return { is: "call", of, method, given, isOptional: callee.optional === true };
  }

  private binary(part: jsep.BinaryExpression, depth: number): Expression {
    const operator = this.operator(BINARY, part);
    const operands = [part.left, part.right].map((it) => it.operator);
    const isMixed =
      operator === "??"
        ? operands.includes("||") || operands.includes("&&")
        : (operator === "||" || operator === "&&") && operands.includes("??");
    if (isMixed) this.refuse(part, "Put parentheses where ?? meets || or &&.");
    return { is: "binary", operator, left: this.admit(part.left, depth), right: this.admit(part.right, depth + 1) };
  }

  private operator<T extends string>(known: readonly T[], part: Part & { operator: string }): T {
    const operator = known.find((it) => it === part.operator);
    return operator ?? this.refuse(part, `There is no operator ${part.operator}.`);
  }

  /** A character that only looks like a space would become part of a name, and the name would silently be unknown. */
  private name(name: string, part: Part): string {
    return NAME.test(name) ? name : this.refuse(part, `${JSON.stringify(name)} is not a name.`);
  }

  private refuse(part: Part, message: string): never {
    throw new Unreadable(message, this.placeOf(part));
  }
}
