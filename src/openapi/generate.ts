// Generates the OpenAPI 3.1 document of the API from the declarations that route and check requests. It says everything
// that an operation declares, and nothing else.

import * as v from "valibot";
import type { RegisteredOperation } from "../execution/kernel";
import { createETagSourceLookup } from "../execution/related-operations";
import { BinarySchema } from "../operation/binary-response";
import { Id } from "../operation/common-schemas";
import type { Method, Operation, Schema } from "../operation/operation";
import { omitUndefined } from "../utils/objects";
import {
  failuresByStatus,
  type OpenApiNode,
  sharedHeaders,
  sharedParameters,
  sharedResponses,
  sharedSchemas,
} from "./components";
import { createSchemaRegistry, type SchemaRegistry } from "./json-schema";

const DESCRIPTION = `The Octavo API manages documentation: organizations, members, spaces, change requests, sites and related resources.

**Authentication.** Send an API token with every request, except for public operations: \`Authorization: Bearer <token>\`.
A token can be limited to scopes. \`x-scope\` is the scope that an operation requires; \`:write\` includes \`:read\`.

**Pagination.** Lists are paginated. Send \`next.page\` of a response as the query parameter \`page\` of the next request.
\`next\` is omitted on the last page.

**Errors.** All errors have the schema \`Error\`. \`x-reasons\` lists the error reasons that an operation can return.
Every response includes the header \`X-Request-Id\`.`;

/** Describes the operations, module by module. `server` is the URL that the paths are below, including the version. */
export function generateOpenApiDocument(
  table: readonly RegisteredOperation[],
  info: { version: string; server: string },
): object {
  const schemas = createSchemaRegistry(sharedSchemas);
  const findGuard = createETagSourceLookup(table);
  const paths: Record<string, Record<string, OpenApiNode | OpenApiNode[]>> = {};
  for (const registered of sortOperations(table)) {
    const { method, path, params } = registered.definition;
    const template = path.replaceAll(/:(\w+)\+?/g, "{$1}");
    let item = paths[template];
    if (!item) {
      item = {};
      // The parameters in a path belong to the path, whatever the method.
      if (params.length > 0)
        item.parameters = params.map((name) => ({
          name,
          in: "path",
          required: true,
          ...omitUndefined({
            description: path.endsWith(`:${name}+`)
              ? "Can contain slashes, sent as is or encoded as `%2F`."
              : undefined,
          }),
          schema: name.endsWith("Id") ? schemas.describeJson(Id) : { type: "string" },
        }));
      paths[template] = item;
    }
    if (method.toLowerCase() in item) throw new Error(`Two operations answer to ${method} ${template}.`);
    item[method.toLowerCase()] = describeOperation(registered, findGuard(registered) !== undefined, schemas);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Octavo",
      version: info.version,
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
      contact: { name: "Octavo", url: "https://github.com/octavo-docs/octavo" },
    },
    servers: [{ url: info.server }],
    security: [{ bearer: [] }],
    tags: [...new Set(table.map(({ resource: room }) => room))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer", description: "An API token." } },
      parameters: sharedParameters,
      headers: sharedHeaders,
      responses: sharedResponses,
      schemas: schemas.getNamedSchemas(),
    },
  };
}

const METHOD_ORDER: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Sorts operations by path inside their module, because the order of a module's exports is not the same in every bundle. */
export function sortOperations(table: readonly RegisteredOperation[]): RegisteredOperation[] {
  const rooms = table.map(({ resource: room }) => room);
  return table.toSorted((a, b) => {
    const [one, other] = [a.definition, b.definition];
    if (a.resource !== b.resource) return rooms.indexOf(a.resource) - rooms.indexOf(b.resource);
    if (one.path !== other.path) return one.path < other.path ? -1 : 1;
    return METHOD_ORDER.indexOf(one.method) - METHOD_ORDER.indexOf(other.method);
  });
}

function describeOperation(
  { name, resource: room, scope, definition: operation }: RegisteredOperation,
  isVersioned: boolean,
  schemas: SchemaRegistry,
): OpenApiNode {
  const { method, spec } = operation;
  try {
    const queryParameters = Object.entries(spec.query ?? {}).map(([parameterName, entry]) => {
      const { description, ...schema } = schemas.describeQuery(entry as Schema);
      const required = v.is(entry as Schema, undefined) ? undefined : true;
      return { name: parameterName, in: "query", ...omitUndefined({ description, required }), schema };
    });
    const shared: (keyof typeof sharedParameters)[] = [];
    if (spec.list) shared.push("cursor", "limit");
    if (hasETag(operation)) shared.push("ifNoneMatch");
    if (method === "GET" && spec.supportsRanges) shared.push("range", "ifRange", "ifMatch");
    if (method === "POST") shared.push("idempotencyKey");
    if (method !== "GET" && isVersioned) shared.push("ifMatch");
    const parameters = [
      ...queryParameters,
      ...shared.map((parameter) => ({ $ref: `#/components/parameters/${parameter}` })),
    ];

    // A body is optional if an empty one is valid.
    const requestBody = spec.body && {
      required: !v.is(spec.body, {}),
      content: { "application/json": { schema: schemas.describeJson(spec.body) } },
    };
    const isOpen = spec.target.allowsAnonymous === true;
    return {
      operationId: name,
      tags: [room],
      summary: spec.summary,
      ...omitUndefined({
        deprecated: spec.isDeprecated ? true : undefined,
        security: isOpen ? [] : undefined,
        "x-scope": isOpen ? undefined : scope,
        parameters: parameters.length === 0 ? undefined : parameters,
        requestBody,
      }),
      responses: describeResponses(operation, schemas),
    };
  } catch (cause) {
    throw new Error(`${name} cannot be described. ${(cause as Error).message}`, { cause });
  }
}

