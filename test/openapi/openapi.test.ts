// openapi.json is current and valid, and the API's answers match it.

import { readFile } from "node:fs/promises";
import { validate } from "@readme/openapi-parser";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { createDocsApi } from "octavo";
import { memoryStorage } from "octavo/memory";
import { describe, expect, test } from "vitest";
import { createError, DocsError, listErrorReasons } from "../../src/errors";
import { failuresByStatus, sharedHeaders } from "../../src/openapi/components";
import { allOperations } from "../../src/operations";

interface Described {
  operationId: string;
  readonly deprecated?: boolean;
  summary: string;
  security?: object[];
  "x-scope"?: string;
  parameters?: { $ref?: string; name?: string; schema?: object }[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { $ref?: string; headers?: object; content?: Content }>;
}
type Content = { "application/json": { schema: object } };
interface Document {
  servers: { url: string }[];
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, object>; responses: Record<string, { content?: Content }> };
}

const api = createDocsApi(memoryStorage());
const document = (await api.openapi()) as Document;

/** Every object in the document, with the path that leads to it. */
function* objectsIn(value: unknown, at = "#"): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== "object" || value === null) return;
  yield [at, value as Record<string, unknown>];
  for (const [name, inner] of Object.entries(value)) yield* objectsIn(inner, `${at}/${name}`);
}

/** What a reference inside the document leads to. */
function resolve(ref: string): unknown {
  const steps = ref.slice(2).split("/");
  return steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], document);
}

function described(name: string): Described {
  const found = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .find((it) => it.operationId === name);
  if (!found) throw new Error(`${name} is not described.`);
  return found;
}

const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true });
formats.default(ajv);
ajv.addVocabulary(["components"]);
ajv.addSchema({ components: document.components }, "document", false, false);

const checks = new Map<string, ReturnType<typeof ajv.compile>>();

/** A check of a value against a schema of the document. Many schemas are in it more than once: they are compiled once. */
function checkOf(schema: object) {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"document#');
  const check = checks.get(text) ?? ajv.compile(JSON.parse(text));
  checks.set(text, check);
  return check;
}

describe("the document", () => {
  test("openapi.json is current", async () => {
    const committed = await readFile(new URL("../../openapi.json", import.meta.url), "utf8");
    const isCurrent = committed === `${JSON.stringify(document, null, 1)}\n`;
    expect(isCurrent, "openapi.json is stale: run `npm run generate:openapi`").toBe(true);
  });

  test("the document is valid OpenAPI 3.1", async () => {
    const result = await validate(structuredClone(document) as never);
    expect(result.valid ? [] : result.errors).toEqual([]);
  });

  test("every reference of the document resolves", () => {
    const refs = [...objectsIn(document)].flatMap(([at, { $ref }]) => ($ref === undefined ? [] : [[at, $ref]]));
    expect(refs.length).toBeGreaterThan(100);
    expect(refs.filter(([, ref]) => resolve(ref as string) === undefined)).toEqual([]);
  });

  test("the document has only schemas that a JSON Schema validator accepts, with patterns valid in Unicode mode", () => {
    const named = Object.keys(document.components.schemas).map((name) => ({ $ref: `#/components/schemas/${name}` }));
    const inlined = [...objectsIn(document)].flatMap(([, { schema }]) => (typeof schema === "object" ? [schema!] : []));
    expect(inlined.length).toBeGreaterThan(allOperations().length);
    for (const schema of [...named, ...inlined]) {
      try {
        checkOf(schema);
      } catch (cause) {
        throw new Error(`A validator does not take ${JSON.stringify(schema)}.`, { cause });
      }
    }
    for (const [at, { pattern }] of objectsIn(document))
      if (typeof pattern === "string") expect(() => new RegExp(pattern, "u"), at).not.toThrow();
  });

  test("the document marks as deprecated only the moves that sorting replaced", () => {
    const deprecated = Object.values(document.paths).flatMap((item) =>
      Object.values(item).flatMap(({ operationId, deprecated }) => (deprecated ? [operationId] : [])),
    );
    expect(deprecated.sort()).toEqual(["moveSiteSection", "moveSiteSpace"]);
  });

  test("the document has every operation under its name, with a summary and its scope", () => {
    for (const { name, scope, definition: operation } of allOperations()) {
      const template = operation.path.replaceAll(/:(\w+)\+?/g, "{$1}");
      const entry = document.paths[template]?.[operation.method.toLowerCase()];
      expect(entry?.operationId, `${operation.method} ${operation.path}`).toBe(name);
      expect(entry?.summary, name).toMatch(/^\S.{5,}$/);
      expect(entry?.["x-scope"], name).toBe(operation.spec.target.allowsAnonymous ? undefined : scope);
    }
    const count = Object.values(document.paths)
      .flatMap((item) => Object.values(item))
      .filter((it) => it.operationId);
    expect(count).toHaveLength(allOperations().length);
  });

  test("the document has a response for every status that an operation can return", () => {
    const statuses = new Set(listErrorReasons().map(({ status }) => status));
    statuses.delete(405);
    const known = Object.keys(failuresByStatus).map(Number);
    expect(
      [...statuses].filter((status) => !known.includes(status)),
      "add it to src/openapi/components.ts",
    ).toEqual([]);
  });

  test("every temporary error documents and sends Retry-After", () => {
    for (const { reason } of listErrorReasons().filter(({ status }) => status === 503))
      expect(Number(new DocsError(reason).headers["retry-after"]), reason).toBeGreaterThan(0);
    expect(failuresByStatus[503]!.headers).toHaveProperty("Retry-After");
    expect(failuresByStatus[429]!.headers).toHaveProperty("Retry-After");
    const { pattern } = sharedHeaders.wwwAuthenticate.schema;
    const scopes = allOperations().map(({ scope }) => scope);
    const refusals = scopes.map((scope) => createError("scope_missing", { scope }));
    for (const refusal of [createError("unauthorized"), createError("token_unknown"), ...refusals]) {
      expect(refusal.headers["www-authenticate"]).toMatch(new RegExp(pattern));
      expect(failuresByStatus[refusal.status]!.headers).toHaveProperty("WWW-Authenticate");
    }
  });

  test("the document requires no authentication where no caller is needed, and requires it everywhere else", () => {
    const open = allOperations().filter(({ definition: operation }) => operation.spec.target.allowsAnonymous);
    expect(open.map(({ name }) => described(name).security)).toEqual(open.map(() => []));
    expect(described("getCurrentUser").security).toBeUndefined();
    expect(Object.keys(described("getService").responses)).not.toContain("401");
  });
});

