// The outbound requests of one run, sent with the host's fetch: counted, a few at a time, and ended with the run.

import { concatBytes } from "../utils/bytes";
import { parseUrl } from "../utils/url";
import { OutboundRequests } from "./outbound-requests";
import type { HeaderPairs, SandboxLimits } from "./port";
import { getMember, parseHeaders } from "./untrusted";

/** The headers of the connection, which a script may not set. */
const CONNECTION_HEADERS =
  /^(connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade|via|proxy-.*|sec-.*)$/;

interface FetchRequest {
  readonly id: number;
  readonly url: string;
  readonly method: string;
  readonly redirect: string;
  readonly headers: HeaderPairs;
  readonly body: Uint8Array | undefined;
}

export class FetchRequests extends OutboundRequests {
  private readonly queue: FetchRequest[] = [];
  private readonly controllers = new Map<number, AbortController>();
  private requestCount = 0;
  private sentBytes = 0;
  private receivedBytes = 0;

  constructor(
    private readonly fetch: typeof globalThis.fetch | undefined,
    private readonly limits: SandboxLimits,
  ) {
    super();
  }

  protected get pendingCount(): number {
    return this.controllers.size;
  }

  begin(value: unknown, body: Uint8Array | undefined): void {
    const id = Number(getMember(value, "id"));
    this.requestCount++;
    this.sentBytes += body?.length ?? 0;
    const headers = parseHeaders(getMember(value, "headers"), this.limits.headerBytes);
    if (!this.fetch) this.fail(id, "Nothing can be fetched here.");
    else if (this.requestCount > this.limits.requests)
      this.fail(id, `An event makes ${this.limits.requests} requests at most.`);
    else if (this.sentBytes > this.limits.sentBytes)
      this.fail(id, `An event sends ${this.limits.sentBytes} bytes at most.`);
    else if (!headers) this.fail(id, "The headers cannot be sent.");
    else {
      const getText = (name: string) => String(getMember(value, name));
      const [url, method, redirect] = [getText("url"), getText("method"), getText("redirect")];
      this.queue.push({ id, url, method, redirect, headers, body });
      this.startRequests();
    }
  }

  abort(id: unknown): void {
    const index = this.queue.findIndex((request) => request.id === id);
    if (index >= 0) this.queue.splice(index, 1);
    this.controllers.get(id as number)?.abort();
  }

  end(): void {
    this.queue.length = 0;
    for (const controller of this.controllers.values()) controller.abort();
    this.wake();
  }

  private startRequests(): void {
    while (this.controllers.size < this.limits.requestsAtOnce) {
      const request = this.queue.shift();
      if (!request) return;
      const controller = new AbortController();
      this.controllers.set(request.id, controller);
      void this.send(request, controller.signal).finally(() => {
        this.controllers.delete(request.id);
        this.startRequests();
        this.wake();
      });
    }
  }

  private async send(request: FetchRequest, signal: AbortSignal): Promise<void> {
    const { id, url, method, redirect, headers, body } = request;
    try {
      const { protocol } = parseUrl(url);
      if (protocol !== "https:" && protocol !== "http:") throw new TypeError("Not a web address.");
      const init: RequestInit = {
        method,
        // Not every runtime knows "error".
        redirect: redirect === "follow" ? "follow" : "manual",
        signal,
        headers: headers
          .filter(([name]) => !CONNECTION_HEADERS.test(name))
          .map(([name, value]): [string, string] => [name, value]),
      };
      if (body) init.body = body as Uint8Array<ArrayBuffer>;
      const response = await this.fetch!(url, init);
      const bytes = await this.readBody(response);
      const { status, statusText, url: finalUrl, redirected } = response;
      if (status < 200 || status > 599) throw new TypeError("Not an answer.");
      if (redirect === "error" && status >= 300 && status < 400 && response.headers.has("location"))
        this.fail(id, "The request was redirected.");
      else {
        const head = { status, statusText, url: finalUrl, redirected, headers: [...response.headers] };
        this.addSettled({ json: JSON.stringify({ id, response: head }), bytes });
      }
    } catch (error) {
      // Other messages stay here: a script must not learn about the network from them.
      this.fail(id, error instanceof ReceiveLimitError ? error.message : "The request failed.");
    }
  }

  private async readBody(response: Response): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    for (const reader = response.body?.getReader(); reader; ) {
      const { done, value } = await reader.read();
      if (done) break;
      this.receivedBytes += value.length;
      if (this.receivedBytes > this.limits.receivedBytes) {
        await reader.cancel().catch(() => {});
        throw new ReceiveLimitError(`An event receives ${this.limits.receivedBytes} bytes at most.`);
      }
      chunks.push(value);
    }
    return concatBytes(chunks);
  }

  private fail(id: number, error: string): void {
    this.addSettled({ json: JSON.stringify({ id, error }), bytes: undefined });
  }
}

class ReceiveLimitError extends Error {}
