// A published site with pages of given texts, opened as a browser opens it.

import type { DocsApiOptions } from "octavo";
import { memoryStorage } from "octavo/memory";
import { createSite, type SiteOptions } from "octavo/site";
import { showSpace } from "../resources/integrations/installed";
import { type Setting, setUp } from "../support/setting";

export type Opened = Awaited<ReturnType<typeof openSite>>;

export async function openSite(
  options: DocsApiOptions = {},
  siteOptions: SiteOptions = {},
  prepare: (setting: Setting) => Promise<void> = async () => {},
) {
  const setting = await setUp(memoryStorage(), options);
  await prepare(setting);
  const { ask, api } = setting;
  const { space, at } = await showSpace(setting, { visibility: "public" });
  const { urls } = (await ask("admin", `GET ${at}`)).body as { urls: { published: string } };
  const site = createSite(api, siteOptions);
  const url = urls.published.replace(/\/$/, "");
  const get = (path: string, init?: RequestInit) =>
    site.fetch(new Request(`${url}/${path}`, { redirect: "manual", ...init }));
  return {
    ...setting,
    /** The address of the site, without a slash at its end. */
    url,
    /** The bytes at a path of the site. */
    bytes: async (path: string) => new Uint8Array(await (await get(path)).arrayBuffer()),
    /** Opens a path of the site. */
    async open(path: string, init?: RequestInit) {
      const response = await get(path, init);
      return { status: response.status, headers: response.headers, text: await response.text() };
    },
    /** Adds a page, and gives its path. */
    async write(title: string, markdown: string) {
      const change = { operation: "insert_page", title, document: { markdown } };
      const done = await ask("admin", `POST /v1/spaces/${space}/content`, { changes: [change] });
      if (done.status !== 200) throw new Error(JSON.stringify(done.body));
      return title.toLowerCase();
    },
  };
}

/** What would run in a page besides scripts that are loaded: scripts inside of it, handlers, and addresses that run. */
export function runningIn(text: string): string[] {
  // The empty sign of a site without one.
  const addresses =
    text
      .replace('<link rel="icon" href="data:,">', "")
      .match(/\s(?:href|src|action|formaction)="\s*(?:javascript|vbscript|data):[^"]*"/gi) ?? [];
  // Values of attributes are none of it: no quote of an author comes into one.
  const bare = text.replaceAll(/"[^"]*"/g, '""');
  return [...addresses, ...(bare.match(/<script>|<[a-z][^<>]*\son\w+=/gi) ?? [])];
}
