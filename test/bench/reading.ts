// GET of a single resource, in process and over HTTP, compared with the smallest server that answers the same bytes.

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
  let asked = 0;
  return [
    await inProcess(subject, bytes, "", () => ""),
    await inProcess(subject, bytes, ", never asked before", () => `#${++asked}`),
    await overHttp(subject, bytes),
  ];
}

function inProcess({ api, path, headers }: Subject, bytes: string, how: string, query: () => string): Promise<Row> {
  const url = `http://localhost:3000${path}`;
  const router = Router();
  router.get("/v1/orgs/:organizationId", () => new Response(bytes, { headers: { "content-type": TYPE } }));
  const answerOf = (fetch: (request: Request) => Promise<Response>) =>
    oneByOne(300, async () => (await fetch(new Request(url + query(), { headers }))).text());
  return compare({
    what: `GET an organization${how}, in process, memory`,
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
  const sent = { ...(await headersOf(ours.port, path, headers)), "content-length": length };
  const bare = await listen((_, res) => {
    res.writeHead(200, sent).end(bytes);
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

/** What our server answers with, less what node:http adds by itself: the bare one sends the same bytes. */
async function headersOf(port: number, path: string, headers: Readonly<Record<string, string>>) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  await answer.text();
  const own = new Set(["connection", "date", "keep-alive", "content-length"]);
  return Object.fromEntries([...answer.headers].filter(([name]) => !own.has(name)));
}

async function listen(handler: RequestListener): Promise<{ port: number; close(): void }> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}
