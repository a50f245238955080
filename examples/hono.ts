// The documentation API inside a Hono application, on Node. Elsewhere only the last line differs.

import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { docs } from "./docs";

const api = await docs();
const app = new Hono();
app.get("/", (context) => context.text("The application itself."));
app.all("/docs-api/*", (context) => api.fetch(context.req.raw));

serve({ fetch: app.fetch, port: Number(process.env.PORT || 3000), hostname: "127.0.0.1" });
