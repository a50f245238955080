// The documentation API inside a Fastify application.

import Fastify from "fastify";
import { nodeHandler } from "octavo/node";
import { docs } from "./docs";

const app = Fastify();
const handler = nodeHandler(await docs());

app.get("/", async () => "The application itself.");

// In a separate scope: the API reads bodies itself, and the rest of the application parses them as usual.
app.register(async (scope) => {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
  scope.all("/docs-api/*", (request, reply) => {
    reply.hijack();
    handler(request.raw, reply.raw);
  });
});

await app.listen({ port: Number(process.env.PORT || 3000), host: "127.0.0.1" });
