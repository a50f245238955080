// Every request below /docs-api. `BODY_SIZE_LIMIT` of the Node adapter is the largest body: 512 KB unless it is set.

import { docs } from "$lib/docs";
import type { RequestHandler } from "./$types";

export const fallback: RequestHandler = async ({ request }) => (await docs()).fetch(request);
