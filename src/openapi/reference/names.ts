// Names for the schemas of the OpenAPI document that have none of their own, so that a generated client has a name for every
// type: bodies, answers, lists, objects inside objects, and the variants of a union.

/** A schema of the document. Only what is looked at is typed. */
export interface Described {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Described>;
  required?: string[];
  additionalProperties?: Described | boolean;
  items?: Described;
  prefixItems?: Described[];
  anyOf?: Described[];
  oneOf?: Described[];
  allOf?: Described[];
  const?: unknown;
  enum?: unknown[];
  [more: string]: unknown;
}

interface Content {
  readonly content?: Record<string, { schema?: Described; example?: unknown }>;
}

/** An operation of the document. */
export interface DescribedOperation {
  readonly operationId: string;
  readonly tags: string[];
  readonly summary: string;
  description?: string;
  readonly parameters?: DescribedParameter[];
  readonly requestBody?: Content;
  readonly responses: Record<string, Content & { readonly $ref?: string }>;
  [more: string]: unknown;
}

export interface DescribedParameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  description?: string;
  readonly schema?: Described;
  [more: string]: unknown;
}

/** The document as it is before and after it is named. */
export interface OpenApi {
  readonly info: { description: string; [more: string]: unknown };
  readonly tags: { name: string; description?: string }[];
  readonly paths: Record<string, Record<string, unknown>>;
  readonly components: { schemas: Record<string, Described>; [more: string]: unknown };
  [more: string]: unknown;
}

const JSON_TYPE = "application/json";
const prefix = "#/components/schemas/";

/** `list-teams` and `listTeams` are both `ListTeams`. */
export function pascal(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("");
}

/** The operations of a document, with their paths and methods. */
export function operationsIn(document: Pick<OpenApi, "paths">) {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== "parameters")
      .map(([method, operation]) => ({
        path,
        method: method.toUpperCase(),
        operation: operation as DescribedOperation,
        ofPath: (item.parameters ?? []) as DescribedParameter[],
      })),
  );
}

/** Gives every object a name: it moves to the named schemas, and a reference is left where it was. */
export function nameSchemas(document: OpenApi): void {
  const { schemas } = document.components;

  /** A schema under a name; the same schema may come twice, another one must not. */
  function keep(name: string, schema: Described): Described {
    const before = schemas[name];
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(schema))
      throw new Error(`Two schemas are named "${name}": give one of them a title.`);
    schemas[name] = schema;
    return { $ref: prefix + name };
  }

  /** The schema with everything inside it named after it; itself, too, when it is an object. */
  function named(schema: Described, name: string): Described {
    const inner = inside(schema, name);
    return isNameable(inner) ? keep(name, inner) : inner;
  }

  function inside(schema: Described, name: string): Described {
    const copy = { ...schema };
    if (schema.properties)
      copy.properties = mapped(schema.properties, (it, field) => named(it, fieldName(name, field)));
    if (schema.items) copy.items = named(schema.items, itemName(name));
    if (typeof schema.additionalProperties === "object")
      copy.additionalProperties = named(schema.additionalProperties, `${name}Value`);
    for (const kind of ["anyOf", "oneOf"] as const)
      if (schema[kind]) copy[kind] = variants(flat(schema[kind], kind), name);
    return copy;
  }

  /** An option is named by what tells it apart. The only option beside null has the name of the whole. */
  function variants(options: readonly Described[], name: string): Described[] {
    const isAlone = options.filter(({ type }) => type !== "null").length === 1;
    return options.map((option) => named(option, isAlone ? name : name + variantWord(option, options)));
  }

  for (const { operation } of operationsIn(document)) {
    const body = operation.requestBody?.content?.[JSON_TYPE];
    if (body?.schema) body.schema = named(body.schema, `${pascal(operation.operationId)}Body`);
    for (const [status, response] of Object.entries(operation.responses)) {
      const answer = status.startsWith("2") ? response.content?.[JSON_TYPE] : undefined;
      if (answer?.schema) answer.schema = named(answer.schema, answerName(operation.operationId, answer.schema));
    }
  }
  for (const [name, schema] of Object.entries(schemas)) schemas[name] = inside(schema, name);
  document.components.schemas = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A union of unions is one union. */
function flat(options: readonly Described[], kind: "anyOf" | "oneOf"): Described[] {
  return options.flatMap((option) => {
    const isBare = option[kind] !== undefined && Object.keys(option).length === 1;
    return isBare ? flat(option[kind]!, kind) : [option];
  });
}

/** Names for what stands in a field, where that of its place is taken or says too little. */
const better: Readonly<Record<string, string>> = {
  "Comment.body": "CommentText",
  "Error.error": "ErrorDetails",
  "ErrorDetails.issues": "ErrorIssues",
  "IntegrationConfigurationSchemaWithProperties.properties": "IntegrationConfigurationSetting",
};

function fieldName(name: string, field: string): string {
  return better[`${name}.${field}`] ?? name + pascal(field);
}

function mapped<From, To>(from: Readonly<Record<string, From>>, change: (it: From, name: string) => To) {
  return Object.fromEntries(Object.entries(from).map(([name, it]) => [name, change(it, name)]));
}

/** Objects with known fields, and unions of several things, get a name. */
function isNameable(schema: Described): boolean {
  const options = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].filter(({ type }) => type !== "null");
  return schema.$ref === undefined && (schema.properties !== undefined || options.length > 1);
}

/** `ContentChangesPages` holds items `ContentChangesPage`. */
function itemName(name: string): string {
  if (name.endsWith("ies")) return `${name.slice(0, -3)}y`;
  return name.endsWith("s") && !name.endsWith("ss") ? name.slice(0, -1) : `${name}Item`;
}

/** The word that tells an option of a union from the others: the value of a field that is fixed. */
function variantWord(option: Described, options: readonly Described[]): string {
  const isApart = ([field, value]: [string, unknown]) =>
    options.every((other) => other === option || other.properties?.[field]?.const !== value);
  const fixed = Object.entries(option.properties ?? {}).map(([field, it]): [string, unknown] => [field, it.const]);
  const [, value] = fixed.find((it) => typeof it[1] === "string" && isApart(it)) ?? [];
  if (typeof value === "string") return pascal(value);
  const own = Object.keys(option.properties ?? {}).find((field) =>
    options.every((other) => other === option || other.properties?.[field] === undefined),
  );
  if (own !== undefined) return `With${pascal(own)}`;
  const oneOf = Object.values(option.properties ?? {}).find(({ enum: values }) => values !== undefined)?.enum ?? [];
  return oneOf.length === 0 ? "Empty" : oneOf.map((it) => pascal(String(it))).join("Or");
}

function answerName(operationId: string, { properties = {} }: Described): string {
  const item = properties.items?.items?.$ref?.slice(prefix.length);
  if (item !== undefined && properties.count && !properties.stats) return `${item}List`;
  return `${pascal(operationId)}Answer`;
}
