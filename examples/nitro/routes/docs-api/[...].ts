// Every request below /docs-api.

import { defineHandler } from "nitro/h3";
import { docs } from "../../docs";

export default defineHandler(async (event) => (await docs()).fetch(event.req));
