// The graceful shutdown of a server of node:http. `server.close()` alone cuts off connections that look idle while a request is on its
// way to them. Here every request that arrives gets its response, which says `Connection: close`, and a connection that nobody uses is
// closed only after a while.

import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Server as TcpServer } from "node:net";
import { setImmediate as waitForNextTurn } from "node:timers/promises";

export interface DrainOptions {
  /**
   * The time for which a connection without a request stays open, so that a request on its way still arrives, in milliseconds. Default:
   * 1,000.
   */
  readonly idleMs?: number;
  /** The longest wait for responses, in milliseconds. Then all connections are closed. Default: 10,000. */
  readonly limitMs?: number;
}

interface Connection {
  readonly responses: Set<ServerResponse>;
  /** The bytes that had been read when the last response was sent. More bytes belong to a request that is arriving. */
  bytesRead: number;
  idleSince: number;
}

/** The interval at which idle connections are looked for. */
const SWEEP_INTERVAL_MS = 50;

/**
 * Prepares the graceful shutdown of a server. Call it before the server listens. Call the function that it returns when the process is
 * asked to stop: it stops accepting connections, and resolves when the last response was sent.
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
  let acceptedConnections = 0;
  const isSecure = "setSecureContext" in server;
  server.on(isSecure ? "secureConnection" : "connection", (socket: Socket) => {
    acceptedConnections++;
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
    const startedAt = performance.now();
    for (const { responses } of connections.values())
      for (const response of responses) if (!response.headersSent) response.setHeader("connection", "close");

    // Clients whose connection the system has established, and which wait to be accepted, would be reset. A turn of the event loop
    // accepts one of them, so after two turns that accepted none, nobody waits.
    let quietTurns = 0;
    while (quietTurns < 2 && performance.now() - startedAt < idleMs) {
      const acceptedBefore = acceptedConnections;
      await waitForNextTurn();
      quietTurns = acceptedConnections === acceptedBefore ? quietTurns + 1 : 0;
    }

    // The server's own `close` would end connections that are idle.
    const closed = new Promise((resolve) => TcpServer.prototype.close.call(server, resolve));
    const closeIdleConnections = () => {
      for (const [socket, { responses, bytesRead, idleSince }] of connections) {
        const isIdle = responses.size === 0 && socket.bytesRead === bytesRead;
        if (isIdle && performance.now() - Math.max(startedAt, idleSince) >= idleMs) socket.destroy();
      }
    };
    // `setImmediate` waits until the bytes that have arrived are read, so that no request that is here already is cut off.
    const sweepTimer = setInterval(() => setImmediate(closeIdleConnections), SWEEP_INTERVAL_MS);
    const endTimer = setTimeout(() => {
      for (const socket of connections.keys()) socket.destroy();
    }, limitMs);
    await closed;
    clearInterval(sweepTimer);
    clearTimeout(endTimer);
  };
}
