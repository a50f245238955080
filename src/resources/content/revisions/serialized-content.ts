// The JSON of whole contents: trees of pages, and lists of files. It is serialized in steps, once for each state of the content,
// and cached in memory while there is room. The cache key includes everything that the JSON depends on, so a new revision and a
// caller who sees something else find nothing.

import type { SerializedJson } from "../../../operation/binary-response";
import type { ObjectCache } from "../../../storage/objects";
import { runSteps } from "../../../utils/concurrency/event-loop";
import { loadLazily } from "../../../utils/lazy";
import { getDownloadsVersion, type UrlSigningContext } from "./download-urls";
import type { ShownContentContext } from "./rules";
import type { ContentViewContext, JsonSteps } from "./views";

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

/** Returns the cache key of the files of a content as the caller sees them. Their URLs are for one person and one hour. */
export function getFilesCacheKey(context: CacheKeyContext): string {
  return `files of ${getPagesCacheKey(context)} ${getDownloadsVersion(context)}`;
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

/** Returns the cached JSON of a key, or serializes and caches it. */
export async function getCachedChunks(
  cache: ObjectCache,
  key: string,
  createSteps: () => Promise<JsonSteps>,
): Promise<JsonChunks> {
  const cached = cache.get(key)?.value as JsonChunks | undefined;
  if (cached) return cached;

  const chunks: Uint8Array[] = [];
  let text = "";
  const endChunk = () => {
    chunks.push(utf8.encode(text));
    text = "";
  };
  const steps = await createSteps();
  await runSteps(
    steps((json) => {
      text += json;
      if (text.length >= CHUNK_LENGTH) endChunk();
    }),
  );
  endChunk();

  const bytes = chunks.reduce((sum, { length }) => sum + length + 100, 0);
  cache.set(key, { value: chunks, bytes });
  return chunks;
}

/** The length at which a chunk ends, in characters. */
const CHUNK_LENGTH = 64 * 1024;
const utf8 = new TextEncoder();

/** Serializes a list whose items are created one after the other. */
export function serializeListInSteps(items: Iterable<object>): JsonSteps {
  return function* (write) {
    let separator = "[";
    for (const item of items) {
      write(separator + JSON.stringify(item));
      separator = ",";
      yield;
    }
    write(separator === "[" ? "[]" : "]");
  };
}

/** Returns items that are created one after the other. */
export function* collectInSteps<Item>(items: Iterable<Item>): Generator<void, Item[]> {
  const collected: Item[] = [];
  for (const item of items) {
    collected.push(item);
    yield;
  }
  return collected;
}

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
