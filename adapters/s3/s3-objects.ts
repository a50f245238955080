// S3 as an object store, using @aws-sdk/client-s3. It interprets the responses of servers: which one refuses a condition, after which
// failure a request may have been applied, and how ETags are quoted.

import type { S3Client, S3ClientConfig } from "@aws-sdk/client-s3";
import { omitUndefined } from "../../src/utils/objects";
import {
  type Condition,
  type GetResult,
  type ObjectRange,
  type ObjectStore,
  type PutResult,
  StoreFailure,
} from "./object-store";
import { enforceTimeout, getFirstByteTimeout, PacedReader, setTimer, type TimeoutLimits } from "./waits";

type Sdk = typeof import("@aws-sdk/client-s3");

/** The SDK, the client and the controls of one request. */
interface SdkRequestContext {
  readonly sdk: Sdk;
  readonly client: S3Client;
  readonly abortSignal: AbortSignal;
  /** Makes a command report when its response starts. */
  readonly observe: <Command extends { readonly middlewareStack: object }>(command: Command) => Command;
}

/** The bucket and the settings for reaching it. */
export interface S3Location {
  readonly bucket: string;
  readonly client?: S3Client | undefined;
  readonly config?: S3ClientConfig | undefined;
  readonly waits: TimeoutLimits;
}

/** The members of the SDK's errors that come from a server. */
interface ServerError {
  readonly name: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

export class S3Objects implements ObjectStore {
  readonly name: string;
  readonly #location: S3Location;
  #sdk: Promise<{ sdk: Sdk; client: S3Client }> | undefined;
  /** True if ETags are sent in quotes. Ceph RGW 16 does not recognize them in quotes. */
  #quotes = true;

  constructor(location: S3Location) {
    this.#location = location;
    const endpoint = location.config?.endpoint;
    this.name = `the S3 bucket ${location.bucket}${typeof endpoint === "string" ? ` at ${endpoint}` : ""}`;
  }

  adapt(): boolean {
    const other = this.#quotes;
    this.#quotes = false;
    return other;
  }

