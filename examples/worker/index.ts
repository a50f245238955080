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

/** What may go on after an answer. */
type WaitUntil = (work: Promise<unknown>) => void;

// A Worker must not wait in one request for what another has begun. So every request has a storage and an API of its own,
// which are cheap to make. A Worker compiles nothing while it runs, so the engine for the scripts of integrations is
// handed in.
function open({ OBJECTS, BUCKET, ORIGIN, SECRET }: Env, waitUntil: WaitUntil) {
  const storage = durableObjectStorage(OBJECTS, { blobs: r2Blobs(BUCKET) });
  const onDue = (when: Date) => waitUntil(storage.wake(when).catch(console.error));
  const api = createDocsApi(storage, { origin: ORIGIN, secret: SECRET, sandbox: { engine }, onDue });
  return { api, storage };
}

// The work that waits is done when an alarm rings. A Worker may do only so much at once, so that is a piece of it, and the
// next alarm goes on behind it.
export const OctavoObject = durableObjectClass<Env>(DurableObject, {
  maintain: (env) => open(env, () => {}).api.maintain({ partitions: 50 }),
});

// Once for each isolate is enough, and twice does no harm.
let isStarted = false;

export default {
  async fetch(request: Request, env: Env, context: { waitUntil: WaitUntil }): Promise<Response> {
    const { api, storage } = open(env, (work) => context.waitUntil(work));
    if (!isStarted) {
      // A user who has this token and may found organizations.
      const user = { displayName: "Admin", email: "admin@localhost.localdomain" };
      if (env.ADMIN_TOKEN) await api.provision({ user, token: { label: "First start", value: env.ADMIN_TOKEN } });
      await storage.wake();
      isStarted = true;
    }
    return api.fetch(request);
  },
};
