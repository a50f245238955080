// Reads a specification from a text or an address, with all documents that it refers to, each once and within limits. The code is
// loaded when it is first needed.
//
// The result is a list of documents in the form that OpenAPI parsers know as a filesystem: one is the entry, and each has the name
// by which the `$ref`s of the others refer to it. A relative name means another document in another folder, so the references are
// rewritten to names that hold for all documents.

import { parseJsonInSteps as parseJson } from "../../utils/concurrency/json-steps";
import { type RunSteps, runStepsAtOnce, type Steps } from "../../utils/concurrency/steps";
import { describeFailedRequest } from "../../utils/fetch-error";
import { omitUndefined } from "../../utils/objects";
import { readStream } from "../../utils/streams";
import { parseUrl, tryParseUrl } from "../../utils/url";
import { SpecificationError } from "./errors";
import {
  MAX_DOCUMENT_BYTES,
  MAX_DOCUMENTS,
  MAX_ENTRIES,
  MAX_ENTRIES_AT_ONCE,
  MAX_HOPS,
  MAX_TOTAL_BYTES,
} from "./limits";
import { findExternalReferences } from "./references";
import { countEntriesInSteps, readYaml, UnsplittableTextError } from "./yaml";

export type SpecificationSource = { readonly url: string } | { readonly text: string };

export interface FilesystemEntry {
  readonly dir: "./";
  readonly isEntrypoint: boolean;
  /** The name in the references of the others; null for a specification without an address, which none can refer to. */
  readonly filename: string | null;
  /** The names of the documents that it refers to. */
  readonly references: readonly string[];
  readonly specification: unknown;
}

/** A document that was fetched, with the validators to request it again. */
export type KnownDocument = CacheValidators & { readonly url: string };

export interface Specification {
  /** The unchanged text of the specification itself. */
  readonly text: string;
  readonly format: DocumentFormat;
  readonly filesystem: readonly FilesystemEntry[];
  /** Every document that was fetched, if each of them has validators. */
  readonly known: readonly KnownDocument[] | undefined;
}

/** A document that is still to be read. */
interface PendingDocument {
  readonly address: string;
  readonly name: string;
  readonly hops: number;
}

/** The access to other hosts, and its limits. */
export interface SpecificationAccess {
  /** Undefined if other hosts cannot be reached. */
  readonly fetch: typeof globalThis.fetch | undefined;
  /** The longest time that reading one specification may take. */
  readonly milliseconds: number;
  /** Runs long work step by step, so that other work gets its turn. Default: without pauses. */
  readonly inTurns?: RunSteps;
}

/**
 * Reads a specification; undefined if it has not changed. `known` is the result of an earlier reading: then every document is
 * requested with its validators, and all are read only if one has changed. Throws `SpecificationError`.
 */
