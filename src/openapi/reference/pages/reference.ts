// The content of the reference, read from the OpenAPI document as any other specification, and the paths of its pages.

import {
  getListMember,
  getNamedSchemas,
  getTextMember,
  openSpecification,
  type SpecificationRoot,
} from "../../model/document";
import { iterateOperations, type SpecificationOperation } from "../../model/operations";
import type { OpenApiDocument } from "../model";

export interface ReferenceOperation extends SpecificationOperation {
  readonly id: string;
  readonly href: string;
  readonly tag: string;
  /** Its title in the table of contents: its summary, without the container if no other operation of its tag has the rest. */
  readonly shortTitle: string;
}

interface ReferenceTag {
  readonly name: string;
  readonly href: string;
  readonly description: string;
  readonly operations: readonly ReferenceOperation[];
}

export interface ApiReference {
  readonly specification: SpecificationRoot;
  /** The schemas, by name. */
  readonly schemas: unknown;
  /** The path of the pages, without a trailing slash: `/v1/docs`. */
  readonly root: string;
  readonly server: string;
  readonly version: string;
  readonly operations: readonly ReferenceOperation[];
  readonly tags: readonly ReferenceTag[];
}

export type ReferenceInfo = Pick<ApiReference, "root" | "server" | "version">;

/** The pattern of ids. It tells readers nothing, so the reference says that their format is `id` instead. */
const ID_PATTERN = "^[A-Za-z0-9_-]{1,64}$";

/** The end of a title that says what contains the resource, which is mostly clear beside the other titles of a tag. */
const CONTAINER =
  / (?:of|in|from|on|to) an? (?:organization|space|site|change request|collection|installation|integration)$/;

export function createReference(document: OpenApiDocument, info: ReferenceInfo): ApiReference {
  const value = JSON.parse(JSON.stringify(document), (_, it) =>
    it?.pattern === ID_PATTERN ? { ...it, pattern: undefined, format: "id" } : it,
  );
  const specification = openSpecification([{ isEntrypoint: true, filename: null, specification: value }]);
  const listed = [...iterateOperations(specification)].map((operation) => {
    const tag = String(getListMember(operation.value, "tags")[0]);
    return { operation, tag, withoutContainer: operation.title.replace(CONTAINER, "") };
  });
  const operations = listed.map(({ operation, tag, withoutContainer }): ReferenceOperation => {
    const namesakes = listed.filter((other) => other.tag === tag && other.withoutContainer === withoutContainer);
    const id = getTextMember(operation.value, "operationId")!;
    return {
      ...operation,
      method: operation.method.toUpperCase(),
      id,
      href: `${info.root}/operations/${encodeURIComponent(id)}`,
      tag,
      shortTitle: namesakes.length === 1 ? withoutContainer : operation.title,
    };
  });
  const tags = document.tags.map(({ name, description = "" }) => ({
    name,
    href: `${info.root}/${encodeURIComponent(name)}`,
    description,
    operations: operations.filter(({ tag }) => tag === name),
  }));
  return { ...info, specification, schemas: getNamedSchemas(specification), operations, tags };
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
