// Requests to the web, within limits for each answer and for all of them. A failure is a sentence, never an error,
// except when the caller has aborted.

import { describeFailedRequest } from "../../utils/fetch-error";
import { omitUndefined } from "../../utils/objects";
import { readStream } from "../../utils/streams";
import type { SetAside } from "../set-aside";
import type { WebLimits } from "./limits";

/** Where an import from the web comes from. */
export interface WebSource {
  readonly url: string;
  /** How it is fetched: the caller guards where it may lead. Redirects are followed, and the answer names its last URL. */
  readonly fetch: typeof fetch;
  readonly limits?: WebLimits;
  readonly signal?: AbortSignal;
  /** Puts files away that are too much to be held. Default: all are held. */
  readonly setAside?: SetAside | undefined;
  /** The time in milliseconds. Default: that of the system. */
  readonly now?: () => number;
  /** Waits for some milliseconds, as a site may ask for. Default: a timer. */
  readonly wait?: (milliseconds: number) => Promise<void>;
  /** Hears how many of the addresses that are known so far were asked. */
  readonly told?: (done: number, total: number) => void;
}

/** An answer that can be used, or why there is none. */
export type Answer = Received | Refusal;

/** What an address answered with. */
export interface Received {
  readonly isReceived: true;
  /** Where it came from in the end. */
  readonly url: string;
  readonly bytes: Uint8Array;
  /** The media type, in lower case without parameters. */
  readonly type: string;
  readonly headers: Headers;
}

/** Why there is no answer, in a sentence. */
export interface Refusal {
  readonly isReceived: false;
  readonly reason: string;
  /** The status, when there was one. */
  readonly status?: number;
}

/** What is wanted of an answer. */
export interface Wanted {
  readonly accept: string;
  readonly maxBytes: number;
  /** Says why an answer is not wanted, by its last URL and its type, before it is read. */
  readonly refuse?: (url: string, type: string) => string | undefined;
}

/** The name by which sites know us. */
const AGENT = "Octavo (documentation import)";

/** Asks one address after the other, or several at once, and counts the bytes and the time that are left. */
export class Asking {
  #bytesLeft: number;
  readonly #until: number;
  readonly #now: () => number;

  constructor(
    readonly source: WebSource,
    readonly limits: Required<WebLimits>,
  ) {
    this.#now = source.now ?? Date.now;
    this.#bytesLeft = limits.bytes;
    this.#until = this.#now() + limits.milliseconds;
  }

  /** Why nothing more may be asked; undefined when it may. */
  get isOver(): string | undefined {
    if (this.#now() >= this.#until) return "The time that an import may take was over.";
    return this.#bytesLeft <= 0 ? "The import had read as much as it may." : undefined;
  }

  /** Waits, as a site asked for. */
  wait(milliseconds: number): Promise<void> {
    return (this.source.wait ?? ((time) => new Promise((resolve) => setTimeout(resolve, time))))(milliseconds);
  }

  /** Asks an address. */
  async ask(url: string, wanted: Wanted): Promise<Answer> {
    this.source.signal?.throwIfAborted();
    const over = this.isOver;
    if (over) return refusal(over);
    const time = Math.max(1, Math.min(this.limits.answerMilliseconds, this.#until - this.#now()));
    const timeout = AbortSignal.timeout(time);
    const signal = this.source.signal ? AbortSignal.any([this.source.signal, timeout]) : timeout;
    try {
      const headers = { accept: wanted.accept, "user-agent": AGENT };
      const response = await this.source.fetch(url, { headers, signal, redirect: "follow" });
      return await this.#receive(response, url, wanted);
    } catch (error) {
      this.source.signal?.throwIfAborted();
      return refusal(
        timeout.aborted ? (this.isOver ?? "It did not answer in time.") : describeFailedRequest("It", error),
      );
    }
  }

  async #receive(response: Response, asked: string, wanted: Wanted): Promise<Answer> {
    const url = response.url || asked;
    const type = (response.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
    const reason = response.ok ? wanted.refuse?.(url, type) : `It answered with the status ${response.status}.`;
    const most = Math.min(wanted.maxBytes, this.#bytesLeft);
    const tooLarge = `It is larger than ${Math.round(wanted.maxBytes / 1000)} kB.`;
    const isDeclared = Number(response.headers.get("content-length") ?? 0) > wanted.maxBytes;
    if (reason !== undefined || isDeclared) {
      await response.body?.cancel().catch(() => {});
      return {
        ...refusal(reason ?? tooLarge),
        ...omitUndefined({ status: response.ok ? undefined : response.status }),
      };
    }
    const bytes = await readStream(response.body, most);
    this.#bytesLeft -= bytes?.length ?? most;
    if (bytes) return { isReceived: true, url, bytes, type, headers: response.headers };
    return refusal(most < wanted.maxBytes ? "The import had read as much as it may." : tooLarge);
  }
}

function refusal(reason: string): Refusal {
  return { isReceived: false, reason };
}
