// The options of the console.

import type { PlainRequest, PlainResponse } from "../http/plain";

export interface ConsoleOptions {
  /** Who answers everything that is not the console's: `createSignIn(api)`, or a site in front of it. Default: the API, and
   * then nobody can sign in. */
  readonly otherwise?: { readonly handle: (request: PlainRequest) => Promise<PlainResponse> };
}
