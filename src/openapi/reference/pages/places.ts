// Where the pages of the reference are, and what they know of the document.

import { type Described, type DescribedOperation, type DescribedParameter, type OpenApi, operationsIn } from "../names";

/** An operation with everything that its page needs. */
export interface Entry {
  readonly id: string;
  readonly tag: string;
  readonly method: string;
  /** The path with its parameters in braces. */
  readonly path: string;
  readonly operation: DescribedOperation;
  readonly parameters: readonly DescribedParameter[];
}

/** What all pages are made from. */
export interface Reference {
  readonly document: OpenApi;
  /** The path of the pages, without an end slash: `/v1/docs`. */
  readonly root: string;
  /** The URL of the API, for samples. */
  readonly server: string;
  readonly version: string;
  readonly entries: readonly Entry[];
  readonly tags: readonly { readonly name: string; readonly description: string; readonly entries: readonly Entry[] }[];
}

/** The reference of a document; `root` is the path of its pages. */
export function createReference(document: OpenApi, about: Pick<Reference, "root" | "server" | "version">): Reference {
  const shared = document.components.parameters as Record<string, DescribedParameter>;
  const entries = operationsIn(document).map(({ path, method, operation, ofPath }): Entry => {
    const own = (operation.parameters ?? []).map((it) => shared[it.$ref?.split("/").at(-1) ?? ""] ?? it);
    const { operationId: id, tags } = operation;
    return { id, tag: tags[0]!, method, path, operation, parameters: [...ofPath, ...own] };
  });
  const tags = document.tags.map(({ name, description = "" }) => ({
    name,
    description,
    entries: entries.filter(({ tag }) => tag === name),
  }));
  return { ...about, document, entries, tags };
}

export const tagPath = ({ root }: Reference, tag: string) => `${root}/${encodeURIComponent(tag)}`;
export const operationPath = ({ root }: Reference, id: string) => `${root}/operations/${encodeURIComponent(id)}`;
export const typePath = ({ root }: Reference, name: string) => `${root}/types/${encodeURIComponent(name)}`;
export const errorsPath = ({ root }: Reference) => `${root}/errors`;

/** The name of the type that a schema refers to. */
export function typeName({ $ref }: Described): string | undefined {
  return $ref?.split("/").at(-1);
}

/** The schema itself, where it is a reference. */
export function resolved({ document }: Reference, schema: Described): Described {
  const name = typeName(schema);
  return name === undefined ? schema : (document.components.schemas[name] ?? {});
}

/** A tag as a heading: `change-requests` is "Change requests". */
export function heading(tag: string): string {
  const known: Record<string, string> = {
    saml: "SAML",
    scim: "SCIM",
    "openapi-specs": "OpenAPI specifications",
    "git-sync": "Git",
  };
  const words = tag.replaceAll("-", " ");
  return known[tag] ?? words[0]!.toUpperCase() + words.slice(1);
}
