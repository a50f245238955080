// Converts valibot schemas to JSON Schema 2020-12, the dialect of OpenAPI 3.1. If JSON Schema cannot express a check, the
// description is looser than the check; it is never stricter.

import { type ConversionConfig, type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import type { Schema } from "../operation/operation";

/** Describes schemas. It collects the schemas that have a title, and refers to them everywhere else. */
export interface SchemaRegistry {
  /** Describes a value that is sent as JSON, in a body or in a response, in the form in which it is sent. */
  readonly describeJson: (schema: Schema) => JsonSchema;
  /** Describes a value that is sent as text, in a query, in the form in which it is read. */
  readonly describeQuery: (schema: Schema) => JsonSchema;
  /** Returns the schemas that descriptions refer to: the given ones, and those with a title that were found so far. */
  readonly getNamedSchemas: () => Record<string, object>;
}

export function createSchemaRegistry(given: Readonly<Record<string, object>> = {}): SchemaRegistry {
  const known = new Map<string, { readonly schema: Schema; readonly description: string }>();

  function describe(schema: Schema, mode: ConversionConfig): JsonSchema {
    const definitions = collectTitledSchemas(schema);
    const {
      $schema: _,
      $defs = {},
      ...description
    } = toJsonSchema(schema, {
      target: "draft-2020-12",
      definitions,
      overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
      ...mode,
    });

    for (const [title, definition] of Object.entries($defs)) {
      const titled = definitions[title];
      if (!titled) throw new Error("A schema that contains itself needs a title.");
      const entry = { schema: titled, description: JSON.stringify(definition) };
      const first = known.get(title) ?? entry;
      if (first.schema !== titled || title in given) throw createDuplicateTitleError(title);
      if (first.description !== entry.description)
        throw new Error(`The schema "${title}" means one thing in JSON and another in a query.`);
      known.set(title, entry);
    }
    return description;
  }

  return {
    describeJson(schema) {
      // A description stops at a transformation, because later checks are about another value than the one that is sent.
      let sentSchema: JsonSchema | undefined;
      return describe(schema, {
        typeMode: "input",
        overrideSchema: ({ valibotSchema, jsonSchema }) => {
          sentSchema = undefined;
          correctDescription(valibotSchema as Schema, jsonSchema);
          return undefined;
        },
        overrideAction: (context) => {
          const { kind } = context.valibotAction;
          if (isTransformation(context)) sentSchema ??= { ...context.jsonSchema };
          else if (sentSchema && kind === "metadata") sentSchema = { ...context.jsonSchema };
          return sentSchema ?? describeAction(context);
        },
      });
    },
    describeQuery(schema) {
      const { default: defaultText, ...description } = describe(schema, queryConversion);
      // A single value may stand for a list of one.
      const list = description.anyOf?.find((option) => typeof option === "object" && option.type === "array");
      const shown = (list as JsonSchema | undefined) ?? description;
      if (defaultText === undefined) return shown;
      // A default is shown in the form in which it is read.
      return { ...shown, default: v.parse(schema, undefined) as JsonSchema["default"] };
    },
    getNamedSchemas() {
      const titled = [...known].map(([title, { description }]) => [title, JSON.parse(description)] as const);
      return Object.fromEntries([...Object.entries(given), ...titled].sort(([a], [b]) => (a < b ? -1 : 1)));
    },
  };
}

function createDuplicateTitleError(title: string): Error {
  return new Error(`Two schemas have the title "${title}": use the same constant in both places, or title them apart.`);
}

/** The members in which valibot holds the schemas that a schema consists of. A pipe also has those of its first member. */
interface CompositeSchema {
  readonly pipe?: readonly Schema[];
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly options?: readonly unknown[];
  readonly items?: readonly unknown[];
  readonly item?: unknown;
  readonly rest?: unknown;
  readonly key?: unknown;
  readonly value?: unknown;
  readonly wrapped?: unknown;
  readonly getter?: (input: undefined) => unknown;
}

/** Returns the schemas with a title inside a schema, including itself, by their titles. */
function collectTitledSchemas(schema: Schema): Record<string, Schema> {
  const titled: Record<string, Schema> = {};
  const visited = new Set<Schema>();
  const visit = (part: Schema) => {
    if (visited.has(part)) return;
    visited.add(part);
    const title = v.getTitle(part);
    if (title !== undefined && titled[title] !== undefined) throw createDuplicateTitleError(title);
    if (title !== undefined) titled[title] = part;

    const composite = part as CompositeSchema;
    for (const member of [composite, ...((composite.pipe ?? []) as readonly CompositeSchema[])]) {
      const { entries = {}, options = [], items = [], item, rest, key, value, wrapped, getter } = member;
      const members = [...Object.values(entries), ...options, ...items, item, rest, key, value, wrapped];
      for (const inner of [...members, getter?.(undefined)] as (Schema | undefined)[])
        if (inner?.kind === "schema") visit(inner);
    }
  };
  visit(schema);
  return titled;
}

const queryConversion: ConversionConfig = {
  typeMode: "output",
  overrideSchema: ({ valibotSchema, jsonSchema }) => {
    correctDescription(valibotSchema as Schema, jsonSchema);
    const { enum: values } = jsonSchema;
    const isFlag = values?.length === 2 && values.includes("true") && values.includes("false");
    return isFlag ? { type: "boolean" } : undefined;
  },
  overrideAction: (context) => (isTransformation(context) ? context.jsonSchema : describeAction(context)),
};

/** Corrects a description in place: the library writes empty lists of required fields, and literals without a type. */
function correctDescription(schema: Schema, description: JsonSchema): void {
  if (description.required?.length === 0) delete description.required;
  if (schema.type === "literal") description.type = typeof description.const as "string";
}

type ActionContext = Parameters<NonNullable<ConversionConfig["overrideAction"]>>[0];

/** Actions for the type checker alone: the value stays the same. */
const TYPE_ACTIONS = new Set(["brand", "flavor", "readonly"]);
/** Checks that JSON Schema cannot express. */
const INEXPRESSIBLE_CHECKS = new Set(["check", "raw_check", "partial_check", "check_items"]);

function isTransformation({ valibotAction: { kind, type } }: ActionContext): boolean {
  return kind === "transformation" && !TYPE_ACTIONS.has(type);
}

/** Describes the actions that the library does not convert as needed. Returns undefined to leave an action to the library. */
function describeAction({ valibotAction: action, jsonSchema }: ActionContext): JsonSchema | undefined {
  if (TYPE_ACTIONS.has(action.type) || INEXPRESSIBLE_CHECKS.has(action.type)) return jsonSchema;

  const { requirement, message } = action as { requirement?: unknown; message?: unknown };
  if (action.type === "min_code_points")
    return requirement === 0 ? jsonSchema : { ...jsonSchema, minLength: requirement as number };
  if (action.type === "max_code_points") return { ...jsonSchema, maxLength: requirement as number };
  if (action.type !== "regex") return undefined;

  // JSON Schema has one pattern for each schema, and no flags. The library has set this pattern if it was the first.
  const { source, flags } = requirement as RegExp;
  const { pattern, ...rest } = jsonSchema;
  const isFirst = pattern === source;
  const withoutPattern = isFirst ? rest : jsonSchema;
  if (flags !== "" && flags !== "u") return withoutPattern;
  // Many tools compile patterns without Unicode, and read `\p{L}` as the letter p. The message describes such a pattern.
  if (/\\[pPu]\{/.test(source))
    return typeof message === "string"
      ? { description: message.replace(/^Expected (.*)$/, "Must be $1."), ...withoutPattern }
      : withoutPattern;
  return isFirst ? jsonSchema : { ...jsonSchema, allOf: [...(jsonSchema.allOf ?? []), { pattern: source }] };
}
