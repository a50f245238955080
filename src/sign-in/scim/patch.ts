// Patch operations (RFC 7644, section 3.5.2) in the forms that the large directories send: with a path or without one, with
// names of sub-attributes as keys, with filters in paths, and with removed values beside the path. Attributes that aren't
// stored are ignored.

import { isJsonObject } from "../../utils/objects";
import { type FilterBudget, matchesFilter, type PatchPath, parsePatchPath, type ScimFilter } from "./filter";
import { MESSAGE_SCHEMA, ScimError } from "./protocol";

export interface PatchOperation {
  readonly op: "add" | "replace" | "remove";
  readonly path: PatchPath;
  readonly value: unknown;
}

export type ScimAttributes = Readonly<Record<string, unknown>>;

const MAX_OPERATIONS = 1000;
const EXTENSION_SCHEMA = /^urn:ietf:params:scim:schemas:extension:/i;

/** Returns an attribute by its name, without regard to case. */
export function getScimAttribute(attributes: ScimAttributes, name: string): unknown {
  const lowerCaseName = name.toLowerCase();
  return Object.entries(attributes).find(([key]) => key.toLowerCase() === lowerCaseName)?.[1];
}

/** Parses the body of a PATCH. An operation without a path becomes one operation for each of its attributes. */
export function parsePatchOperations(body: unknown): PatchOperation[] {
  const operations = isJsonObject(body) ? getScimAttribute(body, "Operations") : undefined;
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > MAX_OPERATIONS)
    throw new ScimError(
      400,
      `Expected a ${MESSAGE_SCHEMA}:PatchOp with 1 to ${MAX_OPERATIONS} operations.`,
      "invalidSyntax",
    );
  return operations.flatMap((operation: unknown): PatchOperation[] => {
    const attributes = isJsonObject(operation) ? operation : {};
    const op = String(getScimAttribute(attributes, "op")).toLowerCase();
    if (op !== "add" && op !== "replace" && op !== "remove")
      throw new ScimError(400, "An operation is add, replace or remove.", "invalidSyntax");
    const value = getScimAttribute(attributes, "value");
    const path = getScimAttribute(attributes, "path");
    if (typeof path === "string" && path !== "") return [{ op, path: parsePatchPath(path), value }];
    if (op === "remove") throw new ScimError(400, "A removal needs a `path`.", "noTarget");
    if (!isJsonObject(value)) throw new ScimError(400, "An operation without a path needs an object.", "invalidValue");
    return Object.entries(value).map(([name, member]) => ({ op, path: parsePatchPath(name), value: member }));
  });
}

export function createNoTargetError(attribute: string): ScimError {
  return new ScimError(400, `No value of \`${attribute}\` matches the filter of the path.`, "noTarget");
}

/**
 * Refuses operations on the read-only attributes of a resource. Setting one to its current value is accepted, because some
 * directories send complete resources back.
 */
export function checkReadOnly(operations: readonly PatchOperation[], resource: ScimAttributes): void {
  for (const { op, path, value } of operations) {
    const attribute = getScimAttribute(resource, path.attribute);
    if (attribute === undefined) continue;
    const { subAttribute } = path;
    const current =
      subAttribute === undefined
        ? attribute
        : isJsonObject(attribute)
          ? getScimAttribute(attribute, subAttribute)
          : undefined;
    // Schema extensions don't count, because their attributes are ignored.
    const isUnchanged =
      path.attribute.toLowerCase() === "schemas"
        ? Array.isArray(value) &&
          isIncluded(
            value.filter((it) => !EXTENSION_SCHEMA.test(String(it))),
            attribute,
          )
        : isIncluded(value, current);
    if (op === "remove" || path.filter || !isUnchanged)
      throw new ScimError(400, `\`${path.attribute}\` is read-only.`, "mutability");
  }
}

