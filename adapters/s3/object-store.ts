// The object store that the engine stands on: the little that S3, R2 and their kin have in common. What a condition
// decides is answered as a value; a `StoreFailure` says whether the request may have happened nevertheless.

/** When a put may happen: only where there is nothing, or only over the object with this ETag. */
export type Condition = { readonly ifAbsent: true } | { readonly ifMatch: string };

/** What became of a put: it is stored; its condition did not hold (412); or another was under way (409, read again). */
export type PutResult =
  | { readonly outcome: "stored"; readonly etag: string }
  | { readonly outcome: "refused" }
  | { readonly outcome: "busy" };

/** What a get found. `unchanged`: the object still has the ETag that was named. */
export type GetResult =
  | { readonly outcome: "found"; readonly etag: string; readonly bytes: Uint8Array }
  | { readonly outcome: "unchanged" }
  | { readonly outcome: "absent" };

/** Bytes from `start` up to but not including `end`; without an `end`, up to the last. */
export interface ObjectRange {
  readonly start: number;
  readonly end?: number | undefined;
}

/** A bucket. Every method may throw a `StoreFailure` and nothing else. ETags are opaque, without quotes around them. */
export interface ObjectStore {
  /** What it is and where, for messages: `the S3 bucket docs at https://…`. */
  readonly name: string;
  /** Stores all of the bytes or nothing. A put without a condition replaces what is there. */
  put(name: string, bytes: Uint8Array, condition?: Condition): Promise<PutResult>;
  /** The object, read whole or in part. A range must begin inside of it. */
  get(
    name: string,
    options?: { readonly ifNoneMatch?: string | undefined; readonly range?: ObjectRange | undefined },
  ): Promise<GetResult>;
  /** The size of an object. */
  stat(name: string): Promise<{ readonly size: number } | undefined>;
  /** The object as a stream, with the size of all of it. A range that begins behind the last byte gives no bytes. */
  open(
    name: string,
    range?: ObjectRange,
  ): Promise<{ readonly size: number; readonly stream: ReadableStream<Uint8Array> } | undefined>;
  /** Stores parts, each of `PART_BYTES` except for the last, as one object; nobody sees it before the last part is
   * there. When the parts fail, so does the put, with their error, and nothing is left. Honours `ifAbsent` when the
   * store can. */
  putParts(name: string, parts: AsyncIterable<Uint8Array>, condition?: { readonly ifAbsent: true }): Promise<PutResult>;
  /** Deletes; what is absent is not an error. */
  delete(name: string): Promise<void>;
  /** The names that begin with `prefix`, after `after`, in the order of their bytes. */
  list(prefix: string, after?: string): AsyncIterable<string>;
  /** Writes conditions in another way from now on, as some servers want them; false when no other way is left. */
  adapt?(): boolean;
}

/** The size of a part in `putParts`: the least that S3 takes is 5 MiB. */
export const PART_BYTES = 8 * 1024 * 1024;

/** A request that got no answer, or one that decides nothing. The message is a sentence that says what to do. */
export class StoreFailure extends Error {
  override readonly name = "StoreFailure";
  /** Whether the request may have happened, or may still happen. */
  readonly outcome: "none" | "unknown";
  /** Whether the same request may succeed a moment later. */
  readonly isTransient: boolean;
  /** Whether the store said that it cannot do what was asked (501). */
  readonly unsupported: boolean;

  constructor(
    message: string,
    options: {
      readonly outcome: "none" | "unknown";
      readonly passing: boolean;
      readonly unsupported?: boolean;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.outcome = options.outcome;
    this.isTransient = options.passing;
    this.unsupported = options.unsupported ?? false;
  }
}
