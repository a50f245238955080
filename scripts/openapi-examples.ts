// Writes src/openapi/reference/recorded.json: the examples of openapi.json. A test fails when it is stale.

import { writeFile } from "node:fs/promises";
import { recordExamples, recordedSource } from "../test/openapi/record-examples";

const source = recordedSource(await recordExamples());
await writeFile(new URL("../src/openapi/reference/recorded.json", import.meta.url), source);
