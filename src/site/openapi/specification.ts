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
import { fileText } from "../files";
import type { SiteContext } from "../house";
import type { References } from "../references";
import type { Visit } from "../visit";

const loadSpecifications = loadLazily(() => import("../../openapi/specifications"));

/** A specification with its references. */
export interface Specification {
  readonly root: Root;
  readonly resolve: Resolve;
}

interface Kept {
  readonly reading: Promise<Specification | undefined>;
  /** When it is read again, in epoch milliseconds; left out: when it has another name. */
  until?: number;
}

/** What a reader keeps. */
interface Shelf {
  readonly specifications: LruCache<Kept>;
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

const shelves = new WeakMap<SiteContext, Shelf>();

function shelfOf(house: SiteContext): Shelf {
  const shelf = shelves.get(house) ?? {
    specifications: new LruCache<Kept>(MOST_KEPT),
    failures: new LruCache<{ until: number }>(MOST_FAILURES),
    gate: createAdmissionGate({ maxRunning: 2, maxWaiting: 20 }),
  };
  shelves.set(house, shelf);
  return shelf;
}

type Reader = Pick<Visit, "house" | "ask" | "found" | "doNotKeep">;

/** The specification of a reference; undefined where the visitor may not see it, or it cannot be read. */
export async function readSpecification(
  visit: Reader,
  ref: ContentRef,
  { file }: Pick<References, "file">,
): Promise<Specification | undefined> {
  if (ref.kind === "openapi") return ofOrganization(visit, ref.spec);
  if (ref.kind === "url") return atAddress(visit, ref.url);
  const found = ref.kind === "file" ? file(ref) : undefined;
  if (!found || (found.bytes ?? 0) > LARGEST_FILE) return undefined;
  // The address is signed for an hour, and names the bytes.
  return remembered(shelfOf(visit.house), found.url, async () => {
    const text = await fileText(visit, found.url);
    return text === undefined ? undefined : readOrNothing({ text }, undefined);
  });
}

/** The newest version of a specification of the organization. */
async function ofOrganization({ house, ask, found }: Reader, specSlug: string): Promise<Specification | undefined> {
  const params = { organizationId: found.organization, specSlug };
  // This is asked for every visitor, so what is kept is shown only to those who may see it.
  const version = await ask("getLatestOpenApiSpecVersion", { params });
  if (!version) return undefined;
  return remembered(shelfOf(house), `${found.organization} ${specSlug} ${version.id}`, async () => {
    const content = await ask("getLatestOpenApiSpecContent", { params });
    return content && specificationIn(Object.values(content.filesystem) as FilesystemEntry[]);
  });
}

/** What another host has, through the fetch that the host of the API gave. It is asked again when its time is over. */
async function atAddress(visit: Reader, address: string): Promise<Specification | undefined> {
  const { store, jobs: work } = visit.house.inside.kernel;
  const { fetch, openApiSpecs } = work.ports;
  const url = tryParseUrl(address);
  if (!fetch || !url || (url.protocol !== "https:" && url.protocol !== "http:")) return undefined;
  url.hash = "";
  // It may say something else while nothing of the content changes.
  visit.doNotKeep();
  const { specifications, failures, gate } = shelfOf(visit.house);
  const now = store.now().getTime();
  if (failures.get(url.href, ({ until }) => until > now)) return undefined;
  const known = specifications.get(url.href, ({ until = 0 }) => until > now);
  if (known) return known.reading;
  const reading = gate.tryRun(() => readOrNothing({ url: url.href }, fetch));
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
async function readOrNothing(
  source: Source,
  fetch: typeof globalThis.fetch | undefined,
): Promise<Specification | undefined> {
  const { readSpecification: read } = await loadSpecifications();
  try {
    const found = await read(source, { fetch, milliseconds: LONGEST_MS, inTurns: runSteps });
    return found && specificationIn(found.filesystem);
  } catch (error) {
    if (error instanceof SpecificationRefused) return undefined;
    throw error;
  }
}

/** What was read under a name, or is being read. */
async function remembered(
  { specifications }: Shelf,
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

function specificationIn(documents: readonly FilesystemEntry[]): Specification | undefined {
  const entry = documents.find(({ isEntrypoint }) => isEntrypoint);
  if (!entry) return undefined;
  return { root: { value: entry.specification, document: entry.filename }, resolve: resolverOf(documents) };
}