  async put(name: string, bytes: Uint8Array, condition?: Condition): Promise<PutResult> {
    const input = { ...this.#locate(name), Body: bytes, ...this.#conditions(condition) };
    return this.#runConditional(async () => {
      const { ETag } = await this.#send(
        ({ sdk, client, abortSignal, observe }) =>
          client.send(observe(new sdk.PutObjectCommand(input)), { abortSignal }),
        bytes.length,
      );
      return this.#createStoredResult(name, ETag);
    });
  }

  async get(
    name: string,
    options: { readonly ifNoneMatch?: string | undefined; readonly range?: ObjectRange | undefined } = {},
  ): Promise<GetResult> {
    const { ifNoneMatch, range } = options;
    const input = {
      ...this.#locate(name),
      ...omitUndefined({
        IfNoneMatch: ifNoneMatch === undefined ? undefined : this.#quoteEtag(ifNoneMatch),
        Range: range === undefined ? undefined : formatRangeHeader(range),
      }),
    };
    try {
      return await this.#send(async ({ sdk, client, abortSignal, observe }) => {
        const { ETag, Body, ContentLength } = await client.send(observe(new sdk.GetObjectCommand(input)), {
          abortSignal,
        });
        const source = { name: `${name} in ${this.name}`, bytes: ContentLength };
        const reader = new PacedReader(Body!.transformToWebStream(), source, this.#location.waits);
        return { outcome: "found", etag: stripQuotes(ETag), bytes: await reader.readAll() };
      });
    } catch (error) {
      if (parseServerError(error).status === 304) return { outcome: "unchanged" };
      if (isAbsent(error)) return { outcome: "absent" };
      throw this.#toFailure(error);
    }
  }

  async stat(name: string): Promise<{ size: number } | undefined> {
    try {
      const { ContentLength } = await this.#send(({ sdk, client, abortSignal, observe }) =>
        client.send(observe(new sdk.HeadObjectCommand(this.#locate(name))), { abortSignal }),
      );
      return { size: ContentLength ?? 0 };
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw this.#toFailure(error);
    }
  }

  async open(
    name: string,
    range?: ObjectRange,
  ): Promise<{ size: number; stream: ReadableStream<Uint8Array> } | undefined> {
    const input = {
      ...this.#locate(name),
      ...omitUndefined({ Range: range === undefined ? undefined : formatRangeHeader(range) }),
    };
    try {
      const { Body, ContentLength, ContentRange } = await this.#send(({ sdk, client, abortSignal, observe }) =>
        client.send(observe(new sdk.GetObjectCommand(input)), { abortSignal }),
      );
      const total = /\/(\d+)$/.exec(ContentRange ?? "")?.[1];
      const size = total === undefined ? (ContentLength ?? 0) : Number(total);
      return { size, stream: this.#convertStream(Body!.transformToWebStream() as ReadableStream<Uint8Array>) };
    } catch (error) {
      if (isAbsent(error)) return undefined;
      if (parseServerError(error).status !== 416) throw this.#toFailure(error);
      const stat = await this.stat(name);
      return stat && { size: stat.size, stream: new Blob([]).stream() };
    }
  }

  async putParts(
    name: string,
    parts: AsyncIterable<Uint8Array>,
    condition?: { readonly ifAbsent: true },
  ): Promise<PutResult> {
    const at = this.#locate(name);
    const { UploadId } = await this.#sendOrFail(({ sdk, client, abortSignal, observe }) =>
      client.send(observe(new sdk.CreateMultipartUploadCommand(at)), { abortSignal }),
    );
    const upload = { ...at, UploadId };
    const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
    try {
      for await (const Body of parts) {
        const PartNumber = Parts.length + 1;
        const { ETag } = await this.#sendOrFail(
          ({ sdk, client, abortSignal, observe }) =>
            client.send(observe(new sdk.UploadPartCommand({ ...upload, PartNumber, Body })), { abortSignal }),
          Body.length,
        );
        Parts.push({ PartNumber, ETag });
      }
      const input = { ...upload, MultipartUpload: { Parts }, ...this.#conditions(condition) };
      const put = await this.#runConditional(async () => {
        const { ETag } = await this.#send(({ sdk, client, abortSignal, observe }) =>
          client.send(observe(new sdk.CompleteMultipartUploadCommand(input)), { abortSignal }),
        );
        return this.#createStoredResult(name, ETag);
      });
      if (put.outcome !== "stored") await this.#abort(upload);
      return put;
    } catch (error) {
      // A completion without a response may still be applied, and then there is nothing to abort.
      if (!(error instanceof StoreFailure) || error.outcome === "none") await this.#abort(upload);
      throw error;
    }
  }

  async delete(name: string): Promise<void> {
    try {
      await this.#send(({ sdk, client, abortSignal, observe }) =>
        client.send(observe(new sdk.DeleteObjectCommand(this.#locate(name))), { abortSignal }),
      );
    } catch (error) {
      if (!isAbsent(error)) throw this.#toFailure(error);
    }
  }

  async *list(prefix: string, after?: string): AsyncGenerator<string> {
    const { bucket } = this.#location;
    for (let last = after, more = true; more; ) {
      const input = { Bucket: bucket, Prefix: prefix, ...omitUndefined({ StartAfter: last }) };
      const { Contents = [], IsTruncated } = await this.#sendOrFail(({ sdk, client, abortSignal, observe }) =>
        client.send(observe(new sdk.ListObjectsV2Command(input)), { abortSignal }),
      );
      for (const { Key } of Contents) {
        last = Key!;
        yield last;
      }
      more = (IsTruncated ?? false) && Contents.length > 0;
    }
  }

  /** Closes the connections of the client, if it was created here. */
  async close(): Promise<void> {
    if (this.#location.client || !this.#sdk) return;
    const { client } = await this.#sdk;
    client.destroy();
  }

  #locate(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.#location.bucket, Key: name };
  }

  #conditions(condition: Condition | undefined): { IfNoneMatch?: string; IfMatch?: string } {
    if (!condition) return {};
    return "ifAbsent" in condition ? { IfNoneMatch: "*" } : { IfMatch: this.#quoteEtag(condition.ifMatch) };
  }

  #quoteEtag(etag: string): string {
    return this.#quotes ? `"${etag}"` : etag;
  }

  #createStoredResult(name: string, etag: string | undefined): PutResult {
    if (etag !== undefined) return { outcome: "stored", etag: stripQuotes(etag) };
    const message = `${this.name} gave no ETag for ${name}.`;
    throw new StoreFailure(message, { outcome: "unknown", isTransient: false });
  }

  /** Runs a conditional request. A response that refuses the condition is returned as a value. */
  async #runConditional(request: () => Promise<PutResult>): Promise<PutResult> {
    try {
      return await request();
    } catch (error) {
      if (error instanceof StoreFailure) throw error;
      const { status, name } = parseServerError(error);
      // 404: there is no object whose ETag could match.
      if (status === 412 || (status === 404 && name === "NoSuchKey")) return { outcome: "refused" };
      if (status === 409) return { outcome: "busy" };
      throw this.#toFailure(error);
    }
  }

  /** Sends a request and converts every error to a failure. */
  async #sendOrFail<T>(request: (context: SdkRequestContext) => Promise<T>, bytesSent = 0): Promise<T> {
    try {
      return await this.#send(request, bytesSent);
    } catch (error) {
      throw this.#toFailure(error);
    }
  }

  /** Sends a request, and aborts it if its response does not start or end in time. */
  async #send<T>(request: (context: SdkRequestContext) => Promise<T>, bytesSent = 0): Promise<T> {
    this.#sdk ??= this.#load().catch((error) => {
      this.#sdk = undefined;
      throw error;
    });
    const loaded = await this.#sdk;
    const { waits } = this.#location;
    const timeoutMs = getFirstByteTimeout(waits, bytesSent);
    const abort = new AbortController();
    let stop = () => {};
    const silence = new Promise<never>((_, reject) => {
      stop = setTimer(timeoutMs, () => reject(new Silence(`no answer within ${timeoutMs} ms`)));
    });
    const context: SdkRequestContext = {
      ...loaded,
      abortSignal: abort.signal,
      observe(command) {
        // The last middleware gets the response before its body is read.
        const stack = command.middlewareStack as { add(middleware: Middleware, at: object): void };
        const note: Middleware = (next) => async (args) => {
          const response = await next(args);
          stop();
          return response;
        };
        stack.add(note, { step: "deserialize", priority: "low", name: "octavoBegun", override: true });
        return command;
      },
    };
    try {
      const createError = () => new Silence(`no end of the answer within ${waits.wholeMs} ms`);
      return await enforceTimeout(waits.wholeMs, Promise.race([request(context), silence]), createError);
    } catch (error) {
      // Only after a timeout: after an error response, the next request can reuse the connection.
      if (error instanceof Silence) abort.abort();
      throw error;
    } finally {
      stop();
    }
  }

  async #load(): Promise<{ sdk: Sdk; client: S3Client }> {
    const sdk = await import("@aws-sdk/client-s3").catch((cause) => {
      const message = "The package `@aws-sdk/client-s3` could not be loaded; install it beside octavo.";
      throw new StoreFailure(message, { outcome: "none", isTransient: false, cause });
    });
    const client =
      this.#location.client ??
      new sdk.S3Client({
        // The engine retries the requests that can be repeated. A retry of the SDK would turn a success into a 412.
        maxAttempts: 1,
        // Ceph RGW and other servers do not support the checksums that the SDK adds by default.
        requestChecksumCalculation: "WHEN_REQUIRED",
        responseChecksumValidation: "WHEN_REQUIRED",
        requestHandler: { connectionTimeout: this.#location.waits.connectMs },
        ...this.#location.config,
      });
    return { sdk, client };
  }

  async #abort(upload: { Bucket: string; Key: string; UploadId: string | undefined }): Promise<void> {
    // The remains of an upload are not visible. A lifecycle rule for incomplete uploads deletes them.
    await this.#send(({ sdk, client, abortSignal, observe }) =>
      client.send(observe(new sdk.AbortMultipartUploadCommand(upload)), { abortSignal }),
    ).catch(() => {});
  }

  /** Returns the stream with its errors converted to failures. */
  #convertStream(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = stream.getReader();
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          try {
            const { value, done } = await reader.read();
            if (done) controller.close();
            else controller.enqueue(value);
          } catch (error) {
            throw this.#toFailure(error);
          }
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }

  /** Converts an error to a failure that says what to do. */
  #toFailure(error: unknown): StoreFailure {
    if (error instanceof StoreFailure) return error;
    const { status, name } = parseServerError(error);
    const detail = error instanceof Error ? `${name}: ${error.message}` : String(error);
    const bucket = this.name.replace(/^t/, "T");
    const none = (advice: string, passing = false) =>
      new StoreFailure(`${bucket} ${advice} (${detail})`, { outcome: "none", isTransient: passing, cause: error });
    if (status === 501)
      return new StoreFailure(`${bucket} cannot do what was asked (${detail})`, {
        outcome: "none",
        isTransient: false,
        unsupported: true,
        cause: error,
      });
    if (name === "NoSuchBucket") return none("does not exist; create it, or correct its name.");
    if (status === 401 || status === 403)
      return none("refuses the credentials; they must be right, and allow to get, put, delete and list objects.");
    if (status === 301 || status === 307) return none("is in another region; set `region` in the config.");
    if (status === 429 || name === "SlowDown") return none("asks for fewer requests; try later.", true);
    const isSlow = status === 408 || name === "RequestTimeout";
    if (status !== undefined && status >= 400 && status < 500 && !isSlow) return none("refuses a request.");
    if (status === undefined && name === "CredentialsProviderError")
      return none("was not asked, for want of credentials; set `credentials` in the config or in the environment.");
    if (status === undefined && isNeverSent(error))
      return none("cannot be reached; check the endpoint, the region and the network.", true);
    const advice = status === undefined ? "gave no answer; try later." : `answered ${status}; try later.`;
    return new StoreFailure(`${bucket} ${advice} (${detail})`, { outcome: "unknown", isTransient: true, cause: error });
  }
}

