// The documentation API inside an Express application, for the application's own users.

import express from "express";
import { createDocsApi } from "octavo";
import { memoryStorage } from "octavo/memory";
import { guardedFetch, nodeHandler } from "octavo/node";

// Identify the caller in any way you like: a session, a cookie, a header that your proxy sets.
const people = new Map([["ada-session", { id: "ada", displayName: "Ada", email: "ada@example.com" }]]);

const port = Number(process.env.PORT || 3000);
const api = createDocsApi(memoryStorage(), {
  origin: `http://localhost:${port}`,
  basePath: "/docs-api",
  authenticate: ({ headers }) => people.get(headers.get("x-session") ?? ""),
  fetch: guardedFetch(),
});

const app = express();
app.use("/docs-api", nodeHandler(api));
app.get("/", (_request, response) => {
  response.send("The application itself.");
});
app.listen(port, "127.0.0.1", () => {
  console.log("Try:");
  console.log(`curl -H "X-Session: ada-session" http://127.0.0.1:${port}/docs-api/v1/user`);
});

// Run background work: the library has no timers.
setInterval(() => void api.maintain().catch(console.error), 60_000);
