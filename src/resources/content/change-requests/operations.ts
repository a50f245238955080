// Change requests: proposed, written, reviewed, brought up to date and merged.

export * from "./change-content";
export * from "./life";
export * from "./merge";
export * from "./read-content";
export * from "./reviews";
