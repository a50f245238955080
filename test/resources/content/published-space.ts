// A published space whose pages somebody without a token reads in every form: for what is measured on the way to readers.

import { createSite } from "octavo/site";
import type { Setting } from "../../support/setting";

/** How readers get a page. */
export type Form = "site" | "markdown" | "llms" | "pdf" | "document";

export type PublishedSpace = Awaited<ReturnType<typeof publishSpace>>;

/** Asks the API, and throws for any other status than the expected one. */
export async function succeed(setting: Setting, status: number, ...asked: Parameters<Setting["ask"]>) {
  const answer = await setting.ask(...asked);
  if (answer.status !== status) throw new Error(`${asked[1]}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Makes a space that `fill` writes, and publishes it on a site for everybody. */
export async function publishSpace(setting: Setting, fill: (space: string) => Promise<void>) {
  const { org } = setting;
  const space: string = (await succeed(setting, 201, "admin", `POST /v1/orgs/${org}/spaces`, { title: "Guide" })).id;
  await fill(space);
  const sites = `/v1/orgs/${org}/sites`;
  const send = { title: "Docs", visibility: "public", spaces: [space] };
  const at = `${sites}/${(await succeed(setting, 201, "admin", `POST ${sites}`, send)).id}`;
  const url: string = (await succeed(setting, 200, "admin", `POST ${at}/publish`)).urls.published;
  const siteSpace: string = (await succeed(setting, 200, "admin", `GET ${at}/site-spaces`)).items[0].id;
  /** In the order of reading. */
  const pages: { readonly id: string; readonly path: string }[] = (
    await succeed(setting, 200, "admin", `GET /v1/spaces/${space}/content/pages`)
  ).pages;
  return { space, url: url.replace(/\/$/, ""), at, siteSpace, site: createSite(setting.api), pages };
}

/** Reads a page in a form as somebody without a token does. */
export async function readPage(
  setting: Setting,
  { site, url, at, siteSpace, space }: PublishedSpace,
  form: Form,
  page: PublishedSpace["pages"][number],
): Promise<{ readonly status: number; readonly bytes: Uint8Array }> {
  const addresses: Readonly<Record<Form, () => string | Promise<string>>> = {
    site: () => `${url}/${page.path}`,
    markdown: () => `${url}/${page.path}.md`,
    llms: () => `${url}/llms-full.txt?from=${siteSpace}.${page.id}`,
    document: () => `http://test.invalid${at}/site-spaces/${siteSpace}/page/${page.id}?format=document`,
    pdf: async () => (await succeed(setting, 200, "read", `GET /v1/spaces/${space}/pdf?page=${page.id}&only=true`)).url,
  };
  const response = await site.fetch(new Request(await addresses[form]()));
  return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) };
}
