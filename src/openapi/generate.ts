// The OpenAPI 3.1 description of the API, made from the declarations that route and check requests. It says everything
// that an operation declares, and nothing else.

import * as v from "valibot";
import { guardsIn } from "../execution/guards";
import type { RegisteredOperation } from "../execution/kernel";
import { BinarySchema } from "../operation/binary-response";
import type { Method, Operation, Schema } from "../operation/operation";
import { Id } from "../operation/schema-types";
import { omitUndefined } from "../utils/objects";
import {
  bytes,
  envelope,
  failures,
  headers,
  json,
  type Part,
  parameters,
  responses,
  sharedSchemas,
} from "./components";
import { createSchemas, type Schemas } from "./json-schema";

const description = `Documentation management: organizations, people, spaces, change requests and what belongs to them.

Every request but the open ones carries an API token: \`Authorization: Bearer <token>\`. A token may be limited to scopes;
\`x-scope\` is the one that an operation needs, and \`:write\` includes \`:read\`.
Lists come in pages: follow \`next.page\` until it is absent. Every failure has the one shape of the schema \`Error\`;
\`x-reasons\` are the reasons that an operation can refuse with.
Every answer carries \`X-Request-Id\`.`;

/** Describes the operations, room by room. `server` is the URL that the paths stand under, the version included. */
export function openApiDocument(
  table: readonly RegisteredOperation[],
  about: { version: string; server: string },
): object {
  const schemas = createSchemas(sharedSchemas);
  const guardOf = guardsIn(table);
  const paths: Record<string, Record<string, Part | Part[]>> = {};
  for (const named of inReadingOrder(table)) {
    const { method, path } = named.operation;
    const template = path.replaceAll(/:(\w+)\+?/g, "{$1}");
    paths[template] ??= pathParameters(named.operation, schemas);
    const item = paths[template];
    if (method.toLowerCase() in item) throw new Error(`Two operations answer to ${method} ${template}.`);
    item[method.toLowerCase()] = describeOperation(named, guardOf(named) !== undefined, schemas);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Octavo",
      version: about.version,
      description,
      license: { name: "MIT", identifier: "MIT" },
      contact: { name: "Octavo", url: "https://github.com/octavo-docs/octavo" },
    },
    servers: [{ url: about.server }],
    security: [{ bearer: [] }],
    tags: [...new Set(table.map(({ room }) => room))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer", description: "An API token." } },
      parameters,
      headers,
      responses: responses(),
      schemas: schemas.named(),
    },
  };
}

const methods: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Sorted by path inside a resource, because the order of a module's exports is not the same everywhere. */
export function inReadingOrder(table: readonly RegisteredOperation[]): RegisteredOperation[] {
  const rooms = table.map(({ room }) => room);
  return table.toSorted((a, b) => {
    const [one, other] = [a.operation, b.operation];
    if (a.room !== b.room) return rooms.indexOf(a.room) - rooms.indexOf(b.room);
    if (one.path !== other.path) return one.path < other.path ? -1 : 1;
    return methods.indexOf(one.method) - methods.indexOf(other.method);
  });
}

/** The parameters in a path belong to the path, whatever the method. */
function pathParameters({ path, params }: Operation, schemas: Schemas): Record<string, Part[]> {
  if (params.length === 0) return {};
  return {
    parameters: params.map((name) => ({
      name,
      in: "path",
      required: true,
      ...omitUndefined({
        description: path.endsWith(`:${name}+`) ? "May hold slashes, written as they are or as `%2F`." : undefined,
      }),
      schema: name.endsWith("Id") ? schemas.json(Id) : { type: "string" },
    })),
  };
}

function describeOperation(
  { name, room, scope, operation }: RegisteredOperation,
  isVersioned: boolean,
  schemas: Schemas,
): Part {
  const { spec } = operation;
  try {
    const asked = [...queryParameters(operation, schemas), ...headerParameters(operation, isVersioned)];
    return {
      operationId: name,
      tags: [room],
      summary: spec.summary,
      ...omitUndefined({ deprecated: spec.isDeprecated ? true : undefined, description: spec.description }),
      ...(spec.on.open === true ? { security: [] } : { "x-scope": scope }),
      ...omitUndefined({
        parameters: asked.length === 0 ? undefined : asked,
        requestBody: spec.body ? requestBody(spec.body, schemas) : undefined,
      }),
      responses: spec.takesRequest
        ? passedBack(operation)
        : { ...success(operation, schemas), ...failuresOf(operation) },
    };
  } catch (cause) {
    throw new Error(`${name} cannot be described. ${(cause as Error).message}`, { cause });
  }
}

