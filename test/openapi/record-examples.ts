// The examples of the OpenAPI document: one good request of every operation, asked in a world that is the same every time, and
// what was answered. `npm run generate:openapi` writes them down; a test asks again and compares.

import { memoryStorage } from "octavo/memory";
import type { RecordedExample } from "../../src/openapi/reference/add-examples";
import { allOperations } from "../../src/operations";
import { allowedPerson, type Cast, type Example, examples, mute, parrot, prepare } from "../invariants/examples";
import { copierOf } from "../invariants/faults";
import { web } from "../resources/content/imports-web";
import { open, seeded, setUp } from "../support/setting";

/** The source text of src/openapi/reference/recorded.json. */
export function recordedSource(recorded: Readonly<Record<string, RecordedExample>>): string {
  const lines = Object.entries(recorded).map(([name, it]) => `  ${JSON.stringify(name)}: ${JSON.stringify(it)}`);
  return `{\n${lines.join(",\n")}\n}\n`;
}

/** The most items of a list that an example shows. */
const MOST_ITEMS = 2;
const ORIGIN = "http://localhost:3000";

/** Every example, by the name of its operation. */
export async function recordExamples(): Promise<Record<string, RecordedExample>> {
  const base = memoryStorage();
  const cast = await prepare(await setUp(base, { fetch: web, translator: mute, ask: parrot }));
  const rows: Record<string, Example> = examples(cast);
  const copy = await copierOf(base);
  const recorded: Record<string, RecordedExample> = {};
  for (const { name, definition: operation } of allOperations()) {
    const { api, answer } = await askOnce(cast, rows[name]!, await copy());
    recorded[name] = { ...sentBy(rows[name]!, operation.path), ...answer };
    await api.close();
  }
  return Object.fromEntries(Object.entries(recorded).sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function askOnce(cast: Cast, row: Example, storage: Awaited<ReturnType<Awaited<ReturnType<typeof copierOf>>>>) {
  const { api, clock, askWith } = open(storage, {
    fetch: web,
    translator: mute,
    ask: parrot,
    random: seeded(2),
    onError: () => {},
    maxBodyBytes: 1 << 20,
  });
  clock.now = cast.clock.now;
  clock.forward(1000);
  const { status, body, headers } = await askWith(cast.tokens[allowedPerson(row)], row.ask, row.send);
  const isJson = headers.get("content-type")?.startsWith("application/json") === true;
  const answer = isJson && status < 300 ? { status, answer: shortened(body) } : { status };
  return { api, answer };
}

/** What was sent: the parameters of the path and of the query, and the body. */
function sentBy({ ask, send }: Example, pattern: string): Pick<RecordedExample, "params" | "query" | "body"> {
  const { pathname, searchParams } = new URL(ask.split(" ")[1]!, ORIGIN);
  const names: string[] = [];
  const source = pattern.replace(/:(\w+)(\+?)/g, (_, name: string, many: string) => {
    names.push(name);
    return many === "+" ? "(.+)" : "([^/]+)";
  });
  const values = new RegExp(`^/v1${source.replaceAll(".", "\\.").replaceAll("(\\.+)", "(.+)")}$`).exec(pathname);
  const params = Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(values![i + 1]!)]));
  const query = Object.fromEntries(searchParams);
  return {
    ...(names.length === 0 ? {} : { params }),
    ...(Object.keys(query).length === 0 ? {} : { query }),
    ...(send === undefined ? {} : { body: send }),
  };
}

/** The description of the API is not an example in itself. Lists show their first items. */
function shortened(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map(shortened);
  if ("openapi" in value && "paths" in value) return { openapi: value.openapi };
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, shortened(it)]));
}
