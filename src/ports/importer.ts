// Runs imports: a few at once, each within its limits. The code that reads sources is loaded by the first import.

import { createError, DocsError } from "../errors";
import type { GitClient } from "../git/port";
import type { ImportContext, ImportedBook, ImportRequest } from "../importers";
import { describeLimitOption, ImportError } from "../importers/errors";
import { createAdmissionGate } from "../utils/concurrency/admission-gate";

/** The limits of imports. */
export interface ImportLimits {
  /** The most pages of one import. Default: 5,000. */
  readonly maxPages?: number;
  /** The most files of one import; all files of an archive count. Default: 20,000. */
  readonly maxFiles?: number;
  /** The most bytes of one import, downloaded and unpacked. Default: 128 MiB. */
  readonly maxBytes?: number;
  /** The time for which one import may read, in seconds. A crawl imports what it found until then. Default: 300. */
  readonly maxSeconds?: number;
  /** The most imports that run at once in one process. Default: 4. */
  readonly maxAtOnce?: number;
}

/** Reads a source to import. Throws `import_failed` if nothing of it can be imported. */
export type RunImport = (wanted: ImportRequest, options?: ImportOptions) => Promise<ImportedBook>;

export interface ImportOptions {
  /** Stores bytes that are too many to hold in memory. */
  readonly spillBytes?: ImportContext["spillBytes"];
  /** Called with the number of pages that were read, and of those that are known so far. */
  readonly onProgress?: ImportContext["onProgress"];
}

/** Extra time for readers that stop by themselves at the limit. */
const GRACE_PERIOD_MS = 10_000;

export function createImportRunner(
  fetch: typeof globalThis.fetch | undefined,
  git: () => Promise<GitClient>,
  {
    maxPages = 5000,
    maxFiles = 20_000,
    maxBytes = 128 * 1024 * 1024,
    maxSeconds = 300,
    maxAtOnce = 4,
  }: ImportLimits = {},
): RunImport {
  const gate = createAdmissionGate({ maxRunning: maxAtOnce, maxWaiting: 0 });
  // Importing a given text needs nothing from other hosts.
  const hostFetch: typeof globalThis.fetch =
    fetch ??
    (async () => {
      throw createError("no_outbound_fetch");
    });

  return async (wanted, { spillBytes, onProgress } = {}) => {
    if (!fetch && !("text" in wanted)) throw createError("no_outbound_fetch");
    const imported = gate.tryRun(async () => {
      const { importBook } = await import("../importers");
      const timeoutMs = maxSeconds * 1000;
      const controller = new AbortController();
      const timeoutError = new DOMException("The import has reached its time limit.", "TimeoutError");
      const abortTimer = setTimeout(() => controller.abort(timeoutError), timeoutMs);
      let failTimer: ReturnType<typeof setTimeout> | undefined;
      try {
        const limits = { maxPages, maxFiles, maxBytes, timeoutMs, signal: controller.signal };
        const book = importBook(wanted, { fetch: hostFetch, getGitClient: git, ...limits, spillBytes, onProgress });
        // The import ends in time even if its source ignores the signal.
        const failure = new Promise<never>((_, reject) => {
          const message = `It took longer than ${maxSeconds} seconds, and nothing was imported. ${describeLimitOption("maxSeconds")}`;
          failTimer = setTimeout(() => reject(new ImportError(message)), timeoutMs + GRACE_PERIOD_MS);
        });
        return await Promise.race([book, failure]);
      } catch (error) {
        if (!(error instanceof ImportError)) throw error;
        const path = "text" in wanted ? "body.text" : "body.url";
        throw new DocsError("import_failed", { issues: [{ path, message: error.message }], cause: error });
      } finally {
        clearTimeout(abortTimer);
        clearTimeout(failTimer);
      }
    });
    if (!imported) throw new DocsError("imports_busy", { headers: { "retry-after": "30" } });
    return imported;
  };
}
