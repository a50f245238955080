// The documentation API in a Cloudflare Worker: each organization is a Durable Object, and large files are in R2.
// `wrangler.json` names both; SECRET (at least 32 characters) and ADMIN_TOKEN come from `wrangler secret put`.

import { DurableObject } from "cloudflare:workers";
import { createDocsApi } from "octavo";
import { durableObjectClass, durableObjectStorage } from "octavo/durable-objects";
import { r2Blobs } from "octavo/r2";
import engine from "octavo/sandbox.wasm";

interface Env {
  readonly OBJECTS: Parameters<typeof durableObjectStorage>[0];
  readonly BUCKET: Parameters<typeof r2Blobs>[0];
  readonly ORIGIN: string;
  readonly SECRET: string;
  readonly ADMIN_TOKEN?: string;
}

/** Work that can continue after a response. */
type WaitUntil = (work: Promise<unknown>) => void;

// In a Worker, a request must not wait for something that another request started. Every request therefore has its own storage
// and API, which are cheap to create. A Worker can't compile WebAssembly at run time, so the engine for integration scripts is
// passed in.
function open({ OBJECTS, BUCKET, ORIGIN, SECRET }: Env, waitUntil: WaitUntil) {
  const storage = durableObjectStorage(OBJECTS, { blobs: r2Blobs(BUCKET) });
  const onDue = (when: Date) => waitUntil(storage.wake(when).catch(console.error));
  const api = createDocsApi(storage, { origin: ORIGIN, secret: SECRET, sandbox: { engine }, onDue });
  return { api, storage };
}

// An alarm runs background work. A Worker has limited run time, so each alarm processes a part of the work, and the next one
// continues after it.
export const OctavoObject = durableObjectClass<Env>(DurableObject, {
  maintain: (env) => open(env, () => {}).api.maintain({ partitions: 50 }),
});

// Once per isolate is enough, and running twice is harmless.
let isStarted = false;

export default {
  async fetch(request: Request, env: Env, context: { waitUntil: WaitUntil }): Promise<Response> {
    const { api, storage } = open(env, (work) => context.waitUntil(work));
    if (!isStarted) {
      // Creates a user with this token, who can create organizations.
      const user = { displayName: "Admin", email: "admin@localhost.localdomain" };
      if (env.ADMIN_TOKEN) await api.provision({ user, token: { label: "First start", value: env.ADMIN_TOKEN } });
      await storage.wake();
      isStarted = true;
    }
    return api.fetch(request);
  },
};
