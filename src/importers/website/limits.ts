// How much of the web an import reads.

/** The limits of an import from the web. */
export interface WebLimits {
  /** The most pages that are taken. Default: 2,000. */
  readonly pages?: number;
  /** The most links from the first page to another. Default: 16. */
  readonly depth?: number;
  /** The most addresses that are remembered. Default: 20,000. */
  readonly addresses?: number;
  /** The largest page, in bytes. Default: 4 MB. */
  readonly pageBytes?: number;
  /** The most images and other files. Default: 2,000. */
  readonly files?: number;
  /** The largest file, in bytes. Default: 10 MB. */
  readonly fileBytes?: number;
  /** The most bytes of everything. Default: 256 MB. */
  readonly bytes?: number;
  /** The most milliseconds for everything. Default: five minutes. */
  readonly milliseconds?: number;
  /** The most milliseconds for one answer. Default: 20 seconds. */
  readonly answerMilliseconds?: number;
  /** How many requests are under way at once. Default: 4. */
  readonly concurrency?: number;
  /** The longest wait between two requests that a site may ask for, in milliseconds. Default: 2 seconds. */
  readonly crawlDelay?: number;
}

const DEFAULTS: Required<WebLimits> = {
  pages: 2000,
  depth: 16,
  addresses: 20_000,
  pageBytes: 4_000_000,
  files: 2000,
  fileBytes: 10_000_000,
  bytes: 256_000_000,
  milliseconds: 300_000,
  answerMilliseconds: 20_000,
  concurrency: 4,
  crawlDelay: 2000,
};

/** Limits with what was left out. */
export function withDefaults(limits: WebLimits = {}): Required<WebLimits> {
  return { ...DEFAULTS, ...limits };
}
