// Adds descriptions to the OpenAPI document: the meaning of tags, parameters, fields and operations. A description that a
// declaration brings along stays as it is.

import type { RegisteredOperation } from "../../execution/kernel";
import { createETagSourceLookup } from "../../execution/related-operations";
import descriptions from "./descriptions.json";
import { listReasons } from "./list-reasons";
import { getReferenceName, listOperations, type OpenApiDocument } from "./model";

type Descriptions = Readonly<Record<string, string>>;

/**
 * The texts that are written once: tags, parameters (by name, or by `operation.name` if the meaning differs there), types, and fields
 * that mean the same in every type. Callers that may use an operation are described by its target and right (`<reason of its 404>
 * <right>`), or by its name.
 */
const { tags, access, parameters, types, typeEndings, sharedFields } = descriptions as unknown as Readonly<
  Record<Exclude<keyof typeof descriptions, "fields" | "operations">, Descriptions>
>;

/** The descriptions of operations, by name. Operations that do the same share one: `importContent, importChangeRequestContent`. */
export const operationDescriptions: ReadonlyMap<string, string> = new Map(
  Object.entries(descriptions.operations).flatMap(([names, description]) =>
    names.split(", ").map((name) => [name, description] as const),
  ),
);

/** The descriptions of fields by `Type.field`, or by a pattern `Type*.field` in which a star stands for any characters. */
export const fieldDescriptions: Descriptions = Object.assign({}, ...Object.values(descriptions.fields));

interface FieldPattern {
  /** The parts of the name of the type, with any characters between them. */
  readonly typeParts: readonly string[];
  readonly description: string;
}

/** The descriptions with a pattern, by field. The longest pattern comes first. */
const patternsByField = new Map<string, FieldPattern[]>();
for (const [place, description] of Object.entries(fieldDescriptions).sort(([a], [b]) => b.length - a.length)) {
  const [type, field] = place.split(".") as [string, string];
  if (!type.includes("*")) continue;
  patternsByField.set(field, [...(patternsByField.get(field) ?? []), { typeParts: type.split("*"), description }]);
}

/** Adds a description to everything in the document that has none yet. Changes the document. */
export function addDescriptions(document: OpenApiDocument, table: readonly RegisteredOperation[]): void {
  for (const tag of document.tags) tag.description ??= tags[tag.name]!;

  const { schemas } = document.components;
  for (const [type, schema] of Object.entries(schemas)) {
    const [, byEnding] = Object.entries(typeEndings).find(([ending]) => type.endsWith(ending)) ?? [];
    const description = schema.description ?? types[type] ?? byEnding;
    if (description !== undefined) schema.description = description;
    if (!schema.properties) continue;
    const properties = { ...schema.properties };
    for (const [field, property] of Object.entries(properties)) {
      // The place of a field comes first, then a pattern of places, then its name alone, then its type.
      const meaning =
        fieldDescriptions[`${type}.${field}`] ??
        patternsByField.get(field)?.find(({ typeParts }) => hasParts(type, typeParts))?.description ??
        sharedFields[field] ??
        schemas[getReferenceName(property) ?? ""]?.description;
      // A description of a pattern says what the value must be, but not what it means.
      const isPattern = property.description?.startsWith("Must be ") === true;
      const own = isPattern && meaning ? `${meaning} ${property.description}` : (property.description ?? meaning);
      if (own !== undefined) properties[field] = { ...property, description: own };
    }
    schema.properties = properties;
  }

  const findGuard = createETagSourceLookup(table);
  const registeredByName = new Map(table.map((registered) => [registered.name, registered]));
  for (const { operation, pathParameters } of listOperations(document)) {
    for (const parameter of [...pathParameters, ...(operation.parameters ?? [])]) {
      const { name, description: own } = parameter;
      if (name === undefined) continue;
      const description = parameters[`${operation.operationId}.${name}`] ?? parameters[name];
      // The text of all parameters that hold slashes, or a default alone, says too little about this one.
      const saysEnough =
        own !== undefined &&
        !own.startsWith("Can contain slashes") &&
        !own.startsWith("Default:") &&
        !own.startsWith("Defaults to");
      if (!saysEnough && description !== undefined) parameter.description = description;
    }

    const registered = registeredByName.get(operation.operationId)!;
    const { target: on, right } = registered.definition.spec;
    const callers = on.allowsAnonymous
      ? access.open
      : (access[registered.name] ?? access[`${on.notFoundReason} ${right}`]);
    const paragraphs = [operationDescriptions.get(registered.name), callers && `**Access:** ${callers}`].filter(
      (text) => text !== undefined,
    );
    operation.description = paragraphs.join("\n\n");
    operation["x-right"] = right;
    operation["x-access"] = callers;
    operation["x-reasons"] = listReasons(registered, findGuard(registered) !== undefined);
  }
}

/** Returns true if a name has these parts in this order, with any characters between them. Takes linear time. */
function hasParts(name: string, [first, ...others]: readonly string[]): boolean {
  const last = others.pop() ?? "";
  if (!name.startsWith(first!) || !name.endsWith(last)) return false;
  let end = first!.length;
  for (const part of others) {
    const start = name.indexOf(part, end);
    if (start < 0) return false;
    end = start + part.length;
  }
  return end <= name.length - last.length;
}
