// The OpenAPI document as it is published: the declarations, with a name for every type, with words, and with
// examples.

import { openApiDocument } from "../http/openapi";
import type { Named } from "../kernel/kernel";
import { describe } from "./describe";
import { exemplify } from "./examples";
import { nameSchemas, type OpenApi } from "./names";

/** The document. `server` is the URL that the paths stand under, the version included. */
export function publishedDocument(table: readonly Named[], about: { version: string; server: string }): OpenApi {
  const document = structuredClone(openApiDocument(table, about)) as OpenApi;
  nameSchemas(document);
  describe(document, table);
  exemplify(document);
  return document;
}
