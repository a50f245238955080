// The limits of imports from the web, and their defaults.

/** The limits of an import from the web. */
export interface WebLimits {
  /** The most pages that are taken. Default: 2,000. */
  readonly maxPages?: number;
  /** The most links from the first page to another. Default: 16. */
  readonly maxDepth?: number;
  /** The most URLs that are remembered. Default: 20,000. */
  readonly maxUrls?: number;
  /** The most bytes of a page. Default: 4 MB. */
  readonly maxPageBytes?: number;
  /** The most images and other files. Default: 2,000. */
  readonly maxFiles?: number;
  /** The most bytes of a file. Default: 10 MB. */
  readonly maxFileBytes?: number;
  /** The most bytes of everything. Default: 256 MB. */
  readonly maxBytes?: number;
  /** The longest time for everything. Default: five minutes. */
  readonly timeoutMs?: number;
  /** The longest time for one response. Default: 20 seconds. */
  readonly responseTimeoutMs?: number;
  /** The number of requests that run at once. Default: 4. */
  readonly concurrency?: number;
  /** The longest pause between two requests that a site may ask for. Default: 2 seconds. */
  readonly maxCrawlDelayMs?: number;
}

export const DEFAULT_LIMITS: Required<WebLimits> = {
  maxPages: 2000,
  maxDepth: 16,
  maxUrls: 20_000,
  maxPageBytes: 4_000_000,
  maxFiles: 2000,
  maxFileBytes: 10_000_000,
  maxBytes: 256_000_000,
  timeoutMs: 300_000,
  responseTimeoutMs: 20_000,
  concurrency: 4,
  maxCrawlDelayMs: 2000,
};
