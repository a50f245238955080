// The other end of a tunnel: receives deliveries, and misbehaves as a test tells it to.

import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";

export const TUNNEL = "https://tunnel.example/bot";

/** A delivery as it arrived. */
export interface Delivery {
  readonly url: string;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into events of every shape, and says itself what it expects.
  readonly event: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly environment: any;
  readonly body: Uint8Array | undefined;
  readonly init: RequestInit;
}

type Behaviour = (delivery: Delivery) => Response | Promise<Response>;

export const takes: Behaviour = () => new Response("ok");
export const answers =
  (status: number, body = "", headers: Record<string, string> = {}): Behaviour =>
  () =>
    new Response(status === 204 || status === 304 ? null : body, { status, headers });
/** Nobody is there. */
export const isAway: Behaviour = () => {
  throw new TypeError("connect ECONNREFUSED https://user:hunter2@tunnel.example");
};
/** Takes the request, and never answers. */
export const stalls: Behaviour = ({ init }) =>
  new Promise((_, reject) => {
    init.signal!.addEventListener("abort", () => reject(init.signal!.reason));
  });

export interface Receiver {
  /** May be exchanged at any time. */
  behave: Behaviour;
  /** Every request that came. */
  readonly tried: Delivery[];
  /** Those that were answered with success. */
  readonly taken: Delivery[];
  readonly types: () => string[];
  readonly fetch: typeof fetch;
}

export function createReceiver(behave: Behaviour = takes): Receiver {
  const tried: Delivery[] = [];
  const taken: Delivery[] = [];
  const receiver: Receiver = {
    behave,
    tried,
    taken,
    types: () => taken.map(({ event }) => event.type as string),
    fetch: (async (input: RequestInfo | URL, init: RequestInit = {}) => {
      const request = new Request(input, init);
      const bytes = new Uint8Array(await request.clone().arrayBuffer());
      const form = await request.formData();
      const raw = form.get("fetch-body");
      const delivery: Delivery = {
        url: request.url,
        headers: request.headers,
        bytes,
        event: JSON.parse(String(form.get("event"))),
        environment: JSON.parse(String(form.get("environment"))),
        body: raw instanceof Blob ? new Uint8Array(await raw.arrayBuffer()) : undefined,
        init,
      };
      tried.push(delivery);
      const response = await receiver.behave(delivery);
      if (response.ok) taken.push(delivery);
      return response;
    }) as typeof fetch,
  };
  return receiver;
}

/** Whether a delivery is signed with a secret. */
export function isSigned({ headers, bytes }: Delivery, secret: string): boolean {
  const [, seconds, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers.get("x-docs-signature") ?? "") ?? [];
  if (seconds === undefined) return false;
  const prefix = utf8ToBytes(`${seconds}.`);
  return bytesToHex(hmac(sha256, utf8ToBytes(secret), concatBytes(prefix, bytes))) === signature;
}
