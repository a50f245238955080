// Writes src/openapi/reference/recorded.ts: the examples of openapi.json. A test fails when it is stale.

import { writeFile } from "node:fs/promises";
import { recordExamples, recordedSource } from "../test/openapi/record-examples";

const source = recordedSource(await recordExamples());
await writeFile(new URL("../src/openapi/reference/recorded.ts", import.meta.url), source);
