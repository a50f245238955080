// A program of somebody who serves the API from node:http, with Node's types and without `node-fetch`: what it says of
// itself is what lies in the package.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createDocsApi } from "octavo";
import { memoryStorage } from "octavo/memory";
import { nodeHandler } from "octavo/node";

const server = createServer(nodeHandler(createDocsApi(memoryStorage())));
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as AddressInfo;
const response = await fetch(`http://127.0.0.1:${port}/v1/openapi.json`);
const served = JSON.stringify(await response.json(), null, 1);
const packed = await readFile(new URL(import.meta.resolve("octavo/openapi.json")), "utf8");
if (packed.trim() !== served) throw new Error("GET /v1/openapi.json is not the openapi.json of the package.");
server.closeAllConnections();
server.close();
