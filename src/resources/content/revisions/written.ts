// JSON of whole contents: trees of pages, and the list of files of a revision. It is written in steps, once for each state of
// the content, and kept in memory while there is room. The name that it is kept under says everything that it depends on, so
// a new revision finds nothing, and neither does a caller who sees something else.

import type { SerializedJson } from "../../../operation/binary-response";
import type { ObjectCache } from "../../../storage/objects";
import { runSteps } from "../../../utils/concurrency/event-loop";
import { loadLazily } from "../../../utils/lazy";
import { downloadsVersion, type Signing } from "./download-urls";
import type { InShownContent } from "./rules";
import type { Showing, Telling } from "./views";

/** JSON in UTF-8, in pieces. */
export type Pieces = SerializedJson["chunks"];

/** What the names of kept JSON are made of. */
export type Naming = Showing & InShownContent & Pick<Signing, "actor" | "now">;

/** A name for the pages of a content as the caller sees them. They hold addresses in their space. With a word for the state of
 * the content: by default its root. */
export function nameOfPages(naming: Naming, state: string | null = naming.revision.root): string {
  const { organization, space, computedAt, query } = naming;
  const asked = `${query.metadata !== false} ${query.computed !== false}`;
  return `pages ${organization.id} ${space.id} ${state} ${computedAt} ${asked}`;
}

/** A name for the files of a content as the caller sees them. Their URLs are for one person and one hour. */
export function nameOfFiles(naming: Naming): string {
  return `files of ${nameOfPages(naming)} ${downloadsVersion(naming)}`;
}

/** Whether what a call reads may be kept: it came over HTTP, and from nobody of whom something is claimed. Everybody may say
 * anything of themselves, and would fill the memory. */
export function mayKeep(
  { originalRequest }: { readonly originalRequest?: object | undefined },
  visitor: { readonly claims: Readonly<Record<string, unknown>> } | undefined,
): boolean {
  const { unsigned = {}, ...signed } = visitor?.claims ?? {};
  return originalRequest !== undefined && [signed, unsigned as object].every((it) => Object.keys(it).length === 0);
}

/** The JSON under a name, written now if it is not there. */
export async function keptPieces(cache: ObjectCache, name: string, telling: () => Promise<Telling>): Promise<Pieces> {
  const known = cache.get(name)?.value as Pieces | undefined;
  if (known) return known;
  const pieces = await inPieces(await telling());
  const bytes = pieces.reduce((sum, { length }) => sum + length + 100, 0);
  cache.set(name, { value: pieces, bytes });
  return pieces;
}

/** The JSON of a list whose items are made one after the other. */
export function listTold(items: Iterable<object>): Telling {
  return function* (tell) {
    let comma = "[";
    for (const item of items) {
      tell(comma + JSON.stringify(item));
      comma = ",";
      yield;
    }
    tell(comma === "[" ? "[]" : "]");
  };
}

/** The same items as they are. */
export function* listed<Item>(items: Iterable<Item>): Generator<void, Item[]> {
  const all: Item[] = [];
  for (const item of items) {
    all.push(item);
    yield;
  }
  return all;
}

/** About how long a piece is. */
const PIECE = 64 * 1024;
const utf8 = new TextEncoder();

async function inPieces(telling: Telling): Promise<Pieces> {
  const pieces: Uint8Array[] = [];
  let text = "";
  const end = () => {
    pieces.push(utf8.encode(text));
    text = "";
  };
  await runSteps(
    telling((json) => {
      text += json;
      if (text.length >= PIECE) end();
    }),
  );
  end();
  return pieces;
}

const loadJson = loadLazily(() => import("../../../utils/concurrency/json-steps"));

/** The JSON of an object: some members, large ones that are written already, and others. */
export async function objectOf(
  before: object,
  written: Readonly<Record<string, Pieces>>,
  after: object = {},
): Promise<Pieces> {
  const { stringifyJsonInSteps } = await loadJson();
  const members = async (of: object) => (await runSteps(stringifyJsonInSteps(of))).slice(1, -1);
  const [first, last] = [await members(before), await members(after)];
  const pieces: Pieces[number][] = [utf8.encode(`{${first}`)];
  let comma = first === "" ? "" : ",";
  for (const [name, inside] of Object.entries(written)) {
    pieces.push(utf8.encode(`${comma}"${name}":`), ...inside);
    comma = ",";
  }
  pieces.push(utf8.encode(last === "" ? "}" : `${comma}${last}}`));
  return pieces;
}
