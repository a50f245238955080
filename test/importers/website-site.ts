// A small website on a real socket, and a fetch that reaches nothing else.

import type { IncomingMessage, ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { host } from "../support/listening";

/** What a path answers with: a page, or anything else. */
export type Served = string | ((request: IncomingMessage, response: ServerResponse) => void);

export interface Site {
  readonly origin: string;
  readonly fetch: typeof fetch;
  /** The paths that were asked for, in order. */
  readonly asked: readonly string[];
  /** The most requests that were under way at once. */
  readonly busiest: () => number;
}

/** Opens a site for one test. Paths may have a query; `*` answers for all others, else they are 404. */
export async function openSite(paths: Readonly<Record<string, Served>>): Promise<Site> {
  const asked: string[] = [];
  let [busy, busiest] = [0, 0];
  const { origin, close } = await host((request, response) => {
    asked.push(request.url!);
    busiest = Math.max(busiest, ++busy);
    response.on("close", () => busy--);
    const served = Object.hasOwn(paths, request.url!) ? paths[request.url!] : paths["*"];
    if (typeof served === "function") served(request, response);
    else if (served === undefined) response.writeHead(404).end("Not here");
    else response.setHeader("content-type", "text/html; charset=utf-8").end(served);
  });
  onTestFinished(close);
  const restricted: typeof fetch = (input, init) => {
    const url = new URL(String(input));
    if (url.hostname !== "127.0.0.1") throw new TypeError(`Nobody may reach ${url.host} from here.`);
    return fetch(input, init);
  };
  return { origin, fetch: restricted, asked, busiest: () => busiest };
}

/** An answer of a type. */
export const typed =
  (type: string, body: string | Uint8Array): Served =>
  (_, response) => {
    response.setHeader("content-type", type).end(body);
  };

/** An answer that leads elsewhere. */
export const redirect =
  (location: string, status = 302): Served =>
  (_, response) => {
    response.writeHead(status, { location }).end();
  };

/** A page with a title, words that are its own, and links. */
export function page(title: string, links: readonly string[] = [], more = ""): string {
  const items = links.map((href) => `<li><a href="${href}">to ${href}</a></li>`).join("");
  return `<!doctype html><html><head><title>${title} | Site</title></head><body><header><a href="/">Site</a></header>
    <main><h1>${title}</h1><p>What ${title} says is said on no other page of this site.</p>${more}<ul>${items}</ul></main>
    <footer>© Site</footer></body></html>`;
}

/** The smallest image that is one. */
export const PNG = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="),
  (character) => character.charCodeAt(0),
);
