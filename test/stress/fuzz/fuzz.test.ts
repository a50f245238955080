// Every request gets an answer that openapi.json declares, and never a 500. `npm run stress:fuzz -- 200000` sends more.

import { createDocsApi } from "octavo";
import { memoryStorage } from "octavo/memory";
import { expect, test } from "vitest";
import { allOperations } from "../../../src/operations";
import { seed } from "../../support/test-length";
import { createFuzzer } from "./fuzz";

test("every response has a declared status, type, headers and schema", async () => {
  const fuzzer = await createFuzzer();
  const { findings, reached, statuses, compared } = await fuzzer.fuzz({ requests: 1000, seed });
  const told = findings.map(({ what, request, said }) => `${what}\n  ${JSON.stringify(request)}\n  → ${said}`);
  expect(told.join("\n"), `from the seed ${seed}`).toBe("");
  // It would prove little if most requests were refused at the door, or never came to an operation.
  expect(reached.size).toBeGreaterThan(0.9 * allOperations().length);
  expect(statuses[200]).toBeGreaterThan(150);
  expect(compared).toBeGreaterThan(50);
  for (const status of [201, 204, 304, 400, 401, 403, 404, 405, 412, 415])
    expect(statuses[status], `${status}`).toBeDefined();
});

test("an undeclared status, type, header or member is detected", async () => {
  type Document = { paths: Record<string, Record<string, { responses: Record<string, unknown> }>>; components: object };
  const document = structuredClone(await createDocsApi(memoryStorage()).openapi()) as Document;
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  for (const { responses } of operations) {
    if (!responses) continue;
    delete responses[404];
    responses[401] = { headers: { "X-Nothing": {} } };
    responses[200] = { content: { "text/plain": {} } };
    responses[400] = { content: { "application/json": { schema: { type: "string" } } } };
  }
  const { findings } = await (await createFuzzer({ document })).fuzz({ requests: 400, seed });
  const found = findings.map(({ what }) => what).join("\n");
  expect(found).toContain("404 is not declared");
  expect(found).toContain("401 without X-Nothing");
  expect(found).toMatch(/200 of the type application\/json is not declared/);
  expect(found).toContain("400 has another shape");
});
