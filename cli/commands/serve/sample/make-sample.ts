// Makes the sample site: four spaces in two sections, with blocks of every kind, a specification, a drawing and an
// integration, published to everybody.

import { Buffer } from "node:buffer";
import type { DocsApi, Resources } from "octavo";
import { omitUndefined } from "../../../../src/utils/objects";
import { files } from "./files";
import { blocks, DIMMER, script } from "./integration";
import { german, groups, older, reference, reusable, type SamplePage, welcome } from "./pages";
import { specification } from "./specification";

/** The device decides between light and dark, and readers may say what they think of a page. */
const look: Resources.CustomizationChanges = {
  themes: { followsDevice: true },
  feedback: { enabled: true },
  header: {
    links: [{ title: "Interface", to: { kind: "url", url: "https://www.openapis.org/" }, style: "link", links: [] }],
  },
  footer: {
    copyright: "Made by the first start of the server",
    groups: [{ title: "Formats", links: [{ title: "Markdown", to: { kind: "url", url: "https://commonmark.org/" } }] }],
  },
};

type Change = Resources.ChangeBatch["changes"][number];

/** Makes the site as a user of an organization, and gives its address. */
export async function makeSample(api: DocsApi, organization: string, user: string): Promise<string> {
  const as = { user };
  const inOrganization = { organizationId: organization };
  const spaceOf = async (title: string, changes: readonly Change[], more: object = {}) => {
    const space = await api.call("createSpace", { params: inOrganization, body: { title, ...more } }, as);
    await api.call("changeContent", { params: { spaceId: space.id }, body: { changes: [...changes] } }, as);
    return space.id;
  };

  await api.call(
    "createOpenApiSpec",
    { params: inOrganization, body: { slug: "lamps", source: { text: JSON.stringify(specification) } } },
    as,
  );
  const atSpec = { ...inOrganization, specSlug: "lamps" };
  await api.call("updateOpenApiSpec", { params: atSpec, body: { visibility: "public" } }, as);

  const dimmer = { integrationName: DIMMER };
  const about = { title: "Dimmer", description: "A block of the sample site.", organization, blocks, script };
  await api.call("publishIntegration", { params: dimmer, body: about }, as);
  const { id: installationId } = await api.call("installIntegration", { params: dimmer, body: { organization } }, as);
  await api.call(
    "updateInstallation",
    { params: { ...dimmer, installationId }, body: { space_selection: "all", site_selection: "all" } },
    as,
  );

  const guide = await spaceOf("Guide", guideChanges());
  const first = await spaceOf(
    "Guide, first version",
    older.map((page) => pageChange(page)),
  );
  const inGerman = await spaceOf(
    "Leitfaden",
    german.map((page) => pageChange(page)),
    { language: "de" },
  );
  const lamps = await spaceOf(
    "API",
    reference.map((page) => pageChange(page)),
  );

  const site = await api.call(
    "createSite",
    { params: inOrganization, body: { title: "Sample", visibility: "public" } },
    as,
  );
  const atSite = { ...inOrganization, siteId: site.id };
  const sectionOf = (spaceId: string, title: string) =>
    api.call("createSiteSection", { params: atSite, body: { spaceId, title } }, as);
  const guides = await sectionOf(guide, "Guide");
  await sectionOf(lamps, "API");
  for (const spaceId of [first, inGerman])
    await api.call("createSiteSpace", { params: atSite, body: { spaceId, sectionId: guides.id } }, as);
  await api.call("setSiteCustomization", { params: atSite, body: look }, as);
  const { urls } = await api.call("publishSite", { params: atSite }, as);
  return urls.published!;
}

function pageChange({ markdown, ...page }: SamplePage, into?: string): Change {
  return { operation: "insert_page", ...page, document: { markdown }, ...omitUndefined({ into }) };
}

/** The guide: its files first, because pages name them. */
function guideChanges(): Change[] {
  return [
    {
      operation: "insert_files",
      files: files.map(({ text, ...file }) => ({ ...file, base64: Buffer.from(text).toString("base64") })),
    },
    { operation: "set_variables", variables: { version: "2.0" } },
    { operation: "insert_reusable_content", title: reusable.title, document: { markdown: reusable.markdown } },
    pageChange(welcome),
    ...groups.flatMap(({ ref, title, pages }): Change[] => [
      { operation: "insert_group", ref, title },
      ...pages.map((page) => pageChange(page, ref)),
    ]),
  ];
}
