// The examples of the OpenAPI document are what the API answers: they are asked again, and compared.

import { readFile } from "node:fs/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { beforeAll, describe, expect, test } from "vitest";
import { type RecordedExample, recordedExamples } from "../../src/openapi/reference/add-examples";
import { listOperations } from "../../src/openapi/reference/model";
import { getPublishedDocument } from "../../src/openapi/reference/published-document";
import { allOperations } from "../../src/operations";
import { recordExamples, recordedSource } from "./record-examples";

const document = getPublishedDocument(allOperations(), { version: "1.0.0", server: "http://localhost:3000/v1" });
const operations = listOperations(document);
const JSON_TYPE = "application/json";

let again: Record<string, RecordedExample>;
beforeAll(async () => {
  again = await recordExamples();
});

test("every recorded example still matches the response", () => {
  expect(Object.keys(again).length).toBe(allOperations().length);
  for (const [name, recorded] of Object.entries(again))
    expect(recordedExamples[name], `${name}: run \`npm run generate:openapi\``).toEqual(recorded);
});

test("the file of recorded examples is current", async () => {
  const committed = await readFile(new URL("../../src/openapi/reference/recorded.json", import.meta.url), "utf8");
  expect(committed === recordedSource(again), "stale: run `npm run generate:openapi`").toBe(true);
});

test("every recorded example is a successful response", () => {
  expect(Object.entries(recordedExamples).filter(([, { status }]) => status >= 300)).toEqual([]);
});

describe("examples in the document", () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema({ $id: "document", ...document });
  /** Many operations answer with one type: its check is compiled once. */
  const checks = new Map<string, ReturnType<typeof ajv.compile>>();
  const fits = (schema: object, value: unknown) => {
    const text = JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"document#');
    const check = checks.get(text) ?? ajv.compile(JSON.parse(text));
    checks.set(text, check);
    return check(value) ? undefined : check.errors;
  };

  test("every body and every successful JSON response has an example that matches its schema", () => {
    for (const { operation } of operations) {
      const sent = operation.requestBody?.content?.[JSON_TYPE];
      if (sent?.example !== undefined) expect(fits(sent.schema!, sent.example), operation.operationId).toBeUndefined();
      for (const [status, response] of Object.entries(operation.responses)) {
        const answered = status.startsWith("2") ? response.content?.[JSON_TYPE] : undefined;
        if (!answered?.schema) continue;
        expect(answered.example, operation.operationId).toBeDefined();
        expect(fits(answered.schema, answered.example), operation.operationId).toBeUndefined();
      }
    }
  });

  test("every required body and path parameter has an example", () => {
    for (const { operation, pathParameters: ofPath } of operations) {
      const { required, content } = (operation.requestBody ?? {}) as {
        required?: boolean;
        content?: Record<string, { example?: unknown }>;
      };
      if (required) expect(content?.[JSON_TYPE]?.example, operation.operationId).toBeDefined();
      for (const { name, example } of ofPath) expect(example, `${operation.operationId}.${name}`).toBeDefined();
    }
  });
});
