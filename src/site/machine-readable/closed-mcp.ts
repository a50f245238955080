// What an agent gets from a site with a login, which it cannot follow.

import type { PlainResponse } from "../../http/plain-request";
import { createTextResponse } from "../responses/responses";
import { PLAIN } from "./text-responses";

/** Whether an address is that of the server of a site. */
export function isMcpUrl({ pathname }: URL): boolean {
  return pathname.endsWith("/~octavo/mcp");
}

export function createClosedMcpResponse(): PlainResponse {
  return createTextResponse(
    "This site is for visitors who are signed in: send the visitor's JWT as a bearer token.\n",
    {
      status: 401,
      type: PLAIN,
      holders: "nobody",
      headers: { "www-authenticate": "Bearer" },
    },
  );
}
