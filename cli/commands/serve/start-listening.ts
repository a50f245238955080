// Makes a server listen, and explains a failure in one sentence.

import type { Server } from "node:http";
import { CommandError } from "../../framework/command";

/** The number of connections that may wait to be accepted, up to the limit of the system. The default of Node is 511. */
const BACKLOG = 4096;

/** Resolves when the server listens. `option` names the option for another port. */
export async function startListening(server: Server, host: string, port: number, option: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen({ port, host, backlog: BACKLOG }, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    const isTaken = error.code === "EADDRINUSE";
    const reason = isTaken ? `it is in use. Choose another one with ${option}` : error.message;
    throw new CommandError(`Cannot listen on port ${port} of ${host}: ${reason}.`);
  });
}
