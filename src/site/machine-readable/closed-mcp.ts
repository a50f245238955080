// The response of the MCP endpoint on a site with a login, which an agent cannot follow.

import type { PlainResponse } from "../../http/plain-request";
import { createTextResponse } from "../responses/responses";
import { PLAIN } from "./text-responses";

/** Returns true if a URL is the MCP endpoint of a site. */
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
