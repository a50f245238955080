// The OpenAPI document as it is published: the declarations, with a name for every type, with words, and with
// examples.

import type { RegisteredOperation } from "../../execution/kernel";
import { openApiDocument } from "../generate";
import { describe } from "./describe";
import { exemplify } from "./examples";
import { nameSchemas, type OpenApi } from "./names";

/** Making it takes a third of a second, and a Worker opens an API for every request: so it is made once for a process. */
const made = new WeakMap<readonly RegisteredOperation[], OpenApi>();

/** The document. `server` is the URL that the paths stand under, the version included. The caller may change it. */
export function publishedDocument(
  table: readonly RegisteredOperation[],
  about: { version: string; server: string },
): OpenApi {
  const known = made.get(table) ?? documentOf(table, about);
  made.set(table, known);
  const document = structuredClone(known);
  return Object.assign(document, {
    info: { ...document.info, version: about.version },
    servers: [{ url: about.server }],
  });
}

function documentOf(table: readonly RegisteredOperation[], about: { version: string; server: string }): OpenApi {
  const document = structuredClone(openApiDocument(table, about)) as OpenApi;
  nameSchemas(document);
  describe(document, table);
  exemplify(document);
  return document;
}
