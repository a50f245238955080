// A law of the OpenAPI document: everything in it is described, in words that say more than its name, and every type has a name.

import { describe, expect, test } from "vitest";
import { listErrorReasons } from "../../src/errors";
import { fieldDescriptions, operationDescriptions } from "../../src/openapi/reference/add-descriptions";
import descriptions from "../../src/openapi/reference/descriptions.json";
import { operationsWithReasons } from "../../src/openapi/reference/list-reasons";
import {
  listOperations,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type SchemaObject,
} from "../../src/openapi/reference/model";
import { nameSchemas } from "../../src/openapi/reference/name-schemas";
import { getPublishedDocument } from "../../src/openapi/reference/published-document";
import { allOperations } from "../../src/operations";

const document = getPublishedDocument(allOperations(), { version: "1.0.0", server: "http://localhost:3000/v1" });
const { schemas } = document.components;
const operations = listOperations(document);

const fields = Object.entries(schemas).flatMap(([type, { properties = {} }]) =>
  Object.entries(properties).map(([field, schema]) => ({ type, field, schema })),
);
const parameters = operations.flatMap(({ operation, pathParameters: ofPath }) =>
  [...ofPath, ...(operation.parameters ?? [])]
    .filter(({ $ref }) => $ref === undefined)
    .map((parameter) => ({ operation, parameter })),
);

const EMPTY = new Set("a an the of its it is this that in on for to whether and or".split(" "));
const wordsOf = (text: string) => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
const partsOf = (name: string) => wordsOf(name.replace(/([a-z0-9])([A-Z])/g, "$1 $2"));

/** Whether a description says nothing that its name does not say. */
function repeats(name: string, description: string): boolean {
  const named = new Set(partsOf(name));
  return wordsOf(description).every((word) => EMPTY.has(word) || named.has(word) || named.has(word.replace(/s$/, "")));
}

test("a description that only repeats the name is detected, and one that says more is accepted", () => {
  for (const [name, description] of [
    ["title", "The title."],
    ["revisionMerged", "The merged revision"],
    ["x", ""],
  ] as const)
    expect(repeats(name, description), description).toBe(true);
  expect(repeats("title", "The name that people read.")).toBe(false);
});

