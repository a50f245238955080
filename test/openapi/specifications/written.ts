// Specifications written for the tests: the same small API in three versions of the format, one that is spread over files
// which refer to each other in circles, and one of any size.

import { readFileSync } from "node:fs";

const read = (file: string) => readFileSync(new URL(file, import.meta.url), "utf8");

/** OpenAPI 3.1, as YAML. */
export const BOOKS_31 = read("books-3.1.yaml");

/** OpenAPI 3.0, as JSON. */
export const BOOKS_30 = JSON.stringify({
  openapi: "3.0.3",
  info: { title: "Lending library", version: "2.3" },
  servers: [{ url: "https://library.example/v2" }],
  paths: {
    "/books/{isbn}": {
      get: {
        tags: ["Books"],
        operationId: "getBook",
        parameters: [{ name: "isbn", in: "path", required: true, schema: { type: "string" } }],
        responses: { 200: { description: "The book." } },
      },
    },
  },
});

/** Swagger 2, as YAML. */
export const BOOKS_2 = read("books-2.yaml");

/** An API whose documents refer to each other, and back. By address. */
export const CIRCLE: Readonly<Record<string, string>> = {
  "https://specs.example/api/openapi.yaml": `openapi: 3.0.0
info: { title: Circles, version: "1" }
paths:
  /a: { $ref: './paths/a.yaml' }
components:
  schemas:
    Shared: { $ref: 'schemas/shared.json#/Shared' }
    Own: { $ref: 'openapi.yaml#/components/schemas/Shared' }
`,
  "https://specs.example/api/paths/a.yaml": `get:
  responses:
    "200":
      description: OK
      content:
        application/json:
          schema: { $ref: '../schemas/shared.json#/Shared' }
          example: { $ref: 'https://specs.example/never.json' }
`,
  "https://specs.example/api/schemas/shared.json": JSON.stringify({
    Shared: {
      type: "object",
      properties: {
        // The same words as another document's, in another folder.
        a: { $ref: "./shared/../more/shared.json#/More" },
        self: { $ref: "#/Shared" },
        again: { $ref: "shared.json#/Shared" },
        entry: { $ref: "../openapi.yaml#/components/schemas/Shared" },
        elsewhere: { $ref: "https://other.example/types.yaml#/Type" },
        $ref: { type: "string" },
      },
    },
  }),
  "https://specs.example/api/schemas/more/shared.json": JSON.stringify({ More: { $ref: "../shared.json#/Shared" } }),
  "https://other.example/types.yaml": "Type: { $ref: 'types.yaml#/Other' }\nOther: { type: string }\n",
};

/** A specification with so many paths and schemas. */
export function largeSpecification(size: number): object {
  const paths: Record<string, object> = {};
  const schemas: Record<string, object> = {};
  for (let i = 0; i < size; i++) {
    const ref = (name: number) => ({ $ref: `#/components/schemas/Thing${name}` });
    const content = { "application/json": { schema: ref(i) } };
    schemas[`Thing${i}`] = {
      type: "object",
      description: `What is known of things of kind ${i}, and how they belong together.`,
      required: ["id", "name"],
      properties: {
        id: { type: "string", format: "uuid", description: "Which one it is." },
        name: { type: "string", minLength: 1, maxLength: 100 },
        tags: { type: "array", items: { type: "string" } },
        next: ref((i * 7 + 1) % size),
      },
    };
    paths[`/things${i}/{id}`] = {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
      get: {
        operationId: `getThing${i}`,
        tags: [`Group ${i % 40}`],
        summary: `Get a thing of kind ${i}`,
        description: "It is given as it is *now*, with everything that belongs to it.",
        responses: { 200: { description: "The thing.", content }, 404: { description: "There is none." } },
      },
      put: {
        operationId: `putThing${i}`,
        tags: [`Group ${i % 40}`],
        requestBody: { required: true, content },
        responses: { 200: { description: "The thing.", content } },
      },
    };
  }
  return { openapi: "3.1.0", info: { title: "Many things", version: "1" }, paths, components: { schemas } };
}
