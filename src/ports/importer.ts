// Runs imports: a few at once, each within its limits. The code that reads sources is loaded by the first import.

import { createError, DocsError } from "../errors";
import type { GitClient } from "../git/port";
import type { Wanted, Way } from "../importers";
import type { Imported } from "../importers/imported";
import { howToRaise, ImportRefused } from "../importers/refused";
import { createAdmissionGate } from "../utils/concurrency/admission-gate";

/** The limits of imports. */
export interface ImportLimits {
  /** The most pages of one import. Default: 5,000. */
  readonly maxPages?: number;
  /** The most files of one import; those of an archive count all. Default: 20,000. */
  readonly maxFiles?: number;
  /** The most bytes of one import, downloaded and unpacked. Default: 128 MiB. */
  readonly maxBytes?: number;
  /** How long one import may read. A crawl imports what it found until then. Default: 300. */
  readonly maxSeconds?: number;
  /** Imports that run at once in one process. Default: 4. */
  readonly maxAtOnce?: number;
}

/** Reads a source to import. Throws `import_failed` when nothing of it can be imported. */
export type RunImport = (wanted: Wanted, how?: ImportOptions) => Promise<Imported>;

export interface ImportOptions {
  /** Puts bytes away that are too much to be held. */
  readonly setAside?: Way["setAside"];
  /** Hears how many pages were read, of those that are known so far. */
  readonly onProgress?: Way["told"];
}

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

  async function read(reach: typeof globalThis.fetch, wanted: Wanted, how: ImportOptions): Promise<Imported> {
    const { importFrom } = await import("../importers");
    const milliseconds = maxSeconds * 1000;
    const deadline = startDeadline(milliseconds);
    try {
      const { signal } = deadline;
      const way = { fetch: reach, git, maxPages, maxFiles, maxBytes, milliseconds, signal, ...how };
      return await Promise.race([importFrom(wanted, way), deadline.over(maxSeconds)]);
    } catch (error) {
      if (!(error instanceof ImportRefused)) throw error;
      const path = "text" in wanted ? "body.text" : "body.url";
      throw new DocsError("import_failed", { issues: [{ path, message: error.message }], cause: error });
    } finally {
      deadline.end();
    }
  }

  return async (wanted, how = {}) => {
    if (!fetch && !("text" in wanted)) throw createError("no_outbound_fetch");
    const imported = gate.tryRun(() => read(fetch ?? unreachable, wanted, how));
    if (!imported) throw new DocsError("imports_busy", { headers: { "retry-after": "30" } });
    return imported;
  };
}

/** A text that is given needs nothing from other hosts. */
const unreachable: typeof globalThis.fetch = async () => {
  throw createError("no_outbound_fetch");
};

/** Extra time for readers that stop by themselves at the limit. */
const GRACE_MS = 10_000;

/** Ends an import in time, even when its source ignores the signal. */
function startDeadline(milliseconds: number) {
  const controller = new AbortController();
  const isOver = new DOMException("The time that an import may take is over.", "TimeoutError");
  const soft = setTimeout(() => controller.abort(isOver), milliseconds);
  let hard: ReturnType<typeof setTimeout> | undefined;
  return {
    signal: controller.signal,
    over: (seconds: number) =>
      new Promise<never>((_, reject) => {
        const refusal = new ImportRefused(
          `It took longer than ${seconds} seconds, and nothing was imported. ${howToRaise("maxSeconds")}`,
        );
        hard = setTimeout(() => reject(refusal), milliseconds + GRACE_MS);
      }),
    end() {
      clearTimeout(soft);
      clearTimeout(hard);
    },
  };
}
