// Names the schemas of the OpenAPI document that have no title, so that a generated client has a name for every type: bodies,
// responses, lists, objects inside objects, and the variants of a union.

import { JSON_MEDIA_TYPE, listOperations, type OpenApiDocument, type SchemaObject } from "./model";

const SCHEMA_PREFIX = "#/components/schemas/";

/** Names of the types of fields whose usual name is taken or says too little. */
const FIELD_TYPE_NAMES: Readonly<Record<string, string>> = {
  "Comment.body": "CommentText",
  "Error.error": "ErrorDetails",
  "ErrorDetails.issues": "ErrorIssues",
  "IntegrationConfigurationSchemaWithProperties.properties": "IntegrationConfigurationSetting",
};

/** Moves every object and every union to the named schemas, and leaves a reference in its place. Changes the document. */
export function nameSchemas(document: OpenApiDocument): void {
  const { schemas } = document.components;

  /** Names everything inside a schema, and the schema as well if it needs a name. Returns its replacement. */
  function nameSchema(schema: SchemaObject, name: string): SchemaObject {
    const named = nameInnerSchemas(schema, name);
    // Objects with known fields, and unions of several things, need a name.
    const options = [...(named.anyOf ?? []), ...(named.oneOf ?? [])].filter(({ type }) => type !== "null");
    const needsName = named.$ref === undefined && (named.properties !== undefined || options.length > 1);
    if (!needsName) return named;

    const existing = schemas[name];
    if (existing !== undefined && JSON.stringify(existing) !== JSON.stringify(named))
      throw new Error(`Two schemas are named "${name}": give one of them a title.`);
    schemas[name] = named;
    return { $ref: SCHEMA_PREFIX + name };
  }

  function nameInnerSchemas(schema: SchemaObject, name: string): SchemaObject {
    const copy = { ...schema };
    if (schema.properties) {
      const fields = Object.entries(schema.properties).map(([field, property]) => {
        const fieldType = FIELD_TYPE_NAMES[`${name}.${field}`] ?? name + toPascalCase(field);
        return [field, nameSchema(property, fieldType)] as const;
      });
      copy.properties = Object.fromEntries(fields);
    }
    if (schema.items) {
      // The items of `ContentChangesPages` are named `ContentChangesPage`.
      let itemName = `${name}Item`;
      if (name.endsWith("s") && !name.endsWith("ss")) itemName = name.slice(0, -1);
      if (name.endsWith("ies")) itemName = `${name.slice(0, -3)}y`;
      copy.items = nameSchema(schema.items, itemName);
    }
    if (typeof schema.additionalProperties === "object")
      copy.additionalProperties = nameSchema(schema.additionalProperties, `${name}Value`);
    for (const kind of ["anyOf", "oneOf"] as const) {
      if (!schema[kind]) continue;
      const options = flattenUnion(schema[kind], kind);
      // The only option besides null takes the name of the union.
      const isAlone = options.filter(({ type }) => type !== "null").length === 1;
      copy[kind] = options.map((option) => nameSchema(option, isAlone ? name : name + getVariantName(option, options)));
    }
    return copy;
  }

  for (const { operation } of listOperations(document)) {
    const operationName = toPascalCase(operation.operationId);
    const body = operation.requestBody?.content?.[JSON_MEDIA_TYPE];
    if (body?.schema) body.schema = nameSchema(body.schema, `${operationName}Body`);

    for (const [status, response] of Object.entries(operation.responses)) {
      const content = status.startsWith("2") ? response.content?.[JSON_MEDIA_TYPE] : undefined;
      if (!content?.schema) continue;
      const { items, count, stats } = content.schema.properties ?? {};
      const item = items?.items?.$ref?.slice(SCHEMA_PREFIX.length);
      const isPlainList = item !== undefined && count && !stats;
      content.schema = nameSchema(content.schema, isPlainList ? `${item}List` : `${operationName}Answer`);
    }
  }
  for (const [name, schema] of Object.entries(schemas)) schemas[name] = nameInnerSchemas(schema, name);
  document.components.schemas = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Converts `list-teams` and `listTeams` to `ListTeams`. */
function toPascalCase(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("");
}

function flattenUnion(options: readonly SchemaObject[], kind: "anyOf" | "oneOf"): SchemaObject[] {
  return options.flatMap((option) => {
    const isUnion = option[kind] !== undefined && Object.keys(option).length === 1;
    return isUnion ? flattenUnion(option[kind]!, kind) : [option];
  });
}

/** Returns the part of a name that tells an option of a union from the others. */
function getVariantName(option: SchemaObject, options: readonly SchemaObject[]): string {
  const others = options.filter((other) => other !== option);
  const fields = Object.entries(option.properties ?? {});

  // Best is the value of a field that is fixed to another value, or to none, in the others.
  const constant = fields.find(
    ([field, { const: value }]) =>
      typeof value === "string" && others.every((other) => other.properties?.[field]?.const !== value),
  );
  if (constant) return toPascalCase(constant[1].const as string);

  const ownField = fields.find(([field]) => others.every((other) => other.properties?.[field] === undefined));
  if (ownField) return `With${toPascalCase(ownField[0])}`;

  const values = fields.find(([, { enum: values }]) => values !== undefined)?.[1].enum ?? [];
  return values.length === 0 ? "Empty" : values.map((value) => toPascalCase(String(value))).join("Or");
}
