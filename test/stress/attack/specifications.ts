// OpenAPI specifications, processed by a job. The job always ends and reports what was wrong.

import { memoryStorage } from "octavo/memory";
import { setUp } from "../../support/setting";
import type { Attack } from "./attack";

const letters = (length: number) =>
  Array.from({ length }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000))).join("");
const specification = (schemas: object) =>
  JSON.stringify({ openapi: "3.1.0", info: { title: "A", version: "1" }, paths: {}, components: { schemas } });

function given(name: string, budget: Attack["budget"], text: () => string, inOnePiece?: string): Attack {
  return {
    name,
    budget,
    ...(inOnePiece === undefined ? {} : { inOnePiece }),
    async prepare() {
      const fetch = (async () => new Response("{}")) as typeof globalThis.fetch;
      const { ask, org } = await setUp(memoryStorage(), { fetch, onError: () => {} });
      const source = { text: text() };
      let number = 0;
      return async () => {
        const { status, body } = await ask("create", `PUT /v1/orgs/${org}/openapi/s${++number}`, { source });
        if (status !== 200) throw new Error(`The answer was ${status}: ${JSON.stringify(body)}`);
      };
    },
  };
}

export const specifications: readonly Attack[] = [
  given("a $ref to a host of 60,000 letters", "size limit", () =>
    specification({ A: { $ref: `https://${letters(60_000)}/a.json` } }),
  ),
  given("a thousand $refs to hosts that are as long as may be", "size limit", () =>
    specification(
      Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`A${at}`, { $ref: `ws://${letters(250)}/${at}` }])),
    ),
  ),
  given("ten megabytes of JSON", "size limit", () =>
    specification(
      Object.fromEntries(
        Array.from({ length: 100_000 }, (_, at) => [`Name${at}`, { type: "object", title: "x".repeat(50) }]),
      ),
    ),
  ),
  given(
    "ten megabytes of YAML",
    "job",
    () =>
      `openapi: 3.1.0\ninfo: { title: A, version: "1" }\npaths: {}\ncomponents:\n  schemas:\n${Array.from({ length: 106_000 }, (_, at) => `    Name${at}:\n      type: object\n      title: ${"x".repeat(30)}\n`).join("")}`,
  ),
  given("ten megabytes of YAML that say little", "size limit", () => `openapi: 3.1.0\nx: [${"a,".repeat(4_500_000)}b]`),
];
