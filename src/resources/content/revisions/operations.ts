// The operations on the content of spaces: reads, writes, links, files and history.

export * from "./change-content";
export * from "./compute-content";
export * from "./download-file";
export * from "./get-document";
export * from "./history";
export * from "./links";
export * from "./print/pdf";
export * from "./read-content";
