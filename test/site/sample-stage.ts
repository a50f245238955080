// The sample site on a server of its own, for tests with a browser.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createDocsApi, type DocsApi } from "octavo";
import { memoryStorage } from "octavo/memory";
import { nodeHandler } from "octavo/node";
import { createSite, type SiteOptions } from "octavo/site";
import { makeSample } from "../../cli/serve/sample/make";

/** Pages of every kind. */
export const samplePaths = [
  "",
  "/write/text",
  "/write/blocks",
  "/write/code",
  "/write/tables",
  "/write/images-and-files",
  "/write/formulas-and-diagrams",
  "/read/variables",
  "/read/updates",
  "/api",
  "/guide/guide-first-version",
  "/~octavo/search?q=lamp",
  "/nothing/here",
];

export interface SampleStage {
  readonly api: DocsApi;
  readonly user: string;
  readonly organization: string;
  readonly origin: string;
  /** The address of the site. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

export async function sampleStage(options: SiteOptions = {}): Promise<SampleStage> {
  let handle: Parameters<typeof createServer>[1];
  const server = createServer((request, response) => handle!(request, response as never));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const api = createDocsApi(memoryStorage(), { origin, secret: "the secret of the sample, long enough" });
  const { user, organization } = await api.provision({
    user: { displayName: "Ada", email: "ada@example.com" },
    organization: { title: "Letters" },
  });
  handle = nodeHandler(createSite(api, options)) as never;
  return {
    api,
    user,
    organization: organization!,
    origin,
    url: await makeSample(api, organization!, user),
    async close() {
      server.closeAllConnections();
      server.close();
      await api.close();
    },
  };
}
