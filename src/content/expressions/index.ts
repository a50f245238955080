// Expressions: conditions of pages and blocks, and values inside a text. Their authors are not trusted, so they are parsed
// and walked over plain data, never run as code.

import { evaluate, type Scope } from "./evaluate";
import { parseExpression } from "./parse";
import { ExpressionFailed } from "./values";

export { evaluate, type Scope } from "./evaluate";
export { type Expression, parseExpression } from "./parse";
export { ExpressionFailed } from "./values";

/** Whether a condition is met: an empty one is, one that cannot be read or fails is not. */
export function conditionHolds(source: string | undefined, scope: Scope): boolean {
  return source === undefined || source.trim() === "" || Boolean(valueOrNothing(source, scope));
}

/** An expression's value as text; nothing for what has no plain text, cannot be read or fails. */
export function valueText(source: string, scope: Scope): string {
  const value = valueOrNothing(source, scope);
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : "";
}

function valueOrNothing(source: string, scope: Scope): unknown {
  const parsed = parseExpression(source);
  if (!parsed.ok) return undefined;
  try {
    return evaluate(parsed.expression, scope);
  } catch (error) {
    if (error instanceof ExpressionFailed) return undefined;
    throw error;
  }
}
