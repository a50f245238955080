// The documentation API on Bun, with its data in LevelDB: `ADMIN_TOKEN=… SECRET=… bun examples/bun.ts`. Bun serves what a
// file exports by default, when it has a `fetch`.

import { createDocsApi } from "octavo";
import { levelStorage } from "octavo/level";

const { ADMIN_TOKEN: token, SECRET: secret, DATA_DIR: dataDir = "./data", PORT: port = "3000" } = process.env;
const origin = `http://127.0.0.1:${port}`;
const api = createDocsApi(levelStorage(dataDir), { origin, ...(secret ? { secret } : {}) });

// A user who has this token and may found organizations; the same one at every start.
if (token) {
  const user = { displayName: "Admin", email: "admin@localhost.localdomain" };
  await api.provision({ user, token: { label: "First start", value: token } });
}

// The work that waits: the library has no timers of its own.
setInterval(() => void api.maintain().catch(console.error), 60_000);

for (const signal of ["SIGTERM", "SIGINT"]) {
  process.once(signal, () => void api.close().then(() => process.exit()));
}

export default { hostname: "127.0.0.1", port: Number(port), fetch: api.fetch };
