// Expressions: conditions of pages and blocks, and values inside a text. Their authors are not trusted, so expressions are parsed and
// evaluated over plain data, never run as code.

import { type ExpressionScope, evaluateExpression } from "./evaluate";
import { parseExpression } from "./parse";
import { ExpressionError } from "./values";

export { type ExpressionScope, evaluateExpression } from "./evaluate";
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
