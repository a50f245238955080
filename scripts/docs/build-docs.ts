// Builds the documentation of this project as a site of its own: the documents are imported as a book, `openapi.json` is its API
// reference, and the site is exported as files.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { zipSync } from "fflate";
import { createDocsApi } from "octavo";
import { memoryStorage } from "octavo/memory";
import { exportSite } from "octavo/site";
import { formatTagTitle } from "../../src/openapi/reference/pages/reference";
import { collectDocuments } from "./collect-documents";

const root = fileURLToPath(new URL("../..", import.meta.url));

const API_INTRODUCTION = `This is the reference of version {version}. The base URL of every operation is that of your server, such as \`http://127.0.0.1:3000/v1\`. A running server has the reference of its own version at \`/v1/docs\`, with forms to try the operations, and the OpenAPI document at \`/v1/openapi.json\`.

\`\`\`sh
curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:3000/v1/user
\`\`\`
`;

export interface DocsOptions {
  /** The URL where the site will be. Default: unknown. */
  readonly url?: string;
  /** Adds a page for every operation of the API. Default: true. */
  readonly hasApi?: boolean;
}

export interface BuiltDocs {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly pages: number;
  /** The files that the import left out, with the reasons. */
  readonly leftOut: readonly { readonly resource: string; readonly reason: string }[];
}

/** Builds the site, and returns its files by path. */
export async function buildDocs({ url, hasApi = true }: DocsOptions = {}): Promise<BuiltDocs> {
  const { repository, version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const repositoryUrl = repository.url.replace(/^git\+/, "").replace(/\.git$/, "") as string;
  const archive = zipSync(Object.fromEntries(await collectDocuments(root, repositoryUrl)), { level: 0 });
  const api = createDocsApi(memoryStorage(), {
    origin: "https://docs.invalid",
    fetch: async () => new Response(new Uint8Array(archive), { headers: { "content-type": "application/zip" } }),
  });
  try {
    const { user, organization } = await api.provision({
      user: { displayName: "Octavo", email: "docs@docs.invalid" },
      organization: { title: "Octavo" },
    });
    const as = { user };
    const organizationParams = { organizationId: organization! };
    const createSpace = async (title: string) =>
      (await api.call("createSpace", { params: organizationParams, body: { title, language: "en" } }, as)).id;

    const spaceId = await createSpace("Documentation");
    const body = { source: "zip", url: "https://docs.invalid/docs.zip" } as const;
    const { revision: revisionId } = await api.call("importContent", { params: { spaceId }, body }, as);
    const report = await api.call("getImportReport", { params: { spaceId, revisionId } }, as);

    const site = { title: "Octavo", visibility: "public" } as const;
    const { id: siteId } = await api.call("createSite", { params: organizationParams, body: site }, as);
    const params = { ...organizationParams, siteId };
    await api.call("createSiteSection", { params, body: { spaceId, title: "Documentation" } }, as);
    if (hasApi) {
      const document = JSON.parse(await readFile(join(root, "openapi.json"), "utf8"));
      // Tags become pages, so their names become titles.
      for (const tag of document.tags) tag.name = formatTagTitle(tag.name);
      for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path as object)))
        operation.tags = operation.tags?.map(formatTagTitle);
      const source = { text: JSON.stringify(document) };
      await api.call("createOpenApiSpec", { params: organizationParams, body: { slug: "octavo", source } }, as);
      const specParams = { ...organizationParams, specSlug: "octavo" };
      await api.call("updateOpenApiSpec", { params: specParams, body: { visibility: "public" } }, as);
      const apiSpaceId = await createSpace("API");
      const computed = { type: "builtin:openapi", props: { spec: "octavo", models: false } };
      const changes = [
        {
          operation: "insert_page",
          title: "API reference",
          document: { markdown: API_INTRODUCTION.replace("{version}", version) },
        },
        { operation: "insert_page", type: "computed", title: "Operations", computed },
      ] as const;
      await api.call("changeContent", { params: { spaceId: apiSpaceId }, body: { changes: [...changes] } }, as);
      await api.call("createSiteSection", { params, body: { spaceId: apiSpaceId, title: "API" } }, as);
    }
    const link = (title: string, to: string) =>
      ({ title, to: { kind: "url", url: to }, style: "link", links: [] }) as const;
    const header = { links: [link(`Version ${version}`, `${repositoryUrl}/releases`), link("Source", repositoryUrl)] };
    const customization = {
      header,
      themes: { followsDevice: true },
      pdf: { enabled: false },
      feedback: { enabled: false },
      favicon: { emoji: "1f4d8" },
      styling: {
        primaryColor: { light: "#1d4ed8", dark: "#8ab4ff" },
        sidebar: { background: "default", list: "pill" },
      },
      socialPreview: { description: "Documentation for your product, on your own server." },
    } as const;
    await api.call("setSiteCustomization", { params, body: structuredClone(customization) as never }, as);
    await api.call("publishSite", { params }, as);

    const files = new Map<string, Uint8Array>();
    const write = (path: string, bytes: Uint8Array) => void files.set(path, bytes);
    const { pages } = await exportSite(api, siteId, write, url === undefined ? {} : { url });
    return { files, pages, leftOut: report.skipped };
  } finally {
    await api.close();
  }
}
