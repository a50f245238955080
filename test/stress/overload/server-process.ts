// The server of an overload: the API on LevelDB and node:http, as examples/node.ts has it. It tells its port, and when it is
// asked, the most memory that it had since it was last asked. It ends with the process that started it.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { levelStorage } from "../../../adapters/level";
import { createDocsApi } from "../../../src/index";
import { nodeHandler } from "../../../src/node";
import { SECRET } from "./world";

const storage = levelStorage(process.argv[2]!);
const api = createDocsApi(storage, { secret: SECRET, waitUntil: () => {} });
const server = createServer(nodeHandler(api)).listen(0, "127.0.0.1", () => {
  process.send!({ port: (server.address() as AddressInfo).port });
});
// Clients think for longer than the five seconds that Node keeps a connection by default.
server.keepAliveTimeout = 10 * 60_000;
let maintaining: Promise<unknown> | undefined;
const maintenance = setInterval(() => {
  maintaining ??= api
    .maintain()
    .catch(console.error)
    .finally(() => {
      maintaining = undefined;
    });
}, 10_000);

let most = 0;
const look = () => {
  most = Math.max(most, process.memoryUsage.rss());
};
const looking = setInterval(look, 50);

process.on("message", () => {
  look();
  process.send!({ memory: most });
  most = 0;
});

process.once("disconnect", () => {
  clearInterval(maintenance);
  clearInterval(looking);
  api.endStreams();
  server.close(async () => {
    await maintaining;
    await api.close();
    await storage.close();
  });
  server.closeAllConnections();
});
