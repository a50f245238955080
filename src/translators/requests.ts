// Requests to the host of a translator: limited in time, and repeated when the host is busy, after the delay that it asks
// for. The key goes only to the configured host: redirects are not followed, and no response is shown to people.

import { describeFailedRequest } from "../utils/fetch-error";
import { omitUndefined } from "../utils/objects";
import { readStream } from "../utils/streams";
import { trimTrailingSlashes } from "../utils/url";
import { TranslatorError } from "./errors";

/** The host of a translator, and how to reach it. */
export interface HostOptions {
  /** The base URL of the API, such as `https://api.example.com/v1`. */
  readonly url: string;
  readonly fetch: typeof fetch;
  /** The time limit of one request, in seconds. Default: 120. */
  readonly maxSeconds?: number;
  /** The number of retries when the host is busy or cannot be reached. Default: 4. */
  readonly maxRetries?: number;
  /** Waits between two tries, in milliseconds. Default: a timer. */
  readonly wait?: (milliseconds: number) => Promise<void>;
}

/** A request to a path under the base URL. */
export interface HostRequest {
  readonly method?: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The longest delay that a host may ask for. For a longer one, the whole translation is tried again later. */
const MAX_DELAY_MS = 60_000;
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;

/** Creates a function that sends requests to one host and returns their JSON responses. It throws `TranslatorError`. */
export function createHostClient(options: HostOptions): (request: HostRequest) => Promise<unknown> {
  const base = trimTrailingSlashes(options.url);
  const { host } = new URL(base);
  const { maxRetries = 4, wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms)) } = options;
  return async (request) => {
    for (let attempt = 0; ; attempt++) {
      const { method = "POST", path, headers, body } = request;
      let response: Response | Error;
      try {
        response = await options.fetch(`${base}${path}`, {
          method,
          headers: {
            accept: "application/json",
            ...omitUndefined({ "content-type": body === undefined ? undefined : "application/json" }),
            ...headers,
          },
          ...omitUndefined({ body: body === undefined ? undefined : JSON.stringify(body) }),
          redirect: "manual",
          signal: AbortSignal.timeout((options.maxSeconds ?? 120) * 1000),
        });
      } catch (error) {
        response = error instanceof Error ? error : new Error(String(error));
      }
      let delayMs = 1000 * 2 ** attempt;
      let failure: TranslatorError;
      if (response instanceof Error) {
        const message = describeFailedRequest(`The translator at ${host}`, response);
        failure = new TranslatorError("unavailable", message, { cause: response });
      } else {
        if (response.ok) {
          try {
            const bytes = await readStream(response.body, MAX_RESPONSE_BYTES);
            if (!bytes) throw new Error("The response is too large.");
            return JSON.parse(new TextDecoder().decode(bytes));
          } catch (cause) {
            const message = `The translator at ${host} returned an invalid response.`;
            throw new TranslatorError("unavailable", message, { cause });
          }
        }
        // The header `Retry-After` has seconds or a date.
        const retryAfter = response.headers.get("retry-after")?.trim() ?? "";
        const untilDateMs = Date.parse(retryAfter) - Date.parse(response.headers.get("date") ?? "");
        if (/^\d{1,9}(?:\.\d+)?$/.test(retryAfter)) delayMs = Number(retryAfter) * 1000;
        else if (!Number.isNaN(untilDateMs)) delayMs = Math.max(0, untilDateMs);
        await response.body?.cancel().catch(() => {});
        const { status } = response;
        const isTemporary =
          status === 408 || status === 425 || status === 429 || status === 529 || (status >= 500 && status !== 501);
        if (isTemporary)
          failure = new TranslatorError("unavailable", `The translator at ${host} is busy or unavailable (${status}).`);
        else if (status === 401 || status === 403)
          failure = new TranslatorError(
            "unauthorized",
            `The translator at ${host} rejected the API key (${status}). Check the key.`,
          );
        else if (status === 402 || status === 456)
          failure = new TranslatorError(
            "quota_exceeded",
            `The quota of the translator at ${host} is exhausted (${status}).`,
          );
        else failure = new TranslatorError("rejected", `The translator at ${host} rejected the request (${status}).`);
      }
      if (failure.isFinal || attempt >= maxRetries || delayMs > MAX_DELAY_MS) throw failure;
      await wait(delayMs);
    }
  };
}

/** Creates the error for a response that has no translations. */
export function createInvalidResponseError(url: string): TranslatorError {
  return new TranslatorError("unavailable", `The translator at ${new URL(url).host} returned an invalid response.`);
}

/** Splits texts into batches within both limits. A single text that is longer is a batch by itself. */
export function splitIntoBatches(texts: readonly string[], maxTexts: number, maxCharacters: number): string[][] {
  const batches: string[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const text of texts) {
    if (characters + text.length > maxCharacters || batches.at(-1)!.length >= maxTexts) {
      batches.push([]);
      characters = 0;
    }
    batches.at(-1)!.push(text);
    characters += text.length;
  }
  return batches;
}
