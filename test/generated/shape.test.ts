// Shapes become types that a person would have written.

import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { generatedTypes } from "../../scripts/types/generate";
import { type Side, typeOf } from "../../scripts/types/shape";
import type { RegisteredOperation } from "../../src/execution/kernel";
import { defineOperation, type Method } from "../../src/operation/operation";
import type { Target } from "../../src/operation/target";

const nameOf = (title: string) => title;
const typeAs = (side: Side, shape: v.GenericSchema) => typeOf(shape, { side, nameOf });
const Titled = v.pipe(v.object({ id: v.string() }), v.title("Thing"), v.description("A thing."));

describe("types of schemas", () => {
  const shapes: readonly (readonly [type: string, shape: v.GenericSchema])[] = [
    ["string", v.pipe(v.string(), v.maxLength(3))],
    ['"a" | "b"', v.picklist(["a", "b"])],
    ["(string | null)[]", v.array(v.nullable(v.string()))],
    ["Thing[]", v.array(Titled)],
    ["{ a: 1; b?: boolean }", v.object({ a: v.literal(1), b: v.optional(v.boolean()) })],
    ['{ "a-b": unknown }', v.object({ "a-b": v.unknown() })],
    ["Record<string, never>", v.strictObject({})],
    ["Record<string, number>", v.record(v.string(), v.number())],
    ["{ a: string; [name: string]: unknown }", v.looseObject({ a: v.string() })],
    ["{ a: string } | Thing", v.union([v.object({ a: v.string() }), Titled])],
    ["Thing", v.lazy(() => Titled)],
    ["{ thing?: Thing }", v.object({ thing: v.optional(Titled) })],
    ["{\n  /** In bytes. */\n  size: number;\n}", v.object({ size: v.pipe(v.number(), v.description("In bytes.")) })],
    ["{\n  /** No end: *\\/ */\n  a: string;\n}", v.object({ a: v.pipe(v.string(), v.description("No end: */")) })],
  ];

  test.each(shapes)("the type of %s is generated", (type, shape) => {
    expect(typeAs("taken", shape)).toBe(type);
    expect(typeAs("answered", shape)).toBe(type);
  });

  test("the input type is that of the value before a transformation", () => {
    const flag = v.pipe(
      v.string(),
      v.transform((text) => text === "true"),
    );
    expect(typeAs("taken", flag)).toBe("string");
    expect(() => typeAs("answered", flag)).toThrow("an answer must be described as it is sent");
  });

  test("a member with a default is always present in the output", () => {
    const shape = v.object({ a: v.optional(v.string(), "x") });
    expect(typeAs("taken", shape)).toBe("{ a?: string }");
    expect(typeAs("answered", shape)).toBe("{ a: string }");
  });

  test("a schema without a type is replaced by a message that says what is missing", () => {
    expect(() => typeAs("taken", v.bigint())).toThrow('A shape of the type "bigint" cannot be written as a type yet.');
  });
});

describe("types of operations", () => {
  const anywhere = {
    findPartition: () => undefined,
    load: async () => ({}),
    notFoundReason: "route_not_found",
  } as const;
  const target: Target<object, "view"> = { ...anywhere, rights: { view: () => true } };
  const declare = (name: string, route: `${Method} /${string}`, shapes: object): RegisteredOperation => ({
    name,
    resource: "things",
    scope: "things:read",
    definition: defineOperation(route, {
      summary: `What ${name} does`,
      target: target,
      right: "view",
      handle: async () => {},
      ...shapes,
    }) as RegisteredOperation["definition"],
  });
  const written = (...table: RegisteredOperation[]) =>
    generatedTypes(table) as Record<"operations.ts" | "resources.ts", string>;

  test("operations are generated with required and optional members", () => {
    const body = v.strictObject({ title: v.string() });
    const text = written(
      declare("makeThing", "POST /things/:roomId", { body, returns: Titled }),
      declare("changeThing", "PATCH /things/:roomId", { body: v.partial(body) }),
      declare("listThings", "GET /things/:roomId", { list: Titled, query: { sort: v.optional(v.string()) } }),
      declare("findThing", "GET /things", { returns: Titled, query: { name: v.string() } }),
    )["operations.ts"];
    expect(text).not.toContain("What makeThing does");
    expect(text).toContain("makeThing: { params: RoomIds; body: { title: string }; result: Thing };");
    expect(text).toContain("changeThing: { params: RoomIds; body?: { title?: string }; result: undefined };");
    expect(text).toContain("query?: Paging & { sort?: string }; result: Envelope<Thing> };");
    expect(text).toContain("findThing: { query: { name: string }; result: Thing };");
  });

  test("ids that several operations share have one type", () => {
    const routes = ["/a/:aId", "/a/:aId/b/:bId", "/c/:cId/b/:bId"].flatMap((path) => [path, `${path}/x`, `${path}/y`]);
    const text = written(
      ...routes.map((path, at) => declare(`get${at}`, `GET ${path as "/"}`, {})),
      declare("getPart", "GET /a/:aId/b/:bId/parts/:partId", {}),
      declare("getOther", "GET /others/:otherId", {}),
    )["operations.ts"];
    expect(text).toContain("interface AIds {\n  aId: string;\n}\n");
    expect(text).toContain("interface BIds extends AIds {\n  bId: string;\n}\n");
    expect(text).toContain("interface CBIds {\n  cId: string;\n  bId: string;\n}\n");
    expect(text).toContain("get3: { params: BIds; result: undefined };");
    expect(text).toContain("get6: { params: CBIds; result: undefined };");
    expect(text).toContain('getPart: { params: BIds & Ids<"partId">; result: undefined };');
    expect(text).toContain('getOther: { params: Ids<"otherId">; result: undefined };');
  });

  test("schemas with a title are generated once beside the operations", () => {
    const text = written(
      declare("getThing", "GET /things/a", { returns: Titled }),
      declare("getThings", "GET /things/b", { returns: v.array(Titled) }),
    )["resources.ts"];
    expect(text.match(/\/\*\* A thing. \*\/\nexport interface Thing \{\n {2}id: string;\n\}\n/g)).toHaveLength(1);
  });

  test("a schema that differs between input and output has two names", () => {
    const Look = v.pipe(v.strictObject({ a: v.string(), b: v.optional(v.string(), "x") }), v.title("Look"));
    const files = written(declare("setLook", "PUT /look", { body: Look, returns: Look }));
    expect(files["operations.ts"]).toContain("setLook: { body: LookInput; result: Look };");
    expect(files["resources.ts"]).toContain('interface LookInput extends Omit<Look, "b"> {\n  b?: string;\n}');
  });

  test("two schemas with the same title are rejected", () => {
    const other = v.pipe(v.object({ name: v.string() }), v.title("Thing"));
    const table = [declare("a", "GET /a", { returns: Titled }), declare("b", "GET /b", { returns: other })];
    expect(() => written(...table)).toThrow('The types of b cannot be written. Two shapes have the title "Thing".');
  });
});
