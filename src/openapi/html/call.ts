// The call of an operation: its URL, parameters, credentials and bodies, for code samples and the try-it form.

import { isJsonObject } from "../../utils/objects";
import { getRequestMessage, iterateExamples, listSwaggerTypes, MAX_EXAMPLE } from "../model/bodies";
import { getOwnMember, getTextMember, type Located } from "../model/document";
import { getParameterFacts } from "../model/members";
import type { SpecificationOperation } from "../model/operations";
import { createSample, formatJson } from "../model/sample-value";
import { mergeSchema } from "../model/schema";
import { listSecurityRequirements } from "../model/security";
import { listServers, listServerUrls } from "../model/servers";

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

export interface CallBody {
  readonly type: string;
  readonly text: string;
  readonly form: readonly (readonly [name: string, value: string])[] | undefined;
  readonly value: unknown;
}

interface ApiCredential {
  readonly name: string;
  readonly type: "bearer" | "basic" | "key";
  readonly in?: "header" | "query";
  /** The name of the header or parameter of a key. */
  readonly key?: string;
  /** The scheme in the header `Authorization`. */
  readonly prefix?: string;
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
/** The most credentials of one alternative, and of all. */
const MAX_CREDENTIALS = 20;

/** A valid name of a header, or of a scheme of `Authorization`. */
const HEADER_TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
const FORM_TYPE = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)/i;

export function buildApiCall(operation: SpecificationOperation, parameters: readonly Located[]): ApiCall {
  // A cookie, or a name that cannot be sent, is no field.
  const fields = parameters.flatMap((parameter): CallField[] => {
    const { value } = parameter;
    const [name, place] = [getTextMember(value, "name") ?? "", getTextMember(value, "in")];
    if (name === "" || (place !== "path" && place !== "query" && place !== "header")) return [];
    if (place === "header" && !HEADER_TOKEN.test(name)) return [];
    const { schema, kind, example, isList, separator } = getParameterFacts(name, parameter);
    const whole = mergeSchema(schema);
    const allowed = whole?.get("enum");
    const values = (Array.isArray(allowed) ? allowed.slice(0, MAX_VALUES) : []).filter(isScalar).map(String);
    const shown = [example, whole?.get("default")].find(isScalar);
    const field: CallField = {
      name,
      in: place,
      isRequired: place === "path" || getOwnMember(value, "required") === true,
      kind,
      values: isList ? [] : values,
      example: shown === undefined ? undefined : String(shown).slice(0, 500),
      separator,
      isList,
    };
    return [field];
  });
  return {
    method: operation.method.toUpperCase(),
    path: operation.path,
    serverUrls: listServerUrls(listServers(operation)),
    fields: fields.slice(0, MAX_FIELDS),
    credentials: listCredentials(operation),
    bodies: listCallBodies(operation, parameters),
  };
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** Returns the credentials that a reader can enter, of all alternatives, each once. */
function listCredentials(operation: SpecificationOperation): ApiCredential[] {
  const credentials = new Map<string, ApiCredential>();
  for (const schemes of listSecurityRequirements(operation, true) ?? [])
    for (const { name, scheme } of schemes.slice(0, MAX_CREDENTIALS)) {
      const type = getTextMember(scheme, "type");
      const prefix = type === "http" ? (getTextMember(scheme, "scheme") ?? "bearer") : "Bearer";
      const [place, key] = [getTextMember(scheme, "in"), getTextMember(scheme, "name") ?? ""];
      if (type === "basic" || (type === "http" && /^basic$/i.test(prefix)))
        credentials.set(name, { name, type: "basic" });
      else if (type === "oauth2" || type === "openIdConnect" || (type === "http" && HEADER_TOKEN.test(prefix)))
        credentials.set(name, { name, type: "bearer", prefix: /^bearer$/i.test(prefix) ? "Bearer" : prefix });
      // A browser does not send a cookie that a page sets for another host.
      else if (type === "apiKey" && place === "query" && key !== "")
        credentials.set(name, { name, type: "key", in: "query", key });
      else if (type === "apiKey" && place === "header" && HEADER_TOKEN.test(key))
        credentials.set(name, { name, type: "key", in: "header", key });
    }
  return [...credentials.values()].slice(0, MAX_CREDENTIALS);
}

function listCallBodies(operation: SpecificationOperation, parameters: readonly Located[]): CallBody[] {
  const request = getRequestMessage(operation, parameters);
  if (!request) {
    // In Swagger 2, the fields of a form are parameters.
    const fields = parameters.filter(({ value }) => getTextMember(value, "in") === "formData").slice(0, MAX_FIELDS);
    if (fields.length === 0) return [];
    const types = listSwaggerTypes(operation, "consumes");
    const type = types.find((it) => FORM_TYPE.test(it)) ?? "application/x-www-form-urlencoded";
    const form = fields.map((field) => {
      const name = getTextMember(field.value, "name") ?? "";
      const { example } = getParameterFacts(name, field);
      return [name, isScalar(example) ? String(example) : ""] as const;
    });
    return [{ type, form, text: "", value: Object.fromEntries(form) }];
  }
  return request.bodies.slice(0, MAX_BODIES).flatMap((body) => {
    const type = body.types.find((it) => /json/i.test(it)) ?? body.types[0] ?? "application/json";
    if (!/^[\w.+*-]+\/[\w.+*-]+(?:; ?[\w-]+=[\w.-]+)?$/.test(type) || type.length > 200) return [];
    const [example] = iterateExamples(body);
    const value = example?.value ?? createSample(body.schema, body.use);
    const fields = Object.entries(isJsonObject(value) ? value : {})
      .slice(0, MAX_FIELDS)
      .map(([name, field]) => [name, isScalar(field) ? String(field) : (JSON.stringify(field) ?? "")] as const);
    let text = "";
    if (typeof value === "string" && !/json/i.test(type)) text = value.slice(0, MAX_EXAMPLE);
    else if (value !== undefined) {
      // JSON that is too long to be complete is left out.
      const json = formatJson(value, MAX_EXAMPLE);
      if (json.isWhole) ({ text } = json);
    }
    return [{ type, value, text, form: FORM_TYPE.test(type) ? fields : undefined }];
  });
}
