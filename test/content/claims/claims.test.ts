// The schema of a site's visitors, claims that are checked against it, and the conditions that use it.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type ClaimsSchema,
  createTemplateConditions,
  filterSignedClaims,
  filterUnsignedClaims,
  findSchemaIssue,
} from "../../../src/content/claims";
import { MAX_CLAIM_DEPTH, MAX_CLAIMS, MAX_CLAIMS_SCHEMA_BYTES } from "../../../src/content/claims/schema";
import { isConditionMet, parseExpression } from "../../../src/content/expressions";

const object = (properties: object, more: object = {}) => ({
  type: "object",
  properties,
  additionalProperties: false,
  ...more,
});

const whole = object({
  isBeta: { type: "boolean", description: "Is in the beta" },
  plan: { type: "string", enum: ["free", "pro"], description: "Plan" },
  country: { type: "string" },
  seats: { type: "number", description: "Seats" },
  roles: { type: "array", items: { type: "string", enum: ["admin", "dev"] }, description: "Role" },
  years: { type: "array", items: { type: "number" } },
  company: object({ isPartner: { type: "boolean" }, "full name": { type: "string" } }, { description: "Company" }),
  unsigned: object({ language: { type: "string", enum: ["de", "en"] } }),
}) as unknown as ClaimsSchema;

describe("the schema of claims", () => {
  test("a schema with everything that is allowed is valid", () => {
    expect(findSchemaIssue(whole)).toBeUndefined();
    expect(findSchemaIssue(object({}))).toBeUndefined();
    expect(findSchemaIssue(object({}, { $schema: "http://json-schema.org/draft-07/schema#" }))).toBeUndefined();
  });

  const boolean = { type: "boolean" };
  test.each<[what: string, schema: unknown, path: string]>([
    ["that is no object", [], ""],
    ["of another type", { ...object({}), type: "array" }, "type"],
    ["of another draft", object({}, { $schema: "https://json-schema.org/draft/2020-12/schema" }), "$schema"],
    ["without properties", { type: "object", additionalProperties: false }, "properties"],
    ["that is open", { ...object({}), additionalProperties: true }, "additionalProperties"],
    ["that says not whether it is open", { type: "object", properties: {} }, "additionalProperties"],
    ["with a reference", object({ a: { $ref: "#/definitions/a" } }), "properties.a.type"],
    ["with a reference beside a type", object({ a: { ...boolean, $ref: "#" } }), "properties.a.$ref"],
    ["with definitions", object({}, { definitions: {} }), "definitions"],
    ["with required members", object({}, { required: [] }), "required"],
    ["with a pattern", object({ a: { type: "string", pattern: "^(a+)+$" } }), "properties.a.pattern"],
    ["with a format", object({ a: { type: "string", format: "email" } }), "properties.a.format"],
    ["with a reference to data", object({ a: { type: "string", pattern: { $data: "1/b" } } }), "properties.a.pattern"],
    ["with patterns for names", object({}, { patternProperties: {} }), "patternProperties"],
    ["with a choice", object({ a: { anyOf: [boolean] } }), "properties.a.type"],
    ["with several types", object({ a: { type: ["string", "null"] } }), "properties.a.type"],
    ["with null", object({ a: { type: "null" } }), "properties.a.type"],
    ["with an enum of booleans", object({ a: { ...boolean, enum: [true] } }), "properties.a.enum"],
    ["with an empty enum", object({ a: { type: "string", enum: [] } }), "properties.a.enum"],
    ["with a number in an enum", object({ a: { type: "string", enum: ["x", 1] } }), "properties.a.enum.1"],
    ["with a value twice", object({ a: { type: "string", enum: ["x", "x"] } }), "properties.a.enum.1"],
    ["with a line break in a value", object({ a: { type: "string", enum: ["x\ny"] } }), "properties.a.enum.0"],
    ["with lists of lists", object({ a: { type: "array", items: { type: "array" } } }), "properties.a.items.type"],
    ["with lists of objects", object({ a: { type: "array", items: object({}) } }), "properties.a.items.type"],
    ["with lists of nothing", object({ a: { type: "array" } }), "properties.a.items"],
    ["with a description that is no text", object({ a: { ...boolean, description: 1 } }), "properties.a.description"],
    [
      "with a long description",
      object({ a: { ...boolean, description: "x".repeat(257) } }),
      "properties.a.description",
    ],
    [
      "with an object inside that is open",
      object({ a: { type: "object", properties: {} } }),
      "properties.a.additionalProperties",
    ],
    ["with unsigned claims that are none", object({ unsigned: boolean }), "properties.unsigned.type"],
    ["with a claim that every JWT has", object({ exp: { type: "number" } }), "properties.exp"],
    ["with a quote in a name", object({ 'a"b': boolean }), 'properties.a"b'],
    ["with an empty name", object({ "": boolean }), "properties."],
    ["with a long name", object({ ["x".repeat(65)]: boolean }), `properties.${"x".repeat(65)}`],
    ["with a claim that is nothing", object({ a: null }), "properties.a"],
  ])("%s is rejected, and the member is named", (_, schema, path) => {
    expect(findSchemaIssue(schema)?.path.join(".")).toBe(path);
  });

  test("S38: names that lead to prototypes are rejected, whoever owns them", () => {
    for (const name of ["__proto__", "constructor", "prototype"]) {
      const schema = JSON.parse(
        `{"type":"object","additionalProperties":false,"properties":{"${name}":{"type":"boolean"}}}`,
      );
      expect(findSchemaIssue(schema)?.path).toEqual(["properties", name]);
    }
  });

  test("S38: a schema is bounded in depth, claims and length", () => {
    const nested = (depth: number): object => object(depth === 1 ? {} : { a: nested(depth - 1) });
    expect(findSchemaIssue(nested(MAX_CLAIM_DEPTH))).toBeUndefined();
    expect(findSchemaIssue(nested(MAX_CLAIM_DEPTH + 1))?.message).toContain("deep");
    expect(findSchemaIssue(nested(2000))?.message).toContain("deep");
    const many = (count: number) =>
      object(Object.fromEntries(Array.from({ length: count }, (_, i) => [`c${i}`, { type: "boolean" }])));
    expect(findSchemaIssue(many(MAX_CLAIMS))).toBeUndefined();
    expect(findSchemaIssue(many(MAX_CLAIMS + 1))?.message).toContain("claims");
    const values = Array.from({ length: 50 }, (_, i) => `${i}`.padStart(100, "x"));
    const long = object(
      Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`c${i}`, { type: "string", enum: values }])),
    );
    expect(JSON.stringify(long).length).toBeGreaterThan(MAX_CLAIMS_SCHEMA_BYTES);
    expect(findSchemaIssue(long)?.message).toContain("bytes");
  });
});

