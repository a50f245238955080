// The documentation API inside a Koa application.

import Koa from "koa";
import { nodeHandler } from "octavo/node";
import { docs } from "./docs";

const app = new Koa();
const handler = nodeHandler(await docs());

// Register it before any middleware that reads bodies.
app.use((context, next) => {
  if (!context.path.startsWith("/docs-api/")) return next();
  context.respond = false;
  handler(context.req, context.res);
});
app.use((context) => {
  context.body = "The application itself.";
});

app.listen(Number(process.env.PORT || 3000), "127.0.0.1");
