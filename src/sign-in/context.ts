// The types that every sign-in method shares: its routes, and the context that they are created with.

import type { ApiInternals } from "../api/internals";
import type { DocsError } from "../errors";
import type { PlainRequest, PlainResponse } from "../http/plain-request";
import type { Language } from "../locales/languages";
import type { Messages } from "../locales/messages";
import type { SignInMethod } from "../resources/people/sessions/records";
import type { SignInOptions } from "./options";

/** A request to a sign-in route, with its parameters decoded. */
export interface SignInRequest extends PlainRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The language of the page that is shown, and its messages. */
  readonly language: Language;
  readonly messages: Messages;
}

/** A button on the sign-in page that leads to a provider. */
export interface SignInButton {
  readonly name: string;
  /** A path below the base path. The page that the user wants to reach is added as the parameter `to`. */
  readonly path: string;
  /** The path that signs out of the provider itself, offered for sessions that were begun with the method `by`. */
  readonly signOut?: { readonly by: SignInMethod; readonly path: string };
}

/** The API, the options and the helpers that sign-in routes are created with. */
export interface SignInContext extends ApiInternals {
  readonly options: SignInOptions;
  /** Returns the absolute URL of a path below the base path. The path begins with a slash. */
  readonly getUrl: (path: string) => string;
  readonly listButtons: () => Promise<readonly SignInButton[]>;
}

export interface SignInRoute {
  /** An HTTP method. `*` matches every method. */
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" | "*";
  /** A path below the base path. `:name` matches one segment, a final `/*` matches any number of them. */
  readonly path: string;
  /** The path belongs to the application (`urls.app`), which isn't below the base path. */
  readonly isAppPath?: true;
  /** Allows requests from a form of another site, or from a program. Without it, a request that changes something is refused
   * unless it comes from a page of this server. */
  readonly allowsCrossSite?: true;
  /** The format of errors. Default: a page. */
  readonly errorFormat?: "page" | "json" | ((error: DocsError) => PlainResponse);
  readonly handle: (request: SignInRequest) => Promise<PlainResponse>;
}

export type SignInRouteFactory = (context: SignInContext) => readonly SignInRoute[];

export type SignInButtonFactory = (
  context: SignInContext,
) => Promise<readonly SignInButton[]> | readonly SignInButton[];
