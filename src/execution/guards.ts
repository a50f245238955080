// What is at and above the path of an operation: the resource that an `If-Match` is compared with, and the parents that
// must be visible for a DELETE to answer 204.

import { BinarySchema } from "../operation/binary-response";
import type { RegisteredOperation } from "./kernel";

/** For each operation: the GET whose ETag guards it; undefined where there is none. */
export function guardsIn(
  table: readonly RegisteredOperation[],
): (named: RegisteredOperation) => RegisteredOperation | undefined {
  const single = new Map<string, RegisteredOperation>();
  for (const named of table) {
    const { method, path, spec } = named.operation;
    if (method === "GET" && spec.returns && spec.returns !== BinarySchema) single.set(path, named);
  }
  return ({ operation }) => {
    for (let path = operation.path; path.length > 1; path = path.slice(0, path.lastIndexOf("/"))) {
      const guard = single.get(path);
      if (guard) return guard;
    }
    return undefined;
  };
}

/** For each DELETE of one thing: its parents from the top down, as operations without an answer. Undefined for every
 * other operation. */
export function parentsIn(
  table: readonly RegisteredOperation[],
): (named: RegisteredOperation) => readonly RegisteredOperation[] | undefined {
  const at = new Map<string, RegisteredOperation>();
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

/** Checks that something is there and visible, with the scope of the operation that needs to know. */
function looking(child: RegisteredOperation, { operation }: RegisteredOperation): RegisteredOperation {
  const { summary, target: on } = operation.spec;
  const view = (loaded: object) => on.rights.view!(loaded) && !on.hidesContents?.(loaded);
  const open = { ...on, rights: { ...on.rights, view } };
  const spec = { summary, target: open, right: "view", handle: async () => undefined };
  return { ...child, operation: { ...operation, method: "GET", spec } };
}
