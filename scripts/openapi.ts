// Writes openapi.json, the description of the API as it is with the default options. A test fails when it is stale.

import { writeFile } from "node:fs/promises";
import { version } from "../package.json";
import { getPublishedDocument } from "../src/openapi/reference/published-document";
import { allOperations } from "../src/operations";

const document = getPublishedDocument(allOperations(), { version, server: "http://localhost:3000/v1" });
await writeFile(new URL("../openapi.json", import.meta.url), `${JSON.stringify(document, null, 1)}\n`);
