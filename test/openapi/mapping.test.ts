// How each kind of declaration appears in the OpenAPI document, on small tables made for the purpose.

import * as v from "valibot";
import { describe, expect, test } from "vitest";
import type { RegisteredOperation } from "../../src/execution/kernel";
import { generateOpenApiDocument } from "../../src/openapi/generate";
import { BinarySchema } from "../../src/operation/binary-response";
import { BooleanParam, Role, textSchema, WebUrl } from "../../src/operation/common-schemas";
import { defineOperation, type Method, type Schema } from "../../src/operation/operation";
import type { Target } from "../../src/operation/target";

const anything: Target<object, "view"> = {
  findPartition: () => "directory",
  load: async () => ({}),
  notFoundReason: "route_not_found",
  rights: { view: () => true },
};

interface Declared {
  query?: v.ObjectEntries;
  body?: Schema;
  returns?: Schema;
  list?: Schema;
  status?: 200 | 201 | 204;
  target?: Target<object, "view">;
  version?: () => string;
  mediaTypes?: readonly string[];
  mayRedirect?: true;
  callsIntegration?: true;
  forwardsRequest?: true;
}

/** An operation in the room of things. */
function declare(name: string, route: `${Method} /${string}`, spec: Declared = {}): RegisteredOperation {
  const handle = async () => undefined as never;
  const declared = defineOperation(route, { summary: "Do a thing", target: anything, right: "view", ...spec, handle });
  return { name, resource: "things", scope: "things:read", definition: declared };
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks into the document at every depth.
type Loose = any;

function documentOf(...table: RegisteredOperation[]): Loose {
  return generateOpenApiDocument(table, { version: "1.0.0", server: "http://localhost:3000/v1" });
}

/** The schema that an answer of this shape is described with, and the named schemas. */
function described(returns: Schema): { schema: Loose; named: Loose } {
  const document = documentOf(declare("getThing", "GET /thing", { returns }));
  return {
    schema: document.paths["/thing"].get.responses[200].content["application/json"].schema,
    named: document.components.schemas,
  };
}

/** The parameter that a query's member is described with. */
function asked(entry: Schema): Loose {
  const document = documentOf(declare("listThings", "GET /things", { query: { it: entry }, list: v.string() }));
  return document.paths["/things"].get.parameters.find(({ name }: { name?: string }) => name === "it");
}

describe("schemas", () => {
  test("a schema with a title becomes a component that every use refers to, including nested uses", () => {
    const Leaf = v.pipe(v.object({ role: v.nullable(Role) }), v.title("Leaf"));
    const { schema, named } = described(v.object({ first: Leaf, more: v.array(v.optional(Leaf)) }));
    const leaf = { $ref: "#/components/schemas/Leaf" };
    expect(schema.properties).toEqual({ first: leaf, more: { type: "array", items: leaf } });
    expect(named.Leaf.properties.role).toEqual({ anyOf: [{ $ref: "#/components/schemas/Role" }, { type: "null" }] });
    expect(named.Role).toMatchObject({
      type: "string",
      enum: ["read", "comment", "edit", "review", "create", "admin"],
    });
  });

  test("two schemas with the same title are rejected, in one operation and in two", () => {
    const one = v.pipe(v.object({ a: v.string() }), v.title("Thing"));
    const other = v.pipe(v.object({ b: v.string() }), v.title("Thing"));
    expect(() => described(v.object({ one, other }))).toThrow('Two schemas have the title "Thing"');
    const table = [
      declare("getOne", "GET /one", { returns: one }),
      declare("getOther", "GET /other", { returns: other }),
    ];
    expect(() => documentOf(...table)).toThrow('getOther cannot be described. Two schemas have the title "Thing"');
    expect(() => described(v.pipe(v.string(), v.title("Error")))).toThrow('Two schemas have the title "Error"');
  });

  test("a schema with a title may contain itself", () => {
    interface Tree {
      leaves: Tree[];
    }
    const Tree: v.GenericSchema<Tree> = v.pipe(v.object({ leaves: v.array(v.lazy(() => Tree)) }), v.title("Tree"));
    const { schema, named } = described(Tree);
    expect(schema).toEqual({ $ref: "#/components/schemas/Tree" });
    expect(named.Tree.properties.leaves.items).toEqual({ $ref: "#/components/schemas/Tree" });
    const Untitled: v.GenericSchema<Tree> = v.object({ leaves: v.array(v.lazy(() => Untitled)) });
    expect(() => described(Untitled)).toThrow("needs a title");
  });

  test("the document states where unknown members are rejected", () => {
    expect(described(v.strictObject({ a: v.string() })).schema.additionalProperties).toBe(false);
    expect(described(v.object({ a: v.string() })).schema).not.toHaveProperty("additionalProperties");
    expect(described(v.looseObject({ a: v.string() })).schema).not.toHaveProperty("additionalProperties");
  });

  test("only members that must be present are required", () => {
    const { schema } = described(v.object({ a: v.string(), b: v.optional(v.string()), c: v.nullable(v.string()) }));
    expect(schema.required).toEqual(["a", "c"]);
    expect(described(v.object({ b: v.optional(v.string()) })).schema).not.toHaveProperty("required");
  });

  test("lengths are counted in characters, as in JSON Schema", () => {
    expect(described(textSchema(2, 255)).schema).toEqual({ type: "string", minLength: 2, maxLength: 255 });
    expect(described(textSchema(0, 64)).schema).toEqual({ type: "string", maxLength: 64 });
  });

  test("several patterns must all match, and a pattern with flags is omitted", () => {
    const { schema } = described(v.pipe(v.string(), v.regex(/^a/), v.regex(/z$/), v.regex(/^[^b]*$/)));
    expect(schema).toEqual({ type: "string", pattern: "^a", allOf: [{ pattern: "z$" }, { pattern: "^[^b]*$" }] });
    expect(described(WebUrl).schema).toEqual({ type: "string", maxLength: 2048, format: "uri" });
    const word = v.pipe(v.string(), v.regex(/^\p{L}+$/u, "Expected letters"));
    expect(described(word).schema).toEqual({ type: "string", description: "Must be letters." });
  });

  test("a check after a transformation is not part of the schema of the request", () => {
    const { schema } = described(
      v.pipe(v.string(), v.maxLength(9), v.toLowerCase(), v.regex(/^[a-z]+$/), v.minLength(2)),
    );
    expect(schema).toEqual({ type: "string", maxLength: 9 });
    const folded = v.pipe(v.string(), v.trim(), v.description("A word"), v.minLength(1));
    expect(described(folded).schema).toEqual({ type: "string", description: "A word" });
  });

  test("a schema without an equivalent in JSON Schema is rejected with the name of the operation", () => {
    expect(() => described(v.date())).toThrow('getThing cannot be described. The "date" schema');
  });
});

describe("queries", () => {
  test("a flag in a query is a boolean, and so is its default", () => {
    expect(asked(BooleanParam)).toEqual({ name: "it", in: "query", required: true, schema: { type: "boolean" } });
    expect(asked(v.optional(BooleanParam))).toEqual({ name: "it", in: "query", schema: { type: "boolean" } });
    expect(asked(v.optional(BooleanParam, "true")).schema).toEqual({ type: "boolean", default: true });
  });

  test("a number in a query is a number", () => {
    const Count = v.pipe(v.string(), v.regex(/^\d+$/), v.transform(Number), v.number(), v.integer(), v.maxValue(9));
    expect(asked(v.optional(Count, "3")).schema).toEqual({ type: "integer", maximum: 9, default: 3 });
  });

  test("a list in a query is a repeated parameter, and a single value is a list of one", () => {
    const list = { type: "array", items: { $ref: "#/components/schemas/Role" } };
    expect(asked(v.array(Role)).schema).toEqual(list);
    expect(
      asked(
        v.pipe(
          v.union([Role, v.array(Role)]),
          v.transform((it) => [it].flat()),
        ),
      ).schema,
    ).toEqual(list);
  });

  test("lists have the parameters page and limit, from 1 to 1000 with the default 50", () => {
    const document = documentOf(declare("listThings", "GET /things", { list: v.string() }));
    const { parameters, responses } = document.paths["/things"].get;
    expect(parameters).toEqual([{ $ref: "#/components/parameters/cursor" }, { $ref: "#/components/parameters/limit" }]);
    expect(document.components.parameters.limit.schema).toEqual({
      type: "integer",
      minimum: 1,
      maximum: 1000,
      default: 50,
    });
    const { properties, required } = responses[200].content["application/json"].schema;
    expect(Object.keys(properties)).toEqual(["next", "count", "items"]);
    expect(required).toEqual(["count", "items"]);
    expect(properties.items).toEqual({ type: "array", items: { type: "string" } });
  });
});

describe("paths", () => {
  test("parameters belong to the path, and one that may contain slashes says so", () => {
    const document = documentOf(declare("getPage", "GET /spaces/:spaceId/path/:pagePath+"));
    expect(document.paths["/spaces/{spaceId}/path/{pagePath}"].parameters).toEqual([
      { name: "spaceId", in: "path", required: true, schema: { type: "string", pattern: "^[A-Za-z0-9_-]{1,64}$" } },
      {
        name: "pagePath",
        in: "path",
        required: true,
        description: "Can contain slashes, sent as is or encoded as `%2F`.",
        schema: { type: "string" },
      },
    ]);
  });

  test("paths are grouped by module, sorted within a module, and unique, in whatever order the operations come", () => {
    const table = [declare("postB", "POST /b"), declare("b", "GET /b"), declare("a", "GET /a")];
    const other = { ...declare("first", "GET /"), resource: "others" };
    for (const shuffled of [table, table.toReversed()]) {
      const { paths } = documentOf(...shuffled, other);
      expect(Object.entries(paths).map(([path, item]) => [path, ...Object.keys(item as object)])).toEqual([
        ["/a", "get"],
        ["/b", "get", "post"],
        ["/", "get"],
      ]);
    }
    expect(() => documentOf(...table, declare("c", "GET /a"))).toThrow("Two operations answer to GET /a");
  });
});

describe("requests and responses", () => {
  const single = declare("getThing", "GET /things/:thingId", { returns: v.string() });
  /** How an operation is described when it stands beside the GET of a single resource. */
  const beside = (named: RegisteredOperation): Loose =>
    Object.values<Loose>(documentOf(single, named).paths)
      .flatMap((item) => Object.values<Loose>(item))
      .find(({ operationId }) => operationId === named.name);
  const refs = (entry: Loose) => (entry.parameters ?? []).map(({ $ref }: { $ref: string }) => $ref.split("/").at(-1));

  test("a body is optional exactly where an empty one is accepted", () => {
    const bodyOf = (body: Schema) => beside(declare("postThing", "POST /things", { body })).requestBody;
    expect(bodyOf(v.strictObject({ title: v.string() })).required).toBe(true);
    expect(bodyOf(v.strictObject({ title: v.optional(v.string()) })).required).toBe(false);
  });

  test("a single resource has an ETag and a 304 response, and a list has neither", () => {
    const { get } = documentOf(single).paths["/things/{thingId}"];
    expect(refs(get)).toEqual(["ifNoneMatch"]);
    expect(get.responses[200].headers).toEqual({ ETag: { $ref: "#/components/headers/etag" } });
    expect(get.responses[304]).toEqual({ $ref: "#/components/responses/notModified" });
    const list = documentOf(declare("listThings", "GET /things", { list: v.string() })).paths["/things"].get;
    expect(refs(list)).toEqual(["cursor", "limit"]);
    expect(list.responses).not.toHaveProperty("304");
    expect(list.responses[200]).not.toHaveProperty("headers");
  });

  test("a POST accepts Idempotency-Key, and a write to a single resource accepts If-Match", () => {
    expect(refs(beside(declare("add", "POST /things")))).toEqual(["idempotencyKey"]);
    expect(refs(beside(declare("move", "POST /things/:thingId/move")))).toEqual(["idempotencyKey", "ifMatch"]);
    expect(refs(beside(declare("drop", "DELETE /things/:thingId/part")))).toEqual(["ifMatch"]);
  });

  test("a creation has a Location header if its resource has a path, and a 204 has no content", () => {
    const created = (returns: Schema) =>
      Object.keys(beside(declare("add", "POST /things", { returns, status: 201 })).responses[201].headers);
    const placed = v.object({ urls: v.object({ location: v.string() }) });
    for (const returns of [
      placed,
      v.nullable(placed),
      v.union([v.string(), placed]),
      v.pipe(placed, v.title("Placed")),
    ])
      expect(created(returns)).toEqual(["Location", "Idempotent-Replayed"]);
    for (const returns of [v.string(), v.object({ urls: v.object({ app: v.string() }) })])
      expect(created(returns)).toEqual(["Idempotent-Replayed"]);
    const deleted = documentOf(declare("drop", "DELETE /things/:thingId")).paths["/things/{thingId}"].delete
      .responses[204];
    expect(deleted).toEqual({ description: "Deleted, or already absent." });
  });

  test("a binary response declares its media types, its ETag if it has one, and redirects if it has them", () => {
    const responses = (more: Declared) =>
      beside(declare("load", "GET /thing", { returns: BinarySchema, ...more })).responses;
    expect(responses({})[200]).toEqual({ description: "Success.", content: { "*/*": {} } });
    expect(responses({ mediaTypes: ["image/*", "application/pdf"] })[200].content).toEqual({
      "image/*": {},
      "application/pdf": {},
    });
    expect(responses({})[304]).toBeUndefined();
    expect(responses({ version: () => "1" })).toMatchObject({ 200: { headers: { ETag: {} } }, 304: {} });
    expect(responses({ mayRedirect: true })["3XX"].headers).toHaveProperty("Location");
  });

  test("an operation that passes a request on may answer with anything", () => {
    const { responses } = beside(
      declare("pass", "DELETE /thing/:path+", { returns: BinarySchema, forwardsRequest: true }),
    );
    expect(Object.keys(responses)).toEqual(["200", "404", "default"]);
    expect(responses.default.content).toEqual({ "*/*": {} });
  });

  test("an operation lists the errors that it can return", () => {
    const failuresOf = (named: RegisteredOperation) => {
      const statuses = Object.keys(beside(named).responses);
      return statuses.filter((status) => Number(status) >= 400).join(" ");
    };
    expect(failuresOf(declare("get", "GET /thing", { returns: v.string() }))).toBe("400 401 403 409 429 500 503");
    const target = { ...anything, notFoundReason: "published_url_not_found" as const };
    expect(failuresOf(declare("find", "POST /thing", { target }))).toBe(
      "400 401 403 404 408 409 412 413 415 422 429 500 502 503",
    );
    expect(failuresOf(declare("show", "GET /thing", { returns: BinarySchema, callsIntegration: true }))).toBe(
      "400 401 403 409 422 429 500 502 503",
    );
    expect(failuresOf(declare("list", "GET /things", { list: v.string() }))).toBe("400 401 403 409 429 500 503");
    expect(failuresOf(declare("drop", "DELETE /things/:thingId"))).toBe(
      "400 401 403 404 408 409 412 413 422 429 500 503",
    );
    expect(failuresOf(declare("add", "POST /things"))).toBe("400 401 403 408 409 412 413 415 422 429 500 502 503");
  });
});
