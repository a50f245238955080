// A real Git server in a process of its own, so that the process that is measured only speaks with it. It serves the
// repositories of a folder, and ends with the process that started it.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { backend } from "../../git/backend";

const [folder] = process.argv.slice(2) as [string];
const server = createServer((request, response) => backend(folder, request, response));
server.listen(0, "127.0.0.1", () => process.send!((server.address() as AddressInfo).port));
process.once("disconnect", () => process.exit(0));
