// What stands at and above the path of an operation: the single resource that an `If-Match` is about, and the things
// that must be seen for a DELETE to have nothing to do.

import { Bytes } from "../sent";
import type { Named } from "./kernel";

/** For each operation the GET whose ETag guards it; undefined where nothing is. */
export function guardsIn(table: readonly Named[]): (named: Named) => Named | undefined {
  const single = new Map<string, Named>();
  for (const named of table) {
    const { method, path, spec } = named.operation;
    if (method === "GET" && spec.returns && spec.returns !== Bytes) single.set(path, named);
  }
  return ({ operation }) => {
    for (let path = operation.path; path.length > 1; path = path.slice(0, path.lastIndexOf("/"))) {
      const guard = single.get(path);
      if (guard) return guard;
    }
    return undefined;
  };
}

/** For each DELETE of one thing what its path names above that, from the top, as operations that answer nothing; undefined
 * for everything else. */
export function parentsIn(table: readonly Named[]): (named: Named) => readonly Named[] | undefined {
  const at = new Map<string, Named>();
  for (const named of table) {
    const { method, path } = named.operation;
    if (method === "GET" || !at.has(path)) at.set(path, named);
  }
  return (named) => {
    const { method, path } = named.operation;
    if (method !== "DELETE" || !/:\w+$/.test(path)) return undefined;
    const above = [...path.matchAll(/\/:\w+(?=\/)/g)].map((match) => path.slice(0, match.index + match[0].length));
    return above.flatMap((prefix) => at.get(prefix) ?? []).map((parent) => looking(named, parent));
  };
}

/** Looks whether something is there and seen, with the scope of whoever has to know. */
function looking(child: Named, { operation }: Named): Named {
  const { summary, on } = operation.spec;
  const spec = { summary, on, right: "view", handle: async () => undefined };
  return { ...child, operation: { ...operation, method: "GET", spec } };
}
