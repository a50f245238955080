// The interface of the object stores that the engine uses: the common features of S3, R2 and similar stores. The outcome of a condition
// is a return value. A `StoreFailure` states whether the request may have been applied.

/** The condition of a put: the object must not exist, or it must have this ETag. */
export type Condition = { readonly ifAbsent: true } | { readonly ifMatch: string };

/** The outcome of a put: stored; refused because of its condition (412); or busy with another put (409, read the object again). */
export type PutResult =
  | { readonly outcome: "stored"; readonly etag: string }
  | { readonly outcome: "refused" }
  | { readonly outcome: "busy" };

/** The outcome of a get. `unchanged` means that the object still has the given ETag. */
export type GetResult =
  | { readonly outcome: "found"; readonly etag: string; readonly bytes: Uint8Array }
  | { readonly outcome: "unchanged" }
  | { readonly outcome: "absent" };

/** Bytes from `start` up to but not including `end`. Without an `end`, the range extends to the last byte. */
export interface ObjectRange {
  readonly start: number;
  readonly end?: number | undefined;
}

/** A bucket. Methods throw only `StoreFailure`. ETags are opaque and have no quotes. */
export interface ObjectStore {
  /** The name of the bucket for messages: `the S3 bucket docs at https://…`. */
  readonly name: string;
  /** Stores all of the bytes or nothing. Without a condition, an existing object is replaced. */
  put(name: string, bytes: Uint8Array, condition?: Condition): Promise<PutResult>;
  /** Reads an object or a range of it, which must start inside of the object. */
  get(
    name: string,
    options?: { readonly ifNoneMatch?: string | undefined; readonly range?: ObjectRange | undefined },
  ): Promise<GetResult>;
  stat(name: string): Promise<{ readonly size: number } | undefined>;
  /** Returns an object, or a range of it, as a stream, with the size of the whole object. A range after the last byte is empty. */
  open(
    name: string,
    range?: ObjectRange,
  ): Promise<{ readonly size: number; readonly stream: ReadableStream<Uint8Array> } | undefined>;
  /**
   * Stores parts, which have `PART_BYTES` each except for the last one, as one object. It becomes visible once the last part is stored. If
   * `parts` throws, the put fails with the same error and stores nothing. `ifAbsent` is only honoured if the store supports it.
   */
  putParts(name: string, parts: AsyncIterable<Uint8Array>, condition?: { readonly ifAbsent: true }): Promise<PutResult>;
  /** Deletes an object. Deleting one that does not exist is not an error. */
  delete(name: string): Promise<void>;
  /** Lists the names that start with `prefix`, after `after`, in the order of their bytes. */
  list(prefix: string, after?: string): AsyncIterable<string>;
  /** Switches to another form of conditions, which some servers need. Returns false if there is no other form. */
  adapt?(): boolean;
}

/** The size of a part in `putParts`. The minimum in S3 is 5 MiB. */
export const PART_BYTES = 8 * 1024 * 1024;

/** A request has failed or got no response. The message is a sentence that says what to do. */
export class StoreFailure extends Error {
  override readonly name = "StoreFailure";
  /** "unknown" if the request may have been applied, or may still be. */
  readonly outcome: "none" | "unknown";
  /** True if the same request may succeed a moment later. */
  readonly isTransient: boolean;
  /** True if the store does not support the request (501). */
  readonly unsupported: boolean;

  constructor(
    message: string,
    options: {
      readonly outcome: "none" | "unknown";
      readonly isTransient: boolean;
      readonly unsupported?: boolean;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.outcome = options.outcome;
    this.isTransient = options.isTransient;
    this.unsupported = options.unsupported ?? false;
  }
}

/** Yields the first parts of an object and then the rest. */
export async function* joinParts(
  first: readonly Uint8Array[],
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* first;
  yield* rest;
}
