// Walks a parsed expression and computes its value, as JavaScript would, over plain data only. It makes no code, and
// every text that it makes is bounded.

import { callMethod } from "./methods";
import type { BinaryOperator, Expression, UnaryOperator } from "./parse";
import { bounded, hasKey, memberOf, ownValue, type Primitive, primitive } from "./values";

/** What an expression may name: `space.vars`, `page.vars`, `visitor.claims`. */
export interface Scope {
  readonly space?: { readonly vars?: object };
  readonly page?: { readonly vars?: object };
  readonly visitor?: { readonly claims?: object };
}

/** The value of an expression; throws ExpressionFailed for a real error. */
export function evaluate(expression: Expression, scope: Scope): unknown {
  return boundedIfText(resultOf(expression, scope));
}

/** The value of `a?.b.c` when there is no `a`: the whole chain ends, not only its first link. */
const ENDED = Symbol("ended");

function resultOf(expression: Expression, scope: Scope): unknown {
  const value = linkOf(expression, scope);
  return value === ENDED ? undefined : value;
}

function linkOf(expression: Expression, scope: Scope): unknown {
  switch (expression.is) {
    case "value":
      return expression.value;
    case "name":
      return ownValue(scope, expression.name);
    case "list":
      return expression.items.map((item) => resultOf(item, scope));
    case "member": {
      const of = objectOf(expression, scope);
      return of === ENDED ? ENDED : memberOf(of, resultOf(expression.key, scope));
    }
    case "call": {
      const of = objectOf(expression, scope);
      return of === ENDED ? ENDED : called(of, expression, scope);
    }
    case "unary":
      return unary(expression.operator, resultOf(expression.of, scope));
    case "binary":
      return binary(expression, scope);
    case "choice":
      return resultOf(resultOf(expression.test, scope) ? expression.yes : expression.no, scope);
    case "group":
      return resultOf(expression.of, scope);
  }
}

function objectOf({ of, isOptional }: { of: Expression; isOptional: boolean }, scope: Scope): unknown {
  const object = linkOf(of, scope);
  return isOptional && (object === undefined || object === null) ? ENDED : object;
}

function called(of: unknown, { method, given }: Extract<Expression, { is: "call" }>, scope: Scope): unknown {
  return boundedIfText(callMethod(of, method, given[0] && resultOf(given[0], scope)));
}

function unary(operator: UnaryOperator, value: unknown): unknown {
  if (operator === "!") return !value;
  const number = Number(primitive(value));
  return operator === "-" ? -number : number;
}

function binary({ operator, left, right }: Extract<Expression, { is: "binary" }>, scope: Scope): unknown {
  const first = resultOf(left, scope);
  if (operator === "&&") return first && resultOf(right, scope);
  if (operator === "||") return first || resultOf(right, scope);
  if (operator === "??") return first ?? resultOf(right, scope);
  return combined(operator, first, resultOf(right, scope));
}

function combined(operator: BinaryOperator, left: unknown, right: unknown): unknown {
  switch (operator) {
    case "===":
      return left === right;
    case "!==":
      return left !== right;
    case "==":
      return looselyEqual(left, right);
    case "!=":
      return !looselyEqual(left, right);
    case "in":
      return hasKey(right, left);
    default:
      return calculated(operator, primitive(left), primitive(right));
  }
}

/** Two values that JavaScript may convert to each other. A list or an object is equal only to itself. */
function looselyEqual(left: unknown, right: unknown): boolean {
  if (typeof left === "object" && left !== null) return left === right;
  if (typeof right === "object" && right !== null) return false;
  // biome-ignore lint/suspicious/noDoubleEquals: this is the meaning of == in an expression
  return left == right;
}

function calculated(operator: BinaryOperator, left: Primitive, right: Primitive): unknown {
  // JavaScript's own rules apply to values that are not objects; the compiler expects numbers here.
  const [a, b] = [left as number, right as number];
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
      return boundedIfText(a + b);
  }
}

function boundedIfText(value: unknown): unknown {
  return typeof value === "string" ? bounded(value) : value;
}
