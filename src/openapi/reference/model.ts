// The objects of the OpenAPI document, by their names in the specification. Only the members that this folder reads have types.

export interface SchemaObject {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, SchemaObject>;
  required?: string[];
  additionalProperties?: SchemaObject | boolean;
  items?: SchemaObject;
  prefixItems?: SchemaObject[];
  anyOf?: SchemaObject[];
  oneOf?: SchemaObject[];
  allOf?: SchemaObject[];
  const?: unknown;
  enum?: unknown[];
  [more: string]: unknown;
}

export interface ContentObject {
  readonly content?: Record<string, { schema?: SchemaObject; example?: unknown }>;
}

export interface OperationObject {
  readonly operationId: string;
  readonly tags: string[];
  readonly summary: string;
  description?: string;
  readonly parameters?: ParameterObject[];
  readonly requestBody?: ContentObject & { readonly required?: boolean };
  readonly responses: Record<string, ResponseObject>;
  [more: string]: unknown;
}

export interface ParameterObject {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  description?: string;
  readonly schema?: SchemaObject;
  [more: string]: unknown;
}

export interface ResponseObject extends ContentObject {
  readonly $ref?: string;
  readonly description?: string;
  readonly headers?: Record<string, { $ref?: string }>;
}

export interface OpenApiDocument {
  readonly info: { description: string; [more: string]: unknown };
  readonly tags: { name: string; description?: string }[];
  readonly paths: Record<string, Record<string, unknown>>;
  readonly components: { schemas: Record<string, SchemaObject>; [more: string]: unknown };
  [more: string]: unknown;
}

/** The content type of requests and responses of the API. */
export const JSON_MEDIA_TYPE = "application/json";

/** Lists the operations of a document with their paths, their methods and the parameters of their paths. */
export function listOperations(document: Pick<OpenApiDocument, "paths">) {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== "parameters")
      .map(([method, operation]) => ({
        path,
        method: method.toUpperCase(),
        operation: operation as OperationObject,
        pathParameters: (item.parameters ?? []) as ParameterObject[],
      })),
  );
}

/** Returns the name of the component that a reference leads to; undefined if the object is no reference. */
export function getReferenceName({ $ref }: { readonly $ref?: string }): string | undefined {
  return $ref?.split("/").at(-1);
}
