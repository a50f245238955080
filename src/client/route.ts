// Converts the name of an operation to a method and a path pattern.

import { routes } from "../generated/routes";
import { createInputError } from "./path";

/** An operation as the client sees it. */
export interface ClientRoute {
  readonly method: string;
  readonly path: string;
  /**
   * `read`: it changes nothing, so the client can send it again. `keyed`: it takes an Idempotency-Key, so the client can
   * send it again. `once`: the client must not send it again unless the server says that nothing was done.
   */
  readonly retryMode: "read" | "keyed" | "once";
  /** True if the response is something other than our JSON. */
  readonly isBinary: boolean;
}

/** Finds the route of an operation by its name. Throws a `CallError` if there is no such operation. */
export function findRoute(name: string): ClientRoute {
  if (!Object.hasOwn(routes, name)) throw createInputError("operation", `There is no operation ${name}.`);
  const [method, path, ...marks] = routes[name as keyof typeof routes].split(" ") as [string, string, ...string[]];

  let retryMode: ClientRoute["retryMode"] = method === "POST" ? "keyed" : "once";
  // A repeated DELETE has one effect, and gets the same response as the first.
  if (method === "GET" || method === "DELETE" || marks.includes("read")) retryMode = "read";
  if (marks.includes("once")) retryMode = "once";
  return { method, path, retryMode, isBinary: marks.includes("bytes") };
}
