// An API with an admin on a server of this machine, for tests with a browser.

import type { RequestListener } from "node:http";
import { createDocsApi, type DocsApi, type DocsApiOptions } from "octavo";
import { memoryStorage } from "octavo/memory";
import { nodeHandler } from "octavo/node";
import { createSite, type Site, type SiteOptions } from "octavo/site";
import { host } from "../support/listening";

export type Served = Awaited<ReturnType<typeof serve>>;

/** Serves the sites of an API. */
export function serve(siteOptions: SiteOptions = {}, options: DocsApiOptions = {}) {
  return serveApi(options, (api) => createSite(api, siteOptions));
}

/** Serves what is made of an API. */
export async function serveApi(options: DocsApiOptions, makeSite: (api: DocsApi) => Site) {
  let handle: RequestListener;
  const { origin, close } = await host((request, response) => handle(request, response));
  const api = createDocsApi(memoryStorage(), { origin, secret: "the secret of the stage, long enough", ...options });
  const { user, organization, token } = await api.provision({
    user: { displayName: "Ada", email: "ada@example.com" },
    organization: { title: "Letters" },
    token: { label: "stage" },
  });
  handle = nodeHandler(makeSite(api));
  return {
    ...{ api, origin, user, organization: organization!, token: token! },
    /** Asks the API as its admin; `route` is a method and a path. What is refused is an error. */
    async ask(route: string, send?: unknown) {
      const [method = "", path] = route.split(" ");
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const body = send === undefined ? null : JSON.stringify(send);
      const response = await fetch(origin + path, { method, headers, body });
      const text = await response.text();
      if (!response.ok) throw new Error(`${route}: ${response.status} ${text}`);
      return text === "" ? undefined : JSON.parse(text);
    },
    async close() {
      await close();
      await api.close();
    },
  };
}
