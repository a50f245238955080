// The content of the reference, read from the OpenAPI document, and the paths of its pages.

import {
  getReferenceName,
  listOperations,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type SchemaObject,
} from "../model";

/** An operation with everything that its page needs. */
export interface ReferenceOperation {
  readonly id: string;
  /** The path of its page. */
  readonly href: string;
  readonly tag: string;
  readonly method: string;
  /** The path with its parameters in braces. */
  readonly path: string;
  readonly operation: OperationObject;
  readonly parameters: readonly ParameterObject[];
}

interface ReferenceTag {
  readonly name: string;
  /** The path of its page. */
  readonly href: string;
  readonly description: string;
  readonly operations: readonly ReferenceOperation[];
}

/** The data of all pages. */
export interface ApiReference {
  readonly document: OpenApiDocument;
  /** The path of the pages, without a trailing slash: `/v1/docs`. */
  readonly root: string;
  /** The URL of the API, for samples. */
  readonly server: string;
  readonly version: string;
  readonly operations: readonly ReferenceOperation[];
  readonly tags: readonly ReferenceTag[];
}

export type ReferenceInfo = Pick<ApiReference, "root" | "server" | "version">;

/** Creates the reference of a document. */
export function createReference(document: OpenApiDocument, info: ReferenceInfo): ApiReference {
  const sharedParameters = document.components.parameters as Record<string, ParameterObject>;
  const operations = listOperations(document).map(({ path, method, operation, pathParameters }): ReferenceOperation => {
    const own = (operation.parameters ?? []).map((it) => sharedParameters[getReferenceName(it) ?? ""] ?? it);
    const { operationId: id, tags } = operation;
    const href = `${info.root}/operations/${encodeURIComponent(id)}`;
    return { id, href, tag: tags[0]!, method, path, operation, parameters: [...pathParameters, ...own] };
  });
  const tags = document.tags.map(({ name, description = "" }) => ({
    name,
    href: `${info.root}/${encodeURIComponent(name)}`,
    description,
    operations: operations.filter(({ tag }) => tag === name),
  }));
  return { ...info, document, operations, tags };
}

/** Returns the schema that a reference leads to, or the schema itself if it is no reference. */
export function resolveSchema({ document }: ApiReference, schema: SchemaObject): SchemaObject {
  const name = getReferenceName(schema);
  return name === undefined ? schema : (document.components.schemas[name] ?? {});
}

const TAG_TITLES: Readonly<Record<string, string>> = {
  saml: "SAML",
  scim: "SCIM",
  "openapi-specs": "OpenAPI specifications",
  "git-sync": "Git",
};

/** Formats a tag as a title: `change-requests` becomes "Change requests". */
export function formatTagTitle(tag: string): string {
  const words = tag.replaceAll("-", " ");
  return TAG_TITLES[tag] ?? words[0]!.toUpperCase() + words.slice(1);
}
