// The operations without a caller: information about the service, signed URLs, public content, and the endpoints of
// integrations.

export const openNames: ReadonlySet<string> = new Set([
  "getService",
  "getOpenApi",
  "getHealth",
  "getReadiness",
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
