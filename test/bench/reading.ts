// GET of a single resource, in process and over HTTP, against the least that could answer the same bytes.

import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Router } from "itty-router";
import { memoryStorage, nodeHandler } from "./built";
import { startLoad } from "./load";
import { compare, oneByOne, type Row, type Side } from "./measure";
import { createSubject, type Subject } from "./subject";

const TYPE = "application/json; charset=utf-8";

export async function reading(): Promise<Row[]> {
  const subject = await createSubject(memoryStorage());
  const bytes = await subject.ask("GET", subject.path);
  return [await inProcess(subject, bytes), await overHttp(subject, bytes)];
}

function inProcess({ api, path, headers }: Subject, bytes: string): Promise<Row> {
  const url = `http://localhost:3000${path}`;
  const router = Router();
  router.get("/v1/orgs/:organizationId", () => new Response(bytes, { headers: { "content-type": TYPE } }));
  const answerOf = (fetch: (request: Request) => Promise<Response>) =>
    oneByOne(300, async () => (await fetch(new Request(url, { headers }))).text());
  return compare({
    what: "GET an organization, in process, memory",
    against: "the time of a bare itty-router handler with the same bytes",
    budget: { atMost: 3 },
    ours: answerOf(api.fetch),
    theirs: answerOf(router.fetch),
    rounds: 40,
    warmUp: 10,
  });
}

async function overHttp({ api, path, headers }: Subject, bytes: string): Promise<Row> {
  const length = String(Buffer.byteLength(bytes));
  const ours = await listen(nodeHandler(api));
  const bare = await listen((_, res) => {
    res.writeHead(200, { "content-type": TYPE, "content-length": length }).end(bytes);
  });
  const load = startLoad();
  const against = ({ port }: { port: number }): Side => {
    return () => load.requestsPerSecond({ port, path, headers, connections: 32, ms: 250 });
  };
  try {
    return await compare({
      what: "GET an organization, over HTTP on Node, memory",
      against: "the requests/s of bare node:http with the same bytes",
      budget: { atLeast: 0.55 },
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

async function listen(handler: RequestListener): Promise<{ port: number; close(): void }> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}
