// The same with `mount`. The API expects the full path, so pass the request unchanged.

import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { docs } from "./docs";

const api = await docs();
const app = new Hono();
app.get("/", (context) => context.text("The application itself."));
app.mount("/docs-api", (request) => api.fetch(request), { replaceRequest: false });

serve({ fetch: app.fetch, port: Number(process.env.PORT || 3000), hostname: "127.0.0.1" });
