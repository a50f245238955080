// Sites: what they are made of, who sees them, and where they are found.

export * from "./managing";
