// The URLs in answers.

/** Absolute URLs on the configured origins; a path begins with a slash. */
export interface Urls {
  api(path: string): string;
  app(path: string): string;
  /** The URL under which sites without a host of their own are published. */
  site(path: string): string;
}