describe("claims of a visitor", () => {
  test("a visitor has exactly the claims that the schema names", () => {
    const given = { isBeta: true, plan: "pro", exp: 1, sub: "x", surprise: 1, unsigned: { language: "de" } };
    expect(filterSignedClaims(whole, given)).toEqual({ isBeta: true, plan: "pro" });
    expect(filterSignedClaims(whole, { company: { isPartner: true, secret: 1 }, roles: ["dev"], years: [] })).toEqual({
      company: { isPartner: true },
      roles: ["dev"],
      years: [],
    });
  });

  test.each([
    ["a text for a boolean", { isBeta: "true" }],
    ["null", { isBeta: null }],
    ["a value that is not listed", { plan: "gold" }],
    ["a list for a text", { country: ["de"] }],
    ["a text for a number", { seats: "5" }],
    ["a text for a list", { roles: "admin" }],
    ["a list with something else in it", { roles: ["admin", 1] }],
    ["a list for an object", { company: [] }],
    ["something wrong inside of an object", { company: { isPartner: 1 } }],
  ])("a visitor with %s is rejected", (_, given) => {
    expect(filterSignedClaims(whole, given)).toBeUndefined();
  });

  test("claims that visitors state themselves are ignored if they have the wrong type", () => {
    expect(filterUnsignedClaims(whole, { language: "de", isBeta: true })).toEqual({ language: "de" });
    expect(filterUnsignedClaims(whole, { language: "xx" })).toEqual({});
    expect(filterUnsignedClaims(object({}) as unknown as ClaimsSchema, { language: "de" })).toEqual({});
  });

  test("S7: inherited properties are not claims and cannot be reached", () => {
    const schema = object({ toString: { type: "string" } }) as unknown as ClaimsSchema;
    expect(findSchemaIssue(schema)).toBeUndefined();
    expect(filterSignedClaims(schema, {})).toEqual({});
    const own = JSON.parse('{"__proto__":{"isBeta":true}}');
    expect(filterSignedClaims(whole, own)).toEqual({});
    expect(isConditionMet("visitor.claims.isBeta", { visitor: { claims: filterSignedClaims(whole, own)! } })).toBe(
      false,
    );
  });
});

