// Listening, with a sentence when it does not work.

import type { Server } from "node:http";
import { CommandFailed } from "../failure";

/** Resolves when the server listens. `option` is what another port is chosen with. */
export async function listenOn(server: Server, host: string, port: number, option: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, host, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    const isTaken = error.code === "EADDRINUSE";
    const why = isTaken ? `it is in use: choose another one with ${option}` : error.message;
    throw new CommandFailed(`The server cannot listen on port ${port} of ${host}: ${why}.`);
  });
}
