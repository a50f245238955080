// A way to sign in, or a tool beside it, is a part: a list of routes on the paths that belong to it.

import type { ApiInternals } from "../api/internals";
import type { DocsError } from "../errors";
import type { PlainRequest, PlainResponse } from "../http/plain-request";
import type { SignInMethod } from "../resources/people/sessions/records";
import type { Ask } from "./ask";
import type { SignInOptions } from "./options";

/** A request to one of our own paths. */
export interface SignInRequest extends PlainRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/** A button of the page to sign in. */
export interface Way {
  /** Whom one signs in with: the name of a provider. */
  readonly name: string;
  /** Where the button leads, below the base path. `to`, where one wants to go afterwards, is added as a parameter. */
  readonly path: string;
  /** Where one signs out of the provider itself, for sessions that were begun this way. */
  readonly signOut?: { readonly by: SignInMethod; readonly path: string };
}

/** What every part stands on. */
export interface SignInContext extends ApiInternals {
  readonly options: SignInOptions;
  /** The absolute URL of a path of ours, which begins with a slash. */
  readonly urlOf: (path: string) => string;
  /** Asks the API as whoever sent a request. */
  readonly ask: Ask;
  /** The buttons of the page to sign in. */
  readonly ways: () => Promise<readonly Way[]>;
}

export interface Route {
  /** `*` is every method. */
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" | "*";
  /** A path below the base path. `:name` is one segment, `/*` at the end any number of them. */
  readonly path: string;
  /** Whether the path is one of the application (`urls.app`), which is not below the base path. */
  readonly isOfApp?: true;
  /** Whether others may send it: another site's form, or a program. Every other request that changes something is refused
   * unless it comes from a page of ours. */
  readonly takesOthers?: true;
  /** The format of errors. Default: a page. */
  readonly tells?: "page" | "json" | ((error: DocsError) => PlainResponse);
  readonly answer: (request: SignInRequest) => Promise<PlainResponse>;
}

/** Makes the routes of a part. */
export type SignInRoute = (house: SignInContext) => readonly Route[];

/** Makes the buttons of a part. */
export type Ways = (house: SignInContext) => Promise<readonly Way[]> | readonly Way[];
