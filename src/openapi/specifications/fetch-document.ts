// Fetches documents of other hosts, only through the fetch that the host application provides.

import { describeFailedRequest } from "../../utils/fetch-error";
import { omitUndefined } from "../../utils/objects";
import { readStream } from "../../utils/streams";
import { parseUrl } from "../../utils/url";
import { SpecificationError } from "./errors";
import { MAX_DOCUMENT_BYTES } from "./limits";

/** The validators of a document, for the next request. */
export interface CacheValidators {
  readonly etag?: string;
  readonly lastModified?: string;
}

export interface FetchedDocument extends CacheValidators {
  readonly text: string;
  /** The final address after redirects, against which its references are resolved. */
  readonly url: string;
  readonly bytes: number;
}

/** The access to other hosts. */
export interface FetchAccess {
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
}

/** The longest validator that is remembered. */
const MAX_VALIDATOR = 256;

/** Fetches a document; undefined if the validators say that it has not changed. */
export async function fetchDocument(
  { fetch, signal }: FetchAccess,
  url: string,
  known: CacheValidators = {},
): Promise<FetchedDocument | undefined> {
  // Errors show the address without its query, which may be a secret.
  const { origin, pathname } = parseUrl(url);
  const address = `${origin}${pathname}`;
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
      throw new SpecificationError("FETCH_ERROR", `${address} answered with ${response.status}.`);
    }
    const bytes = await readStream(response.body, MAX_DOCUMENT_BYTES);
    if (!bytes) throw new SpecificationError("FETCH_ERROR", `${address} has more than ${MAX_DOCUMENT_BYTES} bytes.`);
    const text = new TextDecoder().decode(bytes);
    const [etag, lastModified] = ["etag", "last-modified"].map((name) => {
      const value = response.headers.get(name);
      return value === null || value === "" || value.length > MAX_VALIDATOR ? undefined : value;
    });
    return { text, url: response.url || url, bytes: bytes.length, ...omitUndefined({ etag, lastModified }) };
  } catch (error) {
    if (error instanceof SpecificationError) throw error;
    if (signal.aborted || (error instanceof Error && error.name === "TimeoutError"))
      throw new SpecificationError("FETCH_TIMEOUT", `${address} did not answer in time.`, { cause: error });
    throw new SpecificationError("FETCH_ERROR", describeFailedRequest(address, error), { cause: error });
  }
}
