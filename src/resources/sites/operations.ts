// The operations of sites: structure, audience, customization, addresses, insights and reading.

export * from "./addresses/custom-hostnames";
export * from "./addresses/preview-site";
export * from "./addresses/redirects";
export { resolvePublishedUrl } from "./addresses/resolve-published-url";
export * from "./audience/adaptive-schema";
export * from "./audience/publishing-auth";
export * from "./audience/share-links";
export * from "./audience/visitor-login";
export * from "./customization/customization-operations";
export * from "./customization/fonts";
export * from "./insights/aggregate-site-events";
export * from "./insights/report-site-events";
export * from "./manage-sites";
export * from "./reading/get-published-site";
export * from "./reading/published-pages";
export * from "./reading/report-site-view";
export { searchSite } from "./reading/search-site";
export * from "./site-grants";
export * from "./structure/external-links";
export * from "./structure/section-groups";
export * from "./structure/sections";
export * from "./structure/site-spaces";
export * from "./structure/site-structure";