export async function readSpecification(
  source: SpecificationSource,
  { fetch, milliseconds, inTurns = runStepsAtOnce }: SpecificationAccess,
  known?: readonly KnownDocument[],
): Promise<Specification | undefined> {
  if (!fetch) return readAllDocuments(source, undefined, inTurns);
  const controller = new AbortController();
  const access = { fetch, signal: controller.signal };
  const read = async () => {
    if (!known) return readAllDocuments(source, access, inTurns);
    for (const { url, ...validators } of known) {
      const changed = await fetchDocument(access, url, validators);
      if (changed) return readAllDocuments(source, access, inTurns, new Map([[url, changed]]));
    }
    return undefined;
  };
  // The time limit also holds if a fetch ignores its signal.
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const sentence = `The specification could not be read within ${Math.ceil(milliseconds / 1000)} seconds.`;
      reject(new SpecificationError("FETCH_TIMEOUT", sentence));
      controller.abort();
    }, milliseconds);
  });
  try {
    return await Promise.race([read(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads a specification. `prefetched` has documents that were fetched already. Throws `SpecificationError`. */
async function readAllDocuments(
  source: SpecificationSource,
  access: FetchAccess | undefined,
  inTurns: RunSteps,
  prefetched: ReadonlyMap<string, FetchedDocument> = new Map(),
): Promise<Specification> {
  const known: KnownDocument[] = [];
  const names = new Map<string, string>();
  const pending: PendingDocument[] = [];
  const filesystem: FilesystemEntry[] = [];
  let remainingBytes = MAX_TOTAL_BYTES;
  let entry: string | undefined;

  async function fetchOrReuse(address: string): Promise<FetchedDocument> {
    if (!access) throw new SpecificationError("FETCH_ERROR", "This server can't reach other hosts.");
    const fetched = prefetched.get(address) ?? (await fetchDocument(access, address))!;
    const { etag, lastModified } = fetched;
    known.push({ url: address, ...omitUndefined({ etag, lastModified: lastModified ? lastModified : undefined }) });
    remainingBytes -= fetched.bytes;
    if (remainingBytes < 0)
      throw new SpecificationError(
        "FETCH_ERROR",
        `The specification and the documents that it refers to have more than ${MAX_TOTAL_BYTES} bytes.`,
      );
    return fetched;
  }

  /** Adds a document, with its references rewritten to the names that hold for all of them. */
  async function addDocument(
    value: unknown,
    { name, base, hops }: { name: string | null; base: string | undefined; hops: number },
  ): Promise<void> {
    const references = new Set<string>();
    for (const holder of await inTurns(findExternalReferences(value, name ?? "The specification"))) {
      // The fragment has its `#`.
      const hash = holder.$ref.indexOf("#");
      const fragment = hash < 0 ? "" : holder.$ref.slice(hash);
      const document = hash < 0 ? holder.$ref : holder.$ref.slice(0, hash);
      const address = resolveAddress(document, base);
      if (address === undefined) continue;
      let other = names.get(address);
      if (other === undefined) {
        // A new document is read later.
        if (filesystem.length + pending.length + 1 >= MAX_DOCUMENTS || hops >= MAX_HOPS)
          throw new SpecificationError("PARSE_ERROR", "The specification refers to too many other documents.");
        other = getDocumentName(entry, address);
        names.set(address, other);
        pending.push({ address, name: other, hops: hops + 1 });
      }
      if (other !== name) references.add(other);
      holder.$ref = other === name ? fragment || "#" : `${other}${fragment}`;
    }
    const isEntrypoint = filesystem.length === 0;
    filesystem.push({ dir: "./", isEntrypoint, filename: name, references: [...references], specification: value });
  }

  const first = "url" in source ? await fetchOrReuse(source.url) : { text: source.text, url: undefined };
  if (first.text.length > MAX_DOCUMENT_BYTES)
    throw new SpecificationError("PARSE_ERROR", `The specification has more than ${MAX_DOCUMENT_BYTES} characters.`);
  const { value, format } = await inTurns(parseInSteps(first.text, "The specification"));
  const { openapi, swagger } = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  if (!/^3(\.\d+){0,2}(-[\w.]+)?$/.test(String(openapi)) && !/^2(\.0)?$/.test(String(swagger)))
    throw new SpecificationError(
      "PARSE_ERROR",
      "Expected a specification: a member `openapi` that says 3.0, 3.1 or later, or `swagger` that says 2.0.",
    );
  entry = first.url === undefined ? undefined : resolveAddress(first.url, undefined);
  // Its query is not part of the name, because it may be a secret.
  const name = entry === undefined ? null : getDocumentName(entry, entry.replace(/\?.*/s, "")) || "openapi";
  if (entry !== undefined && name !== null) names.set(entry, name);
  await addDocument(value, { name, base: entry, hops: 0 });
  for (let next = pending.shift(); next; next = pending.shift()) {
    const { text, url } = await fetchOrReuse(next.address);
    // It may refer to itself by its address after redirects.
    if (!names.has(url)) names.set(url, next.name);
    const parsed = await inTurns(parseInSteps(text, next.name));
    await addDocument(parsed.value, { name: next.name, base: url, hops: next.hops });
  }
  const canRevalidate = known.every(({ etag, lastModified }) => etag !== undefined || lastModified !== undefined);
  return { text: first.text, format, filesystem, known: canRevalidate && known.length > 0 ? known : undefined };
}

/** The most characters of an address. */
const MAX_ADDRESS = 2048;

/** Returns the address that a reference leads to; undefined for references that are not followed: other schemes, and relative ones
 * without a base. */
function resolveAddress(document: string, base: string | undefined): string | undefined {
  const url = tryParseUrl(document, base);
  if (!url) return undefined;
  // `file:` and other schemes are plain text. An address with a password is not sent on.
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  if (url.username !== "" || url.password !== "") return undefined;
  url.hash = "";
  return url.href.length > MAX_ADDRESS ? undefined : url.href;
}

/**
 * Returns the name of a document: its path relative to the specification if both have one origin, or its address. All documents use
 * the same name for it, so no two documents share one.
 */
export function getDocumentName(entry: string | undefined, address: string): string {
  if (entry === undefined) return address;
  const from = parseUrl(entry);
  const to = parseUrl(address);
  if (from.origin !== to.origin) return address;
  const folders = from.pathname.split("/").slice(0, -1);
  const parts = to.pathname.split("/");
  let same = 0;
  while (same < folders.length && same < parts.length - 1 && folders[same] === parts[same]) same++;
  const up = "../".repeat(folders.length - same);
  return `${up}${parts.slice(same).join("/")}${to.search}`;
}

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

export type DocumentFormat = "json" | "yaml";

export interface ParsedDocument {
  readonly value: unknown;
  readonly format: DocumentFormat;
}

/** Parses a text step by step. `name` is the name of the text in errors. */
export function* parseInSteps(text: string, name: string): Steps<ParsedDocument> {
  const withoutMark = text.startsWith("\ufeff") ? text.slice(1) : text;
  // YAML includes JSON, but a YAML parser reads it a hundred times slower.
  if (/^\s*[{[]/.test(withoutMark)) {
    try {
      return { value: yield* parseJson(withoutMark), format: "json" };
    } catch {}
  }
  if ((yield* countEntriesInSteps(withoutMark, MAX_ENTRIES)) > MAX_ENTRIES)
    throw new SpecificationError("PARSE_ERROR", `${name} has more than ${MAX_ENTRIES} lines and entries of YAML.`);
  try {
    return { value: yield* readYaml(withoutMark), format: "yaml" };
  } catch (cause) {
    if (cause instanceof UnsplittableTextError)
      throw new SpecificationError(
        "PARSE_ERROR",
        `${name} has more than ${MAX_ENTRIES_AT_ONCE} lines and entries of YAML in one list or object. ` +
          "Indent them, one to a line, without anchors, or send it as JSON.",
      );
    const reason = cause instanceof Error ? cause.message.split("\n")[0]!.slice(0, 200) : "it cannot be read";
    throw new SpecificationError("PARSE_ERROR", `${name} is neither JSON nor YAML: ${reason}.`, { cause });
  }
}
