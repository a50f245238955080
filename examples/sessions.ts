// The documentation API for an application that identifies its users by a cookie. API tokens work as well.

import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { createDocsApi, type HostUser } from "octavo";
import { memoryStorage } from "octavo/memory";
import { nodeHandler } from "octavo/node";

// Your application's users and sessions.
const users: HostUser[] = [
  { id: "ada", displayName: "Ada", email: "ada@example.com" },
  { id: "grace", displayName: "Grace", email: "grace@example.com" },
];
const sessions = new Map<string, HostUser>();
const sessionIn = (cookies: string | null | undefined) => cookies?.match(/(?:^|;\s*)session=([\w-]+)/)?.[1] ?? "";

const api = createDocsApi(memoryStorage(), {
  basePath: "/docs-api",
  // Undefined: the caller isn't signed in, and the response is 401.
  authenticate: ({ headers }) => sessions.get(sessionIn(headers.get("cookie"))),
});
const answerDocs = nodeHandler(api);

/** Signs a user in. Replace it with your own method: a password, OAuth, SAML. */
function signIn(request: IncomingMessage): string | undefined {
  const user = users.find(({ id }) => request.url === `/login?user=${id}`);
  if (!user) return undefined;
  const session = randomUUID();
  sessions.set(session, user);
  // `SameSite` prevents other sites from sending requests as the signed-in user.
  return `session=${session}; HttpOnly; SameSite=Lax; Path=/${process.env.NODE_ENV === "production" ? "; Secure" : ""}`;
}

createServer((request, response) => {
  if (request.url?.startsWith("/docs-api/")) return answerDocs(request, response);
  const cookie = request.method === "POST" ? signIn(request) : undefined;
  if (cookie) response.setHeader("set-cookie", cookie);
  return void response.writeHead(cookie ? 204 : 404).end();
}).listen(Number(process.env.PORT || 3000), "127.0.0.1");
