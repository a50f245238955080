// From valibot to JSON Schema 2020-12, the dialect of OpenAPI 3.1. Where JSON Schema has no word for a check the
// description is looser than the check; it is never stricter.

import { type ConversionConfig, type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import type { Schema } from "../operation/operation";

/** Describes schemas, and gathers those that have a title: everywhere else they are a reference. */
export interface Schemas {
  /** A value that is sent as JSON, in a body or in an answer, in the form in which it is sent. */
  readonly json: (schema: Schema) => JsonSchema;
  /** A value that is sent as text, in a query, in the form in which it is read. */
  readonly query: (schema: Schema) => JsonSchema;
  /** The schemas that are referred to: those that were given, and those with a title that were found so far. */
  readonly named: () => Record<string, object>;
}

export function createSchemas(given: Readonly<Record<string, object>> = {}): Schemas {
  const known = new Map<string, { readonly schema: Schema; readonly described: string }>();

  function describe(schema: Schema, mode: ConversionConfig): JsonSchema {
    const definitions = titledIn(schema);
    const {
      $schema: _,
      $defs = {},
      ...described
    } = toJsonSchema(schema, {
      target: "draft-2020-12",
      definitions,
      overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
      ...mode,
    });
    for (const [title, definition] of Object.entries($defs)) {
      if (!(title in definitions)) throw new Error("A schema that contains itself needs a title.");
      keep(title, definitions[title]!, JSON.stringify(definition));
    }
    return described;
  }

  function keep(title: string, schema: Schema, described: string): void {
    const { schema: first = schema, described: before = described } = known.get(title) ?? {};
    if (first !== schema || title in given) throw twoWith(title);
    if (before !== described) throw new Error(`The schema "${title}" means one thing in JSON and another in a query.`);
    known.set(title, { schema, described });
  }

  return {
    json: (schema) => describe(schema, asJson()),
    query: (schema) => describeQuery(schema, describe(schema, asQuery)),
    named: () => {
      const titled = [...known].map(([title, { described }]) => [title, JSON.parse(described)] as const);
      return Object.fromEntries([...Object.entries(given), ...titled].sort(([a], [b]) => (a < b ? -1 : 1)));
    },
  };
}

const twoWith = (title: string) =>
  new Error(`Two schemas have the title "${title}": use the same constant in both places, or title them apart.`);

/** The schemas with a title in a schema, itself included. */
function titledIn(schema: Schema): Record<string, Schema> {
  const titled: Record<string, Schema> = {};
  const seen = new Set<Schema>();
  const visit = (it: Schema) => {
    if (seen.has(it)) return;
    seen.add(it);
    const title = v.getTitle(it);
    if (title !== undefined && titled[title] !== undefined) throw twoWith(title);
    if (title !== undefined) titled[title] = it;
    for (const part of [it, ...((it as Composite).pipe ?? [])].flatMap(partsOf)) visit(part);
  };
  visit(schema);
  return titled;
}

/** Where valibot keeps the schemas that a schema is made of. A pipe also has those of its first member. */
interface Composite {
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

function partsOf(schema: Schema): Schema[] {
  const { entries = {}, options = [], items = [], item, rest, key, value, wrapped, getter } = schema as Composite;
  const parts = [...Object.values(entries), ...options, ...items, item, rest, key, value, wrapped, getter?.(undefined)];
  return parts.filter((part): part is Schema => (part as Schema | undefined)?.kind === "schema");
}

/** A check after a transformation is about another value than the one that is sent. */
function asJson(): ConversionConfig {
  let travelling: JsonSchema | undefined;
  return {
    typeMode: "input",
    overrideSchema: ({ valibotSchema, jsonSchema }) => {
      travelling = undefined;
      tidy(valibotSchema as Schema, jsonSchema);
      return undefined;
    },
    overrideAction: (context) => {
      const { kind } = context.valibotAction;
      if (changesValue(context)) travelling ??= { ...context.jsonSchema };
      else if (travelling && kind === "metadata") travelling = { ...context.jsonSchema };
      return travelling ?? describeAction(context);
    },
  };
}

const asQuery: ConversionConfig = {
  typeMode: "output",
  overrideSchema: ({ valibotSchema, jsonSchema }) => {
    tidy(valibotSchema as Schema, jsonSchema);
    return isFlag(jsonSchema) ? { type: "boolean" } : undefined;
  },
  overrideAction: (context) => (changesValue(context) ? context.jsonSchema : describeAction(context)),
};

const isFlag = ({ enum: values }: JsonSchema) =>
  values?.length === 2 && ["true", "false"].every((it) => values.includes(it));

/** A single value may stand for a list of one. A default is given in the form in which it is read. */
function describeQuery(schema: Schema, described: JsonSchema): JsonSchema {
  const { default: asText, ...rest } = described;
  const list = rest.anyOf?.find((option) => typeof option === "object" && option.type === "array");
  const shape = (list as JsonSchema | undefined) ?? rest;
  return asText === undefined ? shape : { ...shape, default: v.parse(schema, undefined) as JsonSchema["default"] };
}

function tidy(schema: Schema, described: JsonSchema): void {
  if (described.required?.length === 0) delete described.required;
  if (schema.type === "literal") described.type = typeof described.const as "string";
}

type Action = Parameters<NonNullable<ConversionConfig["overrideAction"]>>[0];

/** For the type checker alone: the value stays what it is. */
const typesOnly = new Set(["brand", "flavor", "readonly"]);
/** Checks that JSON Schema cannot express. */
const unspoken = new Set(["check", "raw_check", "partial_check", "check_items"]);

function changesValue({ valibotAction: { kind, type } }: Action): boolean {
  return kind === "transformation" && !typesOnly.has(type);
}

/** The actions that the library does not convert, or not as we need it; undefined leaves one to the library. */
function describeAction({ valibotAction: action, jsonSchema }: Action): JsonSchema | undefined {
  if (typesOnly.has(action.type) || unspoken.has(action.type)) return jsonSchema;
  const { requirement } = action as { requirement?: unknown };
  if (action.type === "min_code_points")
    return requirement === 0 ? jsonSchema : { ...jsonSchema, minLength: requirement as number };
  if (action.type === "max_code_points") return { ...jsonSchema, maxLength: requirement as number };
  if (action.type === "regex")
    return withPattern(jsonSchema, requirement as RegExp, (action as { message?: unknown }).message);
  return undefined;
}

/**
 * JSON Schema has one pattern for each schema and no flags. The library has set the pattern if it was the first. Many tools
 * compile patterns without Unicode, where `\p{L}` is the letter p: such a pattern is described in words instead.
 */
function withPattern(schema: JsonSchema, { source, flags }: RegExp, message: unknown): JsonSchema {
  const { pattern, ...rest } = schema;
  const isFirst = pattern === source;
  const unset = isFirst ? rest : schema;
  if (flags !== "" && flags !== "u") return unset;
  if (/\\[pPu]\{/.test(source))
    return typeof message === "string"
      ? { description: message.replace(/^Expected (.*)$/, "Must be $1."), ...unset }
      : unset;
  return isFirst ? schema : { ...schema, allOf: [...(schema.allOf ?? []), { pattern: source }] };
}
