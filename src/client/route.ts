// From the name of an operation and its input to a method, a URL and a body.

import { routes } from "../generated/routes";
import { CallError } from "./call-error";

/** An operation as the client sees it. */
export interface Route {
  readonly method: string;
  readonly path: string;
  /** `read`: changes nothing, so it can be sent again. `keyed`: takes an Idempotency-Key, so it can be sent again.
   * `once`: must not be sent again unless the server says that nothing was done. */
  readonly repeats: "read" | "keyed" | "once";
  /** Whether the answer is not our JSON. */
  readonly isBytes: boolean;
}

/** What every operation takes, before its types. */
export interface Input {
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
}

export function routeOf(name: string): Route {
  if (!Object.hasOwn(routes, name)) throw misuse("operation", `There is no operation ${name}.`);
  const [method, path, ...marks] = routes[name as keyof typeof routes].split(" ") as [string, string, ...string[]];
  return { method, path, repeats: repeatsOf(method, marks), isBytes: marks.includes("bytes") };
}

/** Deleting twice has one effect, and what is gone answers as what was deleted. */
function repeatsOf(method: string, marks: readonly string[]): Route["repeats"] {
  if (marks.includes("once")) return "once";
  if (method === "GET" || method === "DELETE" || marks.includes("read")) return "read";
  return method === "POST" ? "keyed" : "once";
}

/** The path and the query of a call, under the version prefix. */
export function locationOf({ path }: Route, { params = {}, query = {} }: Input): string {
  const filled = path.replaceAll(/:(\w+)(\+?)/g, (_, name: string, greedy: string) =>
    encodedParam(name, params[name], greedy !== ""),
  );
  const search = searchOf(query);
  return search === "" ? filled : `${filled}?${search}`;
}

/** A parameter as it stands in a path. The slashes of a path of pages stay. */
function encodedParam(name: string, value: unknown, keepsSlashes: boolean): string {
  const at = `params.${name}`;
  if (typeof value !== "string" && typeof value !== "number") throw misuse(at, "This parameter is required.");
  const segments = keepsSlashes ? String(value).split("/") : [String(value)];
  if (segments.join("") === "") throw misuse(at, "This parameter must not be empty.");
  // A URL resolves these two, however they are encoded, and the call would reach another operation.
  if (segments.some((it) => it === "." || it === "..")) throw misuse(at, "A parameter cannot be `.` or `..`.");
  return segments.map(encodeURIComponent).join("/");
}

/** A list is sent as its name several times. What is undefined is left out. */
function searchOf(query: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined) search.append(name, String(each));
  return search.toString();
}

/** A mistake in a call, found before anything is sent. */
export function misuse(path: string, message: string): CallError {
  return new CallError("invalid_request", message, { issues: [{ path, message }] });
}
