// Turns the name of an operation and its input into a method and a path.

import { routes } from "../generated/routes";
import { CallError } from "./call-error";

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

/** The input that every operation takes, before its types. */
export interface CallInput {
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
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

/** Returns the path and the query of a call, below the version prefix. */
export function buildPath({ path }: ClientRoute, { params = {}, query = {} }: CallInput): string {
  const filledPath = path.replaceAll(/:(\w+)(\+?)/g, (_, name: string, greedy: string) => {
    const value = params[name];
    const place = `params.${name}`;
    if (typeof value !== "string" && typeof value !== "number")
      throw createInputError(place, "This parameter is required.");

    // A greedy parameter is a path of pages, so its slashes stay.
    const segments = greedy ? String(value).split("/") : [String(value)];
    if (segments.join("") === "") throw createInputError(place, "This parameter must not be empty.");
    // A URL resolves `.` and `..` even if they are encoded, so the call would reach another operation.
    if (segments.some((segment) => segment === "." || segment === ".."))
      throw createInputError(place, "A parameter cannot be `.` or `..`.");
    return segments.map(encodeURIComponent).join("/");
  });

  // A list is sent by repeating its name.
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined) search.append(name, String(item));
  const queryString = search.toString();
  return queryString === "" ? filledPath : `${filledPath}?${queryString}`;
}

/** Creates the error of a mistake in a call that was found before anything was sent. */
export function createInputError(path: string, message: string): CallError {
  return new CallError("invalid_request", message, { issues: [{ path, message }] });
}
