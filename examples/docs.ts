// The API of a server, with its data in LevelDB. The recipes for Node's frameworks import it and answer /docs-api with it.

import { createDocsApi, type DocsApi } from "octavo";
import { levelStorage } from "octavo/level";
import { guardedFetch } from "octavo/node";

const { ADMIN_TOKEN: token, SECRET: secret, DATA_DIR: dataDir, ORIGIN: origin } = process.env;

/** The one API of this process. Next and Vite load a file again when it changes, and LevelDB is opened only once. */
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
  // A user who has this token and may found organizations; the same one at every start.
  if (token) {
    const user = { displayName: "Admin", email: "admin@localhost.localdomain" };
    await api.provision({ user, token: { label: "First start", value: token } });
  }
  // The work that waits: the library has no timers of its own.
  setInterval(() => void api.maintain().catch(console.error), 60_000).unref();
  return api;
}
