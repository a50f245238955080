// The content of spaces: reading it, writing it, its links, its files and its history.

export * from "./change-content";
export * from "./compute-content";
export * from "./download-file";
export * from "./get-document";
export * from "./history";
export * from "./links";
export * from "./print/pdf";
export * from "./read-content";
