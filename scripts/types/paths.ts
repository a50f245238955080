// The ids in the paths of operations, as types. Ids that several operations have in common are one type, named by the last
// of them: it extends what the path has before it.

import { body, member } from "./layout";

/** How many operations have the same ids where these get a name. */
const SEVERAL = 3;

/** The names and ids of one path, in their order. */
type Path = readonly string[];

/** Gives a path its type. */
export type PathType = (path: Path) => string;

/** Gives the paths of all operations their types. */
export function createPaths(paths: readonly Path[]) {
  const names = namesOf(paths);

  /** The longest part of the path that has a name, from its beginning. */
  const beginningOf = (path: Path, most: number) => {
    const length = path.findLastIndex((_, at) => at < most && names.has(keyOf(path.slice(0, at + 1)))) + 1;
    return { name: names.get(keyOf(path.slice(0, length))), rest: path.slice(length) };
  };

  return {
    typeOf(path: Path): string {
      const { name, rest } = beginningOf(path, path.length);
      const others = rest.length > 0 ? [`Ids<${rest.map((id) => JSON.stringify(id)).join(" | ")}>`] : [];
      return [...(name === undefined ? [] : [name]), ...others].join(" & ");
    },
    /** What the names stand for. */
    declarations: (): string[] =>
      [...names].map(([key, name]) => {
        const path = key.split(" ");
        const { name: base, rest } = beginningOf(path, path.length - 1);
        const members = body(rest.map((id) => member(id, "string")));
        return `interface ${name} ${base === undefined ? "" : `extends ${base} `}${members}\n`;
      }),
  };
}

/** Names by paths. Of two that end alike the longer one says what stands before it. */
function namesOf(paths: readonly Path[]): ReadonlyMap<string, string> {
  const different = [...new Map(paths.map((path) => [keyOf(path), path])).values()];
  const several = different.filter((path) => paths.filter((it) => keyOf(it) === keyOf(path)).length >= SEVERAL);
  const names = new Map<string, string>();
  for (const path of several.sort((a, b) => a.length - b.length || (keyOf(a) < keyOf(b) ? -1 : 1))) {
    const words = path.map(wordOf).filter((word, at, all) => !all[at + 1]?.startsWith(word));
    const taken = new Set(names.values());
    const name = words.map((_, at) => `${words.slice(words.length - 1 - at).join("")}Ids`).find((it) => !taken.has(it));
    if (name !== undefined && path.length > 0) names.set(keyOf(path), name);
  }
  return names;
}

function keyOf(path: Path): string {
  return path.join(" ");
}

/** `siteId` is an id of a `Site`. */
function wordOf(id: string): string {
  const word = id.replace(/(?:Id|Name|Slug)$/, "");
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
