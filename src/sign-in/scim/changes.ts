// Changes of a resource by PATCH, in the forms that the large providers send them: with a path or without one, with names
// of parts as keys, with filters in paths, and with removed values beside the path. Attributes that we do not keep are
// passed over.

import { MESSAGE, ScimError } from "./answers";
import { type Filter, type FilterBudget, type Path, passes, readPath } from "./filter";

/** One change of a request. */
export interface Change {
  readonly op: "add" | "replace" | "remove";
  readonly path: Path;
  readonly value: unknown;
}

export type Attributes = Readonly<Record<string, unknown>>;

const MOST = 1000;

export function isObject(value: unknown): value is Attributes {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A member of an object, by its name in any case. */
export function memberIn(value: Attributes, name: string): unknown {
  const wanted = name.toLowerCase();
  return Object.entries(value).find(([key]) => key.toLowerCase() === wanted)?.[1];
}

/** The changes of a PATCH, each with a path. */
export function changesIn(body: unknown): Change[] {
  const operations = isObject(body) ? memberIn(body, "Operations") : undefined;
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > MOST)
    throw new ScimError(400, `Expected a ${MESSAGE}:PatchOp with 1 to ${MOST} operations.`, "invalidSyntax");
  return operations.flatMap(changesOf);
}

function changesOf(operation: unknown): Change[] {
  const given = isObject(operation) ? operation : {};
  const op = String(memberIn(given, "op")).toLowerCase();
  if (op !== "add" && op !== "replace" && op !== "remove")
    throw new ScimError(400, "An operation is add, replace or remove.", "invalidSyntax");
  const value = memberIn(given, "value");
  const path = memberIn(given, "path");
  if (typeof path === "string" && path !== "") return [{ op, path: readPath(path), value }];
  if (op === "remove") throw new ScimError(400, "A removal needs a `path`.", "noTarget");
  if (!isObject(value)) throw new ScimError(400, "An operation without a path needs an object.", "invalidValue");
  return Object.entries(value).map(([name, member]) => ({ op, path: readPath(name), value: member }));
}

export function noTarget(attribute: string): ScimError {
  return new ScimError(400, `No value of \`${attribute}\` matches the filter of the path.`, "noTarget");
}

/**
 * Refuses changes of the attributes that clients can't set. Setting one to what it is already is accepted, because some
 * providers send whole resources back.
 */
export function checkReadOnly(changes: readonly Change[], resource: Attributes): void {
  for (const { op, path, value } of changes) {
    const known = memberIn(resource, path.attribute);
    if (known === undefined) continue;
    const current = path.part === undefined ? known : isObject(known) ? memberIn(known, path.part) : undefined;
    const isKept = path.attribute.toLowerCase() === "schemas" ? hasSchemas(value, known) : isIncluded(value, current);
    if (op === "remove" || path.filter || !isKept)
      throw new ScimError(400, `\`${path.attribute}\` is read-only.`, "mutability");
  }
}

/** Whether schemas are those of a resource, and extensions of them. Their attributes are passed over like others that we do not keep. */
function hasSchemas(value: unknown, current: unknown): boolean {
  if (!Array.isArray(value)) return false;
  const named = value.filter((it) => !/^urn:ietf:params:scim:schemas:extension:/i.test(String(it)));
  return isIncluded(named, current);
}

/** Whether an attribute has a value already. Parts that the value doesn't name don't matter. */
function isIncluded(value: unknown, current: unknown): boolean {
  if (Array.isArray(value) && Array.isArray(current))
    return value.length === current.length && value.every((it, i) => isIncluded(it, current[i]));
  if (isObject(value) && isObject(current))
    return Object.entries(value).every(([name, it]) => isIncluded(it, memberIn(current, name)));
  return value === current;
}

/** The attributes after a change. `names` are those that are kept. */
export function changed(
  attributes: Attributes,
  { op, path, value }: Change,
  names: readonly string[],
  budget: FilterBudget,
): Attributes {
  const name = names.find((known) => known.toLowerCase() === path.attribute.toLowerCase());
  if (name === undefined) return attributes;
  const { [name]: before, ...others } = attributes;
  budget.take(before, path.filter);
  const after =
    path.filter || path.part !== undefined ? changedInside(before, op, path, value) : changedWhole(before, op, value);
  return after === undefined ? others : { ...others, [name]: after };
}

function changedWhole(before: unknown, op: Change["op"], value: unknown): unknown {
  if (op === "remove") return Array.isArray(before) && value !== undefined ? withoutValues(before, value) : undefined;
  if (op === "add" && Array.isArray(before)) return [...withoutValues(before, value), ...[value].flat()];
  // A replaced object keeps the parts that were not sent: that is how providers mean it.
  return isObject(before) && isObject(value) ? { ...before, ...value } : value;
}

function withoutValues(before: readonly unknown[], value: unknown): unknown[] {
  const gone = new Set([value].flat().map(knownBy));
  return before.filter((it) => !gone.has(knownBy(it)));
}

/** What a value of many is known by. */
export function knownBy(it: unknown): unknown {
  return isObject(it) ? memberIn(it, "value") : it;
}

function changedInside(before: unknown, op: Change["op"], path: Path, value: unknown): unknown {
  if (isObject(before) && !path.filter) return withPart(before, op, path.part!, value);
  const values = Array.isArray(before) ? before.filter(isObject) : [];
  const isMeant = (it: Attributes) => !path.filter || passes(it, path.filter);
  const { part } = path;
  if (op === "remove" && part === undefined) return values.filter((it) => !isMeant(it));
  if (values.some(isMeant)) {
    const next = (it: Attributes) =>
      part === undefined ? { ...it, ...(isObject(value) ? value : { value }) } : withPart(it, op, part, value);
    return values.map((it) => (isMeant(it) ? next(it) : it));
  }
  if (op === "remove") return before;
  if (op === "replace" && path.filter) throw noTarget(path.attribute);
  const made = { ...impliedBy(path.filter), ...(part === undefined ? (isObject(value) ? value : { value }) : {}) };
  const whole = part === undefined ? made : { ...made, [part]: value };
  return Array.isArray(before) || path.filter ? [...values, whole] : whole;
}

function withPart(it: Attributes, op: Change["op"], part: string, value: unknown): Attributes {
  const others = Object.fromEntries(Object.entries(it).filter(([key]) => key.toLowerCase() !== part.toLowerCase()));
  return op === "remove" ? others : { ...others, [part]: value };
}

/** What a new value must be to pass a filter: `type eq "work"` gives `{ type: "work" }`. */
function impliedBy(filter: Filter | undefined): Attributes {
  if (filter?.kind === "and") return Object.assign({}, ...filter.all.map(impliedBy));
  return filter?.kind === "compare" && filter.by === "eq" ? { [filter.path.join(".")]: filter.to } : {};
}
