// The call of an operation: its URL, parameters, credentials and bodies, for code samples and the try-it form.

import { getRequestMessage, listSwaggerTypes } from "../../openapi/specifications/pages/bodies";
import { iterateExamples } from "../../openapi/specifications/pages/examples";
import { formatJson } from "../../openapi/specifications/pages/json";
import { findKeyword, mergeSchema } from "../../openapi/specifications/pages/merge-schema";
import type { SpecificationOperation } from "../../openapi/specifications/pages/operation";
import { getParameterFacts } from "../../openapi/specifications/pages/parameters";
import { getOwnMember, getTextMember, type Located } from "../../openapi/specifications/pages/resolve-references";
import { createSample } from "../../openapi/specifications/pages/samples";
import { listServers } from "../../openapi/specifications/pages/servers";
import { isJsonObject } from "../../utils/objects";
import type { ApiContext } from "./api-context";
import { type ApiCredential, HEADER_TOKEN, listCredentials } from "./authorization";
import { listServerUrls } from "./server-urls";

/** A parameter of a call. */
export interface CallField {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly isRequired: boolean;
  readonly kind: string;
  /** The allowed values, if the schema lists them. */
  readonly values: readonly string[];
  readonly example: string | undefined;
  /** The separator of the items of a list. If it is undefined, each item is sent as a parameter of its own. */
  readonly separator: string | undefined;
  readonly isList: boolean;
}

/** A body that can be sent. */
export interface CallBody {
  readonly type: string;
  readonly text: string;
  /** The fields, if the body is a form. */
  readonly form: readonly (readonly [name: string, value: string])[] | undefined;
  /** The value of a JSON body. */
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

/** The most values of a choice. */
const MAX_VALUES = 100;
const MAX_FIELDS = 100;
const MAX_BODIES = 10;
export const MAX_BODY_LENGTH = 8000;

/** The separators of the styles of OpenAPI 3 and the collection formats of Swagger 2. */
const SEPARATORS: Readonly<Record<string, string>> = {
  csv: ",",
  ssv: " ",
  tsv: "\t",
  pipes: "|",
  simple: ",",
  form: ",",
  spaceDelimited: " ",
  pipeDelimited: "|",
};

export function buildApiCall(
  operation: SpecificationOperation,
  parameters: readonly Located[],
  apiContext: Pick<ApiContext, "resolve">,
): ApiCall {
  const { method, path, value, item, root } = operation;
  const { resolve } = apiContext;
  // A cookie, or a name that cannot be sent, is no field.
  const fields = parameters.flatMap((parameter): CallField[] => {
    const { value: object, document } = parameter;
    const [name, place] = [getTextMember(object, "name") ?? "", getTextMember(object, "in")];
    if (name === "" || (place !== "path" && place !== "query" && place !== "header")) return [];
    if (place === "header" && !HEADER_TOKEN.test(name)) return [];
    const { schema, kind, example } = getParameterFacts(resolve, name, parameter);
    const whole = mergeSchema(resolve, schema, document);
    const allowed = whole && findKeyword(whole, "enum")?.value;
    const values = (Array.isArray(allowed) ? allowed.slice(0, MAX_VALUES) : []).filter(isScalar).map(String);
    const defaultValue = whole && findKeyword(whole, "default")?.value;
    const type = whole && findKeyword(whole, "type")?.value;
    const isList = type === "array" || (Array.isArray(type) && type.includes("array"));
    const isSwagger = getOwnMember(object, "schema") === undefined;
    const style = isSwagger
      ? (getTextMember(object, "collectionFormat") ?? "csv")
      : (getTextMember(object, "style") ?? (place === "query" ? "form" : "simple"));
    const isExploded =
      style === "multi" || (style === "form" && !isSwagger && getOwnMember(object, "explode") !== false);
    const shown = isScalar(example) ? example : isScalar(defaultValue) ? defaultValue : undefined;
    const field: CallField = {
      name,
      in: place,
      isRequired: place === "path" || getOwnMember(object, "required") === true,
      kind,
      values: isList ? [] : values,
      example: shown === undefined ? undefined : String(shown).slice(0, 500),
      separator: isList && isExploded && place === "query" ? undefined : (SEPARATORS[style] ?? ","),
      isList,
    };
    return [field];
  });
  return {
    method: method.toUpperCase(),
    path,
    serverUrls: listServerUrls(listServers(value, item, root.value)),
    fields: fields.slice(0, MAX_FIELDS),
    credentials: listCredentials(value, root, apiContext),
    bodies: listCallBodies(operation, parameters, apiContext),
  };
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

const FORM_TYPE = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)/i;

function listCallBodies(
  operation: SpecificationOperation,
  parameters: readonly Located[],
  apiContext: Pick<ApiContext, "resolve">,
): CallBody[] {
  const { resolve } = apiContext;
  const types = listSwaggerTypes(operation.value, operation.root.value, "consumes");
  const request = getRequestMessage(resolve, operation, parameters, types);
  if (!request) {
    // In Swagger 2, the fields of a form are parameters.
    const fields = parameters.filter(({ value }) => getTextMember(value, "in") === "formData").slice(0, MAX_FIELDS);
    if (fields.length === 0) return [];
    const type = types.find((it) => FORM_TYPE.test(it)) ?? "application/x-www-form-urlencoded";
    const form = fields.map((field) => {
      const name = getTextMember(field.value, "name") ?? "";
      const { example } = getParameterFacts(resolve, name, field);
      return [name, isScalar(example) ? String(example) : ""] as const;
    });
    return [{ type, form, text: "", value: Object.fromEntries(form) }];
  }
  return request.bodies.slice(0, MAX_BODIES).flatMap((body) => {
    const type = body.types.find((it) => /json/i.test(it)) ?? body.types[0] ?? "application/json";
    if (!/^[\w.+*-]+\/[\w.+*-]+(?:; ?[\w-]+=[\w.-]+)?$/.test(type) || type.length > 200) return [];
    const [example] = iterateExamples(resolve, body);
    const value = example?.value ?? createSample(resolve, body.schema, body.document, body.use);
    const fields = Object.entries(isJsonObject(value) ? value : {})
      .slice(0, MAX_FIELDS)
      .map(([name, field]) => [name, isScalar(field) ? String(field) : (JSON.stringify(field) ?? "")] as const);
    let text = "";
    if (typeof value === "string" && !/json/i.test(type)) text = value.slice(0, MAX_BODY_LENGTH);
    else if (value !== undefined) {
      // JSON that is too long to be complete is left out.
      const json = formatJson(value, MAX_BODY_LENGTH);
      if (json.isWhole) ({ text } = json);
    }
    return [{ type, value, text, form: FORM_TYPE.test(type) ? fields : undefined }];
  });
}
