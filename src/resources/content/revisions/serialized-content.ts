// The JSON of whole contents: trees of pages, and lists of files. It is serialized in steps, once for each state of the content,
// and cached in memory while there is room. The cache key includes everything that the JSON depends on, so a new revision and a
// caller who sees something else find nothing.

import type { SerializedJson } from "../../../operation/binary-response";
import type { ObjectCache } from "../../../storage/objects";
import { runSteps, yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { loadLazily } from "../../../utils/lazy";
import type { UrlSigningContext } from "./download-urls";
import type { ShownContentContext } from "./rules";
import type { ContentViewContext } from "./views";

/** JSON in UTF-8, in chunks. */
export type JsonChunks = SerializedJson["chunks"];

/** The context of cache keys. */
export type CacheKeyContext = ContentViewContext & ShownContentContext & Pick<UrlSigningContext, "actor" | "now">;

/**
 * Returns the cache key of the pages of a content as the caller sees them. Pages contain URLs of their space. `state` names the
 * state of the content. Default: its root.
 */
export function getPagesCacheKey(context: CacheKeyContext, state: string | null = context.revision.root): string {
  const { organization, space, computedAt, query } = context;
  const options = `${query.metadata !== false} ${query.computed !== false}`;
  return `pages ${organization.id} ${space.id} ${state} ${computedAt} ${options}`;
}

/**
 * Checks whether the content that a call reads may be cached as JSON: the call came over HTTP, and not from a visitor with
 * claims. A visitor may claim anything, and each set of claims would take memory.
 */
export function isCacheable(
  { originalRequest }: { readonly originalRequest?: object | undefined },
  visitor: { readonly claims: Readonly<Record<string, unknown>> } | undefined,
): boolean {
  const { unsigned = {}, ...signed } = visitor?.claims ?? {};
  const hasClaims = [signed, unsigned as object].some((claims) => Object.keys(claims).length > 0);
  return originalRequest !== undefined && !hasClaims;
}

/** Returns the cached JSON of a list, or serializes and caches it. `present` returns an item as it is shown. */
export async function getCachedChunks<Item>(
  cache: ObjectCache,
  key: string,
  loadItems: () => Promise<readonly Item[]>,
  present: (item: Item) => object,
): Promise<JsonChunks> {
  const cached = cache.get(key)?.value as JsonChunks | undefined;
  if (cached) return cached;

  const chunks: Uint8Array[] = [];
  let text = "[";
  for (const [i, item] of (await loadItems()).entries()) {
    text += `${i === 0 ? "" : ","}${JSON.stringify(present(item))}`;
    if (text.length >= CHUNK_LENGTH) {
      chunks.push(utf8.encode(text));
      text = "";
    }
    await yieldToEventLoop();
  }
  chunks.push(utf8.encode(`${text}]`));

  const bytes = chunks.reduce((sum, { length }) => sum + length + 100, 0);
  cache.set(key, { value: chunks, bytes });
  return chunks;
}

/** The length at which a chunk ends, in characters. */
const CHUNK_LENGTH = 64 * 1024;
const utf8 = new TextEncoder();

const loadJson = loadLazily(() => import("../../../utils/concurrency/json-steps"));

/** Returns the JSON of an object: members to serialize, large members that are serialized already, and further members to serialize. */
export async function serializeObject(
  before: object,
  serialized: Readonly<Record<string, JsonChunks>>,
  after: object = {},
): Promise<JsonChunks> {
  const { stringifyJsonInSteps } = await loadJson();
  const serializeMembers = async (members: object) => (await runSteps(stringifyJsonInSteps(members))).slice(1, -1);
  const first = await serializeMembers(before);
  const last = await serializeMembers(after);
  const chunks: JsonChunks[number][] = [utf8.encode(`{${first}`)];
  let separator = first === "" ? "" : ",";
  for (const [name, memberChunks] of Object.entries(serialized)) {
    chunks.push(utf8.encode(`${separator}"${name}":`), ...memberChunks);
    separator = ",";
  }
  chunks.push(utf8.encode(last === "" ? "}" : `${separator}${last}}`));
  return chunks;
}
