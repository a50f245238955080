// An API with an admin for tests of commands: on a server over HTTP, or in a LevelDB directory that commands open themselves.

import { createServer } from "node:http";
import { join } from "node:path";
import { createDocsApi, type DocsApiOptions } from "octavo";
import { levelStorage } from "octavo/level";
import { memoryStorage } from "octavo/memory";
import { type NodeHandler, nodeHandler } from "octavo/node";
import { listen } from "../node/servers";
import { temporaryDirectory } from "./temporary";

const admin = { displayName: "Ada", email: "ada@example.com" };

/** A server with an organization; `env` is what a command needs to reach it as its admin. */
export async function served(
  options: DocsApiOptions = {},
  around: (handler: NodeHandler) => NodeHandler = (handler) => handler,
) {
  const api = createDocsApi(memoryStorage(), options);
  const { user, organization, token } = await api.provision({
    user: admin,
    organization: { title: "Acme" },
    token: { label: "first" },
  });
  const port = await listen(createServer(around(nodeHandler(api))));
  const env: Record<string, string> = { OCTAVO_URL: `http://127.0.0.1:${port}`, OCTAVO_TOKEN: token! };
  return { api, user, organization: organization!, port, env };
}

/** A LevelDB directory with an organization, which is filled and then closed. */
export async function stored<T>(
  fill: (api: ReturnType<typeof createDocsApi>, organization: string, user: string) => Promise<T>,
) {
  const data = join(await temporaryDirectory(), "data");
  const secret = "s".repeat(32);
  const api = createDocsApi(levelStorage(data), { secret });
  const { user, organization } = await api.provision({ user: admin, organization: { title: "Acme" } });
  const filled = await fill(api, organization!, user);
  await api.close();
  return {
    data,
    organization: organization!,
    filled,
    env: { DATA_DIR: data, SECRET: secret } as Record<string, string>,
  };
}
