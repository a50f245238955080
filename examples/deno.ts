// The documentation API on Deno, with data in LevelDB, which is native code:
// `ADMIN_TOKEN=… SECRET=… deno serve --port 3000 --allow-env --allow-sys --allow-ffi --allow-read --allow-write examples/deno.ts`

import process from "node:process";
import { createDocsApi } from "octavo";
import { levelStorage } from "octavo/level";

const { ADMIN_TOKEN: token, SECRET: secret, DATA_DIR: dataDir = "./data", ORIGIN: origin } = process.env;
const api = createDocsApi(levelStorage(dataDir), { ...(origin ? { origin } : {}), ...(secret ? { secret } : {}) });

// Creates a user with this token, who can create organizations. Later starts reuse the user.
if (token) {
  const user = { displayName: "Admin", email: "admin@localhost.localdomain" };
  await api.provision({ user, token: { label: "First start", value: token } });
}

// Run background work: the library has no timers.
setInterval(() => void api.maintain().catch(console.error), 60_000);

for (const signal of ["SIGTERM", "SIGINT"]) {
  process.once(signal, () => void api.close().then(() => process.exit()));
}

// `api.fetch` accepts only the request, while Deno passes further arguments.
export default { fetch: (request: Request) => api.fetch(request) };
