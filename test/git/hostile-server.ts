// A Git server that sends whatever a test wants.

import type { IncomingMessage, ServerResponse } from "node:http";
import { serve } from "../node/servers";
import { packet } from "./hostile-packs";
import { AUTH } from "./server";

export interface Said {
  readonly tip?: string;
  readonly refs?: Buffer;
  readonly advert?: Buffer;
  /** What answers a fetch or a push, whole. */
  readonly answer: Buffer;
}

const VERSION_2 = Buffer.concat([
  packet("version 2\n"),
  packet("agent=evil\n"),
  packet("ls-refs\n"),
  packet("fetch\n"),
  Buffer.from("0000"),
]);

/** A repository on a server of this kind. */
export async function says(said: Said): Promise<{ fetch: typeof fetch; url: string; ref: string; auth: typeof AUTH }> {
  const origin = await serve((req, res) => void reply(req, res, said));
  return { fetch, url: `${origin}/evil.git`, ref: "refs/heads/main", auth: AUTH };
}

async function reply(req: IncomingMessage, res: ServerResponse, said: Said): Promise<void> {
  const service = /git-(upload|receive)-pack/.exec(req.url!)?.[0];
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  const line = packet(`${said.tip ?? "1".repeat(40)} refs/heads/main\n`);
  if (req.method === "GET") {
    const first = packet(`${said.tip ?? "1".repeat(40)} refs/heads/main\0report-status side-band-64k\n`);
    const forPush = Buffer.concat([packet(`# service=${service}\n`), Buffer.from("0000"), first, Buffer.from("0000")]);
    const advert = said.advert ?? (service === "git-receive-pack" ? forPush : VERSION_2);
    res.writeHead(200, { "content-type": `application/x-${service}-advertisement` }).end(advert);
    return;
  }
  const asksForRefs = Buffer.concat(chunks).includes("command=ls-refs");
  const refs = said.refs ?? Buffer.concat([line, Buffer.from("0000")]);
  res.writeHead(200, { "content-type": `application/x-${service}-result` }).end(asksForRefs ? refs : said.answer);
}
