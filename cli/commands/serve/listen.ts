// Listening, with a sentence when it does not work.

import type { Server } from "node:http";
import { CommandFailed } from "../../framework/errors";

/** How many new connections wait until they are accepted, if the system lets them. Node's default is 511. */
const BACKLOG = 4096;

/** Resolves when the server listens. `option` is what another port is chosen with. */
export async function listenOn(server: Server, host: string, port: number, option: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen({ port, host, backlog: BACKLOG }, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    const isTaken = error.code === "EADDRINUSE";
    const why = isTaken ? `it is in use: choose another one with ${option}` : error.message;
    throw new CommandFailed(`The server cannot listen on port ${port} of ${host}: ${why}.`);
  });
}
