// A program of somebody who serves the API from node:http, with Node's types and without `node-fetch`.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createDocsApi } from "octavo";
import { memoryStorage } from "octavo/memory";
import { nodeHandler } from "octavo/node";

const server = createServer(nodeHandler(createDocsApi(memoryStorage())));
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as AddressInfo;
const response = await fetch(`http://127.0.0.1:${port}/v1/`);
if (response.status !== 200) throw new Error(`GET /v1/ gave ${response.status}.`);
await response.arrayBuffer();
server.closeAllConnections();
server.close();
