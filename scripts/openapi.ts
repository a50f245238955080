// Writes openapi.json, the description of the API as it is with the default options, and the examples in it. A test fails when
// one of them is stale.

import { writeFile } from "node:fs/promises";
import { version } from "../package.json";
import { allOperations } from "../src/operations";
import { recordExamples, recordedSource } from "../test/openapi/record-examples";

const at = (path: string) => new URL(`../${path}`, import.meta.url);

await writeFile(at("src/openapi/reference/recorded.ts"), recordedSource(await recordExamples()));
// Loaded now, because it holds what was just written.
const { getPublishedDocument } = await import("../src/openapi/reference/published-document");
const document = getPublishedDocument(allOperations(), { version, server: "http://localhost:3000/v1" });
await writeFile(at("openapi.json"), `${JSON.stringify(document, null, 1)}\n`);
