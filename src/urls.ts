// Where things are found, as answers name it.

/** Absolute URLs on the configured origins; a path begins with a slash. */
export interface Urls {
  api(path: string): string;
  app(path: string): string;
  /** Under where sites are published that have no host of their own. */
  site(path: string): string;
}
