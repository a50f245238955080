// Storage in a Cloudflare R2 bucket, through the binding that a Worker has to it: the engine of octavo/s3 without an SDK
// and without anything of Node.

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
  getFirstByteTimeout,
  PacedReader,
  resolveTimeouts,
  type TimeoutLimits,
  type Timeouts,
  withTimeout,
} from "../s3/waits";

export type { ClosableBlobs, Maintained, MaintainedStorage } from "../s3/engine";
export type { Timeouts } from "../s3/waits";

/** An object as a binding describes it; the body is missing when a condition did not hold. */
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

/** How an R2 storage behaves. */
export interface R2Options
  extends Pick<
    ObjectStorageOptions,
    "prefix" | "maxStaleness" | "cacheBytes" | "inlineBytes" | "mergeBytes" | "grace" | "merges" | "probes"
  > {
  /** How long the bucket is waited for; a binding has no connection to wait for. Each limit has its default. */
  readonly timeouts?: Omit<Timeouts, "connectMs">;
  /** Whether the bucket's conditions are tried out before the first write. Default: false, since R2 has but one kind. */
  readonly probes?: boolean;
}

/** Keeps everything in an R2 bucket: `r2Storage(env.BUCKET)`. */
export function r2Storage(bucket: R2BucketLike, options: R2Options = {}): MaintainedStorage {
  return createObjectStorage(new R2Objects(bucket, resolveTimeouts(options.timeouts)), { probes: false, ...options });
}

/** The blobs of an R2 bucket alone, for a storage that keeps everything else in another place: `octavo/durable-objects`. */
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
    const object = await this.#settled("unknown", this.#bucket.put(name, bytes, onlyIf && { onlyIf }), bytes.length);
    return object ? { outcome: "stored", etag: object.etag } : { outcome: "refused" };
  }

  async get(
    name: string,
    {
      ifNoneMatch,
      range,
    }: { readonly ifNoneMatch?: string | undefined; readonly range?: ObjectRange | undefined } = {},
  ): Promise<GetResult> {
    const object = await this.#settled(
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
    // What the binding says of a size is that of the whole object.
    const source = { name: `${name} in ${this.name}`, bytes: range ? undefined : object.size };
    const reader = new PacedReader(body as ReadableStream<Uint8Array>, source, this.#waits);
    const bytes = await convertFailure("none", reader.readAll());
    return { outcome: "found", etag: object.etag, bytes };
  }

  async stat(name: string): Promise<{ size: number } | undefined> {
    const object = await this.#settled("none", this.#bucket.head(name));
    return object ? { size: object.size } : undefined;
  }

  async open(
    name: string,
    range?: ObjectRange,
  ): Promise<{ size: number; stream: ReadableStream<Uint8Array> } | undefined> {
    // R2 refuses a range that begins behind the last byte, and an empty object has no range at all.
    const stat = range && (await this.stat(name));
    if (range && (!stat || range.start >= stat.size)) return stat && { size: stat.size, stream: new Blob([]).stream() };
    const object = await this.#settled("none", this.#bucket.get(name, range && { range: toR2Range(range) }));
    return object ? { size: object.size, stream: object.body as ReadableStream<Uint8Array> } : undefined;
  }

  async putParts(
    name: string,
    parts: AsyncIterable<Uint8Array>,
    condition?: { readonly ifAbsent: true },
  ): Promise<PutResult> {
    const upload = await this.#settled("none", this.#bucket.createMultipartUpload(name));
    const done: R2Part[] = [];
    try {
      for await (const part of parts)
        done.push(await this.#settled("none", upload.uploadPart(done.length + 1, part), part.length));
      // A binding completes without conditions; so the last moment to look is now.
      if (condition && (await this.stat(name))) {
        await this.#settled("none", upload.abort());
        return { outcome: "refused" };
      }
    } catch (error) {
      await this.#settled("none", upload.abort()).catch(() => {});
      throw error;
    }
    const { etag } = await this.#settled("unknown", upload.complete(done));
    return { outcome: "stored", etag };
  }

  async delete(name: string): Promise<void> {
    await this.#settled("unknown", this.#bucket.delete(name));
  }

  async *list(prefix: string, after?: string): AsyncGenerator<string> {
    for (let last = after, more = true; more; ) {
      const part = await this.#settled("none", this.#bucket.list({ prefix, ...omitUndefined({ startAfter: last }) }));
      for (const { key } of part.objects) {
        last = key;
        yield key;
      }
      more = part.truncated && part.objects.length > 0;
    }
  }

  /** An answer of the binding, within its time. A binding cannot be told to stop, so what comes later is not heard. */
  async #settled<T>(outcome: "none" | "unknown", answer: Promise<T>, bytesSent = 0): Promise<T> {
    const patience = getFirstByteTimeout(this.#waits, bytesSent);
    return convertFailure(
      outcome,
      withTimeout(patience, answer, () => new Error(`nothing came within ${patience} ms`)),
    );
  }
}

function toR2Range({ start, end }: ObjectRange): { offset: number; length?: number } {
  return { offset: start, ...omitUndefined({ length: end === undefined ? undefined : end - start }) };
}

/** What was asked of the binding, with its errors as failures. They carry no codes to tell one from another. */
async function convertFailure<T>(outcome: "none" | "unknown", answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    if (cause instanceof StoreFailure) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StoreFailure(`The R2 bucket gave no answer; try later. (${reason})`, { outcome, passing: true, cause });
  }
}
