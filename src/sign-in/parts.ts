// A way to sign in, or a tool beside it, is a part: a list of routes on the paths that belong to it.

import type { PlainRequest, PlainResponse } from "../http/plain";
import type { Inside } from "../inside";
import type { SignInOptions } from "./options";

/** A request to one of our own paths. */
export interface Arrived extends PlainRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/** What every part stands on. */
export interface House extends Inside {
  readonly options: SignInOptions;
  /** The absolute URL of a path of ours, which begins with a slash. */
  readonly urlOf: (path: string) => string;
}

export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** A path below the base path. `:name` is one segment. */
  readonly path: string;
  readonly answer: (request: Arrived) => Promise<PlainResponse>;
}

/** Makes the routes of a part. */
export type Part = (house: House) => readonly Route[];
