// The options of the console.

import type { PlainRequest, PlainResponse } from "../http/plain-request";

export interface ConsoleOptions {
  /**
   * The handler of every request that is not for the console: `createSignIn(api, { home: "/" })`, or a site in front of it.
   * Default: the API. Nobody can sign in then.
   */
  readonly otherwise?: { readonly handle: (request: PlainRequest) => Promise<PlainResponse> };
}
