// Storage in a Cloudflare R2 bucket, using the binding of a Worker: the engine of octavo/s3 without an SDK and without Node APIs.

import { omitUndefined } from "../../src/utils/objects";
import {
  type ClosableBlobs,
  createObjectStorage,
  extractBlobs,
  type MaintainedStorage,
  type ObjectStorageOptions,
} from "../s3/engine";
import {
  type Condition,
  type GetResult,
  type ObjectRange,
  type ObjectStore,
  type PutResult,
  StoreFailure,
} from "../s3/object-store";
import {
  enforceTimeout,
  getFirstByteTimeout,
  PacedReader,
  resolveTimeouts,
  type TimeoutLimits,
  type Timeouts,
} from "../s3/waits";

export type { ClosableBlobs, Maintained, MaintainedStorage } from "../s3/engine";
export type { Timeouts } from "../s3/waits";

/** An object as the binding describes it. The body is missing if a condition was not met. */
export interface R2ObjectLike {
  readonly key: string;
  readonly size: number;
  readonly etag: string;
  readonly body?: unknown;
}

/** The part of an R2 bucket binding that is used here. */
export interface R2BucketLike {
  head(key: string): Promise<R2ObjectLike | null>;
  get(
    key: string,
    options?: {
      onlyIf?: { etagDoesNotMatch?: string };
      range?: { offset: number; length?: number };
    },
  ): Promise<R2ObjectLike | null>;
  put(
    key: string,
    value: Uint8Array,
    options?: { onlyIf?: { etagMatches?: string; etagDoesNotMatch?: string } },
  ): Promise<R2ObjectLike | null>;
  delete(key: string): Promise<unknown>;
  list(options: { prefix: string; startAfter?: string }): Promise<{
    readonly objects: readonly { readonly key: string }[];
    readonly truncated: boolean;
  }>;
  createMultipartUpload(key: string): Promise<{
    uploadPart(number: number, value: Uint8Array): Promise<R2Part>;
    complete(parts: R2Part[]): Promise<R2ObjectLike>;
    abort(): Promise<unknown>;
  }>;
}

/** A part of an upload, as the binding describes it. */
export interface R2Part {
  readonly partNumber: number;
  readonly etag: string;
}

export interface R2Options
  extends Pick<
    ObjectStorageOptions,
    | "prefix"
    | "maxStaleness"
    | "cacheBytes"
    | "inlineBytes"
    | "mergeBytes"
    | "retentionMs"
    | "autoMerge"
    | "testConditions"
  > {
  /** The timeouts for the bucket. A binding has no connection timeout. Each has its own default. */
  readonly timeouts?: Omit<Timeouts, "connectMs">;
  /** If true, the conditional writes of the bucket are tested before the first write. Default: false, because R2 supports them. */
  readonly testConditions?: boolean;
}

/** Creates a storage in an R2 bucket: `r2Storage(env.BUCKET)`. */
export function r2Storage(bucket: R2BucketLike, options: R2Options = {}): MaintainedStorage {
  return createObjectStorage(new R2Objects(bucket, resolveTimeouts(options.timeouts)), {
    testConditions: false,
    ...options,
  });
}

/** Creates only the blobs of an R2 bucket, for a storage that stores everything else elsewhere, such as `octavo/durable-objects`. */
export function r2Blobs(bucket: R2BucketLike, options: Pick<R2Options, "prefix" | "timeouts"> = {}): ClosableBlobs {
  return extractBlobs(r2Storage(bucket, options));
}

class R2Objects implements ObjectStore {
  readonly name = "the R2 bucket";
  readonly #bucket: R2BucketLike;
  readonly #waits: TimeoutLimits;

  constructor(bucket: R2BucketLike, waits: TimeoutLimits) {
    this.#bucket = bucket;
    this.#waits = waits;
  }

  async put(name: string, bytes: Uint8Array, condition?: Condition): Promise<PutResult> {
    const onlyIf =
      condition && ("ifAbsent" in condition ? { etagDoesNotMatch: "*" } : { etagMatches: condition.ifMatch });
    const object = await this.#awaitCall("unknown", this.#bucket.put(name, bytes, onlyIf && { onlyIf }), bytes.length);
    return object ? { outcome: "stored", etag: object.etag } : { outcome: "refused" };
  }

