// Requests over HTTP on Node, compared with bare node:http that sends the same bytes.

import { createServer, get, type IncomingMessage, type RequestListener } from "node:http";
import { type Host, listenOn } from "../support/listening";
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
  const [own, bare] = [createServer(), createServer()];
  const [ours, theirs] = [await listenOn(own), await listenOn(bare)];
  const { handler, path, headers } = await make(ours.origin);
  own.on("request", handler);
  const { bytes, sent } = await answerOf(ours.port, path, headers);
  bare.on("request", (_, res) => {
    res.writeHead(200, sent).end(bytes);
  });
  const load = startLoad();
  const against = ({ port }: Host): Side => {
    return () => load.requestsPerSecond({ port, path, headers, connections: 32, ms: 250 });
  };
  try {
    return await compare({
      what,
      against: "the requests/s of bare node:http with the same bytes",
      budget: { atLeast },
      ours: against(ours),
      theirs: against(theirs),
      rounds: [10, 2],
    });
  } finally {
    load.stop();
    await Promise.all([ours.close(), theirs.close()]);
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
