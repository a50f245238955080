// Requests to the host of a translator: limited in time, and repeated when the host is busy, after the wait it asks
// for. The key goes only to the host that was named: redirects are not followed, and no answer is shown.

import { describeFailedRequest } from "../utils/fetch-error";
import { omitUndefined } from "../utils/objects";
import { readStream } from "../utils/streams";
import { trimTrailingSlashes } from "../utils/url";
import { TranslatorFailed } from "./failed";

/** How a host is reached. */
export interface HostOptions {
  /** The base of the API, such as `https://api.example.com/v1`. */
  readonly url: string;
  /** What reaches it. */
  readonly fetch: typeof fetch;
  /** How long one request may take, in seconds. Default: 120. */
  readonly maxSeconds?: number;
  /** How often a request is tried again when the host is busy or cannot be reached. Default: 4. */
  readonly maxRetries?: number;
  /** Waits between two tries, in milliseconds. Default: a timer. */
  readonly wait?: (milliseconds: number) => Promise<void>;
}

/** A request to a path under the base. */
export interface HostRequest {
  readonly method?: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The longest wait that a host may ask for. For a longer one, the whole run is tried again later. */
const LONGEST_WAIT_MS = 60_000;
/** The largest answer that is read. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** Sends requests to one host and reads their answers as JSON; throws `TranslatorFailed`. */
export function hostOf(options: HostOptions): (request: HostRequest) => Promise<unknown> {
  const base = trimTrailingSlashes(options.url);
  const { host } = new URL(base);
  const { maxRetries = 4, wait = later } = options;
  return async (request) => {
    for (let tries = 0; ; tries++) {
      const answer = await attempt(options, base, request);
      const isError = answer instanceof Error;
      if (!isError && answer.ok) return jsonOf(answer, host);
      const pause = isError ? 1000 * 2 ** tries : pauseAfter(answer, tries);
      if (!isError) await answer.body?.cancel().catch(() => {});
      if (!isError && !isPassing(answer.status)) throw refusalOf(answer.status, host);
      if (tries >= maxRetries || pause > LONGEST_WAIT_MS) throw outage(answer, host);
      await wait(pause);
    }
  };
}

async function attempt(options: HostOptions, base: string, request: HostRequest): Promise<Response | Error> {
  const { method = "POST", path, headers, body } = request;
  try {
    return await options.fetch(`${base}${path}`, {
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
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Whether the answer may be different the next time. */
function isPassing(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status === 529 || (status >= 500 && status !== 501);
}

/** As long as the host asks for, in seconds or until a date; else 1 s, 2 s, 4 s … */
function pauseAfter({ headers }: Response, tries: number): number {
  const asked = headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,9}(?:\.\d+)?$/.test(asked)) return Number(asked) * 1000;
  const until = asked === "" ? Number.NaN : Date.parse(asked) - Date.parse(headers.get("date") ?? "");
  return Number.isNaN(until) ? 1000 * 2 ** tries : Math.max(0, until);
}

function refusalOf(status: number, host: string): TranslatorFailed {
  if (status === 401 || status === 403)
    return new TranslatorFailed("unauthorized", `The translator at ${host} refused the key (${status}).`);
  if (status === 402 || status === 456)
    return new TranslatorFailed("quota_exceeded", `The quota of the translator at ${host} is used up (${status}).`);
  return new TranslatorFailed("rejected", `The translator at ${host} refused the request (${status}).`);
}

function outage(answer: Response | Error, host: string): TranslatorFailed {
  if (answer instanceof Error)
    return new TranslatorFailed("unavailable", describeFailedRequest(`The translator at ${host}`, answer), {
      cause: answer,
    });
  return new TranslatorFailed("unavailable", `The translator at ${host} is busy or out of order (${answer.status}).`);
}

async function jsonOf(answer: Response, host: string): Promise<unknown> {
  try {
    const bytes = await readStream(answer.body, MAX_ANSWER_BYTES);
    if (!bytes) throw new Error("The answer is too large.");
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new TranslatorFailed("unavailable", `The translator at ${host} did not answer as it should.`, { cause });
  }
}

function later(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}

/** Says that an answer is not what it should be. */
export function unusable(url: string): TranslatorFailed {
  return new TranslatorFailed("unavailable", `The translator at ${new URL(url).host} did not answer as it should.`);
}
