// Loads the specifications that pages refer to, as the visitor may read them: those of the organization, content files, and URLs
// of other hosts. Parsing a large specification takes long, so the most recent ones are cached.

import type { ContentRef } from "../../content/document";
import { openSpecification, type SpecificationRoot } from "../../openapi/model/document";
import type { FilesystemEntry, SpecificationSource } from "../../openapi/specifications";
import { SpecificationError } from "../../openapi/specifications/errors";
import { type AdmissionGate, createAdmissionGate } from "../../utils/concurrency/admission-gate";
import { runSteps } from "../../utils/concurrency/event-loop";
import { loadLazily } from "../../utils/lazy";
import { tryParseUrl } from "../../utils/url";
import { VersionedCache } from "../../utils/versioned-cache";
import type { PageReferences } from "../pages/block-context";
import { fetchFileBytes } from "../request/content-files";
import type { RequestContext } from "../request/request-context";
import type { SiteContext } from "../request/site-context";

const loadSpecificationReader = loadLazily(() => import("../../openapi/specifications"));

/** The most specifications that are cached. Each may take a hundred megabytes. */
const MAX_CACHED_SPECIFICATIONS = 2;
const MAX_CACHED_FAILURES = 500;
const FAILURE_MS = 10 * 60 * 1000;
/** The longest time that a page waits for another host. */
const FETCH_TIMEOUT_MS = 8_000;
const MAX_FILE_BYTES = 16 * 1024 * 1024;

interface SpecificationCache {
  /** Specifications that are loaded or being loaded. The key of one that has no time limit names its version. */
  readonly specifications: VersionedCache<Promise<SpecificationRoot | undefined>>;
  /** URLs that could not be loaded, so that not every visitor tries again. */
  readonly failures: VersionedCache<true>;
  /** Limits the requests to other hosts. */
  readonly gate: AdmissionGate;
}

const specificationCaches = new WeakMap<SiteContext, SpecificationCache>();

type SpecificationRequest = Pick<RequestContext, "site" | "callOperation" | "resolved" | "disableCaching">;

/** Loads the specification of a reference. Returns undefined if the visitor may not see it, or it cannot be read. */
export async function loadSpecification(
  context: SpecificationRequest,
  ref: ContentRef,
  { resolveFile }: Pick<PageReferences, "resolveFile">,
): Promise<SpecificationRoot | undefined> {
  const { site, callOperation, resolved } = context;
  const cache = specificationCaches.get(site) ?? {
    specifications: new VersionedCache(MAX_CACHED_SPECIFICATIONS),
    failures: new VersionedCache(MAX_CACHED_FAILURES),
    gate: createAdmissionGate({ maxRunning: 2, maxWaiting: 20 }),
  };
  specificationCaches.set(site, cache);
  if (ref.kind === "url") return loadRemoteSpecification(context, cache, ref.url);

  if (ref.kind === "openapi") {
    const params = { organizationId: resolved.organization, specSlug: ref.spec };
    // Every visitor requests the version, so a cached specification is shown only to those who may see it.
    const version = await callOperation("getLatestOpenApiSpecVersion", { params });
    if (!version) return undefined;
    return loadThroughCache(cache, `${resolved.organization} ${ref.spec} ${version.id}`, async () => {
      const content = await callOperation("getLatestOpenApiSpecContent", { params });
      return content && openSpecification(Object.values(content.filesystem) as FilesystemEntry[]);
    });
  }

  const file = ref.kind === "file" ? resolveFile(ref) : undefined;
  if (!file || (file.bytes ?? 0) > MAX_FILE_BYTES) return undefined;
  // The URL is signed for an hour, and names the content of the file.
  return loadThroughCache(cache, file.url, async () => {
    const bytes = await fetchFileBytes(context, file.url);
    return bytes && parseSpecification({ text: new TextDecoder().decode(bytes) }, undefined);
  });
}

/** Loads a specification of another host with the host's own `fetch`. It is loaded again after the configured interval. */
async function loadRemoteSpecification(
  context: SpecificationRequest,
  { specifications, failures, gate }: SpecificationCache,
  address: string,
): Promise<SpecificationRoot | undefined> {
  const { store, jobs } = context.site.internals.kernel;
  const { fetch, openApiSpecs } = jobs.ports;
  const url = tryParseUrl(address);
  if (!fetch || !url || (url.protocol !== "https:" && url.protocol !== "http:")) return undefined;
  url.hash = "";
  // The specification may change while the content of the site does not.
  context.disableCaching();
  const now = store.now().getTime();
  if (failures.get(url.href, [], now)) return undefined;
  // The URL of a content file, which only some visitors may read, is another key.
  const key = `remote ${url.href}`;
  const cached = specifications.get(key, [], now);
  if (cached) return cached;

  const loading = gate.tryRun(() => parseSpecification({ url: url.href }, fetch));
  if (!loading) return undefined;
  const { refreshAfterMs } = openApiSpecs;
  const expiresAt = refreshAfterMs === 0 ? Number.POSITIVE_INFINITY : now + refreshAfterMs;
  specifications.set(key, loading, { expiresAt });
  const specification = await loading;
  if (!specification) {
    specifications.delete(key);
    failures.set(url.href, true, { expiresAt: now + FAILURE_MS });
  }
  return specification;
}

/** Parses a specification. Returns undefined if it is not valid, or the other host does not respond with it. */
async function parseSpecification(
  source: SpecificationSource,
  fetch: typeof globalThis.fetch | undefined,
): Promise<SpecificationRoot | undefined> {
  const { readSpecification } = await loadSpecificationReader();
  try {
    const parsed = await readSpecification(source, { fetch, milliseconds: FETCH_TIMEOUT_MS, inTurns: runSteps });
    return parsed && openSpecification(parsed.filesystem);
  } catch (error) {
    if (error instanceof SpecificationError) return undefined;
    throw error;
  }
}

/** Returns the specification of a key from the cache, or loads it. Requests at the same time share one load. */
async function loadThroughCache(
  { specifications }: SpecificationCache,
  key: string,
  load: () => Promise<SpecificationRoot | undefined>,
): Promise<SpecificationRoot | undefined> {
  const loading = specifications.get(key) ?? load();
  specifications.set(key, loading);
  const specification = await loading.catch((error) => {
    specifications.delete(key);
    throw error;
  });
  // The visitor who began to load it may not see it, but the next one may.
  if (!specification) specifications.delete(key);
  return specification;
}
