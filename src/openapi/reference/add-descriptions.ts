// Adds descriptions to the OpenAPI document: the meaning of tags, parameters, fields and operations. A description that a
// declaration brings along stays as it is.

import type { RegisteredOperation } from "../../execution/kernel";
import { createETagSourceLookup } from "../../execution/related-operations";
import { accessDescriptions } from "./descriptions/access";
import { contentFieldDescriptions } from "./descriptions/content-fields";
import { integrationFieldDescriptions } from "./descriptions/integration-fields";
import { libraryFieldDescriptions } from "./descriptions/library-fields";
import { parameterDescriptions } from "./descriptions/parameters";
import { peopleFieldDescriptions } from "./descriptions/people-fields";
import { sharedFieldDescriptions } from "./descriptions/shared-fields";
import { siteFieldDescriptions } from "./descriptions/site-fields";
import { tagDescriptions } from "./descriptions/tags";
import { typeDescriptions, typeDescriptionsByEnding } from "./descriptions/types";
import { listReasons } from "./list-reasons";
import { getReferenceName, listOperations, type OpenApiDocument } from "./model";

/** The descriptions of fields by `Type.field`, or by a pattern `Type*.field` in which a star stands for any characters. */
const fieldDescriptions: Readonly<Record<string, string>> = {
  ...peopleFieldDescriptions,
  ...libraryFieldDescriptions,
  ...contentFieldDescriptions,
  ...siteFieldDescriptions,
  ...integrationFieldDescriptions,
};

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
  for (const tag of document.tags) tag.description ??= tagDescriptions[tag.name]!;

  const { schemas } = document.components;
  for (const [type, schema] of Object.entries(schemas)) {
    const [, byEnding] = Object.entries(typeDescriptionsByEnding).find(([ending]) => type.endsWith(ending)) ?? [];
    const description = schema.description ?? typeDescriptions[type] ?? byEnding;
    if (description !== undefined) schema.description = description;
    if (!schema.properties) continue;
    const properties = { ...schema.properties };
    for (const [field, property] of Object.entries(properties)) {
      // The place of a field comes first, then a pattern of places, then its name alone, then its type.
      const meaning =
        fieldDescriptions[`${type}.${field}`] ??
        patternsByField.get(field)?.find(({ typeParts }) => hasParts(type, typeParts))?.description ??
        sharedFieldDescriptions[field] ??
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
      const description = parameterDescriptions[`${operation.operationId}.${name}`] ?? parameterDescriptions[name];
      // The text of all parameters that hold slashes, or a default alone, says too little about this one.
      const saysEnough = own !== undefined && !own.startsWith("May hold slashes") && !own.startsWith("Default:");
      if (!saysEnough && description !== undefined) parameter.description = description;
    }

    const registered = registeredByName.get(operation.operationId)!;
    const { target: on, right } = registered.definition.spec;
    const access = on.allowsAnonymous
      ? accessDescriptions.open
      : (accessDescriptions[registered.name] ?? accessDescriptions[`${on.notFoundReason} ${right}`]);
    const paragraphs = [operation.description, access && `**Who may:** ${access}`].filter((text) => text !== undefined);
    operation.description = paragraphs.join("\n\n");
    operation["x-right"] = right;
    operation["x-access"] = access;
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