/** Checks whether a value is part of the current one. Attributes that the value doesn't name aren't compared. */
function isIncluded(value: unknown, current: unknown): boolean {
  if (Array.isArray(value) && Array.isArray(current))
    return value.length === current.length && value.every((it, i) => isIncluded(it, current[i]));
  if (isJsonObject(value) && isJsonObject(current))
    return Object.entries(value).every(([name, it]) => isIncluded(it, getScimAttribute(current, name)));
  return value === current;
}

/** Returns the attributes after an operation. Attributes that `names` doesn't list are ignored. */
export function applyPatchOperation(
  attributes: ScimAttributes,
  { op, path, value }: PatchOperation,
  names: readonly string[],
  budget: FilterBudget,
): ScimAttributes {
  const name = names.find((it) => it.toLowerCase() === path.attribute.toLowerCase());
  if (name === undefined) return attributes;
  const { [name]: before, ...others } = attributes;
  budget.take(before, path.filter);
  let after: unknown;
  if (path.filter || path.subAttribute !== undefined) after = patchSelectedValues(before, op, path, value);
  else if (op === "remove")
    after = Array.isArray(before) && value !== undefined ? removeValues(before, value) : undefined;
  else if (op === "add" && Array.isArray(before)) after = [...removeValues(before, value), ...[value].flat()];
  // A replaced object keeps the sub-attributes that weren't sent, as directories expect.
  else after = isJsonObject(before) && isJsonObject(value) ? { ...before, ...value } : value;
  return after === undefined ? others : { ...others, [name]: after };
}

function removeValues(before: readonly unknown[], value: unknown): unknown[] {
  const removed = new Set([value].flat().map(getElementValue));
  return before.filter((it) => !removed.has(getElementValue(it)));
}

/** Returns the `value` of an element of a multi-valued attribute, which identifies it. */
export function getElementValue(element: unknown): unknown {
  return isJsonObject(element) ? getScimAttribute(element, "value") : element;
}

/** Applies an operation to a sub-attribute, or to the values of a multi-valued attribute that match the filter. */
function patchSelectedValues(before: unknown, op: PatchOperation["op"], path: PatchPath, value: unknown): unknown {
  const { filter, subAttribute } = path;
  if (isJsonObject(before) && !filter) return patchSubAttribute(before, op, subAttribute!, value);
  const elements = Array.isArray(before) ? before.filter(isJsonObject) : [];
  const isSelected = (element: ScimAttributes) => !filter || matchesFilter(element, filter);
  const newAttributes = isJsonObject(value) ? value : { value };

  if (op === "remove" && subAttribute === undefined) return elements.filter((it) => !isSelected(it));
  if (elements.some(isSelected))
    return elements.map((element) => {
      if (!isSelected(element)) return element;
      return subAttribute === undefined
        ? { ...element, ...newAttributes }
        : patchSubAttribute(element, op, subAttribute, value);
    });
  if (op === "remove") return before;
  if (op === "replace" && filter) throw createNoTargetError(path.attribute);

  // No element is selected: the value is added as one that matches the filter.
  const ownAttributes = subAttribute === undefined ? newAttributes : { [subAttribute]: value };
  const added = { ...getFilterAttributes(filter), ...ownAttributes };
  return Array.isArray(before) || filter ? [...elements, added] : added;
}

function patchSubAttribute(
  attributes: ScimAttributes,
  op: PatchOperation["op"],
  name: string,
  value: unknown,
): ScimAttributes {
  const others = Object.fromEntries(
    Object.entries(attributes).filter(([key]) => key.toLowerCase() !== name.toLowerCase()),
  );
  return op === "remove" ? others : { ...others, [name]: value };
}

/** Returns the attributes that a new value needs to match a filter: `type eq "work"` gives `{ type: "work" }`. */
function getFilterAttributes(filter: ScimFilter | undefined): ScimAttributes {
  if (filter?.kind === "and") return Object.assign({}, ...filter.filters.map(getFilterAttributes));
  return filter?.kind === "compare" && filter.operator === "eq" ? { [filter.path.join(".")]: filter.value } : {};
}
