// How an operation is called: what samples are made of, and the form that calls it.

import { oldTypes, requestOf } from "../../openapi/specifications/pages/bodies";
import { jsonWithin } from "../../openapi/specifications/pages/json";
import type { Operation } from "../../openapi/specifications/pages/operation";
import { parameterFacts } from "../../openapi/specifications/pages/parameters";
import { isValues, listIn, member, type Placed, textIn } from "../../openapi/specifications/pages/pointers";
import { serversOf } from "../../openapi/specifications/pages/servers";
import { said, wholeOf } from "../../openapi/specifications/pages/whole";
import type { ApiContext } from "./api-context";
import { type ApiCredential, HEADER_TOKEN, listCredentials } from "./authorization";
import { getFirstExample } from "./bodies";
import { listServerUrls } from "./server-urls";

/** A value that a caller gives. */
export interface CallField {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly isRequired: boolean;
  readonly kind: string;
  /** The values that are allowed, where there are few. */
  readonly values: readonly string[];
  readonly example: string | undefined;
  /** What stands between several values; undefined: each is written with the name. */
  readonly separator: string | undefined;
  readonly isList: boolean;
}

/** A body that can be sent. */
export interface CallBody {
  readonly type: string;
  readonly text: string;
  /** The fields of a form, where it is one. */
  readonly form: readonly (readonly [name: string, value: string])[] | undefined;
  /** The value of JSON. */
  readonly value: unknown;
}

export interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly serverUrls: readonly string[];
  readonly fields: readonly CallField[];
  readonly credentials: readonly ApiCredential[];
  readonly bodies: readonly CallBody[];
}

/** The most values of a choice, fields, and characters of a body. */
const MOST_VALUES = 100;
const MOST_FIELDS = 100;
const MOST_BODY = 8000;

export function buildApiCall(
  operation: Operation,
  parameters: readonly Placed[],
  apiContext: Pick<ApiContext, "resolve">,
): ApiCall {
  const { method, path, value, item, root } = operation;
  return {
    method: method.toUpperCase(),
    path,
    serverUrls: listServerUrls(serversOf(value, item, root.value)),
    fields: parameters.flatMap((it) => toCallField(it, apiContext) ?? []).slice(0, MOST_FIELDS),
    credentials: listCredentials(value, root, apiContext),
    bodies: listCallBodies(operation, parameters, apiContext),
  };
}

const BETWEEN: Readonly<Record<string, string>> = {
  csv: ",",
  ssv: " ",
  tsv: "\t",
  pipes: "|",
  simple: ",",
  form: ",",
  spaceDelimited: " ",
  pipeDelimited: "|",
};

function toCallField(parameter: Placed, { resolve }: Pick<ApiContext, "resolve">): CallField | undefined {
  const { value, document } = parameter;
  const [name, place] = [textIn(value, "name") ?? "", textIn(value, "in")];
  if (name === "" || (place !== "path" && place !== "query" && place !== "header")) return undefined;
  if (place === "header" && !HEADER_TOKEN.test(name)) return undefined;
  const { schema, kind, example } = parameterFacts(resolve, name, parameter);
  const whole = wholeOf(resolve, schema, document);
  const allowed = whole && said(whole, "enum")?.value;
  const values = (Array.isArray(allowed) ? allowed.slice(0, MOST_VALUES) : []).filter(isPlainValue).map(String);
  const standard = whole && said(whole, "default")?.value;
  const type = whole && said(whole, "type")?.value;
  const isList = type === "array" || (Array.isArray(type) && type.includes("array"));
  const isOld = member(value, "schema") === undefined;
  const style = isOld
    ? (textIn(value, "collectionFormat") ?? "csv")
    : (textIn(value, "style") ?? (place === "query" ? "form" : "simple"));
  const isRepeated = style === "multi" || (style === "form" && !isOld && member(value, "explode") !== false);
  const shown = isPlainValue(example) ? example : isPlainValue(standard) ? standard : undefined;
  return {
    name,
    in: place,
    isRequired: place === "path" || member(value, "required") === true,
    kind,
    values: isList ? [] : values,
    example: shown === undefined ? undefined : String(shown).slice(0, 500),
    separator: isList && isRepeated && place === "query" ? undefined : (BETWEEN[style] ?? ","),
    isList,
  };
}

function isPlainValue(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function listCallBodies(
  operation: Operation,
  parameters: readonly Placed[],
  apiContext: Pick<ApiContext, "resolve">,
): CallBody[] {
  const types = oldTypes(operation.value, operation.root.value, "consumes");
  const request = requestOf(apiContext.resolve, operation, parameters, types);
  if (!request) return buildSwaggerForm(parameters, types, apiContext);
  return request.bodies.slice(0, 10).flatMap((body) => {
    const type = body.types.find((it) => /json/i.test(it)) ?? body.types[0] ?? "application/json";
    if (!/^[\w.+*-]+\/[\w.+*-]+(?:; ?[\w-]+=[\w.-]+)?$/.test(type) || type.length > 200) return [];
    const value = getFirstExample(body, apiContext);
    return [
      { type, value, text: formatBodyText(value, type), form: isFormType(type) ? toFormFields(value) : undefined },
    ];
  });
}

/** Swagger 2 has the fields of a form among the parameters. */
function buildSwaggerForm(
  parameters: readonly Placed[],
  types: readonly string[],
  { resolve }: Pick<ApiContext, "resolve">,
): CallBody[] {
  const fields = parameters.filter(({ value }) => textIn(value, "in") === "formData").slice(0, MOST_FIELDS);
  if (fields.length === 0) return [];
  const type = types.find(isFormType) ?? "application/x-www-form-urlencoded";
  const form = fields.map((it) => {
    const name = textIn(it.value, "name") ?? "";
    const { example } = parameterFacts(resolve, name, it);
    return [name, isPlainValue(example) ? String(example) : ""] as const;
  });
  return [{ type, form, text: "", value: Object.fromEntries(form) }];
}

function isFormType(type: string): boolean {
  return /^(?:multipart\/form-data|application\/x-www-form-urlencoded)/i.test(type);
}

function toFormFields(value: unknown): (readonly [string, string])[] {
  if (!isValues(value)) return [];
  return Object.entries(value)
    .slice(0, MOST_FIELDS)
    .map(([name, it]) => [name, isPlainValue(it) ? String(it) : (JSON.stringify(it) ?? "")] as const);
}

function formatBodyText(value: unknown, type: string): string {
  if (value === undefined) return "";
  if (typeof value === "string" && !/json/i.test(type)) return value.slice(0, MOST_BODY);
  const { text, isWhole } = jsonWithin(value, MOST_BODY);
  return isWhole ? text : "";
}

/** Samples that an author wrote, in the two spellings that are in use. */
export function listAuthoredSamples(
  operation: unknown,
): { readonly label: string; readonly syntax: string; readonly text: string }[] {
  const given = [...listIn(operation, "x-codeSamples"), ...listIn(operation, "x-code-samples")];
  return given.slice(0, 10).flatMap((it) => {
    const text = textIn(it, "source");
    if (text === undefined || text.trim() === "") return [];
    const lang = textIn(it, "lang") ?? "text";
    const label = (textIn(it, "label") ?? lang).trim().slice(0, 60) || "text";
    return [{ label, syntax: SYNTAX.test(lang) ? lang.toLowerCase() : "text", text: text.slice(0, MOST_BODY) }];
  });
}

/** The name of a language. A diagram is none: it would be drawn. */
const SYNTAX = /^(?!mermaid$)[A-Za-z][\w+#.-]{0,30}$/i;
