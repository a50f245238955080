// Writes openapi.json, the description of the API as it is with the default options. A test fails when it is stale.

import { writeFile } from "node:fs/promises";
import { createDocsApi } from "octavo";
import { memoryStorage } from "octavo/memory";

const api = createDocsApi(memoryStorage());
await writeFile(new URL("../openapi.json", import.meta.url), `${JSON.stringify(api.openapi(), null, 2)}\n`);
await api.close();
