// The content of spaces: reading it, writing it, its links, its files and its history.

export * from "./downloading";
export * from "./history";
export * from "./linking";
export * from "./pdf";
export * from "./reading";
export * from "./writing";
