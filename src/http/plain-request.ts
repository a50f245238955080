// Requests and responses as plain objects. The HTTP handler works on these. `fetch` and `octavo/node` each translate from and to
// their platform, and neither pays for the other's classes.

export interface PlainRequest {
  readonly method: string;
  /** An absolute URL, or a path with its query. */
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  /** Iterates over all headers, for an operation that forwards the request. */
  readonly headerPairs?: () => Iterable<readonly [name: string, value: string]>;
  /** Reads the whole body. Rejects with `body_too_large` after `limit` bytes, and with `body_too_slow`. */
  readonly body: (limit: number) => Promise<Uint8Array>;
  /** The network address of the client, if the host knows it. */
  readonly address?: string | undefined;
}

/** The parts of a request that say who sent it. */
export type SentRequest = Pick<PlainRequest, "method" | "url" | "headers" | "address">;

export interface PlainResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | undefined;
  /** Identifies a body that may be sent again. Its compressed form is cached under this object. */
  readonly bodyKey?: object | undefined;
  /** The values of the `Set-Cookie` headers. */
  readonly cookies?: readonly string[];
}
