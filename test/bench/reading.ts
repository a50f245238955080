// GET of a single resource, in process and over HTTP, compared with the smallest server that answers the same bytes.

import { Router } from "itty-router";
import { memoryStorage, nodeHandler } from "./built";
import { compare, oneByOne, type Row } from "./measure";
import { overHttp } from "./over-http";
import { createSubject, type Subject } from "./subject";

const TYPE = "application/json; charset=utf-8";

export async function reading(): Promise<Row[]> {
  const subject = await createSubject(memoryStorage());
  const bytes = await subject.ask("GET", subject.path);
  let asked = 0;
  return [
    await inProcess(subject, bytes, "", () => ""),
    await inProcess(subject, bytes, ", never asked before", () => `#${++asked}`),
    await overHttp("GET an organization, over HTTP on Node, memory", 0.55, () => ({
      handler: nodeHandler(subject.api),
      path: subject.path,
      headers: subject.headers,
    })),
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
    rounds: [40, 10],
  });
}
