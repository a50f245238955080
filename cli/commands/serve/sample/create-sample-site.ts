// Creates the sample site from the folder `examples/sample`: its spaces are books that are imported as `octavo import` does it, with
// a specification, an integration and a customization. The site is public.

import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { DocsApi, Resources } from "octavo";
import { type ApiConnection, createConnection } from "../../../connection/connection";
import { createDirectTransport } from "../../../connection/direct-transport";
import { copyContent } from "../../../content/copy-content";
import { archiveFolder } from "../../../content/folder";
import { flattenPageTree } from "../../../content/page-tree";
import { readBookContent } from "../../../content/scratch-space";
import { CommandError } from "../../../framework/command";
import { readManifest } from "../../publish-integration";

/** The description of a sample, `site.json`. Spaces are named by their folders. */
interface SampleSite {
  readonly title: string;
  /** The name of a specification, and its file. */
  readonly specification: { readonly slug: string; readonly file: string };
  /** The folder of an integration. */
  readonly integration: string;
  /** The spaces, each after those that its pages link to. */
  readonly spaces: readonly {
    readonly folder: string;
    readonly title: string;
    /** The language of the pages, and of the texts of the site around them. */
    readonly language: Resources.SiteCustomization["internationalization"]["locale"];
  }[];
  readonly sections: readonly { readonly title: string; readonly spaces: readonly string[] }[];
  /** Paths of images stand for the images, and folders of spaces and paths of pages for their ids. */
  readonly customization: Resources.CustomizationChanges;
}

/** A space with the ids of its pages by path. */
interface SampleSpace {
  readonly id: string;
  readonly pages: ReadonlyMap<string, string>;
}

/** Creates the site on behalf of a user, and returns its URL. */
export async function createSampleSite(api: DocsApi, organizationId: string, user: string): Promise<string> {
  const folder = findSampleFolder();
  const site = JSON.parse(await readFile(join(folder, "site.json"), "utf8"), (_, value) => {
    if (typeof value !== "string" || !value.startsWith("./")) return value;
    // The path of an SVG becomes a URL that contains it.
    return `data:image/svg+xml;base64,${readFileSync(join(folder, value)).toString("base64")}`;
  }) as SampleSite;
  const connection = createConnection(await createDirectTransport(api, user), new AbortController().signal);

  // A caller that finds the name of the specification taken gets the error of the API.
  const { slug, file } = site.specification;
  const source = { text: await readFile(join(folder, file), "utf8") };
  await api.call("createOpenApiSpec", { params: { organizationId }, body: { slug, source } }, { user });
  const specificationParams = { organizationId, specSlug: slug };
  await api.call("updateOpenApiSpec", { params: specificationParams, body: { visibility: "public" } }, { user });

  const { name: integrationName, ...fields } = await readManifest(join(folder, site.integration));
  const integrationBody = { ...fields, organization: organizationId };
  await connection.ask("publishIntegration", { params: { integrationName }, body: integrationBody });
  const { id: installationId } = await connection.ask("installIntegration", {
    params: { integrationName },
    body: { organization: organizationId },
  });
  await connection.ask("updateInstallation", {
    params: { integrationName, installationId },
    body: { space_selection: "all", site_selection: "all" },
  });

  const spaces = new Map<string, SampleSpace>();
  for (const space of site.spaces)
    spaces.set(space.folder, await createSpace(connection, organizationId, folder, space, spaces));

  const body = { title: site.title, visibility: "public" } as const;
  const { id: siteId } = await connection.ask("createSite", { params: { organizationId }, body });
  const params = { organizationId, siteId };
  for (const { title, spaces: folders } of site.sections) {
    const [spaceId, ...others] = folders.map((name) => spaces.get(name)!.id);
    const section = await connection.ask("createSiteSection", { params, body: { title, spaceId: spaceId! } });
    for (const other of others)
      await connection.ask("createSiteSpace", { params, body: { spaceId: other, sectionId: section.id } });
  }
  for (const siteSpace of (await connection.ask("listSiteSpaces", { params })).items) {
    const { language } = site.spaces.find(({ folder }) => spaces.get(folder)!.id === siteSpace.space.id)!;
    await connection.ask("updateSiteSpaceCustomization", {
      params: { ...params, siteSpaceId: siteSpace.id },
      body: { internationalization: { locale: language } },
    });
  }
  // Members that are undefined, such as the page of a link to a space, are left out.
  const customization = JSON.stringify(site.customization, (_, value) => {
    const space = value !== null && typeof value === "object" ? spaces.get(value.space) : undefined;
    return space ? { ...value, space: space.id, page: space.pages.get(value.page) } : value;
  });
  await connection.ask("setSiteCustomization", { params, body: JSON.parse(customization) });
  const { urls } = await connection.ask("publishSite", { params });
  return urls.published!;
}

/** Returns the folder of the sample. It is above the source and above the built program. */
function findSampleFolder(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const sample = join(folder, "examples/sample");
    if (existsSync(join(sample, "site.json"))) return sample;
    if (folder === dirname(folder)) throw new CommandError("This installation has no folder examples/sample.");
  }
}

/** Creates a space with the book of a folder. Links to the folders of other spaces become links to their pages. */
async function createSpace(
  connection: ApiConnection,
  organizationId: string,
  sampleFolder: string,
  { folder, title, language }: SampleSite["spaces"][number],
  others: ReadonlyMap<string, SampleSpace>,
): Promise<SampleSpace> {
  const { bytes } = await archiveFolder(join(sampleFolder, folder));
  const file = { name: `${folder}.zip`, bytes, contentType: "application/zip" };
  const { content } = await readBookContent(new AbortController().signal, "zip", file);
  const linkSpaces = (text: string) =>
    text.replace(/(?<=[("])(?:\.\.\/)+([\w-]+)\/([\w/-]+)\.md(?=[)"#])/g, (href, name: string, path: string) => {
      const page = others.get(name)?.pages.get(path);
      return page === undefined ? href : `/spaces/${others.get(name)!.id}/pages/${page}`;
    });
  const linked = { ...content, readPage: async (page: string) => linkSpaces(await content.readPage(page)) };
  const params = { organizationId };
  const { id } = await connection.ask("createSpace", { params, body: { title, language } });
  const terminal = { print() {}, tell() {}, progress: () => ({ at() {}, end() {} }) };
  await copyContent(linked, connection, id, "First version", terminal);
  const { pages } = await connection.ask("getContent", { params: { spaceId: id } });
  const ids = flattenPageTree(pages).map((page) => [page.path, page.id] as const);
  return { id, pages: new Map(ids) };
}
