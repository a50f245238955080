// Requests over HTTP on Node, compared with bare node:http that sends the same bytes.

import { createServer, get, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { startLoad } from "./load";
import { compare, type Row, type Side } from "./measure";

interface Subject {
  readonly handler: RequestListener;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The requests a second of what is made for an origin. They may be so small a share of those of bare node:http. */
export async function overHttp(
  what: string,
  atLeast: number,
  make: (origin: string) => Subject | Promise<Subject>,
): Promise<Row> {
  const [ours, bare] = [await listen(), await listen()];
  const { handler, path, headers } = await make(`http://127.0.0.1:${portOf(ours)}`);
  ours.on("request", handler);
  const { bytes, sent } = await answerOf(portOf(ours), path, headers);
  bare.on("request", (_, res) => {
    res.writeHead(200, sent).end(bytes);
  });
  const load = startLoad();
  const against = (server: Server): Side => {
    return () => load.requestsPerSecond({ port: portOf(server), path, headers, connections: 32, ms: 250 });
  };
  try {
    return await compare({
      what,
      against: "the requests/s of bare node:http with the same bytes",
      budget: { atLeast },
      ours: against(ours),
      theirs: against(bare),
      rounds: 10,
      warmUp: 2,
    });
  } finally {
    load.stop();
    ours.close();
    bare.close();
  }
}

/** What our server answers with, less the headers that node:http adds by itself: the bare one sends the same bytes. */
async function answerOf(port: number, path: string, headers: Subject["headers"]) {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: "127.0.0.1", port, path, headers }, resolve).on("error", reject);
  });
  const bytes = Buffer.concat(await answer.toArray());
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${bytes}`);
  const own = new Set(["connection", "date", "keep-alive"]);
  return { bytes, sent: Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !own.has(name))) };
}

async function listen(): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