function queryParameters({ spec }: Operation, schemas: Schemas): Part[] {
  const own = Object.entries(spec.query ?? {}).map(([name, entry]) => {
    const { description, ...schema } = schemas.query(entry as Schema);
    const isRequired = !v.is(entry as Schema, undefined);
    return {
      name,
      in: "query",
      ...omitUndefined({ description, required: isRequired ? true : undefined }),
      schema,
    };
  });
  return spec.list ? [...own, parameter("cursor"), parameter("limit")] : own;
}

function headerParameters({ method, spec }: Operation, isVersioned: boolean): Part[] {
  if (method === "GET") {
    const ranges = spec.hasRanges ? [parameter("range"), parameter("ifRange")] : [];
    return [...(isVersion(method, spec) ? [parameter("ifNoneMatch")] : []), ...ranges];
  }
  return [...(method === "POST" ? [parameter("idempotencyKey")] : []), ...(isVersioned ? [parameter("ifMatch")] : [])];
}

/** A body is optional where an empty one is valid. */
function requestBody(schema: Schema, schemas: Schemas): Part {
  return { required: !v.is(schema, {}), content: json(schemas.json(schema)) };
}

function success({ method, spec }: Operation, schemas: Schemas): Part {
  const { returns, list, beside } = spec;
  const status = spec.status ?? (returns || list ? 200 : 204);
  const hasVersion = isVersion(method, spec);
  const carried = {
    ...omitUndefined({
      Location: status === 201 && returns && tellsLocation(returns) ? header("location") : undefined,
      ETag: hasVersion ? header("etag") : undefined,
    }),
    ...(spec.hasRanges ? { "Last-Modified": header("lastModified"), "Accept-Ranges": header("acceptRanges") } : {}),
    ...omitUndefined({ "Idempotent-Replayed": method === "POST" ? header("replayed") : undefined }),
  };
  const content = list
    ? json(
        envelope(
          schemas.json(list),
          Object.entries(beside?.entries ?? {}).map(([name, it]) => [name, schemas.json(it as Schema)] as const),
        ),
      )
    : returns && (returns === BinarySchema ? bytes(spec.sends) : json(schemas.json(returns)));
  const response = {
    description: meaningOf(method, status, list !== undefined),
    ...omitUndefined({
      headers: Object.keys(carried).length === 0 ? undefined : carried,
      content: content && status !== 204 ? content : undefined,
    }),
  };
  return {
    [status]: response,
    ...(spec.hasRanges ? { 206: partial(response) } : {}),
    ...(hasVersion ? { 304: { $ref: "#/components/responses/notModified" } } : {}),
    ...omitUndefined({
      "3XX": spec.redirects ? { description: "Go there.", headers: { Location: header("elsewhere") } } : undefined,
    }),
  };
}

/** The response with a part of the bytes. */
function partial(whole: Part): Part {
  const carried = { ...(whole.headers as Part), "Content-Range": header("contentRange") };
  return { ...whole, description: "The part that was asked for.", headers: carried };
}

/** Whether what was created has a URL of its own: answers of 201 carry `urls.location` as `Location`. */
function tellsLocation(returns: Schema): boolean {
  const {
    options = [],
    wrapped,
    entries,
  } = returns as Schema & {
    readonly options?: readonly Schema[];
    readonly wrapped?: Schema;
    readonly entries?: Readonly<Record<string, Schema>>;
  };
  const { urls, location } = entries ?? {};
  if (location) return true;
  return [...options, ...(wrapped ? [wrapped] : []), ...(urls ? [urls] : [])].some(tellsLocation);
}

/** Whether an answer has a tag. Bytes have one only when their operation names a version. */
function isVersion(method: Method, { returns, version, isProbe }: Operation["spec"]): boolean {
  return method === "GET" && !isProbe && (version !== undefined || (returns !== undefined && returns !== BinarySchema));
}

/** An integration that answers in place of the API may send anything. Failures of the API itself still have their
 * shape. */
function passedBack({ spec }: Operation): Part {
  const content = bytes(spec.sends);
  const failed = "What it answered, whatever its status; or, as JSON in the shape of `Error`, why it was not asked.";
  const missing = "What it answered; or, as JSON in the shape of `Error`, there is no such integration.";
  return {
    200: { description: "What it answered.", content },
    404: { description: missing, content },
    default: { description: failed, content },
  };
}

function meaningOf(method: Method, status: number, isList: boolean): string {
  if (isList) return "A page of the list.";
  if (status === 201) return "It was created.";
  if (method === "DELETE" && status === 204) return "It is gone, or was not there.";
  return status === 204 ? "It is done." : "The answer.";
}

function failuresOf(operation: Operation): Part {
  const possible = Object.entries(failures).filter(([, { happensTo }]) => happensTo(operation));
  return Object.fromEntries(possible.map(([status, { name }]) => [status, { $ref: `#/components/responses/${name}` }]));
}

function parameter(name: keyof typeof parameters): Part {
  return { $ref: `#/components/parameters/${name}` };
}

function header(name: keyof typeof headers): Part {
  return { $ref: `#/components/headers/${name}` };
}
