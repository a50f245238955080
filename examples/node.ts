// The documentation API inside your own server on node:http, with data in LevelDB. Copy what you need. A server without other
// features needs no code: `npx octavo serve`.

import { createServer } from "node:http";
import { createDocsApi } from "octavo";
import { levelStorage } from "octavo/level";
import { guardedFetch, nodeHandler, prepareDrain } from "octavo/node";

const { ADMIN_TOKEN: token, SECRET: secret, DATA_DIR: dataDir = "./data", PORT: port = "3000" } = process.env;

const api = createDocsApi(levelStorage(dataDir), {
  origin: `http://127.0.0.1:${port}`,
  fetch: guardedFetch(),
  // The process keeps running, so work that waits for other hosts can continue after the response.
  waitUntil: () => {},
  ...(secret ? { secret } : {}),
});

// Creates a user with this token, who can create organizations. Later starts reuse the user.
if (token) {
  const user = { displayName: "Admin", email: "admin@localhost.localdomain" };
  await api.provision({ user, token: { label: "First start", value: token } });
}

const docs = nodeHandler(api);
const server = createServer((request, response) => {
  if (request.url?.startsWith("/v1")) docs(request, response);
  else response.end("The application itself.");
});
const drain = prepareDrain(server);
server.listen(Number(port), "127.0.0.1");

// Run background work: the library has no timers.
const maintenance = setInterval(() => void api.maintain().catch(console.error), 60_000);

for (const signal of ["SIGTERM", "SIGINT"]) {
  process.once(signal, () => {
    clearInterval(maintenance);
    api.endStreams();
    // Running requests are completed first.
    void drain().then(() => api.close());
  });
}