  async get(
    name: string,
    {
      ifNoneMatch,
      range,
    }: { readonly ifNoneMatch?: string | undefined; readonly range?: ObjectRange | undefined } = {},
  ): Promise<GetResult> {
    const object = await this.#awaitCall(
      "none",
      this.#bucket.get(name, {
        ...omitUndefined({
          onlyIf: ifNoneMatch === undefined ? undefined : { etagDoesNotMatch: ifNoneMatch },
          range: range === undefined ? undefined : toR2Range(range),
        }),
      }),
    );
    if (!object) return { outcome: "absent" };
    const { body } = object;
    if (!body) return { outcome: "unchanged" };
    // The size that the binding returns is that of the whole object.
    const source = { name: `${name} in ${this.name}`, bytes: range ? undefined : object.size };
    const reader = new PacedReader(body as ReadableStream<Uint8Array>, source, this.#waits);
    const bytes = await convertFailure("none", reader.readAll());
    return { outcome: "found", etag: object.etag, bytes };
  }

  async stat(name: string): Promise<{ size: number } | undefined> {
    const object = await this.#awaitCall("none", this.#bucket.head(name));
    return object ? { size: object.size } : undefined;
  }

  async open(
    name: string,
    range?: ObjectRange,
  ): Promise<{ size: number; stream: ReadableStream<Uint8Array> } | undefined> {
    // R2 refuses a range that starts after the last byte, and any range of an empty object.
    const stat = range && (await this.stat(name));
    if (range && (!stat || range.start >= stat.size)) return stat && { size: stat.size, stream: new Blob([]).stream() };
    const object = await this.#awaitCall("none", this.#bucket.get(name, range && { range: toR2Range(range) }));
    return object ? { size: object.size, stream: object.body as ReadableStream<Uint8Array> } : undefined;
  }

  async putParts(
    name: string,
    parts: AsyncIterable<Uint8Array>,
    condition?: { readonly ifAbsent: true },
  ): Promise<PutResult> {
    const upload = await this.#awaitCall("none", this.#bucket.createMultipartUpload(name));
    const done: R2Part[] = [];
    try {
      for await (const part of parts)
        done.push(await this.#awaitCall("none", upload.uploadPart(done.length + 1, part), part.length));
      // A binding cannot complete an upload conditionally, so this is the last opportunity to check.
      if (condition && (await this.stat(name))) {
        await this.#awaitCall("none", upload.abort());
        return { outcome: "refused" };
      }
    } catch (error) {
      await this.#awaitCall("none", upload.abort()).catch(() => {});
      throw error;
    }
    const { etag } = await this.#awaitCall("unknown", upload.complete(done));
    return { outcome: "stored", etag };
  }

  async delete(name: string): Promise<void> {
    await this.#awaitCall("unknown", this.#bucket.delete(name));
  }

  async *list(prefix: string, after?: string): AsyncGenerator<string> {
    for (let last = after, more = true; more; ) {
      const part = await this.#awaitCall("none", this.#bucket.list({ prefix, ...omitUndefined({ startAfter: last }) }));
      for (const { key } of part.objects) {
        last = key;
        yield key;
      }
      more = part.truncated && part.objects.length > 0;
    }
  }

  /** Waits for a call of the binding with a timeout. A call cannot be aborted, so a later result is ignored. */
  async #awaitCall<T>(outcome: "none" | "unknown", answer: Promise<T>, bytesSent = 0): Promise<T> {
    const timeoutMs = getFirstByteTimeout(this.#waits, bytesSent);
    return convertFailure(
      outcome,
      enforceTimeout(timeoutMs, answer, () => new Error(`nothing came within ${timeoutMs} ms`)),
    );
  }
}

function toR2Range({ start, end }: ObjectRange): { offset: number; length?: number } {
  return { offset: start, ...omitUndefined({ length: end === undefined ? undefined : end - start }) };
}

/** Converts errors of the binding to failures. They have no codes by which they could be distinguished. */
async function convertFailure<T>(outcome: "none" | "unknown", answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    if (cause instanceof StoreFailure) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StoreFailure(`The R2 bucket gave no answer; try later. (${reason})`, {
      outcome,
      isTransient: true,
      cause,
    });
  }
}
