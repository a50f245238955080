// What needs no caller: what the service says of itself, what a signature opens, what is public, and where integrations are
// called.

export const openNames: ReadonlySet<string> = new Set([
  "getService",
  "getOpenApi",
  "downloadFile",
  "downloadPdf",
  "getPublishedSite",
  "searchSite",
  "listSiteSections",
  "listSiteSpaces",
  "listPublishedPages",
  "getPublishedPage",
  "getPublicOpenApiSpec",
  "getPublicOpenApiSpecContent",
  "getSiteRedirectTarget",
  "resolvePublishedUrl",
  "downloadIntegrationAsset",
  "fetchPublishedScript",
  "startVisitorLogin",
  "fetchFromIntegration",
  "postToIntegration",
  "putToIntegration",
  "patchAtIntegration",
  "deleteAtIntegration",
]);
