// An API with its sites on a server of this machine, for tests with a browser.

import type { RequestListener } from "node:http";
import { createDocsApi, type DocsApi, type DocsApiOptions } from "octavo";
import { memoryStorage } from "octavo/memory";
import { nodeHandler } from "octavo/node";
import { createSite, type SiteOptions } from "octavo/site";
import { host } from "../support/listening";

export interface Served {
  readonly api: DocsApi;
  readonly origin: string;
  readonly user: string;
  readonly organization: string;
  /** Asks the API as its admin; `route` is a method and a path. What is refused is an error. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape, and says itself what it expects.
  readonly ask: (route: string, send?: unknown) => Promise<any>;
  readonly close: () => Promise<void>;
}

export async function serve(siteOptions: SiteOptions = {}, options: DocsApiOptions = {}): Promise<Served> {
  let handle: RequestListener;
  const { origin, close } = await host((request, response) => handle(request, response));
  const secret = "the secret of the sample, long enough";
  const api = createDocsApi(memoryStorage(), { origin, secret, ...options });
  const { user, organization, token } = await api.provision({
    user: { displayName: "Ada", email: "ada@example.com" },
    organization: { title: "Letters" },
    token: { label: "stage" },
  });
  handle = nodeHandler(createSite(api, siteOptions));
  return {
    api,
    origin,
    user,
    organization: organization!,
    async ask(route, send) {
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
