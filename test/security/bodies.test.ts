// Bodies that cost the server more than the caller, and headers that do: all are refused with few words.

import { memoryStorage } from "octavo/memory";
import * as v from "valibot";
import { beforeAll, describe, expect, test } from "vitest";
import { matchesETag } from "../../src/execution/etag";
import { listSchema, recordSchema } from "../../src/operation/common-schemas";
import { findJsonLimitIssue, MAX_JSON_DEPTH, MAX_JSON_MEMBERS } from "../../src/operation/json-limits";
import type { Schema } from "../../src/operation/operation";
import { MAX_ISSUES } from "../../src/operation/validate";
import { allOperations } from "../../src/operations";
import { dump, type Setting, setUp } from "../support/setting";

let setting: Setting;

beforeAll(async () => {
  setting = await setUp(memoryStorage());
});

/** Nested so deep. */
const nested = (levels: number, open = "[", close = "]") => open.repeat(levels) + close.repeat(levels);

describe("body size limits", () => {
  test("a body is limited to a small size where no token is needed", async () => {
    const { ask, org } = setting;
    const site = (await ask("admin", `POST /v1/orgs/${org}/sites`, { title: "Docs" })).body.id;
    const large = (bytes = 64 * 1024) => `{"url":"\\u0061","x":[${"0,".repeat(bytes / 2)}0]}`;
    const open = allOperations().filter(
      ({ definition: { method, spec } }) => spec.target.allowsAnonymous && /^P/.test(method),
    );
    expect(open.length).toBeGreaterThan(3);
    for (const { name, definition: operation } of open) {
      const path = operation.path
        .replace(":organizationId", org)
        .replace(":siteId", site)
        .replace(/:\w+\+?/g, "x");
      const body = operation.spec.forwardsRequest
        ? "a".repeat(4 * 1024 * 1024 + 1)
        : large(operation.spec.maxBodyBytes);
      if (!operation.spec.forwardsRequest) expect(body.length, name).toBeLessThan(300 * 1024);
      const answer = await ask(null, `${operation.method} /v1${path}`, body);
      expect([name, answer.status]).toEqual([name, 413]);
    }
  });

  test("a body may contain the longest value of each member", async () => {
    const body = {
      url: `https://x.example/${"a".repeat(2000)}`,
      visitorToken: "t".repeat(8192),
      unsignedClaims: { a: "\u0101".repeat(4000) },
    };
    expect((await setting.ask(null, "POST /v1/urls/published", body)).status).toBe(404);
  });
});

describe("lists with wrong items", () => {
  test("a list with wrong items is rejected by its length without a word about its items", async () => {
    const scopes = JSON.stringify(Array.from({ length: 200_000 }, () => 1));
    const answer = await setting.ask("admin", "POST /v1/user/tokens", `{"label":"x","scopes":${scopes}}`);
    expect(answer.status).toBe(400);
    expect(answer.body.error.issues).toEqual([{ path: "body.scopes", message: "Expected at most 100 scopes" }]);
  });

  test("a list with wrong items is reported with at most fifty issues", async () => {
    const scopes = Array.from({ length: 100 }, () => 1);
    const answer = await setting.ask("admin", "POST /v1/user/tokens", { label: "x", scopes });
    expect(answer.body.error.issues).toHaveLength(MAX_ISSUES);
  });

  test("a list with wrong items is reported briefly, however long the request was", async () => {
    const long = "x".repeat(500_000);
    for (const body of [
      { label: "x", [long]: 1 },
      { label: "x", scopes: long },
      { label: "x", expiresAt: long },
    ]) {
      const answer = await setting.ask("admin", "POST /v1/user/tokens", body);
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.body).length).toBeLessThan(1500);
    }
  });

  test("a list with wrong items is not reported to those who may not send it", async () => {
    const { ask, org, storage } = setting;
    const wrong = { title: 1, emailDomains: [1, 2, 3], nonsense: true };
    const before = await dump(storage);
    expect((await ask("edit", `PATCH /v1/orgs/${org}`, wrong)).status).toBe(403);
    expect((await ask("rival", `PATCH /v1/orgs/${org}`, wrong)).status).toBe(404);
    expect((await ask("admin", `PATCH /v1/orgs/${org}`, wrong)).status).toBe(400);
    expect(await dump(storage)).toEqual(before);
  });
});

