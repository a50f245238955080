// The orderly end of a server of node:http. `server.close()` alone cuts off connections that look idle while a request is on
// its way to them. Here every request that arrives is answered, its answer says `Connection: close`, and a connection that
// nobody uses is closed only after a while.

import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Server as TcpServer } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";

export interface DrainOptions {
  /** How long a connection without a request stays open, so that a request on its way still arrives, in milliseconds.
   * Default: 1,000. */
  readonly idleMs?: number;
  /** How long answers are waited for, in milliseconds. Then all connections are closed. Default: 10,000. */
  readonly limitMs?: number;
}

interface Connection {
  readonly responses: Set<ServerResponse>;
  /** How much had been read when the last request was answered. More than that belongs to a request that is arriving. */
  bytesRead: number;
  idleSince: number;
}

/** How often connections are looked through. */
const SWEEP_MS = 50;

/**
 * Prepares the orderly end of a server. Call it before the server listens, and the function that it returns when the
 * process is asked to stop: it stops accepting connections, and resolves when the last request is answered.
 *
 * ```ts
 * const drain = prepareDrain(server);
 * process.once("SIGTERM", async () => {
 *   await drain();
 *   await api.close();
 * });
 * ```
 */
export function prepareDrain(server: Server): (options?: DrainOptions) => Promise<void> {
  const connections = new Map<Socket, Connection>();
  let isDraining = false;
  let accepted = 0;
  const isSecure = "setSecureContext" in server;
  server.on(isSecure ? "secureConnection" : "connection", (socket: Socket) => {
    accepted++;
    connections.set(socket, { responses: new Set(), bytesRead: 0, idleSince: performance.now() });
    socket.once("close", () => connections.delete(socket));
  });
  server.prependListener("request", ({ socket }, response) => {
    const connection = connections.get(socket);
    if (isDraining) response.setHeader("connection", "close");
    connection?.responses.add(response);
    response.once("close", () => {
      if (!connection?.responses.delete(response)) return;
      connection.bytesRead = socket.bytesRead;
      connection.idleSince = performance.now();
    });
  });

  return async ({ idleMs = 1000, limitMs = 10_000 } = {}) => {
    isDraining = true;
    for (const { responses } of connections.values())
      for (const response of responses) if (!response.headersSent) response.setHeader("connection", "close");
    const begin = performance.now();
    // Clients whose connection the system has established, and which wait to be accepted, would be reset. A turn accepts one of
    // them, so when two have accepted none, nobody waits.
    for (let quiet = 0, before = accepted; quiet < 2 && performance.now() - begin < idleMs; before = accepted) {
      await nextTurn();
      quiet = accepted === before ? quiet + 1 : 0;
    }
    // The server's own `close` would end connections that are idle.
    const closed = new Promise((resolve) => TcpServer.prototype.close.call(server, resolve));
    const closeIdle = () => {
      for (const [socket, { responses, bytesRead, idleSince }] of connections) {
        const isIdle = responses.size === 0 && socket.bytesRead === bytesRead;
        if (isIdle && performance.now() - Math.max(begin, idleSince) >= idleMs) socket.destroy();
      }
    };
    // After what has arrived was read, so that no request that is here already is cut off.
    const sweep = setInterval(() => setImmediate(closeIdle), SWEEP_MS);
    const end = setTimeout(() => {
      for (const socket of connections.keys()) socket.destroy();
    }, limitMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(end);
  };
}
