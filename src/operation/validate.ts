// Validates input against its schema and lists what is wrong with it. To JavaScript, and to valibot, an array is an object:
// an empty array passes wherever every member is optional. So arrays are checked here: if an array came in and something
// other than an array came out, an object was expected, and the array is refused.

import * as v from "valibot";
import { DocsError, type Issue } from "../errors";
import { findJsonLimitIssue, truncateForMessage } from "./json-limits";
import type { Schema } from "./operation";

/** The most issues that a response lists. */
export const MAX_ISSUES = 50;

/** Validates a value and returns the output of its schema. Adds the issues to `issues`, with paths below `path`. */
export function validate(schema: Schema, value: unknown, path: string, issues: Issue[]): unknown {
  const result = v.safeParse(schema, value, { abortPipeEarly: true });
  for (const issue of (result.issues ?? []).slice(0, MAX_ISSUES - issues.length))
    issues.push(describeIssue(path, issue));
  const arrayPath = result.success ? findUnexpectedArray(value, result.output, path) : undefined;
  if (arrayPath !== undefined) issues.push({ path: arrayPath, message: "Expected an object, but got an array" });
  return result.output;
}

/** Throws a 400 for JSON from outside that no schema may have: too deep, too many members, a forbidden name. */
export function checkJsonLimits(value: unknown, path: string): void {
  const issue = findJsonLimitIssue(value, path);
  if (issue) throw new DocsError("invalid_request", { issues: [issue] });
}

/** Returns the path of an array in place of an object, or undefined if there is none. */
function findUnexpectedArray(input: unknown, output: unknown, path: string): string | undefined {
  if (input === output || typeof input !== "object" || input === null) return undefined;
  if (typeof output !== "object" || output === null) return undefined;
  if (Array.isArray(input) !== Array.isArray(output)) return Array.isArray(input) ? path : undefined;
  for (const name of Object.keys(input)) {
    const [from, to] = [input, output].map((it) => (it as Readonly<Record<string, unknown>>)[name]);
    const arrayPath = from === to ? undefined : findUnexpectedArray(from, to, `${path}.${name}`);
    if (arrayPath !== undefined) return arrayPath;
  }
  return undefined;
}

/** The names of valibot's types in messages. */
const typeNames: Readonly<Record<string, string>> = {
  Object: "an object",
  Array: "a list",
  string: "text",
  number: "a number",
  boolean: "true or false",
};

function describeIssue(parentPath: string, issue: v.BaseIssue<unknown>): Issue {
  const innerPath = v.getDotPath(issue);
  const fullPath = innerPath === null ? parentPath : `${parentPath}.${innerPath}`;

  // Of a union, only the issue inside the alternative that is meant is of use: an object, if the others are no objects.
  const isObjectOrOther = issue.type === "union" && issue.issues?.some(({ path }) => path === undefined);
  const objectIssue = isObjectOrOther ? issue.issues?.find(({ path }) => path !== undefined) : undefined;
  // To valibot a list is an object, too. A list is meant as a list, if an alternative is one.
  const isList = issue.type === "union" && Array.isArray(issue.input);
  const listIssue = isList ? issue.issues?.find(({ path }) => path?.[0].type === "array") : undefined;
  const meantIssue = listIssue ?? objectIssue;
  if (meantIssue) return describeIssue(fullPath, meantIssue);

  const path = truncateForMessage(fullPath);
  if (issue.type === "strict_object" && issue.expected === "never") return { path, message: "Unknown field." };
  if (issue.type === "variant" && issue.expected !== "Object") {
    // valibot lists the variants as `("page" | "group")`.
    const variants = [...(issue.expected ?? "").matchAll(/"([^"]*)"/g)].map((match) => match[1]!);
    const expectation = `Expected one of: ${[...new Set(variants)].join(", ")}`;
    return { path, message: issue.input === undefined ? `This member is required. ${expectation}` : expectation };
  }
  if (issue.input === undefined) return { path, message: "This field is required." };

  const isDefaultMessage = issue.expected !== null && issue.message.startsWith("Invalid type: ");
  if (!isDefaultMessage) return { path, message: truncateForMessage(issue.message) };
  // valibot names a type as `("read" | "edit")` or `(string | Object)`. The received value is not repeated.
  const tokens = [...issue.expected!.matchAll(/"([^"]*)"|\w+/g)];
  const options = tokens.map(([name, literal]) => literal ?? typeNames[name] ?? name);
  const lastOption = options.pop();
  const expectation = `Expected ${options.length > 0 ? `${options.join(", ")} or ` : ""}${lastOption}`;
  return { path, message: truncateForMessage(expectation) };
}
