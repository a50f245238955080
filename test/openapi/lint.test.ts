// The linters that people run on OpenAPI documents find nothing to complain about.

import type { RulesetDefinition } from "@stoplight/spectral-core";
import { createDocsApi } from "octavo";
import { memoryStorage } from "octavo/memory";
import { afterAll, expect, test } from "vitest";

// The linters add globals to the runtime, which the tests after this one must not find.
const globals = new Set(Object.getOwnPropertyNames(globalThis));
const { createConfig, lintFromString } = await import("@redocly/openapi-core");
const { Spectral } = await import("@stoplight/spectral-core");
const { oas } = await import("@stoplight/spectral-rulesets");
afterAll(() => {
  for (const name of Object.getOwnPropertyNames(globalThis))
    if (!globals.has(name)) delete (globalThis as Record<string, unknown>)[name];
});

const document = await createDocsApi(memoryStorage()).openapi();

/** What Redocly says of a document. It reads no other file, and asks no other host. */
async function lintWithRedocly(value: object): Promise<string[]> {
  const config = await createConfig({
    extends: ["recommended"],
    rules: {
      // Each server puts its own origin into the document. Without one, it is that of a server on this machine.
      "no-server-example.com": "off",
      // Schemas of answers are open, as JSON Schema has it, so that fields can be added. The rule would close them.
      "no-invalid-media-type-examples": { severity: "warn", allowAdditionalProperties: true },
    },
  });
  const problems = await lintFromString({ source: JSON.stringify(value), config, absoluteRef: "/openapi.json" });
  return problems.map(({ ruleId, message, location: [at] }) => `${ruleId}: ${message} (${at?.pointer})`);
}

async function lintWithSpectral(value: object): Promise<string[]> {
  const spectral = new Spectral();
  // Compiles the schemas again for each example, for more than a minute. Redocly and examples.test.ts check the same.
  spectral.setRuleset({ extends: [oas as unknown as RulesetDefinition], rules: { "oas3-valid-media-example": "off" } });
  const problems = await spectral.run(value as Record<string, unknown>);
  return problems.map(({ code, message, path }) => `${code}: ${message} (${path.join("/")})`);
}

const linters = [
  ["Redocly", lintWithRedocly],
  ["Spectral", lintWithSpectral],
] as const;

test.each(linters)("%s reports no errors and no warnings", async (_, lint) => {
  expect(await lint(document)).toEqual([]);
});

test.each(linters)("%s reports a deliberate error", async (_, lint) => {
  const flawed = {
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    servers: [{ url: "https://api.test" }],
    paths: { "/a": { get: { operationId: "get a", responses: {} } } },
  };
  expect((await lint(flawed)).length).toBeGreaterThan(0);
});

test("patterns match the same strings with and without the Unicode flag", () => {
  const patterns = Array.from(JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g), ([, text]) =>
    JSON.parse(text!),
  ) as string[];
  expect(patterns.length).toBeGreaterThan(100);
  for (const pattern of new Set(patterns)) {
    expect(pattern).not.toMatch(/\\[pPu]\{/);
    for (const flags of ["", "u"]) expect(() => new RegExp(pattern, flags), pattern).not.toThrow();
  }
});