describe("completeness of descriptions", () => {
  const isWanting = (name: string, description: string | undefined) =>
    description === undefined || !/^[A-Z0-9`*].*[.:)]$/s.test(description) || repeats(name, description);

  test("every tag has a description", () => {
    expect(document.tags.filter(({ name, description }) => isWanting(name, description))).toEqual([]);
  });

  test("every operation has a description", () => {
    const wanting = operations.filter(
      ({ operation }) => isWanting(operation.operationId, operation.description) || operation.summary === "",
    );
    expect(wanting.map(({ operation }) => operation.operationId)).toEqual([]);
  });

  test("every operation says who may use it", () => {
    const silent = operations.filter(({ operation }) => operation["x-access"] === undefined);
    expect(
      silent.map(({ operation }) => operation.operationId),
      "add a sentence to src/openapi/reference/descriptions.json",
    ).toEqual([]);
  });

  test("every parameter has a description", () => {
    const wanting = parameters.filter(({ parameter: { name, description } }) => isWanting(name!, description));
    expect(
      wanting.map(({ operation, parameter }) => `${operation.operationId}.${parameter.name}`),
      "add words to src/openapi/reference/descriptions.json",
    ).toEqual([]);
  });

  test("every field has a description", () => {
    expect(fields.length).toBeGreaterThan(1500);
    const wanting = fields.filter(({ field, schema }) => isWanting(field, schema.description));
    expect(
      wanting.map(({ type, field, schema }) => `${type}.${field}: ${schema.description}`),
      "add words to src/openapi/reference/descriptions.json",
    ).toEqual([]);
  });
});

describe("summaries and descriptions of operations", () => {
  /** The verbs that a summary begins with: each says one thing in the whole reference. */
  const VERBS = new Set(
    [
      "Accept Add Aggregate Apply Ask Cancel Check Compute Create Delete Download Duplicate End Export Get Grant Import Install",
      "Invite Join Leave List Merge Move Preview Publish Record Regenerate Remove Render Reorder Replace Reply Report Request Require",
      "Resend Reset Resolve Restore Retry Review Revoke Run Schedule Search Send Start Stop Stream Transfer Uninstall Unpublish",
      "Update",
    ].flatMap((line) => line.split(" ")),
  );

  /** What keeps a summary from being a title. */
  function findFlaw(summary: string): string | undefined {
    if (summary.length > 60) return `has ${summary.length} characters`;
    if (!VERBS.has(summary.split(" ")[0]!)) return "begins with no verb of the list";
    if (/[;:.,]/.test(summary)) return "is more than a title";
    if (/e-mail/i.test(summary)) return "says e-mail";
    return undefined;
  }

  test("a summary that is no title is detected", () => {
    for (const summary of [
      "Found an organization",
      "Get a space; one in the trash is shown to those who may restore it",
      "Create a team.",
      "List email invites, oldest first",
      "Invite people by e-mail",
      "Get a document of a space or of one of its change requests by ID",
    ])
      expect(findFlaw(summary), summary).toBeDefined();
    expect(findFlaw("Create an organization")).toBeUndefined();
  });

  test("every summary is a short title that begins with a verb, and no other operation has it", () => {
    const flaws = operations.map(({ operation: { operationId, summary } }) => {
      const isUnique = operations.filter(({ operation }) => operation.summary === summary).length === 1;
      return [operationId, summary, isUnique ? findFlaw(summary) : "is that of another operation"] as const;
    });
    expect(flaws.filter(([, , flaw]) => flaw !== undefined)).toEqual([]);
  });

  test("every operation that changes, computes or searches something has a description, in whole sentences", () => {
    const wanting = operations.filter(({ method, operation: { operationId } }) => {
      const description = operationDescriptions.get(operationId);
      return description === undefined
        ? method !== "GET"
        : !/^[A-Z].*[^.]\.$/.test(description) || /e-mail/i.test(description);
    });
    expect(
      wanting.map(({ operation }) => operation.operationId),
      "add a description to `operations` of src/openapi/reference/descriptions.json",
    ).toEqual([]);
  });

  test("every description belongs to an operation", () => {
    const names = new Set(operations.map(({ operation }) => operation.operationId));
    expect([...operationDescriptions.keys()].filter((name) => !names.has(name))).toEqual([]);
  });
});

describe("unused descriptions", () => {
  test("every description of a field is used", () => {
    const unused = Object.entries(fieldDescriptions).filter(([place, words]) => {
      const [type, field] = place.split(".") as [string, string];
      const pattern = new RegExp(`^${type.replaceAll("*", "\\w*")}$`);
      return !fields.some(
        (it) => it.field === field && pattern.test(it.type) && it.schema.description?.startsWith(words),
      );
    });
    expect(unused.map(([place]) => place)).toEqual([]);
    const idle = Object.entries(descriptions.sharedFields).filter(
      ([name, words]) => !fields.some(({ field, schema }) => field === name && schema.description === words),
    );
    expect(idle.map(([name]) => name)).toEqual([]);
  });

  test("every description of a parameter and of access is used", () => {
    const said = new Set(parameters.map(({ parameter }) => parameter.description));
    expect(Object.entries(descriptions.parameters).filter(([, words]) => !said.has(words))).toEqual([]);
    const told = new Set(operations.map(({ operation }) => operation["x-access"]));
    expect(Object.entries(descriptions.access).filter(([, words]) => !told.has(words))).toEqual([]);
  });
});

describe("schema names", () => {
  /** The schemas that stand in a schema, itself included, without those it refers to. */
  function* within(schema: SchemaObject, at: string): Generator<[at: string, schema: SchemaObject]> {
    yield [at, schema];
    for (const [field, it] of Object.entries(schema.properties ?? {})) yield* within(it, `${at}.${field}`);
    for (const it of [schema.items, schema.additionalProperties])
      if (typeof it === "object") yield* within(it, `${at}[]`);
    for (const it of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) yield* within(it, `${at}|`);
  }

  test("objects occur only at the top of named schemas", () => {
    const inline = Object.entries(schemas).flatMap(([name, schema]) =>
      [...within(schema, name)].slice(1).filter(([, { properties }]) => properties !== undefined),
    );
    expect(inline.map(([at]) => at)).toEqual([]);
  });

  test("bodies and responses are references to named schemas", () => {
    const bodies = operations.flatMap(({ operation }) => [
      operation.requestBody?.content?.["application/json"]?.schema,
      ...Object.entries(operation.responses).map(
        ([status, response]) => (status.startsWith("2") && response.content?.["application/json"]?.schema) || undefined,
      ),
    ]);
    const present = bodies.filter((it) => it !== undefined);
    expect(present.length).toBeGreaterThan(200);
    expect(present.filter(({ $ref }) => $ref === undefined)).toEqual([]);
  });

  test("schema names are valid type names in any language and differ by more than case", () => {
    const names = Object.keys(schemas);
    expect(names.filter((name) => !/^[A-Z][A-Za-z0-9]{1,79}$/.test(name))).toEqual([]);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  });

  test("two schemas that would share a name are rejected", () => {
    const operation = (operationId: string, schema: SchemaObject): { get: OperationObject } => ({
      get: {
        operationId,
        tags: [],
        summary: "",
        responses: { 200: { content: { "application/json": { schema } } } },
      },
    });
    const text = { type: "object", properties: { a: { type: "string" } } };
    const small = (named: Record<string, SchemaObject>): OpenApiDocument => ({
      info: { description: "" },
      tags: [],
      paths: { "/a": operation("getA", text) },
      components: { schemas: named },
    });
    const fine = small({});
    nameSchemas(fine);
    expect(Object.keys(fine.components.schemas)).toEqual(["GetAAnswer"]);
    expect(() => nameSchemas(small({ GetAAnswer: { type: "string" } }))).toThrow('Two schemas are named "GetAAnswer"');
  });
});

describe("error reasons", () => {
  test("every error reason belongs to an operation, except those for unknown paths", () => {
    const told = new Set(operations.flatMap(({ operation }) => operation["x-reasons"] as string[]));
    const silent = listErrorReasons().filter(({ reason }) => !told.has(reason));
    expect(silent.map(({ reason }) => reason)).toEqual(["route_not_found", "method_not_allowed"]);
  });

  test("an operation declares the status of each of its error reasons", () => {
    const statusOf = new Map<string, number>(listErrorReasons().map(({ reason, status }) => [reason, status]));
    const undeclared = operations.flatMap(({ operation }) =>
      (operation["x-reasons"] as string[])
        .filter((it) => !(statusOf.get(it)! in operation.responses) && !("default" in operation.responses))
        .map((it) => `${operation.operationId} ${it}`),
    );
    expect(undeclared).toEqual([]);
  });

  test("the listed operations exist", () => {
    const names = new Set(operations.map(({ operation }) => operation.operationId));
    expect(operationsWithReasons.filter((name) => !names.has(name))).toEqual([]);
  });
});

test("shared parameters and headers have descriptions", () => {
  const { parameters: shared, headers } = document.components as Record<string, Record<string, ParameterObject>>;
  for (const [name, it] of [...Object.entries(shared!), ...Object.entries(headers!)])
    expect(it.description, name).toMatch(/\.$/);
});
