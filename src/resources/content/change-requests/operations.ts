// Change requests: creating, editing, reviewing, updating and merging.

export * from "./change-content";
export * from "./change-request-operations";
export * from "./list-in-organization";
export * from "./merge";
export * from "./read-content";
export * from "./reviews";