function describeResponses(operation: Operation, schemas: SchemaRegistry): OpenApiNode {
  const { method, spec } = operation;
  const { returns, list, mediaTypes = ["*/*"] } = spec;
  // Raw bytes have no schema in OpenAPI 3.1.
  const binaryContent = Object.fromEntries(mediaTypes.map((type) => [type, {}]));
  if (spec.forwardsRequest) {
    // An integration answers in place of the API, and may send anything. Failures of the API itself still have their shape.
    const notFound = "The response of the integration, or an `Error` as JSON if the integration doesn't exist.";
    const other =
      "The response of the integration, with any status, or an `Error` as JSON if the integration couldn't be called.";
    return {
      200: { description: "The response of the integration.", content: binaryContent },
      404: { description: notFound, content: binaryContent },
      default: { description: other, content: binaryContent },
    };
  }

  const status = spec.status ?? (returns || list ? 200 : 204);
  let description = status === 204 ? "Success. No content." : "Success.";
  if (method === "DELETE" && status === 204) description = "Deleted, or already absent.";
  if (status === 201) description = "Created.";
  if (list) description = "One page of the list.";

  const headers: Record<string, OpenApiNode> = {};
  if (status === 201 && returns && hasLocation(returns)) headers.Location = referToHeader("location");
  if (hasETag(operation)) headers.ETag = referToHeader("etag");
  if (spec.supportsRanges) {
    headers["Last-Modified"] = referToHeader("lastModified");
    headers["Accept-Ranges"] = referToHeader("acceptRanges");
  }
  if (method === "POST") headers["Idempotent-Replayed"] = referToHeader("replayed");

  let content: OpenApiNode | undefined;
  if (list) {
    const item = schemas.describeJson(list);
    const extraSchemas = Object.entries(spec.extraFields?.entries ?? {}).map(
      ([name, schema]) => [name, schemas.describeJson(schema as Schema)] as const,
    );
    const schema = {
      type: "object",
      properties: {
        next: { $ref: "#/components/schemas/Next" },
        count: { type: "integer", minimum: 0, description: "The total number of items in the list." },
        ...Object.fromEntries(extraSchemas),
        items: { type: "array", items: item },
      },
      required: ["count", ...extraSchemas.map(([name]) => name), "items"],
    };
    content = { "application/json": { schema } };
  } else if (returns === BinarySchema) content = binaryContent;
  else if (returns) content = { "application/json": { schema: schemas.describeJson(returns) } };
  const success = {
    description,
    ...omitUndefined({
      headers: Object.keys(headers).length === 0 ? undefined : headers,
      content: status === 204 ? undefined : content,
    }),
  };

  const responses: Record<string, OpenApiNode> = { [status]: success };
  if (spec.supportsRanges) {
    const partHeaders = { ...headers, "Content-Range": referToHeader("contentRange") };
    responses[206] = { ...success, description: "The requested byte range.", headers: partHeaders };
  }
  if (hasETag(operation)) responses[304] = { $ref: "#/components/responses/notModified" };
  if (spec.mayRedirect)
    responses["3XX"] = {
      description: "Redirect to the URL in the `Location` header.",
      headers: { Location: referToHeader("elsewhere") },
    };
  for (const [failureStatus, { name, appliesTo }] of Object.entries(failuresByStatus))
    if (!appliesTo || appliesTo(operation)) responses[failureStatus] = { $ref: `#/components/responses/${name}` };
  return responses;
}

/** Returns true if a created resource has a URL: a 201 carries its `urls.location` as `Location`. */
function hasLocation(schema: Schema): boolean {
  const { options, wrapped, entries } = schema as Schema & {
    readonly options?: readonly Schema[];
    readonly wrapped?: Schema;
    readonly entries?: Readonly<Record<string, Schema>>;
  };
  if (entries?.location) return true;
  return [...(options ?? []), wrapped, entries?.urls].some((part) => part !== undefined && hasLocation(part));
}

/** Returns true if the response carries an ETag. Bytes have one only if their operation names a version. */
function hasETag({ method, spec: { returns, version, isProbe } }: Operation): boolean {
  return method === "GET" && !isProbe && (version !== undefined || (returns !== undefined && returns !== BinarySchema));
}

function referToHeader(name: keyof typeof sharedHeaders): OpenApiNode {
  return { $ref: `#/components/headers/${name}` };
}
