// What somebody sent, held against its shape, with everything that is wrong about it. A list is an object to JavaScript, and to
// the library that checks shapes: an empty one passes wherever every member is optional. Here it is told apart, by what became
// of it: a list that came out as something else was none that was asked for.

import * as v from "valibot";
import { DocsError, type Issue } from "../errors";
import type { Schema } from "../operation";
import { unusableName } from "./names";

/** A value by its shape; what is wrong is added to `issues`, with paths below `at`. */
export function check(schema: Schema, value: unknown, at: string, issues: Issue[]): unknown {
  const result = v.safeParse(schema, value, { abortPipeEarly: true });
  for (const issue of result.issues ?? []) issues.push(describe(at, issue));
  const list = result.success ? listForObject(value, result.output, at) : undefined;
  if (list !== undefined) issues.push({ path: list, message: "Expected an object, and not a list" });
  return result.output;
}

/** JSON that came in another way than as a body, looked at as a body is; throws 400 with the paths below `at`. */
export function checkedJson<Shape extends v.GenericSchema>(
  shape: Shape,
  value: unknown,
  at: string,
): v.InferOutput<Shape> {
  const unusable = unusableName(value, at);
  const issues: Issue[] = unusable === undefined ? [] : [{ path: unusable, message: "This name cannot be used." }];
  const output = issues.length === 0 ? check(shape, value, at, issues) : undefined;
  if (issues.length > 0) throw new DocsError("invalid_request", { issues });
  return output as v.InferOutput<Shape>;
}

/** Where a list stands in the place of an object, as a path below `at`; undefined: nowhere. */
function listForObject(given: unknown, checked: unknown, at: string): string | undefined {
  if (given === checked || typeof given !== "object" || given === null) return undefined;
  if (typeof checked !== "object" || checked === null) return undefined;
  if (Array.isArray(given) !== Array.isArray(checked)) return Array.isArray(given) ? at : undefined;
  for (const [name, value] of Object.entries(given)) {
    const found = listForObject(value, (checked as Readonly<Record<string, unknown>>)[name], `${at}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function describe(at: string, issue: v.BaseIssue<unknown>): Issue {
  const inside = v.getDotPath(issue);
  const path = inside === null ? at : `${at}.${inside}`;
  if (issue.type === "strict_object" && issue.expected === "never")
    return { path, message: "This member is not known here." };
  if (issue.input === undefined) return { path, message: "This member is required." };
  return { path, message: issue.message };
}
