// Creates the sample site: four spaces in two sections, with blocks of every kind, a specification, a drawing and an
// integration. The site is public.

import { Buffer } from "node:buffer";
import type { DocsApi, Resources } from "octavo";
import { omitUndefined } from "../../../../src/utils/objects";
import { files } from "./files";
import { blocks, DIMMER, script } from "./integration";
import { german, groups, older, reference, reusable, type SamplePage, welcome } from "./pages";
import specification from "./specification.json";

/** The theme follows the device, and readers can give feedback. */
const customization: Resources.CustomizationChanges = {
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

type SampleChange = Resources.ChangeBatch["changes"][number];

/** Creates the site on behalf of a user, and returns its URL. */
export async function createSampleSite(api: DocsApi, organization: string, user: string): Promise<string> {
  const as = { user };
  const organizationParams = { organizationId: organization };
  const createSpace = async (title: string, changes: readonly SampleChange[], fields: object = {}) => {
    const space = await api.call("createSpace", { params: organizationParams, body: { title, ...fields } }, as);
    await api.call("changeContent", { params: { spaceId: space.id }, body: { changes: [...changes] } }, as);
    return space.id;
  };

  await api.call(
    "createOpenApiSpec",
    { params: organizationParams, body: { slug: "lamps", source: { text: JSON.stringify(specification) } } },
    as,
  );
  const specParams = { ...organizationParams, specSlug: "lamps" };
  await api.call("updateOpenApiSpec", { params: specParams, body: { visibility: "public" } }, as);

  const dimmerParams = { integrationName: DIMMER };
  const definition = { title: "Dimmer", description: "A block of the sample site.", organization, blocks, script };
  await api.call("publishIntegration", { params: dimmerParams, body: definition }, as);
  const { id: installationId } = await api.call(
    "installIntegration",
    { params: dimmerParams, body: { organization } },
    as,
  );
  await api.call(
    "updateInstallation",
    { params: { ...dimmerParams, installationId }, body: { space_selection: "all", site_selection: "all" } },
    as,
  );

  const guide = await createSpace("Guide", [
    // The files come first, because pages refer to them.
    {
      operation: "insert_files",
      files: files.map(({ text, ...file }) => ({ ...file, base64: Buffer.from(text).toString("base64") })),
    },
    { operation: "set_variables", variables: { version: "2.0" } },
    { operation: "insert_reusable_content", title: reusable.title, document: { markdown: reusable.markdown } },
    toPageInsertion(welcome),
    ...groups.flatMap(({ ref, title, pages }): SampleChange[] => [
      { operation: "insert_group", ref, title },
      ...pages.map((page) => toPageInsertion(page, ref)),
    ]),
  ]);
  const oldGuide = await createSpace(
    "Guide, first version",
    older.map((page) => toPageInsertion(page)),
  );
  const germanGuide = await createSpace(
    "Leitfaden",
    german.map((page) => toPageInsertion(page)),
    { language: "de" },
  );
  const lamps = await createSpace(
    "API",
    reference.map((page) => toPageInsertion(page)),
  );

  const site = await api.call(
    "createSite",
    { params: organizationParams, body: { title: "Sample", visibility: "public" } },
    as,
  );
  const siteParams = { ...organizationParams, siteId: site.id };
  const createSection = (spaceId: string, title: string) =>
    api.call("createSiteSection", { params: siteParams, body: { spaceId, title } }, as);
  const guides = await createSection(guide, "Guide");
  await createSection(lamps, "API");
  for (const spaceId of [oldGuide, germanGuide])
    await api.call("createSiteSpace", { params: siteParams, body: { spaceId, sectionId: guides.id } }, as);
  await api.call("setSiteCustomization", { params: siteParams, body: customization }, as);
  const { urls } = await api.call("publishSite", { params: siteParams }, as);
  return urls.published!;
}

function toPageInsertion({ markdown, ...page }: SamplePage, into?: string): SampleChange {
  return { operation: "insert_page", ...page, document: { markdown }, ...omitUndefined({ into }) };
}
