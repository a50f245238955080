// Requests and responses as plain objects. The edge works on these; `fetch` and the Node door each translate, and neither
// pays for the other's classes.

export interface PlainRequest {
  readonly method: string;
  /** An absolute URL, or a path with its query. */
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  /** Every header, where a request is passed on. */
  readonly headerPairs?: () => Iterable<readonly [name: string, value: string]>;
  /** All of the body. Rejects with `body_too_large` as soon as more than `limit` bytes have come, and with `body_too_slow`
   * when it takes too long. */
  readonly body: (limit: number) => Promise<Uint8Array>;
  /** The address of the other end of the connection, where the host knows it. */
  readonly address?: string | undefined;
}

export interface PlainResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | undefined;
  /** Stands for the bytes of the body where they may be sent again. What is made of them is remembered by it. */
  readonly bodyKey?: object | undefined;
  /** The values of `Set-Cookie`, each a header of its own. */
  readonly cookies?: readonly string[];
}
