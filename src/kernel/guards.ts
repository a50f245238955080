// What an `If-Match` is about: the single resource that an operation's path names, or the nearest one above it.

import { Bytes } from "../sent";
import type { Named } from "./execute";

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
