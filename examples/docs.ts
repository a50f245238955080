// The API of a server, with data in LevelDB. The recipes for Node frameworks import it and serve it at /docs-api.

import { createDocsApi, type DocsApi } from "octavo";
import { levelStorage } from "octavo/level";
import { guardedFetch } from "octavo/node";

const { ADMIN_TOKEN: token, SECRET: secret, DATA_DIR: dataDir, ORIGIN: origin } = process.env;

/** The single API of this process. Next and Vite reload a changed file, but LevelDB can be opened only once. */
export function docs(): Promise<DocsApi> {
  const shared = globalThis as { docs?: Promise<DocsApi> };
  shared.docs ??= open();
  return shared.docs;
}

async function open(): Promise<DocsApi> {
  const api = createDocsApi(levelStorage(dataDir || "./data"), {
    origin: origin || "http://127.0.0.1:3000",
    basePath: "/docs-api",
    fetch: guardedFetch(),
    ...(secret ? { secret } : {}),
  });
  // Creates a user with this token, who can create organizations. Later starts reuse the user.
  if (token) {
    const user = { displayName: "Admin", email: "admin@localhost.localdomain" };
    await api.provision({ user, token: { label: "First start", value: token } });
  }
  // Run background work: the library has no timers.
  setInterval(() => void api.maintain().catch(console.error), 60_000).unref();
  return api;
}
