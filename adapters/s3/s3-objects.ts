// S3 as an object store, through @aws-sdk/client-s3. It knows how servers say things: which answer refuses a condition,
// which failure may have done its work, and in which quotes an ETag must stand.

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
import { getFirstByteTimeout, PacedReader, setTimer, type TimeoutLimits, withTimeout } from "./waits";

type Sdk = typeof import("@aws-sdk/client-s3");

/** What a request is made with. */
interface RequestContext {
  readonly sdk: Sdk;
  readonly client: S3Client;
  readonly abortSignal: AbortSignal;
  /** Has the command say when its answer begins. */
  readonly heard: <Command extends { readonly middlewareStack: object }>(command: Command) => Command;
}

/** Where the bucket is, and how to reach it. */
export interface S3Location {
  readonly bucket: string;
  readonly client?: S3Client | undefined;
  readonly config?: S3ClientConfig | undefined;
  readonly waits: TimeoutLimits;
}

/** What the SDK's errors have, when they come from a server. */
interface ServerError {
  readonly name: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

export class S3Objects implements ObjectStore {
  readonly name: string;
  readonly #location: S3Location;
  #sdk: Promise<{ sdk: Sdk; client: S3Client }> | undefined;
  /** Ceph RGW 16 takes an ETag in quotes for another one. */
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
    const input = { ...this.#at(name), Body: bytes, ...this.#conditions(condition) };
    return this.#condition(async () => {
      const { ETag } = await this.#send(
        ({ sdk, client, abortSignal, heard }) => client.send(heard(new sdk.PutObjectCommand(input)), { abortSignal }),
        bytes.length,
      );
      return this.#stored(name, ETag);
    });
  }

  async get(
    name: string,
    options: { readonly ifNoneMatch?: string | undefined; readonly range?: ObjectRange | undefined } = {},
  ): Promise<GetResult> {
    const { ifNoneMatch, range } = options;
    const input = {
      ...this.#at(name),
      ...omitUndefined({
        IfNoneMatch: ifNoneMatch === undefined ? undefined : this.#quoted(ifNoneMatch),
        Range: range === undefined ? undefined : formatRangeHeader(range),
      }),
    };
    try {
      return await this.#send(async ({ sdk, client, abortSignal, heard }) => {
        const { ETag, Body, ContentLength } = await client.send(heard(new sdk.GetObjectCommand(input)), {
          abortSignal,
        });
        const source = { name: `${name} in ${this.name}`, bytes: ContentLength };
        const reader = new PacedReader(Body!.transformToWebStream(), source, this.#location.waits);
        return { outcome: "found", etag: stripQuotes(ETag), bytes: await reader.readAll() };
      });
    } catch (error) {
      if (getStatus(error) === 304) return { outcome: "unchanged" };
      if (isAbsent(error)) return { outcome: "absent" };
      throw this.#failure(error);
    }
  }

  async stat(name: string): Promise<{ size: number } | undefined> {
    try {
      const { ContentLength } = await this.#send(({ sdk, client, abortSignal, heard }) =>
        client.send(heard(new sdk.HeadObjectCommand(this.#at(name))), { abortSignal }),
      );
      return { size: ContentLength ?? 0 };
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw this.#failure(error);
    }
  }

  async open(
    name: string,
    range?: ObjectRange,
  ): Promise<{ size: number; stream: ReadableStream<Uint8Array> } | undefined> {
    const input = {
      ...this.#at(name),
      ...omitUndefined({ Range: range === undefined ? undefined : formatRangeHeader(range) }),
    };
    try {
      const { Body, ContentLength, ContentRange } = await this.#send(({ sdk, client, abortSignal, heard }) =>
        client.send(heard(new sdk.GetObjectCommand(input)), { abortSignal }),
      );
      const total = /\/(\d+)$/.exec(ContentRange ?? "")?.[1];
      const size = total === undefined ? (ContentLength ?? 0) : Number(total);
      return { size, stream: this.#readable(Body!.transformToWebStream() as ReadableStream<Uint8Array>) };
    } catch (error) {
      if (isAbsent(error)) return undefined;
      if (getStatus(error) !== 416) throw this.#failure(error);
      const stat = await this.stat(name);
      return stat && { size: stat.size, stream: new Blob([]).stream() };
    }
  }

  async putParts(
    name: string,
    parts: AsyncIterable<Uint8Array>,
    condition?: { readonly ifAbsent: true },
  ): Promise<PutResult> {
    const at = this.#at(name);
    const { UploadId } = await this.#made(({ sdk, client, abortSignal, heard }) =>
      client.send(heard(new sdk.CreateMultipartUploadCommand(at)), { abortSignal }),
    );
    const upload = { ...at, UploadId };
    const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
    try {
      for await (const Body of parts) {
        const PartNumber = Parts.length + 1;
        const { ETag } = await this.#made(
          ({ sdk, client, abortSignal, heard }) =>
            client.send(heard(new sdk.UploadPartCommand({ ...upload, PartNumber, Body })), { abortSignal }),
          Body.length,
        );
        Parts.push({ PartNumber, ETag });
      }
      const input = { ...upload, MultipartUpload: { Parts }, ...this.#conditions(condition) };
      const put = await this.#condition(async () => {
        const { ETag } = await this.#send(({ sdk, client, abortSignal, heard }) =>
          client.send(heard(new sdk.CompleteMultipartUploadCommand(input)), { abortSignal }),
        );
        return this.#stored(name, ETag);
      });
      if (put.outcome !== "stored") await this.#abort(upload);
      return put;
    } catch (error) {
      // A completion without an answer may still happen, and then there is nothing to take back.
      if (!(error instanceof StoreFailure) || error.outcome === "none") await this.#abort(upload);
      throw error;
    }
  }

  async delete(name: string): Promise<void> {
    try {
      await this.#send(({ sdk, client, abortSignal, heard }) =>
        client.send(heard(new sdk.DeleteObjectCommand(this.#at(name))), { abortSignal }),
      );
    } catch (error) {
      if (!isAbsent(error)) throw this.#failure(error);
    }
  }

  async *list(prefix: string, after?: string): AsyncGenerator<string> {
    const { bucket } = this.#location;
    for (let last = after, more = true; more; ) {
      const input = { Bucket: bucket, Prefix: prefix, ...omitUndefined({ StartAfter: last }) };
      const { Contents = [], IsTruncated } = await this.#made(({ sdk, client, abortSignal, heard }) =>
        client.send(heard(new sdk.ListObjectsV2Command(input)), { abortSignal }),
      );
      for (const { Key } of Contents) {
        last = Key!;
        yield last;
      }
      more = (IsTruncated ?? false) && Contents.length > 0;
    }
  }

  /** Closes the connections of a client that was made here. */
  async close(): Promise<void> {
    if (this.#location.client || !this.#sdk) return;
    const { client } = await this.#sdk;
    client.destroy();
  }

  #at(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.#location.bucket, Key: name };
  }

  #conditions(condition: Condition | undefined): { IfNoneMatch?: string; IfMatch?: string } {
    if (!condition) return {};
    return "ifAbsent" in condition ? { IfNoneMatch: "*" } : { IfMatch: this.#quoted(condition.ifMatch) };
  }

  #quoted(etag: string): string {
    return this.#quotes ? `"${etag}"` : etag;
  }

  #stored(name: string, etag: string | undefined): PutResult {
    if (etag !== undefined) return { outcome: "stored", etag: stripQuotes(etag) };
    const message = `${this.name} gave no ETag for ${name}.`;
    throw new StoreFailure(message, { outcome: "unknown", passing: false });
  }

  /** Runs a request with a condition: an answer that decides it is a value. */
  async #condition(request: () => Promise<PutResult>): Promise<PutResult> {
    try {
      return await request();
    } catch (error) {
      if (error instanceof StoreFailure) throw error;
      const status = getStatus(error);
      // 404: there is nothing that the ETag could match.
      if (status === 412 || (status === 404 && getErrorName(error) === "NoSuchKey")) return { outcome: "refused" };
      if (status === 409) return { outcome: "busy" };
      throw this.#failure(error);
    }
  }

  /** Sends a request of which every error is a failure. */
  async #made<T>(request: (way: RequestContext) => Promise<T>, bytesSent = 0): Promise<T> {
    try {
      return await this.#send(request, bytesSent);
    } catch (error) {
      throw this.#failure(error);
    }
  }

  /** Sends a request, and gives it up when its answer does not begin in time, or does not end. */
  async #send<T>(request: (way: RequestContext) => Promise<T>, bytesSent = 0): Promise<T> {
    this.#sdk ??= this.#load().catch((error) => {
      this.#sdk = undefined;
      throw error;
    });
    const to = await this.#sdk;
    const { waits } = this.#location;
    const patience = getFirstByteTimeout(waits, bytesSent);
    const abort = new AbortController();
    let stop = () => {};
    const silence = new Promise<never>((_, reject) => {
      stop = setTimer(patience, () => reject(new Silence(`no answer within ${patience} ms`)));
    });
    const way: RequestContext = {
      ...to,
      abortSignal: abort.signal,
      heard: (command) => notifyOnResponse(command, stop),
    };
    try {
      const late = () => new Silence(`no end of the answer within ${waits.wholeMs} ms`);
      return await withTimeout(waits.wholeMs, Promise.race([request(way), silence]), late);
    } catch (error) {
      // Only then: an answer that is an error leaves the connection for the next request.
      if (error instanceof Silence) abort.abort();
      throw error;
    } finally {
      stop();
    }
  }

  async #load(): Promise<{ sdk: Sdk; client: S3Client }> {
    const sdk = await import("@aws-sdk/client-s3").catch((cause) => {
      const message = "The package `@aws-sdk/client-s3` could not be loaded; install it beside octavo.";
      throw new StoreFailure(message, { outcome: "none", passing: false, cause });
    });
    const client =
      this.#location.client ??
      new sdk.S3Client({
        // The engine repeats what may be repeated; the SDK would turn our own success into a 412 without a word.
        maxAttempts: 1,
        // Ceph RGW and others do not know the checksums that the SDK adds by itself.
        requestChecksumCalculation: "WHEN_REQUIRED",
        responseChecksumValidation: "WHEN_REQUIRED",
        requestHandler: { connectionTimeout: this.#location.waits.connectMs },
        ...this.#location.config,
      });
    return { sdk, client };
  }

  async #abort(upload: { Bucket: string; Key: string; UploadId: string | undefined }): Promise<void> {
    // What stays behind is not seen by anyone; a lifecycle rule for incomplete uploads removes it.
    await this.#send(({ sdk, client, abortSignal, heard }) =>
      client.send(heard(new sdk.AbortMultipartUploadCommand(upload)), { abortSignal }),
    ).catch(() => {});
  }

  /** The stream with its errors as failures. */
  #readable(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = stream.getReader();
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          try {
            const { value, done } = await reader.read();
            if (done) controller.close();
            else controller.enqueue(value);
          } catch (error) {
            throw this.#failure(error);
          }
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }

  /** What an error means, and what to do. */
  #failure(error: unknown): StoreFailure {
    if (error instanceof StoreFailure) return error;
    const status = getStatus(error);
    const name = getErrorName(error);
    const detail = error instanceof Error ? `${name}: ${error.message}` : String(error);
    const bucket = this.name.replace(/^t/, "T");
    const none = (advice: string, passing = false) =>
      new StoreFailure(`${bucket} ${advice} (${detail})`, { outcome: "none", passing, cause: error });
    if (status === 501)
      return new StoreFailure(`${bucket} cannot do what was asked (${detail})`, {
        outcome: "none",
        passing: false,
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
    return new StoreFailure(`${bucket} ${advice} (${detail})`, { outcome: "unknown", passing: true, cause: error });
  }
}

