// An address that stays while the server behind it is replaced, as a cluster gives one to its clients.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface StableAddress {
  readonly url: string;
  /** Leads to another port, and cuts what was connected to the one before. */
  readonly leadTo: (port: number) => void;
  readonly stop: () => void;
}

export async function stableAddress(first: number): Promise<StableAddress> {
  let target = first;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const behind = connect(target, "127.0.0.1");
    for (const [socket, other] of [
      [client, behind],
      [behind, client],
    ] as const) {
      open.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: `postgres://octavo@127.0.0.1:${(server.address() as AddressInfo).port}/postgres`,
    leadTo(port) {
      target = port;
      cut();
    },
    stop() {
      server.close();
      cut();
    },
  };
}
