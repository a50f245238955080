// The outbound requests of one run: made with the host's fetch alone, counted, a few at a time, and ended with the run.

import { concatBytes } from "../utils/bytes";
import { parseUrl } from "../utils/url";
import { member } from "./host-functions";
import type { SandboxLimits } from "./options";
import { Requests } from "./outbound-requests";
import type { HeaderPairs } from "./port";
import { headersOf, withoutConnection } from "./untrusted";

interface Asked {
  readonly id: number;
  readonly url: string;
  readonly method: string;
  readonly redirect: string;
  readonly headers: HeaderPairs;
  readonly body: Uint8Array | undefined;
}

export class Outbound extends Requests {
  private readonly waiting: Asked[] = [];
  private readonly controllers = new Map<number, AbortController>();
  private made = 0;
  private sentBytes = 0;
  private receivedBytes = 0;

  constructor(
    private readonly fetch: typeof globalThis.fetch | undefined,
    private readonly limits: SandboxLimits,
  ) {
    super();
  }

  protected get underWay(): number {
    return this.controllers.size;
  }

  begin(value: unknown, body: Uint8Array | undefined): void {
    const id = Number(member(value, "id"));
    this.made++;
    this.sentBytes += body?.length ?? 0;
    const headers = headersOf(member(value, "headers"), this.limits.headerBytes);
    if (!this.fetch) this.refuse(id, "Nothing can be fetched here.");
    else if (this.made > this.limits.requests)
      this.refuse(id, `An event makes ${this.limits.requests} requests at most.`);
    else if (this.sentBytes > this.limits.sentBytes)
      this.refuse(id, `An event sends ${this.limits.sentBytes} bytes at most.`);
    else if (!headers) this.refuse(id, "The headers cannot be sent.");
    else {
      const text = (name: string) => String(member(value, name));
      this.waiting.push({ id, url: text("url"), method: text("method"), redirect: text("redirect"), headers, body });
      this.next();
    }
  }

  abort(id: unknown): void {
    const at = this.waiting.findIndex((asked) => asked.id === id);
    if (at >= 0) this.waiting.splice(at, 1);
    this.controllers.get(id as number)?.abort();
  }

  end(): void {
    this.waiting.length = 0;
    for (const controller of this.controllers.values()) controller.abort();
    this.wake();
  }

  private next(): void {
    while (this.controllers.size < this.limits.requestsAtOnce) {
      const asked = this.waiting.shift();
      if (!asked) return;
      const controller = new AbortController();
      this.controllers.set(asked.id, controller);
      void this.carryOut(asked, controller.signal).finally(() => {
        this.controllers.delete(asked.id);
        this.next();
        this.wake();
      });
    }
  }

  /** What a failure says about the other host stays here: a script must not learn about the network from it. */
  private async carryOut(asked: Asked, signal: AbortSignal): Promise<void> {
    try {
      const response = await this.ask(asked, signal);
      const bytes = await this.read(response);
      const { status, statusText, url, redirected } = response;
      if (status < 200 || status > 599) throw new TypeError("Not an answer.");
      if (asked.redirect === "error" && status >= 300 && status < 400 && response.headers.has("location"))
        this.refuse(asked.id, "The request was redirected.");
      else {
        const told = { status, statusText, url, redirected, headers: [...response.headers] };
        this.add({ json: JSON.stringify({ id: asked.id, response: told }), bytes });
      }
    } catch (error) {
      this.refuse(asked.id, error instanceof TooMuch ? error.message : "The request failed.");
    }
  }

  private ask({ url, method, redirect, headers, body }: Asked, signal: AbortSignal): Promise<Response> {
    const { protocol } = parseUrl(url);
    if (protocol !== "https:" && protocol !== "http:") throw new TypeError("Not a web address.");
    // Not every runtime knows "error".
    const init: RequestInit = { method, redirect: redirect === "follow" ? "follow" : "manual", signal };
    const sent = {
      ...init,
      headers: withoutConnection(headers).map(([name, value]): [string, string] => [name, value]),
    };
    return this.fetch!(url, body ? { ...sent, body: body as Uint8Array<ArrayBuffer> } : sent);
  }

  private async read(response: Response): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    for (const reader = response.body?.getReader(); reader; ) {
      const { done, value } = await reader.read();
      if (done) break;
      this.receivedBytes += value.length;
      if (this.receivedBytes > this.limits.receivedBytes) {
        await reader.cancel().catch(() => {});
        throw new TooMuch(`An event receives ${this.limits.receivedBytes} bytes at most.`);
      }
      pieces.push(value);
    }
    return concatBytes(pieces);
  }

  private refuse(id: number, error: string): void {
    this.add({ json: JSON.stringify({ id, error }), bytes: undefined });
  }
}

class TooMuch extends Error {}
