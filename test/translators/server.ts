// A server that speaks the protocols of translators, and remembers what it was asked.

import type { IncomingHttpHeaders } from "node:http";
import { host } from "../support/listening";

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of every shape.
  readonly body: any;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
}

/** Starts a server; `answer` is called with every request and its number, from 1. */
export async function serve(answer: (asked: Asked, number: number) => Answer | Promise<Answer>) {
  const asked: Asked[] = [];
  const { origin, close } = await host(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const it = {
      method: request.method!,
      path: request.url!,
      headers: request.headers,
      body: text === "" ? undefined : JSON.parse(text),
    };
    asked.push(it);
    const { status = 200, headers = {}, body } = await answer(it, asked.length);
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  return { url: origin, asked, close };
}
