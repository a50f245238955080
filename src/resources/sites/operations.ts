// Sites: what they are made of, who sees them, and where they are found.

export * from "./managing";
export * from "./section-groups";
export * from "./sections";
export * from "./site-spaces";
export * from "./sorting";