describe("bounded lists and objects", () => {
  const MANY = 5_000;
  const many = {
    array: Array.from({ length: MANY }, () => null),
    record: Object.fromEntries(Array.from({ length: MANY }, (_, at) => [`${at} `, null])),
  };

  /** Every schema in a schema, with its path. */
  function* inside(schema: Schema, at: string, seen = new Set<unknown>()): Generator<[string, Schema]> {
    if (seen.has(schema)) return;
    seen.add(schema);
    yield [at, schema];
    // biome-ignore lint/suspicious/noExplicitAny: a walk over schemas of every kind.
    const { entries, rest, key, value, item, items, wrapped, options, pipe, getter } = schema as any;
    const parts: [string, unknown][] = [
      ...Object.entries(entries ?? {}).map(([name, part]): [string, unknown] => [`${at}.${name}`, part]),
      ...[rest, key, value, item, getter?.({})].map((part): [string, unknown] => [`${at}.*`, part]),
      ...[wrapped, ...(items ?? []), ...(options ?? []), ...(pipe ?? [])].map((part): [string, unknown] => [at, part]),
    ];
    for (const [path, part] of parts)
      if ((part as Schema | undefined)?.kind === "schema") yield* inside(part as Schema, path, seen);
  }

  /** How a schema speaks of far too much: undefined where it is no list and has no free names. */
  function saysOf(schema: Schema): readonly string[] | undefined {
    if (schema.type !== "array" && schema.type !== "record") return undefined;
    const result = v.safeParse(schema, many[schema.type], { abortPipeEarly: true });
    return (result.issues ?? []).map(({ type }) => type);
  }

  test.each(allOperations().map(({ name, definition: operation }) => [name, operation] as const))(
    "every list and every object with free names is bounded: %s",
    (_, { spec }) => {
      const taken: [string, Schema][] = [
        ...(spec.body ? [["body", spec.body] as [string, Schema]] : []),
        ...Object.entries(spec.query ?? {}).map(([name, schema]): [string, Schema] => [
          `query.${name}`,
          schema as Schema,
        ]),
      ];
      for (const [at, schema] of taken)
        for (const [path, part] of inside(schema, at)) {
          const says = saysOf(part);
          if (says) expect([path, says]).toEqual([path, [part.type === "array" ? "max_length" : "max_entries"]]);
        }
    },
  );

  test("a list whose length is checked late or never is detected", () => {
    const late = v.pipe(v.array(v.string()), v.maxLength(5));
    expect(saysOf(late)).toHaveLength(MANY);
    expect(saysOf(v.array(v.unknown()))).toEqual([]);
    expect(saysOf(listSchema(v.string(), 5))).toEqual(["max_length"]);
    expect(saysOf(recordSchema(v.string(), v.string(), 5))).toEqual(["max_entries"]);
    const found = [...inside(v.strictObject({ a: v.optional(v.union([late, v.string()])) }), "body")];
    expect(found.map(([path, { type }]) => `${path} ${type}`)).toContain("body.a array");
  });
});

