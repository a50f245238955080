// The OpenAPI 3.1 description of the API, made from the declarations that route and check the requests.

import type { Named } from "../kernel/execute";

export function openApiDocument(table: readonly Named[], about: { version: string; server: string }): object {
  return {
    openapi: "3.1.0",
    info: { title: "Octavo", version: about.version },
    servers: [{ url: about.server }],
    paths: Object.fromEntries(table.map((named) => [named.operation.path, {}])),
  };
}
