// A published site with pages of given texts, opened as a browser opens it.

import type { DocsApiOptions } from "octavo";
import { memoryStorage } from "octavo/memory";
import { createSite, type SiteOptions } from "octavo/site";
import { showSpace } from "../resources/integrations/installed";
import { type Setting, setUp } from "../support/setting";

export interface Opened extends Setting {
  /** The address of the site, without a slash at its end. */
  readonly url: string;
  /** Opens a path of the site. */
  readonly open: (path: string, init?: RequestInit) => Promise<{ status: number; headers: Headers; text: string }>;
  /** The bytes at a path of the site. */
  readonly bytes: (path: string) => Promise<Uint8Array>;
  /** Adds a page, and gives its path. */
  readonly write: (title: string, markdown: string) => Promise<string>;
}

export async function openSite(
  options: DocsApiOptions = {},
  siteOptions: SiteOptions = {},
  prepare: (setting: Setting) => Promise<void> = async () => {},
): Promise<Opened> {
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
    url,
    bytes: async (path) => new Uint8Array(await (await get(path)).arrayBuffer()),
    async open(path, init) {
      const response = await get(path, init);
      return { status: response.status, headers: response.headers, text: await response.text() };
    },
    async write(title, markdown) {
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
