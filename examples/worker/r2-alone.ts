// The documentation API in a Cloudflare Worker with only a bucket, for few writes: R2 accepts about one a second in an
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

// A storage combines waiting writes, but in a Worker a request must not wait for something that another request started, or it
// is stopped as hung. Every request therefore has its own storage, which is cheap to create, and the bucket orders their writes.
// Work after the response (merging) is left to the timer, because a request ends with its response. A Worker can't compile
// WebAssembly at run time, so the engine for integration scripts is passed in.
function open({ BUCKET, ORIGIN, SECRET }: Env): DocsApi {
  return createDocsApi(r2Storage(BUCKET, { autoMerge: false }), {
    origin: ORIGIN,
    secret: SECRET,
    sandbox: { engine },
  });
}

// Once per isolate is enough, and running twice is harmless.
let isProvisioned = false;

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const api = open(env);
    if (env.ADMIN_TOKEN && !isProvisioned) {
      // Creates a user with this token, who can create organizations.
      const user = { displayName: "Admin", email: "admin@localhost.localdomain" };
      await api.provision({ user, token: { label: "First start", value: env.ADMIN_TOKEN } });
      isProvisioned = true;
    }
    return api.fetch(request);
  },

  // Run background work: the library has no timers. A Worker has limited run time, so each call processes a part of the work,
  // and the next one continues after it.
  async scheduled(_event: unknown, env: Env): Promise<void> {
    await open(env).maintain({ partitions: 20 });
  },
};
