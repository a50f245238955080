// Specifications that pages name, as a visitor may read them: those of the organization, files of the content, and addresses
// of other hosts. Reading one of megabytes takes long, so the last ones are kept.

import type { ContentRef } from "../../content/document";
import type { Root } from "../../openapi/specifications/pages/authorization";
import { type Resolve, resolverOf } from "../../openapi/specifications/pages/pointers";
import type { FilesystemEntry, Source } from "../../openapi/specifications/read";
import { SpecificationRefused } from "../../openapi/specifications/refused";
import { type AdmissionGate, createAdmissionGate } from "../../utils/concurrency/admission-gate";
import { runSteps } from "../../utils/concurrency/event-loop";
import { loadLazily } from "../../utils/lazy";
import { LruCache } from "../../utils/lru-cache";
import { tryParseUrl } from "../../utils/url";
import type { PageReferences } from "../pages/references";
import { fetchFileText } from "../request/content-files";
import type { RequestContext } from "../request/request-context";
import type { SiteContext } from "../request/site-context";

const loadSpecificationReader = loadLazily(() => import("../../openapi/specifications"));

/** A specification with its references. */
export interface Specification {
  readonly root: Root;
  readonly resolve: Resolve;
}

interface CachedSpecification {
  readonly reading: Promise<Specification | undefined>;
  /** When it is read again, in epoch milliseconds; left out: when it has another name. */
  until?: number;
}

/** What a reader keeps. */
interface SpecificationCache {
  readonly specifications: LruCache<CachedSpecification>;
  /** What could not be read, so that not every visitor tries again. */
  readonly failures: LruCache<{ readonly until: number }>;
  /** Other hosts are asked by a few visitors at once. */
  readonly gate: AdmissionGate;
}

/** How many are kept. Each may take a hundred megabytes. */
const MOST_KEPT = 2;
const MOST_FAILURES = 500;
const FAILED_MS = 10 * 60 * 1000;
/** How long a page waits for another host. */
const LONGEST_MS = 8_000;
/** The most characters of a file that is read as a specification. */
const LARGEST_FILE = 16 * 1024 * 1024;

const specificationCaches = new WeakMap<SiteContext, SpecificationCache>();

function getSpecificationCache(site: SiteContext): SpecificationCache {
  const shelf = specificationCaches.get(site) ?? {
    specifications: new LruCache<CachedSpecification>(MOST_KEPT),
    failures: new LruCache<{ until: number }>(MOST_FAILURES),
    gate: createAdmissionGate({ maxRunning: 2, maxWaiting: 20 }),
  };
  specificationCaches.set(site, shelf);
  return shelf;
}

type SpecificationRequest = Pick<RequestContext, "site" | "callOperation" | "resolved" | "disableCaching">;

/** The specification of a reference; undefined where the visitor may not see it, or it cannot be read. */
export async function loadSpecification(
  context: SpecificationRequest,
  ref: ContentRef,
  { resolveFile }: Pick<PageReferences, "resolveFile">,
): Promise<Specification | undefined> {
  if (ref.kind === "openapi") return loadOrganizationSpecification(context, ref.spec);
  if (ref.kind === "url") return loadRemoteSpecification(context, ref.url);
  const found = ref.kind === "file" ? resolveFile(ref) : undefined;
  if (!found || (found.bytes ?? 0) > LARGEST_FILE) return undefined;
  // The address is signed for an hour, and names the bytes.
  return loadThroughCache(getSpecificationCache(context.site), found.url, async () => {
    const text = await fetchFileText(context, found.url);
    return text === undefined ? undefined : parseSpecification({ text }, undefined);
  });
}

/** The newest version of a specification of the organization. */
async function loadOrganizationSpecification(
  { site, callOperation, resolved }: SpecificationRequest,
  specSlug: string,
): Promise<Specification | undefined> {
  const params = { organizationId: resolved.organization, specSlug };
  // This is asked for every visitor, so what is kept is shown only to those who may see it.
  const version = await callOperation("getLatestOpenApiSpecVersion", { params });
  if (!version) return undefined;
  return loadThroughCache(
    getSpecificationCache(site),
    `${resolved.organization} ${specSlug} ${version.id}`,
    async () => {
      const content = await callOperation("getLatestOpenApiSpecContent", { params });
      return content && toSpecification(Object.values(content.filesystem) as FilesystemEntry[]);
    },
  );
}

/** What another host has, through the fetch that the host of the API gave. It is asked again when its time is over. */
async function loadRemoteSpecification(
  context: SpecificationRequest,
  address: string,
): Promise<Specification | undefined> {
  const { store, jobs: work } = context.site.internals.kernel;
  const { fetch, openApiSpecs } = work.ports;
  const url = tryParseUrl(address);
  if (!fetch || !url || (url.protocol !== "https:" && url.protocol !== "http:")) return undefined;
  url.hash = "";
  // It may say something else while nothing of the content changes.
  context.disableCaching();
  const { specifications, failures, gate } = getSpecificationCache(context.site);
  const now = store.now().getTime();
  if (failures.get(url.href, ({ until }) => until > now)) return undefined;
  const known = specifications.get(url.href, ({ until = 0 }) => until > now);
  if (known) return known.reading;
  const reading = gate.tryRun(() => parseSpecification({ url: url.href }, fetch));
  if (!reading) return undefined;
  const { refreshAfterMs: checkEvery } = openApiSpecs;
  specifications.set(url.href, { reading, until: checkEvery === 0 ? Number.POSITIVE_INFINITY : now + checkEvery });
  const specification = await reading;
  if (!specification) {
    specifications.delete(url.href);
    failures.set(url.href, { until: now + FAILED_MS });
  }
  return specification;
}

/** Reads a specification; undefined where it is none, or the other host does not give it. */
async function parseSpecification(
  source: Source,
  fetch: typeof globalThis.fetch | undefined,
): Promise<Specification | undefined> {
  const { readSpecification: read } = await loadSpecificationReader();
  try {
    const found = await read(source, { fetch, milliseconds: LONGEST_MS, inTurns: runSteps });
    return found && toSpecification(found.filesystem);
  } catch (error) {
    if (error instanceof SpecificationRefused) return undefined;
    throw error;
  }
}

/** What was read under a name, or is being read. */
async function loadThroughCache(
  { specifications }: SpecificationCache,
  name: string,
  read: () => Promise<Specification | undefined>,
): Promise<Specification | undefined> {
  const entry = specifications.get(name) ?? { reading: read() };
  specifications.set(name, entry);
  const specification = await entry.reading.catch((error) => {
    specifications.delete(name);
    throw error;
  });
  // It was not there for whoever began to read it; for the next visitor it may be.
  if (!specification) specifications.delete(name);
  return specification;
}

function toSpecification(documents: readonly FilesystemEntry[]): Specification | undefined {
  const entry = documents.find(({ isEntrypoint }) => isEntrypoint);
  if (!entry) return undefined;
  return { root: { value: entry.specification, document: entry.filename }, resolve: resolverOf(documents) };
}