describe("deeply nested JSON", () => {
  test.each(
    allOperations().flatMap(({ name, definition: operation }) =>
      operation.spec.body && !operation.spec.target.allowsAnonymous ? [[name, operation] as const] : [],
    ),
  )("JSON without a bottom is rejected: %s", async (_, operation) => {
    const path = operation.path.replace(":organizationId", setting.org).replace(/:\w+\+?/g, "x");
    for (const body of [nested(4_000), `{"a":${nested(30_000)}}`, nested(4_000, '{"a":', "}").replace(":}", ":1}")]) {
      const answer = await setting.ask("admin", `${operation.method} /v1${path}`, body);
      expect([400, answer.body.error.issues?.[0].path.slice(0, 4)]).toEqual([answer.status, "body"]);
      expect(JSON.stringify(answer.body).length).toBeLessThan(2_000);
    }
  });

  test("JSON is rejected from the first level that is too deep, with the beginning of its path", () => {
    expect(findJsonLimitIssue(JSON.parse(nested(MAX_JSON_DEPTH)), "body")).toBeUndefined();
    const { path, message } = findJsonLimitIssue(JSON.parse(`{"a":{"b":${nested(MAX_JSON_DEPTH)}}}`), "body")!;
    expect(path).toMatch(/^body\.a\.b\.0\.0\.0/);
    expect(path.length).toBeLessThan(100);
    expect(message).toContain(String(MAX_JSON_DEPTH));
  });

  test("an object with too many members is rejected with its path", async () => {
    const members = (count: number) => Array.from({ length: count }, (_, at) => `"m${at}":"\\"}]:{["`).join();
    const ask = async (body: string) => (await setting.ask("admin", "POST /v1/user/tokens", body)).body.error.issues[0];
    expect(await ask(`{"label":{"a":[{${members(MAX_JSON_MEMBERS)}},{${members(MAX_JSON_MEMBERS + 5)}}]}}`)).toEqual({
      path: "body.label.a.1",
      message: `Expected at most ${MAX_JSON_MEMBERS} members`,
    });
    expect((await ask(`{"label":{"a":[{${members(MAX_JSON_MEMBERS)}}]}}`)).message).toBe("Expected text");
    expect((await ask(`{"a":${nested(30)},"b":[${nested(MAX_JSON_DEPTH)}]}`)).path).toMatch(/^body\.b\.0\.0/);
  });

  test("JSON without a bottom and text that is not JSON are distinguished", async () => {
    const pad = " ".repeat(2000);
    for (const body of [`{"a":1]${pad}`, `{"a":"${pad}`, `]]]${pad}`, `:::${pad}`, `{"a"::1}${pad}`]) {
      const answer = await setting.ask("admin", "POST /v1/user/tokens", body);
      expect([answer.status, answer.body.error.reason]).toEqual([400, "invalid_json"]);
    }
  });

  test("deep or circular values are rejected by calls without HTTP", async () => {
    const endless: Record<string, unknown> = {};
    endless.a = endless;
    const as = { user: setting.ids.admin };
    await expect(setting.api.call("createOrganization", { body: endless as never }, as)).rejects.toMatchObject({
      reason: "invalid_request",
    });
  });
});

describe("S7: prototype names", () => {
  test("names that mean something in JavaScript are reported with their path, wherever they are", () => {
    const at = (json: string) => findJsonLimitIssue(JSON.parse(json), "body")?.path;
    expect(at('{"a":[1,{"b":2},{"c":{"__proto__":1}}]}')).toBe("body.a.2.c.__proto__");
    expect(at('[[],{"constructor":[]}]')).toBe("body.1.constructor");
    expect(at('{"prototype":1}')).toBe("body.prototype");
    expect(at('{"a":["__proto__",{"proto":1}],"b":{}}')).toBeUndefined();
    expect(at('"__proto__"')).toBeUndefined();
  });
});

describe("ETag headers", () => {
  test("ETags of any length are compared as before", () => {
    const loose = { ignoreCaching: true };
    expect(matchesETag('"v1~abc"', '"v1~xyz"', loose)).toBe(true);
    expect(matchesETag('W/"v1"', '"v1~xyz"', loose)).toBe(true);
    expect(matchesETag('"v0", "v1~q"', '"v1~"', loose)).toBe(true);
    expect(matchesETag('"v2~abc"', '"v1~abc"', loose)).toBe(false);
    expect(matchesETag('"v1~abc', '"v1~abc"', loose)).toBe(false);
    expect(matchesETag('"v1~abc"', '"v1~xyz"')).toBe(false);
  });

  test("ETags are read in a header of at most a few thousand characters", async () => {
    const { ask, org } = setting;
    const long = `"${"~".repeat(20_000)}"`;
    const changed = await ask("admin", `PATCH /v1/orgs/${org}`, { title: "X" }, { "if-match": long });
    expect([changed.status, changed.body.error.issues[0].path]).toEqual([400, "headers.if-match"]);
    const { headers } = await ask("admin", `GET /v1/orgs/${org}`);
    const tag = headers.get("etag")!;
    for (const [known, status] of [
      [tag, 304],
      [`${tag}, ${long}`, 200],
    ] as const)
      expect((await ask("admin", `GET /v1/orgs/${org}`, undefined, { "if-none-match": known })).status).toBe(status);
  });
});
