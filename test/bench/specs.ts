// A large OpenAPI specification: how long it takes to read and to process, and how much memory. There is no budget: the
// figures are printed.

import { strToU8, zipSync } from "fflate";
import { dump } from "js-yaml";
import { readSpecification } from "../../src/openapi/specifications";
import { largeSpecification } from "../openapi/specifications/written";
import { memoryStorage } from "./built";
import type { Row } from "./measure";
import { watchMemory } from "./memory";
import { createSubject } from "./subject";

const OPERATIONS = 2_500;
const MB = 1_000_000;

export async function specs(): Promise<Row[]> {
  const value = largeSpecification(OPERATIONS);
  const texts = [
    ["JSON", JSON.stringify(value, null, 2)],
    ["YAML", dump(value, { noRefs: true })],
  ] as const;
  const rows: Row[] = [];
  for (const [format, text] of texts) {
    const of = `${(text.length / MB).toFixed(1)} MB of ${format}, ${2 * OPERATIONS} operations`;
    const read = () => readSpecification({ text }, { fetch: undefined, milliseconds: 60_000 });
    rows.push(await figures(`read a specification of ${of}`, "nothing stored", read));
    const storage = memoryStorage();
    const { ask, path } = await createSubject(storage);
    const put = () => ask("PUT", `${path}/openapi/large`, { source: { text } });
    rows.push(await figures(`process a specification of ${of}`, "memory, from the request to the version", put));
    const { processingState, lastProcessErrorMessage } = JSON.parse(await ask("GET", `${path}/openapi/large`));
    if (processingState !== "complete" || lastProcessErrorMessage !== undefined)
      throw new Error(`The specification was not processed: ${lastProcessErrorMessage ?? processingState}`);
    const get = () => ask("GET", `${path}/openapi/large/versions/latest/content`);
    rows.push(await figures(`get the content of ${of}`, "memory", get));
    await storage.close();
  }
  return [...rows, ...(await searches(texts[0][1]))];
}

const BOOK =
  "* ```yaml\n  type: builtin:openapi\n  dependencies: { spec: { ref: { kind: openapi, spec: large } } }\n  ```\n";

/** A search over the pages of a specification: the first one, and that of a process that begins anew. */
async function searches(text: string): Promise<Row[]> {
  const storage = memoryStorage();
  const book = zipSync({ "SUMMARY.md": strToU8(BOOK) });
  const options = {
    secret: "a secret of the length that is asked for",
    fetch: async () => new Response(book as BodyInit),
  };
  const { ask, path } = await createSubject(storage, options);
  await ask("PUT", `${path}/openapi/large`, { source: { text } });
  const { id } = JSON.parse(await ask("POST", `${path}/spaces`, { title: "API" }));
  await ask("POST", `/v1/spaces/${id}/content/import`, { url: "https://example.com/book.zip", source: "zip" });
  const search = `/v1/spaces/${id}/search?query=answer`;
  const first = await figures("search the pages of that specification", "memory, the first search", () =>
    ask("GET", search),
  );
  const again = await createSubject(storage, options);
  const next = await figures("the same in another process", "memory, with the stored index", () =>
    again.ask("GET", search),
  );
  await storage.close();
  return [first, next];
}

async function figures(what: string, against: string, run: () => Promise<unknown>): Promise<Row> {
  globalThis.gc?.();
  const watch = watchMemory();
  const start = performance.now();
  const held = [await run()];
  const took = performance.now() - start;
  // What is done in one go is looked at once the loop has turned, with what came of it still there.
  await new Promise((resolve) => setTimeout(resolve, 20));
  const { heap, resident, longest } = watch.end();
  held.length = 0;
  const measured = `${Math.round(took)} ms, heap +${heap} MB, resident +${resident} MB, longest pause ${longest} ms`;
  return { what, against, measured, budget: "" };
}
