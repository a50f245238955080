// Fills the pattern of a path with the input of a call.

import { CallError } from "./call-error";

/** The input that every operation takes, before its types. */
export interface CallInput {
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
}

/** Returns the path and the query of a call, below the version prefix. */
export function buildPath({ path }: { readonly path: string }, { params = {}, query = {} }: CallInput): string {
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
