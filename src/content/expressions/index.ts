// Expressions: conditions of pages and blocks, and values inside a text. Their authors are not trusted, so expressions are parsed and
// evaluated over plain data, never run as code.

import { FORBIDDEN_NAMES } from "../../utils/objects";
import { METHODS } from "./methods";
import { type Expression, parseExpression } from "./parse";
import { ExpressionError, getMember, getOwnValue, MAX_TEXT_CHARACTERS, toPrimitive } from "./values";

export { type Expression, parseExpression } from "./parse";
export { ExpressionError } from "./values";

/** Checks that a condition is met. An empty one is; one that cannot be parsed or fails is not. */
export function isConditionMet(source: string | undefined, scope: ExpressionScope): boolean {
  return source === undefined || source.trim() === "" || Boolean(tryEvaluate(source, scope));
}

/** Returns the value of an expression as text. The text is empty if the value has no plain text, or if the expression cannot be parsed or fails. */
export function evaluateToText(source: string, scope: ExpressionScope): string {
  const value = tryEvaluate(source, scope);
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : "";
}

function tryEvaluate(source: string, scope: ExpressionScope): unknown {
  const parsed = parseExpression(source);
  if (!parsed.ok) return undefined;
  try {
    return evaluateExpression(parsed.expression, scope);
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}

// Evaluates parsed expressions as JavaScript would, over plain data only. It runs no code, and the length of every text that it creates is
// bounded.

/** The names that an expression may use: `space.vars`, `page.vars`, `visitor.claims`. */
export interface ExpressionScope {
  readonly space?: { readonly vars?: object };
  readonly page?: { readonly vars?: object };
  readonly visitor?: { readonly claims?: object };
}

/** Returns the value of an expression. Throws an `ExpressionError` for a real error. */
export function evaluateExpression(expression: Expression, scope: ExpressionScope): unknown {
  return checkIfText(evaluate(expression, scope));
}

/** The value of `a?.b.c` if there is no `a`: the whole chain ends, not only its first link. */
const CHAIN_END = Symbol("chain end");

function evaluate(expression: Expression, scope: ExpressionScope): unknown {
  const value = evaluateLink(expression, scope);
  return value === CHAIN_END ? undefined : value;
}

/** Evaluates an expression that may be a link of an optional chain. */
function evaluateLink(expression: Expression, scope: ExpressionScope): unknown {
  switch (expression.type) {
    case "value":
      return expression.value;
    case "name":
      return getOwnValue(scope, expression.name);
    case "list":
      return expression.items.map((item) => evaluate(item, scope));
    case "member": {
      const object = evaluateObject(expression, scope);
      return object === CHAIN_END ? CHAIN_END : getMember(object, evaluate(expression.key, scope));
    }
    case "call": {
      const object = evaluateObject(expression, scope);
      if (object === CHAIN_END) return CHAIN_END;
      const [argument] = expression.arguments;
      const value = argument && evaluate(argument, scope);
      const method = METHODS.get(expression.method);
      if (typeof object === "string" && method) return checkIfText(method.callOnText(object, value));
      if (Array.isArray(object) && method?.callOnList) return checkIfText(method.callOnList(object, value));
      throw new ExpressionError(`${expression.method} is not a method of this value.`);
    }
    case "unary": {
      const operator = expression.operator;
      const value = evaluate(expression.operand, scope);
      if (operator === "!") return !value;
      const number = Number(toPrimitive(value));
      return operator === "-" ? -number : number;
    }
    case "binary": {
      const { operator } = expression;
      const left = evaluate(expression.left, scope);
      if (operator === "&&") return left && evaluate(expression.right, scope);
      if (operator === "||") return left || evaluate(expression.right, scope);
      if (operator === "??") return left ?? evaluate(expression.right, scope);
      const right = evaluate(expression.right, scope);
      switch (operator) {
        case "===":
          return left === right;
        case "!==":
          return left !== right;
        case "==":
        case "!=": {
          // JavaScript may convert the values to each other. A list or an object is equal only to itself.
          const hasObject = [left, right].some((value) => typeof value === "object" && value !== null);
          // biome-ignore lint/suspicious/noDoubleEquals: this is the meaning of == in an expression
          return (hasObject ? left === right : left == right) === (operator === "==");
        }
        case "in": {
          if (typeof right !== "object" || right === null)
            throw new ExpressionError("in looks into a list or an object.");
          const name = String(toPrimitive(left));
          return !FORBIDDEN_NAMES.has(name) && Object.hasOwn(right, name);
        }
      }
      // JavaScript's own rules apply to values that are not objects; the compiler expects numbers here.
      const [a, b] = [toPrimitive(left) as number, toPrimitive(right) as number];
      switch (operator) {
        case "<":
          return a < b;
        case "<=":
          return a <= b;
        case ">":
          return a > b;
        case ">=":
          return a >= b;
        case "-":
          return a - b;
        case "*":
          return a * b;
        case "/":
          return a / b;
        case "%":
          return a % b;
        default:
          return checkIfText(a + b);
      }
    }
    case "conditional":
      return evaluate(evaluate(expression.test, scope) ? expression.consequent : expression.alternate, scope);
    case "group":
      return evaluate(expression.content, scope);
  }
}

function evaluateObject(
  { object, isOptional }: Extract<Expression, { type: "member" | "call" }>,
  scope: ExpressionScope,
): unknown {
  const value = evaluateLink(object, scope);
  return isOptional && (value === undefined || value === null) ? CHAIN_END : value;
}

/** Returns a value. A text must not be too long. */
function checkIfText(value: unknown): unknown {
  if (typeof value === "string" && value.length > MAX_TEXT_CHARACTERS)
    throw new ExpressionError(`A text is longer than ${MAX_TEXT_CHARACTERS} characters.`);
  return value;
}
