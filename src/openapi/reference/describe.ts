// Puts words into the OpenAPI document: what tags, parameters, fields and operations mean. What a declaration says of itself
// stays as it is.

import { guardsIn } from "../../execution/guards";
import type { RegisteredOperation } from "../../execution/kernel";
import { type Described, type DescribedParameter, type OpenApi, operationsIn } from "./names";
import { reasonsOf } from "./reasons";
import { access } from "./words/access";
import { contentFields } from "./words/content-fields";
import { integrationFields } from "./words/integration-fields";
import { libraryFields } from "./words/library-fields";
import { parameterWords } from "./words/parameters";
import { peopleFields } from "./words/people-fields";
import { sharedFields } from "./words/shared-fields";
import { siteFields } from "./words/site-fields";
import { tags } from "./words/tags";
import { typeWords } from "./words/types";

const byPlace = { ...peopleFields, ...libraryFields, ...contentFields, ...siteFields, ...integrationFields };

interface Rule {
  /** What the name of the type is made of, with any letters between. */
  readonly parts: readonly string[];
  readonly words: string;
}

/** `Type*.field`: the star stands for any letters. By field; what names more letters goes first. */
const rules = new Map<string, Rule[]>();
for (const [place, words] of Object.entries(byPlace).sort(([a], [b]) => b.length - a.length)) {
  const [type, field] = place.split(".") as [string, string];
  if (!type.includes("*")) continue;
  rules.set(field, [...(rules.get(field) ?? []), { parts: type.split("*"), words }]);
}

/** Whether a name has these parts in this order, with any letters between them. */
function hasParts(name: string, [first, ...others]: readonly string[]): boolean {
  const last = others.pop() ?? "";
  if (!name.startsWith(first!) || !name.endsWith(last)) return false;
  let at = first!.length;
  for (const part of others) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
}

/** What a field of a type means: by its place, then by a pattern of places, then by its name alone. */
export function meaningOfField(type: string, field: string): string | undefined {
  const known = byPlace[`${type}.${field}`];
  if (known !== undefined) return known;
  return rules.get(field)?.find(({ parts }) => hasParts(type, parts))?.words ?? sharedFields[field];
}

/** Who may use an operation. */
export function whoMay({ name, operation: { spec } }: RegisteredOperation): string | undefined {
  if (spec.on.open) return access.open;
  return access[name] ?? access[`${spec.on.absent} ${spec.right}`];
}

/** Describes everything in the document that says nothing of itself yet. */
export function describe(document: OpenApi, table: readonly RegisteredOperation[]): void {
  for (const tag of document.tags) tag.description ??= tags[tag.name]!;
  const { schemas } = document.components;
  for (const [name, schema] of Object.entries(schemas)) {
    const words = schema.description ?? typeWords(name);
    if (words !== undefined) schema.description = words;
    if (schema.properties) schema.properties = describedFields(name, schema.properties, schemas);
  }
  const guardOf = guardsIn(table);
  const byName = new Map(table.map((named) => [named.name, named]));
  for (const { operation, ofPath } of operationsIn(document)) {
    const named = byName.get(operation.operationId)!;
    for (const parameter of [...ofPath, ...(operation.parameters ?? [])])
      describeParameter(parameter, operation.operationId);
    const who = whoMay(named);
    const more = [operation.description, who && `**Who may:** ${who}`].filter((text) => text !== undefined);
    operation.description = more.join("\n\n");
    operation["x-right"] = named.operation.spec.right;
    operation["x-access"] = who;
    operation["x-reasons"] = reasonsOf(named, guardOf(named) !== undefined);
  }
}

function describedFields(type: string, fields: Record<string, Described>, schemas: Record<string, Described>) {
  return Object.fromEntries(
    Object.entries(fields).map(([field, schema]) => {
      const ofType = schemas[schema.$ref?.split("/").at(-1) ?? ""]?.description;
      const meaning = meaningOfField(type, field) ?? ofType;
      // A pattern that is told in words says what a value must be, and not what it means.
      const isPattern = schema.description?.startsWith("Must be ") === true;
      const words = isPattern && meaning ? `${meaning} ${schema.description}` : (schema.description ?? meaning);
      return [field, words === undefined ? schema : { ...schema, description: words }];
    }),
  );
}

function describeParameter(parameter: DescribedParameter, operationId: string): void {
  const { name } = parameter;
  if (name === undefined) return;
  const words = parameterWords[`${operationId}.${name}`] ?? parameterWords[name];
  const own = parameter.description;
  // What is said of all parameters that hold slashes, or of a default alone, says too little of this one.
  if (own === undefined || own.startsWith("May hold slashes") || own.startsWith("Default:")) {
    if (words !== undefined) parameter.description = words;
  }
}
