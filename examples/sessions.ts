// The documentation API for the users of an application that knows them by a cookie. An API token works beside it.

import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { createDocsApi, type HostUser } from "octavo";
import { memoryStorage } from "octavo/memory";
import { nodeHandler } from "octavo/node";

// What the application has already: its users, and who is signed in.
const users: HostUser[] = [
  { id: "ada", displayName: "Ada", email: "ada@example.com" },
  { id: "grace", displayName: "Grace", email: "grace@example.com" },
];
const sessions = new Map<string, HostUser>();
const sessionIn = (cookies: string | null | undefined) => cookies?.match(/(?:^|;\s*)session=([\w-]+)/)?.[1] ?? "";

const api = createDocsApi(memoryStorage(), {
  basePath: "/docs-api",
  // Undefined: nobody is signed in, and the answer is 401.
  authenticate: ({ headers }) => sessions.get(sessionIn(headers.get("cookie"))),
});
const answerDocs = nodeHandler(api);

/** Signs somebody in. Your own way stands here: a password, OAuth, SAML. */
function signIn(request: IncomingMessage): string | undefined {
  const user = users.find(({ id }) => request.url === `/login?user=${id}`);
  if (!user) return undefined;
  const session = randomUUID();
  sessions.set(session, user);
  // `SameSite` keeps other sites from sending requests in the name of whoever is signed in.
  return `session=${session}; HttpOnly; SameSite=Lax; Path=/${process.env.NODE_ENV === "production" ? "; Secure" : ""}`;
}

createServer((request, response) => {
  if (request.url?.startsWith("/docs-api/")) return answerDocs(request, response);
  const cookie = request.method === "POST" ? signIn(request) : undefined;
  if (cookie) response.setHeader("set-cookie", cookie);
  return void response.writeHead(cookie ? 204 : 404).end();
}).listen(Number(process.env.PORT || 3000), "127.0.0.1");
