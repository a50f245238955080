// The documentation API inside a server of your own on node:http, with its data in LevelDB: copy what you need. A server that
// is nothing else needs no code: `npx octavo serve`.

import { createServer } from "node:http";
import { createDocsApi } from "octavo";
import { levelStorage } from "octavo/level";
import { guardedFetch, nodeHandler, prepareDrain } from "octavo/node";

const { ADMIN_TOKEN: token, SECRET: secret, DATA_DIR: dataDir = "./data", PORT: port = "3000" } = process.env;

const api = createDocsApi(levelStorage(dataDir), {
  origin: `http://127.0.0.1:${port}`,
  fetch: guardedFetch(),
  // The process stays, so work for other hosts goes on after the answer.
  waitUntil: () => {},
  ...(secret ? { secret } : {}),
});

// A user who has this token and may found organizations; the same one at every start.
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

// The work that waits: the library has no timers of its own.
const maintenance = setInterval(() => void api.maintain().catch(console.error), 60_000);

for (const signal of ["SIGTERM", "SIGINT"]) {
  process.once(signal, () => {
    clearInterval(maintenance);
    api.endStreams();
    // Requests under way are answered first.
    void drain().then(() => api.close());
  });
}
