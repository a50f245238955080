// The documentation API on Bun, with data in LevelDB: `ADMIN_TOKEN=… SECRET=… bun examples/bun.ts`. Bun serves the default
// export of a file if it has a `fetch`.

import { createDocsApi } from "octavo";
import { levelStorage } from "octavo/level";

const { ADMIN_TOKEN: token, SECRET: secret, DATA_DIR: dataDir = "./data", PORT: port = "3000" } = process.env;
const origin = `http://127.0.0.1:${port}`;
const api = createDocsApi(levelStorage(dataDir), { origin, ...(secret ? { secret } : {}) });

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

export default { hostname: "127.0.0.1", port: Number(port), fetch: api.fetch };