type Middleware = (next: (args: unknown) => Promise<unknown>) => (args: unknown) => Promise<unknown>;

/** A command that calls back when its answer begins: next to the connection, an answer is its head, with the body to come. */
function notifyOnResponse<Command extends { readonly middlewareStack: object }>(
  command: Command,
  begun: () => void,
): Command {
  const stack = command.middlewareStack as { add(middleware: Middleware, at: object): void };
  const note: Middleware = (next) => async (args) => {
    const answer = await next(args);
    begun();
    return answer;
  };
  stack.add(note, { step: "deserialize", priority: "low", name: "octavoBegun", override: true });
  return command;
}

/** A server took the request, or may have, and says nothing. */
class Silence extends Error {
  override readonly name = "TimeoutError";
}

function formatRangeHeader({ start, end }: ObjectRange): string {
  return `bytes=${start}-${end === undefined ? "" : end - 1}`;
}

/** An ETag without its quotes. */
function stripQuotes(etag: string | undefined): string {
  return (etag ?? "").replace(/^W\//, "").replace(/^"|"$/g, "");
}

function getStatus(error: unknown): number | undefined {
  return (error as Partial<ServerError>)?.$metadata?.httpStatusCode;
}

function getErrorName(error: unknown): string {
  return (error as Partial<ServerError>)?.name ?? "";
}

function isAbsent(error: unknown): boolean {
  return getStatus(error) === 404 && getErrorName(error) !== "NoSuchBucket";
}

/** Whether no connection was made, so that no server can have seen the request. */
function isNeverSent(error: unknown): boolean {
  const codes: unknown[] = [];
  const look = (at: unknown): void => {
    if (!(at instanceof Error)) return;
    codes.push((at as { code?: unknown }).code);
    look(at.cause);
    if (at instanceof AggregateError) for (const inner of at.errors) look(inner);
  };
  look(error);
  // So the SDK says that a connection did not come about in time; its errors have no codes.
  if (/establish(?:ing)? a connection/.test((error as Error)?.message ?? "")) return true;
  return codes.some((code) => code === "ECONNREFUSED" || code === "ENOTFOUND" || code === "EAI_AGAIN");
}
