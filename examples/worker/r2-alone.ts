// The documentation API in a Cloudflare Worker with nothing but a bucket, for few writes: R2 takes about one a second in an
// organization. `wrangler deploy --config r2-alone.json`; SECRET (at least 32 characters) and ADMIN_TOKEN come from
// `wrangler secret put`.

import { createDocsApi, type DocsApi } from "octavo";
import { r2Storage } from "octavo/r2";
import engine from "octavo/sandbox.wasm";

interface Env {
  readonly BUCKET: Parameters<typeof r2Storage>[0];
  readonly ORIGIN: string;
  readonly SECRET: string;
  readonly ADMIN_TOKEN?: string;
}

// A storage joins the writes that wait, and a Worker must not wait in one request for what another has begun: it is
// stopped as hung. So every request has a storage of its own; it is cheap to make, and the bucket keeps them in order.
// What may go on after the answer (merging) is left to the timer, since a request ends with its answer. A Worker compiles
// nothing while it runs, so the engine for the scripts of integrations is handed in.
function open({ BUCKET, ORIGIN, SECRET }: Env): DocsApi {
  return createDocsApi(r2Storage(BUCKET, { autoMerge: false }), {
    origin: ORIGIN,
    secret: SECRET,
    sandbox: { engine },
  });
}

// Once for each isolate is enough, and twice does no harm.
let isProvisioned = false;

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const api = open(env);
    if (env.ADMIN_TOKEN && !isProvisioned) {
      // A user who has this token and may found organizations.
      const user = { displayName: "Admin", email: "admin@localhost.localdomain" };
      await api.provision({ user, token: { label: "First start", value: env.ADMIN_TOKEN } });
      isProvisioned = true;
    }
    return api.fetch(request);
  },

  // The work that waits: the library has no timers of its own. A Worker may do only so much at once, so this takes a piece,
  // and the next call goes on behind it.
  async scheduled(_event: unknown, env: Env): Promise<void> {
    await open(env).maintain({ partitions: 20 });
  },
};
