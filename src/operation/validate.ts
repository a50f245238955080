// Checks input against its shape, and lists what is wrong with it. To JavaScript, and to valibot, a list is an object:
// an empty list passes wherever every field is optional. So lists are checked here: if a list came in and something
// other than a list came out, an object was expected, and the list is refused.

import * as v from "valibot";
import { DocsError, type Issue } from "../errors";
import { findJsonLimitIssue, truncateForMessage } from "./json-limits";
import type { Schema } from "./operation";

/** The most issues that an answer lists. */
export const MAX_ISSUES = 50;

/** Checks a value against its shape. What is wrong is added to `issues`, with paths below `at`. */
export function validate(schema: Schema, value: unknown, at: string, issues: Issue[]): unknown {
  const result = v.safeParse(schema, value, { abortPipeEarly: true });
  const told = (result.issues ?? []).slice(0, MAX_ISSUES - issues.length);
  for (const issue of told) issues.push(describe(at, issue));
  const list = result.success ? listForObject(value, result.output, at) : undefined;
  if (list !== undefined) issues.push({ path: list, message: "Expected an object, and not a list" });
  return result.output;
}

/** Checks JSON that did not come as a body in the same way as a body. Throws 400 with the paths below `at`. */
export function validateJson<Shape extends v.GenericSchema>(
  shape: Shape,
  value: unknown,
  at: string,
): v.InferOutput<Shape> {
  checkJsonLimits(value, at);
  const issues: Issue[] = [];
  const output = validate(shape, value, at, issues);
  if (issues.length > 0) throw new DocsError("invalid_request", { issues });
  return output as v.InferOutput<Shape>;
}

/** Throws 400 for JSON from outside that no shape may have: too deep, too many fields, a forbidden name. */
export function checkJsonLimits(value: unknown, at: string): void {
  const flaw = findJsonLimitIssue(value, at);
  if (flaw) throw new DocsError("invalid_request", { issues: [flaw] });
}

/** The path of a list that stands where an object was expected; undefined when there is none. */
function listForObject(given: unknown, checked: unknown, at: string): string | undefined {
  if (given === checked || typeof given !== "object" || given === null) return undefined;
  if (typeof checked !== "object" || checked === null) return undefined;
  if (Array.isArray(given) !== Array.isArray(checked)) return Array.isArray(given) ? at : undefined;
  for (const name of Object.keys(given)) {
    const [from, to] = [given, checked].map((it) => (it as Readonly<Record<string, unknown>>)[name]);
    const found = from === to ? undefined : listForObject(from, to, `${at}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function describe(at: string, issue: v.BaseIssue<unknown>): Issue {
  const inside = v.getDotPath(issue);
  const here = inside === null ? at : `${at}.${inside}`;
  const inner = issueInside(issue);
  if (inner) return describe(here, inner);
  const path = truncateForMessage(here);
  if (issue.type === "strict_object" && issue.expected === "never")
    return { path, message: "This member is not known here." };
  if (issue.type === "variant" && issue.expected !== "Object") {
    const kinds = `Expected one of: ${kindsIn(issue.expected ?? "")}`;
    return { path, message: issue.input === undefined ? `This member is required. ${kinds}` : kinds };
  }
  if (issue.input === undefined) return { path, message: "This member is required." };
  return { path, message: truncateForMessage(isUntold(issue) ? expectationOf(issue.expected!) : issue.message) };
}

/** The issue inside the one alternative of a union that a value is meant as: an object, where the others are no objects. */
function issueInside({ type, issues }: v.BaseIssue<unknown>): v.BaseIssue<unknown> | undefined {
  const isOther = type === "union" && issues?.some(({ path }) => path === undefined);
  return isOther ? issues?.find(({ path }) => path !== undefined) : undefined;
}

/** Whether a shape says nothing of its own about a wrong type, so that valibot's message stands there. */
function isUntold({ message, expected }: v.BaseIssue<unknown>): boolean {
  return expected !== null && message.startsWith("Invalid type: ");
}

/** What valibot calls the types, in words. */
const types: Readonly<Record<string, string>> = {
  Object: "an object",
  Array: "a list",
  string: "text",
  number: "a number",
  boolean: "true or false",
};

/** What was expected, out of valibot's `("read" | "edit")` or `(string | Object)`. What was received is not repeated. */
function expectationOf(expected: string): string {
  const options = [...expected.matchAll(/"([^"]*)"|\w+/g)].map(([name, literal]) => literal ?? types[name] ?? name);
  const last = options.pop();
  return `Expected ${options.length > 0 ? `${options.join(", ")} or ` : ""}${last}`;
}

/** The kinds of a variant, out of valibot's `("page" | "group")`. */
function kindsIn(expected: string): string {
  return [...new Set([...expected.matchAll(/"([^"]*)"/g)].map((match) => match[1]!))].join(", ");
}
