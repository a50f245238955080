// The OpenAPI document as it is published: the declarations, with a name for every type, with descriptions and examples.

import type { RegisteredOperation } from "../../execution/kernel";
import { generateOpenApiDocument } from "../generate";
import { addDescriptions } from "./add-descriptions";
import { addExamples } from "./add-examples";
import type { OpenApiDocument } from "./model";
import { nameSchemas } from "./name-schemas";

/**
 * The documents that this process has generated. It takes a third of a second to generate one, and a Worker opens an API for
 * every request.
 */
const documents = new WeakMap<readonly RegisteredOperation[], OpenApiDocument>();

/** Returns a copy of the document. `server` is the URL that the paths are below, including the version. */
export function getPublishedDocument(
  table: readonly RegisteredOperation[],
  info: { version: string; server: string },
): OpenApiDocument {
  let document = documents.get(table);
  if (!document) {
    document = structuredClone(generateOpenApiDocument(table, info)) as OpenApiDocument;
    nameSchemas(document);
    addDescriptions(document, table);
    addExamples(document);
    documents.set(table, document);
  }
  const copy = structuredClone(document);
  return Object.assign(copy, {
    info: { ...copy.info, version: info.version },
    servers: [{ url: info.server }],
  });
}
