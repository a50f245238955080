// Sites: what they are made of, who sees them, and where they are found.

export * from "./adaptive";
export * from "./customizing";
export * from "./managing";
export * from "./publishing";
export * from "./publishing-auth";
export * from "./redirecting";
export * from "./resolving";
export * from "./searching";
export * from "./section-groups";
export * from "./sections";
export * from "./share-links";
export * from "./site-spaces";
export * from "./sorting";
export * from "./view-events";
export * from "./visiting";
export * from "./visitor-logins";
