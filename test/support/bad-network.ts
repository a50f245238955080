// A way to a server over a bad network: some of what it says comes late, and some not at all, because the connection is cut.

import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import { createSeededRandom } from "../../adapters/conformance/cases";

/** One of so many pieces of what the server says is late, and one is lost with its connection. */
const LATE = 20;
const LOST = 200;
const MOST_LATE_MS = 100;

/** The way to the server at `url`: the address there, and how many pieces were late so far. */
export async function badNetwork(url: string, seed: number) {
  const { hostname, port } = new URL(url);
  const random = createSeededRandom(seed);
  let late = 0;
  async function* badly(pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      if (random(LOST) === 0) throw new Error("The connection is cut.");
      if (random(LATE) === 0) {
        late++;
        await wait(random(MOST_LATE_MS));
      }
      yield piece;
    }
  }
  const open = new Set<{ destroy(): void }>();
  const network = createServer((client) => {
    const server = connect(Number(port), hostname);
    for (const socket of [client, server]) {
      open.add(socket);
      socket.on("close", () => open.delete(socket));
    }
    const cut = () => {
      client.destroy();
      server.destroy();
    };
    pipeline(client, server).catch(cut);
    pipeline(server, badly, client).catch(cut);
  });
  network.listen(0, "127.0.0.1");
  await once(network, "listening");
  const through = new URL(url);
  through.port = String((network.address() as AddressInfo).port);
  const stop = async () => {
    network.close();
    for (const socket of open) socket.destroy();
    await once(network, "close");
  };
  return { url: through.href, late: () => late, stop };
}