describe("the served document", () => {
  const fetchJson = async (path: string, init?: RequestInit, from = api) => {
    const response = await from.fetch(new Request(`http://localhost:3000${path}`, init));
    return { response, body: await response.json() };
  };

  test("the served document has the configured origin and base path", async () => {
    const elsewhere = createDocsApi(memoryStorage(), { origin: "https://docs.example.com", basePath: "/docs" });
    const { body } = await fetchJson("/docs/v1/openapi.json", {}, elsewhere);
    expect(body).toEqual({ ...document, servers: [{ url: "https://docs.example.com/docs/v1" }] });
  });

  test("served responses match the schemas: a creation, a resource, a list and an error", async () => {
    const { token } = await api.provision({
      user: { displayName: "Ada", email: "ada@example.com" },
      token: { label: "test" },
    });
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const made = await fetchJson("/v1/orgs", { method: "POST", headers, body: JSON.stringify({ title: "Letters" }) });
    const answers = {
      createOrganization: made,
      getOrganization: await fetchJson(`/v1/orgs/${made.body.id}`, { headers }),
      listOrganizations: await fetchJson("/v1/orgs", { headers }),
      getService: await fetchJson("/v1/"),
    };
    for (const [name, { response, body }] of Object.entries(answers)) {
      const entry = described(name).responses[response.status]!;
      const check = checkOf(entry.content!["application/json"].schema);
      expect(check(body) || check.errors, name).toBe(true);
      for (const header of Object.keys(entry.headers ?? {}))
        if (header !== "Idempotent-Replayed") expect(response.headers.has(header), `${name}: ${header}`).toBe(true);
    }
    const refused = await fetchJson("/v1/orgs", { method: "POST", headers, body: JSON.stringify({ name: "Letters" }) });
    expect(refused.response.status).toBe(400);
    const isError = checkOf({ $ref: "#/components/schemas/Error" });
    expect(isError(refused.body) || isError.errors).toBe(true);
    expect(isError({ error: { ...refused.body.error, reason: "no_such_reason" } })).toBe(false);
  });

  test("the service enforces exactly the limits that the document states", async () => {
    const { maximum, minimum } = resolve("#/components/parameters/limit/schema") as Record<string, number>;
    const { token } = await api.provision({
      user: { displayName: "Bo", email: "bo@example.com" },
      token: { label: "test" },
    });
    const headers = { authorization: `Bearer ${token}` };
    const statusOf = async (limit: number) => (await fetchJson(`/v1/orgs?limit=${limit}`, { headers })).response.status;
    expect(await Promise.all([minimum!, maximum!].map(statusOf))).toEqual([200, 200]);
    expect(await Promise.all([minimum! - 1, maximum! + 1].map(statusOf))).toEqual([400, 400]);
  });
});
