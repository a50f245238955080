// Servers on this machine, and names that lead to them, for the tests of the guarded fetch.

import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { LookupFunction } from "node:net";
import { EgressError } from "octavo/node";
import { listen } from "../servers";

export type Site = Awaited<ReturnType<typeof site>>;

/** A server on 127.0.0.1 that remembers what came to it, and how many connections are open. Its `host` is as `allow` takes it. */
export async function site(answer: RequestListener) {
  const requests: IncomingMessage[] = [];
  let connections = 0;
  const server = createServer((req, res) => {
    requests.push(req);
    answer(req, res);
  });
  server.on("connection", (socket) => {
    connections++;
    socket.on("close", () => connections--);
  });
  const port = await listen(server);
  const host = `127.0.0.1:${port}`;
  return { origin: `http://${host}`, port, host, requests, open: () => connections };
}

/** Answers every request with a redirect. */
export function redirectTo(location: string | (() => string), status = 302) {
  return (_req: IncomingMessage, res: ServerResponse) => {
    res.writeHead(status, { location: typeof location === "string" ? location : location() }).end("Moved.");
  };
}

/** A resolver that answers each question with the next list of addresses, and the last one from then on. */
export function resolver(...answers: string[][]): { lookup: LookupFunction; asked: string[] } {
  const asked: string[] = [];
  const lookup: LookupFunction = (hostname, _options, callback) => {
    const addresses = answers[Math.min(asked.length, answers.length - 1)]!;
    asked.push(hostname);
    const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    setImmediate(callback, null, found);
  };
  return { lookup, asked };
}

/** The refusal that a request ends with; fails when it ends otherwise. */
export async function refusal(request: Promise<unknown>): Promise<EgressError> {
  const outcome = await request.then(
    (value) => new Error(`The request was answered: ${value}`),
    (error: unknown) => error,
  );
  if (outcome instanceof EgressError) return outcome;
  throw outcome;
}
