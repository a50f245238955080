// Servers on free ports of this machine.

import { createServer, type RequestListener } from "node:http";
import type { AddressInfo, Server } from "node:net";

/** A server that listens. */
export interface Host {
  readonly origin: string;
  readonly port: number;
  /** Ends it, with the connections that are open. */
  readonly close: () => Promise<void>;
}

/** Makes a server listen on a free port. */
export async function listenOn(server: Server): Promise<Host> {
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    async close() {
      if ("closeAllConnections" in server) (server as { closeAllConnections(): void }).closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Makes an HTTP server of a handler listen on a free port. */
export function host(handler: RequestListener): Promise<Host> {
  return listenOn(createServer(handler));
}

/** Returns a port that was free a moment ago, for a process that is told where to listen. */
export async function freePort(): Promise<number> {
  const { port, close } = await host(() => {});
  await close();
  return port;
}
