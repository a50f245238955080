// Requests to the web, within limits for each response and for all of them. A failure is a sentence, never an error, unless the
// caller has aborted.

import { describeFailedRequest } from "../../utils/fetch-error";
import { omitUndefined } from "../../utils/objects";
import { readStream } from "../../utils/streams";
import type { SpillBytes } from "../imported-book";
import type { WebLimits } from "./limits";

/** The source of an import from the web. */
export interface WebSource {
  readonly url: string;
  /** Makes requests. The caller guards where they may lead. Redirects are followed, and the response has the last URL. */
  readonly fetch: typeof fetch;
  readonly limits?: WebLimits;
  readonly signal?: AbortSignal;
  /** Stores the bytes of files that are too large for memory. Default: all files stay in memory. */
  readonly spillBytes?: SpillBytes | undefined;
  /** Returns the time in milliseconds. Default: that of the system. */
  readonly now?: () => number;
  /** Waits for some milliseconds, as a site may ask for. Default: a timer. */
  readonly sleep?: (milliseconds: number) => Promise<void>;
  /** Receives the number of URLs that were requested, and of those that are known so far. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** A resource that was fetched, or why it was not. */
export type FetchResult = FetchedResource | FetchFailure;

export interface FetchedResource {
  readonly isOk: true;
  /** The last URL, after redirects. */
  readonly url: string;
  readonly bytes: Uint8Array;
  /** The media type, in lower case without parameters. */
  readonly type: string;
  readonly headers: Headers;
}

/** Why a resource was not fetched. */
export interface FetchFailure {
  readonly isOk: false;
  readonly reason: string;
  readonly status?: number;
}

export interface ResourceRequest {
  readonly accept: string;
  readonly maxBytes: number;
  /** Returns why a response is not wanted, by its last URL and its type, before its body is read. */
  readonly findProblem?: (url: string, type: string) => string | undefined;
}

/** The name by which sites know us. */
const USER_AGENT = "Octavo (documentation import)";
const BYTES_EXHAUSTED = "The import had reached its size limit.";

/** Fetches resources one after the other, or several at once, and counts the bytes and the time that are left. */
export class WebClient {
  #bytesLeft: number;
  readonly #deadline: number;
  readonly #now: () => number;

  constructor(
    readonly source: WebSource,
    readonly limits: Required<WebLimits>,
  ) {
    this.#now = source.now ?? Date.now;
    this.#bytesLeft = limits.maxBytes;
    this.#deadline = this.#now() + limits.timeoutMs;
  }

  /** Why nothing more may be fetched. Undefined if more may be. */
  get stopReason(): string | undefined {
    if (this.#now() >= this.#deadline) return "The import had reached its time limit.";
    return this.#bytesLeft <= 0 ? BYTES_EXHAUSTED : undefined;
  }

  /** Waits, as a site asked for. */
  sleep(milliseconds: number): Promise<void> {
    return (this.source.sleep ?? ((time) => new Promise((resolve) => setTimeout(resolve, time))))(milliseconds);
  }

  async get(url: string, request: ResourceRequest): Promise<FetchResult> {
    this.source.signal?.throwIfAborted();
    const { stopReason } = this;
    if (stopReason) return { isOk: false, reason: stopReason };
    const timeoutMs = Math.max(1, Math.min(this.limits.responseTimeoutMs, this.#deadline - this.#now()));
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = this.source.signal ? AbortSignal.any([this.source.signal, timeout]) : timeout;
    try {
      const headers = { accept: request.accept, "user-agent": USER_AGENT };
      const response = await this.source.fetch(url, { headers, signal, redirect: "follow" });
      return await this.#receive(response, url, request);
    } catch (error) {
      this.source.signal?.throwIfAborted();
      const reason = timeout.aborted
        ? (this.stopReason ?? "It didn't respond in time.")
        : describeFailedRequest("It", error);
      return { isOk: false, reason };
    }
  }

  async #receive(response: Response, requestedUrl: string, request: ResourceRequest): Promise<FetchResult> {
    const url = response.url || requestedUrl;
    const type = (response.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
    const problem = response.ok ? request.findProblem?.(url, type) : `It returned the status ${response.status}.`;
    const tooLarge = `It is larger than ${Math.round(request.maxBytes / 1000)} kB.`;
    const isTooLarge = Number(response.headers.get("content-length") ?? 0) > request.maxBytes;
    const maxBytes = Math.min(request.maxBytes, this.#bytesLeft);
    if (problem !== undefined || isTooLarge) {
      await response.body?.cancel().catch(() => {});
      const status = response.ok ? undefined : response.status;
      return { isOk: false, reason: problem ?? tooLarge, ...omitUndefined({ status }) };
    }
    const bytes = await readStream(response.body, maxBytes);
    this.#bytesLeft -= bytes?.length ?? maxBytes;
    if (bytes) return { isOk: true, url, bytes, type, headers: response.headers };
    return { isOk: false, reason: maxBytes < request.maxBytes ? BYTES_EXHAUSTED : tooLarge };
  }
}
