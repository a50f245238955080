// Finds the operations at and above the path of another one: the GET whose ETag an `If-Match` is compared with, and the parents
// that must be visible for a DELETE to return 204.

import { BinarySchema } from "../operation/binary-response";
import type { RegisteredOperation } from "./kernel";

/** Returns a function that finds the GET whose ETag guards an operation: the nearest one at or above its path. */
export function createETagSourceLookup(
  table: readonly RegisteredOperation[],
): (operation: RegisteredOperation) => RegisteredOperation | undefined {
  const readsByPath = new Map<string, RegisteredOperation>();
  for (const operation of table) {
    const { method, path, spec } = operation.definition;
    if (method === "GET" && spec.returns && spec.returns !== BinarySchema) readsByPath.set(path, operation);
  }

  return ({ definition }) => {
    for (let path = definition.path; path.length > 1; path = path.slice(0, path.lastIndexOf("/"))) {
      const read = readsByPath.get(path);
      if (read) return read;
    }
    return undefined;
  };
}

/**
 * Returns a function that finds the parents of the one thing that a DELETE removes, from the top down, as operations that only
 * check whether the parent is visible. For every other operation it returns undefined.
 */
export function createParentLookup(
  table: readonly RegisteredOperation[],
): (operation: RegisteredOperation) => readonly RegisteredOperation[] | undefined {
  const operationsByPath = new Map<string, RegisteredOperation>();
  for (const operation of table) {
    const { method, path } = operation.definition;
    if (method === "GET" || !operationsByPath.has(path)) operationsByPath.set(path, operation);
  }

  return (child) => {
    const { method, path } = child.definition;
    if (method !== "DELETE" || !/:\w+$/.test(path)) return undefined;

    const parents: RegisteredOperation[] = [];
    for (const match of path.matchAll(/\/:\w+(?=\/)/g)) {
      const definition = operationsByPath.get(path.slice(0, match.index + match[0].length))?.definition;
      if (!definition) continue;
      const { summary, target } = definition.spec;
      const view = (loaded: object) => target.rights.view!(loaded) && !target.hidesContents?.(loaded);
      const visibleTarget = { ...target, rights: { ...target.rights, view } };
      const spec = { summary, target: visibleTarget, right: "view", handle: async () => undefined };
      // The check needs the scope of the DELETE, and no other one.
      parents.push({ ...child, definition: { ...definition, method: "GET", spec } });
    }
    return parents;
  };
}
