// Change requests: proposed, written, reviewed, brought up to date and merged.

export * from "./life";
export * from "./merging";
export * from "./reading";
export * from "./reviewing";
export * from "./writing";
