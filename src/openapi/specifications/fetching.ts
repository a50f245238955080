// Documents of other hosts, through the fetch that the host application gave and through nothing else.

import { describeFailedRequest } from "../../utils/fetch-error";
import { omitUndefined } from "../../utils/objects";
import { readStream } from "../../utils/streams";
import { parseUrl } from "../../utils/url";
import { MAX_DOCUMENT_BYTES } from "./limits";
import { SpecificationRefused } from "./refused";

/** The validators of a document, for the next request. */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}

/** A document as it was fetched. */
export interface Fetched extends Validators {
  readonly text: string;
  /** Where it came from in the end: what its references begin at. */
  readonly url: string;
  readonly bytes: number;
}

/** How other hosts are reached. */
export interface Way {
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
}

/** The longest validator that is remembered. */
const MAX_VALIDATOR = 256;

/** Fetches a document; undefined when the validators say that it has not changed. */
export async function fetchDocument(
  { fetch, signal }: Way,
  url: string,
  known: Validators = {},
): Promise<Fetched | undefined> {
  const headers = new Headers({ accept: "application/json, application/yaml, text/yaml, */*;q=0.8" });
  if (known.etag !== undefined) headers.set("if-none-match", known.etag);
  if (known.lastModified !== undefined) headers.set("if-modified-since", known.lastModified);
  try {
    const response = await fetch(url, { headers, signal });
    const isKnown = known.etag !== undefined || known.lastModified !== undefined;
    if (response.status === 304 && isKnown) {
      await response.body?.cancel();
      return undefined;
    }
    if (!response.ok) {
      await response.body?.cancel();
      throw refused(`${shown(url)} answered with ${response.status}.`);
    }
    const bytes = await bodyOf(response, url);
    const text = new TextDecoder().decode(bytes);
    return { text, url: response.url || url, bytes: bytes.length, ...validatorsOf(response.headers) };
  } catch (error) {
    throw told(error, url, signal);
  }
}

async function bodyOf(response: Response, url: string): Promise<Uint8Array> {
  const bytes = await readStream(response.body, MAX_DOCUMENT_BYTES);
  if (!bytes) throw refused(`${shown(url)} has more than ${MAX_DOCUMENT_BYTES} bytes.`);
  return bytes;
}

function validatorsOf(headers: Headers): Validators {
  const etag = short(headers.get("etag"));
  const lastModified = short(headers.get("last-modified"));
  return { ...omitUndefined({ etag, lastModified }) };
}

function short(value: string | null): string | undefined {
  return value === null || value === "" || value.length > MAX_VALIDATOR ? undefined : value;
}

function refused(sentence: string, cause?: unknown): SpecificationRefused {
  return new SpecificationRefused("FETCH_ERROR", sentence, cause === undefined ? undefined : { cause });
}

function told(error: unknown, url: string, signal: AbortSignal): SpecificationRefused {
  if (error instanceof SpecificationRefused) return error;
  const name = error instanceof Error ? error.name : "";
  if (signal.aborted || name === "TimeoutError")
    return new SpecificationRefused("FETCH_TIMEOUT", `${shown(url)} did not answer in time.`, { cause: error });
  return refused(describeFailedRequest(shown(url), error), error);
}

/** An address without its query, which may be a secret. */
function shown(url: string): string {
  const { origin, pathname } = parseUrl(url);
  return `${origin}${pathname}`;
}
