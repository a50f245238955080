// Specifications that pages name, as a visitor may read them. Reading one of megabytes takes long, so the last ones are kept
// by their versions.

import { CountedCache } from "../../counted-cache";
import type { Root } from "../../specifications/pages/authorization";
import { type Resolve, resolverOf } from "../../specifications/pages/pointers";
import type { FilesystemEntry } from "../../specifications/read";
import type { House } from "../house";
import type { Visit } from "../visit";

/** A specification with its references. */
export interface Specification {
  readonly root: Root;
  readonly resolve: Resolve;
}

interface Kept {
  readonly reading: Promise<Specification | undefined>;
}

/** How many are kept. Each may take a hundred megabytes. */
const MOST_KEPT = 2;

const kept = new WeakMap<House, CountedCache<Kept>>();

/** The newest version of a specification; undefined where the visitor may not see it. */
export async function readSpecification(
  { house, ask, found }: Pick<Visit, "house" | "ask" | "found">,
  specSlug: string,
): Promise<Specification | undefined> {
  const params = { organizationId: found.organization, specSlug };
  // This is asked for every visitor, so what is kept is shown only to those who may see it.
  const version = await ask("getLatestOpenApiSpecVersion", { params });
  if (!version) return undefined;
  const known = kept.get(house) ?? new CountedCache<Kept>(MOST_KEPT);
  kept.set(house, known);
  const name = `${found.organization} ${specSlug} ${version.id}`;
  const entry = known.get(name) ?? { reading: read() };
  known.set(name, entry);
  const specification = await entry.reading.catch((error) => {
    known.delete(name);
    throw error;
  });
  // It was not there for whoever began to read it; for the next visitor it may be.
  if (!specification) known.delete(name);
  return specification;

  async function read(): Promise<Specification | undefined> {
    const content = await ask("getLatestOpenApiSpecContent", { params });
    if (!content) return undefined;
    const documents = Object.values(content.filesystem) as FilesystemEntry[];
    const entry = documents.find(({ isEntrypoint }) => isEntrypoint);
    if (!entry) return undefined;
    return { root: { value: entry.specification, document: entry.filename }, resolve: resolverOf(documents) };
  }
}