test("template conditions cover each claim and each of its possible values", () => {
  expect(createTemplateConditions(whole)).toEqual([
    { description: "Is in the beta", condition: "visitor.claims.isBeta" },
    { description: "Plan: free", condition: 'visitor.claims.plan === "free"' },
    { description: "Plan: pro", condition: 'visitor.claims.plan === "pro"' },
    { description: "country", condition: '"country" in visitor.claims' },
    { description: "Seats", condition: '"seats" in visitor.claims' },
    { description: "Role: admin", condition: 'visitor.claims.roles.includes("admin")' },
    { description: "Role: dev", condition: 'visitor.claims.roles.includes("dev")' },
    { description: "years", condition: '"years" in visitor.claims' },
    { description: "company isPartner", condition: "visitor.claims.company.isPartner" },
    { description: "company full name", condition: '"full name" in visitor.claims.company' },
    { description: "unsigned language: de", condition: 'visitor.claims.unsigned.language === "de"' },
    { description: "unsigned language: en", condition: 'visitor.claims.unsigned.language === "en"' },
  ]);
});

/** Schemas in the allowed form, and for each a visitor for whom a claim of it holds. */
const name = fc.oneof(
  fc.constantFrom(
    "isBeta",
    "a b",
    "x.y",
    "if",
    "this",
    "true",
    "null",
    "length",
    "in",
    "toString",
    "9",
    "$",
    "ä",
    "https://x/y",
  ),
  fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(..."abZ_$9 .:/@-é日") }),
);
const value = fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" });
const scalar = fc.oneof(
  fc.constant({ type: "boolean" }),
  fc.constant({ type: "number" }),
  fc.constant({ type: "string" }),
  fc.uniqueArray(value, { minLength: 1, maxLength: 4 }).map((values) => ({ type: "string", enum: values })),
);
const { claim } = fc.letrec<{ claim: object }>((tie) => ({
  claim: fc.oneof(
    { maxDepth: 2 },
    scalar,
    scalar.map((items) => ({ type: "array", items })),
    fc.dictionary(name, tie("claim"), { maxKeys: 3 }).map((properties) => object(properties)),
  ),
}));
const schemas = fc
  .record({ signed: fc.dictionary(name, claim, { maxKeys: 4 }), unsigned: fc.dictionary(name, claim, { maxKeys: 3 }) })
  .map(({ signed, unsigned }) => object({ ...signed, unsigned: object(unsigned) }) as unknown as ClaimsSchema)
  .filter((schema) => findSchemaIssue(schema) === undefined);

type AnyClaim = ClaimsSchema["properties"][string];

/** A value of a claim; of listed ones the one at `pick`. */
function valueFor(claim: AnyClaim, pick: number): unknown {
  if (claim.type === "boolean") return true;
  if (claim.type === "number") return 0;
  if (claim.type === "array") return [valueFor(claim.items, pick)];
  if (claim.type === "object")
    return Object.fromEntries(Object.entries(claim.properties).map(([name, it]) => [name, valueFor(it, pick)]));
  return claim.enum ? claim.enum[pick % claim.enum.length] : "";
}

test("S36: every template condition parses and holds only for visitors with the claim", () => {
  fc.assert(
    fc.property(schemas, (schema) => {
      const given = Array.from({ length: 4 }, (_, pick) => valueFor(schema, pick) as Record<string, unknown>);
      const visitors = given.map((it) => ({
        ...filterSignedClaims(schema, it)!,
        unsigned: filterUnsignedClaims(schema, it.unsigned as object as Record<string, unknown>),
      }));
      for (const { condition } of createTemplateConditions(schema)) {
        expect(parseExpression(condition), condition).toMatchObject({ ok: true });
        const holds = visitors.some((claims) => isConditionMet(condition, { visitor: { claims } }));
        expect(holds, `${condition} for ${JSON.stringify(visitors)}`).toBe(true);
        expect(isConditionMet(condition, { visitor: { claims: { unsigned: {} } } }), condition).toBe(false);
      }
    }),
  );
});