type Middleware = (next: (args: unknown) => Promise<unknown>) => (args: unknown) => Promise<unknown>;

/** The server may have received the request, but does not respond. */
class Silence extends Error {
  override readonly name = "TimeoutError";
}

function formatRangeHeader({ start, end }: ObjectRange): string {
  return `bytes=${start}-${end === undefined ? "" : end - 1}`;
}

/** Returns an ETag without its quotes. */
function stripQuotes(etag: string | undefined): string {
  return (etag ?? "").replace(/^W\//, "").replace(/^"|"$/g, "");
}

function parseServerError(error: unknown): { readonly status: number | undefined; readonly name: string } {
  const { $metadata, name = "" } = (error ?? {}) as Partial<ServerError>;
  return { status: $metadata?.httpStatusCode, name };
}

function isAbsent(error: unknown): boolean {
  const { status, name } = parseServerError(error);
  return status === 404 && name !== "NoSuchBucket";
}

/** Returns whether no connection was established, so that no server can have received the request. */
function isNeverSent(error: unknown): boolean {
  const codes: unknown[] = [];
  const collectCodes = (cause: unknown): void => {
    if (!(cause instanceof Error)) return;
    codes.push((cause as { code?: unknown }).code);
    collectCodes(cause.cause);
    if (cause instanceof AggregateError) for (const inner of cause.errors) collectCodes(inner);
  };
  collectCodes(error);
  // The SDK's error for a connection timeout has no code, only this message.
  if (/establish(?:ing)? a connection/.test((error as Error)?.message ?? "")) return true;
  return codes.some((code) => code === "ECONNREFUSED" || code === "ENOTFOUND" || code === "EAI_AGAIN");
}
